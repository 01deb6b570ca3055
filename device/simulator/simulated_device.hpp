// Device on the simulator: one GlobalMemory, one queue, one row of the GPU table.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <utility>
#include <vector>

#include "device/queued_device.hpp"
#include "device/simulator/simulated_module.hpp"
#include "device/simulator/state/memory.hpp"
#include "device/simulator/state/texture_objects.hpp"

namespace warpbook::device {

class SimulatedDevice final : public QueuedDevice {
 public:
  /// `shared`: its global memory lies in a memfd, for another process that maps it at kGlobalBase.
  explicit SimulatedDevice(Properties gpu, bool shared = false);
  ~SimulatedDevice() override { end_work(); }

  [[nodiscard]] bool supports(Feature feature) const override;

  Expected<std::shared_ptr<const Module>> load(std::shared_ptr<const Program> program) override;
  Expected<AllocationInfo> global(const Module& module, std::string_view name) override;

  Expected<Pointer> allocate(std::string name, ElementType type, std::uint64_t count) override;
  Expected<Done> release(Pointer address) override;
  Expected<std::shared_ptr<std::byte[]>> allocate_pinned(std::uint64_t bytes) override;
  /// Global memory in pages of its own, which the process that maps it may open for its host code: managed and pinned memory.
  /// All of it counts as written, because the simulator cannot see what that process writes.
  Expected<Pointer> allocate_pages(std::string name, std::uint64_t bytes);
  [[nodiscard]] const GlobalMemory& memory() const { return *memory_; }
  /// Whoever changes it does so where no launch runs.
  [[nodiscard]] GlobalMemory& memory() { return *memory_; }

  CopyTicket copy_in(Pointer to, std::span<const std::byte> from, Stream stream) override;
  CopyTicket copy_out(std::span<std::byte> to, Pointer from, Stream stream) override;
  CopyTicket copy(Pointer to, Pointer from, std::uint64_t bytes, Stream stream) override;
  CopyTicket copy_peer(Device& to_device, Pointer to, Pointer from, std::uint64_t bytes,
                       Stream stream) override;
  CopyTicket fill(Pointer to, std::byte value, std::uint64_t bytes, Stream stream) override;

  using QueuedDevice::destroy;
  Expected<Texture> create_texture(const TextureDescription& description) override;
  Expected<Done> destroy(Texture texture) override;
  Expected<Surface> create_surface(Array array, std::uint32_t level) override;
  Expected<Done> destroy(Surface surface) override;
  Expected<Array> create_array(const ArrayDescription& description) override;
  /// Its views go with it.
  Expected<Done> destroy(Array array) override;
  /// How an array lies in global memory. invalid_handle.
  [[nodiscard]] Expected<ArrayState> array_of(Array array) const;
  /// One level of a mipmapped array as an array over the same memory, for textures and surfaces of that level alone. The same
  /// one each time; it is not destroyed by itself. invalid_handle, invalid_value.
  Expected<Array> view_level(Array array, std::uint32_t level);
  CopyTicket copy_in_array(Array to, std::span<const std::byte> from, ArrayRegion region,
                           Stream stream) override;
  CopyTicket copy_out_array(std::span<std::byte> to, Array from, ArrayRegion region,
                            Stream stream) override;

  Expected<Occupancy> occupancy(const Module& module, std::string_view kernel,
                                std::uint32_t block_threads, std::uint32_t dynamic_shared) override;

  [[nodiscard]] std::vector<AllocationInfo> allocations() const override;

 private:
  using ArrayWork = std::function<Expected<void>(const ArrayState&, const ArrayRegion&)>;

  CopyTicket copy_array(const char* call, Array array, ArrayRegion region, std::uint64_t bytes,
                        Stream stream, ArrayWork work);
  Expected<Done> destroy_object(const char* what, std::uint64_t handle);
  [[nodiscard]] std::string name_at(Pointer address) const;
  [[nodiscard]] Expected<const SimulatedModule*> own(const Module& module) const;
  [[nodiscard]] Expected<Done> check_own(const Module& module) const override;
  Expected<LaunchWork> prepare(const Launch& launch, const Admitted& admitted) override;

  const std::shared_ptr<GlobalMemory> memory_;
  std::mutex views_mutex_;
  /// By the handle of the mipmapped array and the level.
  std::map<std::pair<std::uint64_t, std::uint32_t>, Array> views_;
};

}  // namespace warpbook::device
