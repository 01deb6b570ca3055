// The device interface on a GPU, whose driver runs in a worker process.
//
// As on the simulator, work runs in the order in which the host asked for it, whatever its streams are. So a fault, a hang or a
// crash belongs to exactly one launch. Such a failure costs the worker and all memory on the GPU. The next call starts a new
// worker, and buffers from before have to be allocated again (their use is the error memory_lost).
#pragma once

#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "device/gpu/connection.hpp"
#include "device/gpu/gpu_memory.hpp"
#include "device/gpu/gpu_module.hpp"
#include "device/gpu/gpu_objects.hpp"
#include "device/queued_device.hpp"

namespace warpbook::device::gpu {

/// One timed run: launches in a row. What they use up has to be 0 again for the next run, so it is set before them, and that counts.
struct TimedRun {
  std::vector<Launch> launches;
  std::map<Pointer, std::uint64_t> zeroed;  ///< bytes at each address
};
/// A variant to time: runs that differ only in their buffers and take turns, so that no data stays in the caches.
using TimedVariant = std::vector<TimedRun>;

class GpuDevice final : public QueuedDevice {
 public:
  /// The first GPU. driver_missing, driver_too_old, no_device, ...
  static Expected<std::unique_ptr<GpuDevice>> open();
  ~GpuDevice() override { end_work(); }

  [[nodiscard]] bool supports(Feature feature) const override;
  [[nodiscard]] const std::string& driver() const { return driver_; }  ///< its CUDA: "13.0"
  /// The process in which the driver runs; 0 if there is none.
  [[nodiscard]] pid_t worker() const { return connection_->worker(); }

  Expected<std::shared_ptr<const Module>> load(std::shared_ptr<const Program> program) override;
  Expected<AllocationInfo> global(const Module& module, std::string_view name) override;

  Expected<Pointer> allocate(std::string name, ElementType type, std::uint64_t count) override;
  Expected<Done> release(Pointer address) override;
  Expected<std::shared_ptr<std::byte[]>> allocate_pinned(std::uint64_t bytes) override;

  CopyTicket copy_in(Pointer to, std::span<const std::byte> from, Stream stream) override;
  CopyTicket copy_out(std::span<std::byte> to, Pointer from, Stream stream) override;
  CopyTicket copy(Pointer to, Pointer from, std::uint64_t bytes, Stream stream) override;
  CopyTicket copy_peer(Device& to_device, Pointer to, Pointer from, std::uint64_t bytes,
                       Stream stream) override;
  CopyTicket fill(Pointer to, std::byte value, std::uint64_t bytes, Stream stream) override;

  /// Times variants in turns by the rules of measure, after all queued work. Nothing of their output is kept.
  Expected<std::vector<Timing>> time(const std::vector<TimedVariant>& variants,
                                     const TimeLimits& limits, bool hot);

  using QueuedDevice::destroy;
  Expected<Array> create_array(const ArrayDescription& description) override;
  Expected<Done> destroy(Array array) override;
  CopyTicket copy_in_array(Array to, std::span<const std::byte> from, ArrayRegion region,
                           Stream stream) override;
  CopyTicket copy_out_array(std::span<std::byte> to, Array from, ArrayRegion region,
                            Stream stream) override;
  Expected<Texture> create_texture(const TextureDescription& description) override;
  Expected<Done> destroy(Texture texture) override;
  Expected<Surface> create_surface(Array array, std::uint32_t level) override;
  Expected<Done> destroy(Surface surface) override;

  Expected<Occupancy> occupancy(const Module& module, std::string_view kernel,
                                std::uint32_t block_threads, std::uint32_t dynamic_shared) override;

  [[nodiscard]] std::vector<AllocationInfo> allocations() const override;

 private:
  static constexpr std::uint64_t kStagingBytes = 16u << 20;

  struct Prepared {
    LaunchRequest request;
    LaunchRecord record;  ///< with everything that is known before the launch
    std::shared_ptr<const GpuModule> module;
    std::vector<Pointer> pointers;
    std::vector<std::uint64_t>
        handles;  ///< arguments that may be the handle of a texture or a surface
  };

  GpuDevice(std::shared_ptr<Connection> connection, const Opened& opened);
  [[nodiscard]] Expected<Done> check_own(const Module& module) const override;
  Expected<LaunchWork> prepare(const Launch& launch, const Admitted& admitted) override;
  Expected<Prepared> prepared(const Launch& launch, const Admitted& admitted) const;
  /// Loads the module into the present worker, and checks that no argument points to memory or names an object that was lost.
  Expected<void> ready(const Prepared& launch);
  [[nodiscard]] Error not_supported(Message what) const;

  CopyTicket queue_transfer(HostCall call, CopyWork work);
  Expected<void> read(std::span<std::byte> to, Pointer from, std::string_view call);
  Expected<void> write(Pointer to, std::span<const std::byte> from, std::string_view call);
  Expected<void> stage();
  void make_pinned();
  /// Has the worker move a piece of an array from or to the staging buffer.
  Expected<void> move_piece(Array array, const ArrayRegion& piece, MessageKind kind);
  using MovePiece = std::function<Expected<void>(const ArrayRegion& piece, std::uint64_t at)>;
  /// The work of a copy of a region of an array: `move` for each piece that fits the staging buffer.
  CopyWork piece_by_piece(Array array, const ArrayRegion& region, std::uint64_t row_bytes,
                          MovePiece move);
  Expected<std::uint64_t> create_object(ObjectKind kind, const std::string& name,
                                        const std::string& bytes);
  Expected<Done> destroy_object(ObjectKind kind, std::uint64_t handle);
  /// After an answer that failed: whether the memory was lost, too.
  void note_losses();
  [[nodiscard]] Expected<const GpuModule*> own(const Module& module) const;
  /// The pinned memory that contains the whole range, and the offset in it; null if there is none.
  [[nodiscard]] std::pair<std::shared_ptr<SharedMemory>, std::uint64_t> pinned(
      const std::byte* begin, std::uint64_t bytes) const;

  const std::shared_ptr<Connection> connection_;
  const std::string driver_;
  const std::shared_ptr<GlobalMemory> reader_;
  GpuMemory memory_;
  GpuObjects objects_;
  struct Pinned;
  std::shared_ptr<Pinned> pinned_;  // shared with the deleters, which may outlive this
  std::mutex staging_mutex_;        // of staging_
  std::shared_ptr<SharedMemory> staging_;
};

}  // namespace warpbook::device::gpu
