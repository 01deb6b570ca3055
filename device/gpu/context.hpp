// The GPU, as the worker process has it: the driver's primary context, which the libraries share, with modules, memory and
// one stream of ours. Calls run one at a time and each is waited for, so that a fault belongs to the call that reports it.
#pragma once

#include <map>
#include <memory>
#include <string>
#include <vector>

#include "device/driver/driver.hpp"
#include "device/gpu/capture.hpp"
#include "device/gpu/messages.hpp"
#include "device/unique_fd.hpp"

namespace warpbook::device::gpu {

template <class T>
using Result = tl::expected<T, Failure>;

class Context {
 public:
  /// The first GPU. Errors: those of Driver::open, no_device, driver_failed.
  static Result<std::unique_ptr<Context>> open();
  ~Context();
  Context(const Context&) = delete;
  Context& operator=(const Context&) = delete;

  [[nodiscard]] Opened opened() const;

  /// ptx_syntax with the driver's own log, driver_too_old, no_such_kernel.
  Result<std::vector<FunctionFacts>> load(const LoadRequest& request);
  Result<void> unload(std::uint64_t module);
  Result<Numbers> global(const SymbolRequest& request);

  Result<Numbers> allocate(std::uint64_t bytes);
  Result<void> release(std::uint64_t address);
  /// Host memory that both processes have, pinned.
  Result<void> share(std::uint64_t id, std::uint64_t bytes, UniqueFd memory);
  Result<void> unshare(std::uint64_t id);
  Result<void> copy_in(std::uint64_t to, std::uint64_t memory, std::uint64_t offset,
                       std::uint64_t bytes);
  Result<void> copy_out(std::uint64_t from, std::uint64_t memory, std::uint64_t offset,
                        std::uint64_t bytes);
  Result<void> copy(std::uint64_t to, std::uint64_t from, std::uint64_t bytes);
  Result<void> fill(std::uint64_t to, std::uint8_t value, std::uint64_t bytes);

  /// An array under the owner's number for it. invalid_value where the driver refuses it, out_of_memory.
  Result<void> create_array(const ArrayRequest& request);
  Result<void> destroy_array(std::uint64_t array);
  Result<void> copy_in_array(const ArrayCopy& copy);
  Result<void> copy_out_array(const ArrayCopy& copy);
  /// The driver's own handle, which kernels take. invalid_value where the driver refuses it.
  Result<Numbers> create_texture(const TextureRequest& request);
  Result<void> destroy_texture(std::uint64_t handle);
  Result<Numbers> create_surface(std::uint64_t array, std::uint32_t level);
  Result<void> destroy_surface(std::uint64_t handle);

  /// A Failure means that the launch was refused. If the kernel ran and failed, the reply says so.
  Result<LaunchReply> launch(const LaunchRequest& request);
  Result<Numbers> occupancy(const OccupancyRequest& request);
  Result<std::vector<Timing>> time(const TimeRequest& request);

 private:
  struct Shared {
    std::byte* memory = nullptr;
    std::uint64_t bytes = 0;
    bool pinned = false;
  };

  /// A CUDA array, plain or mipmapped.
  struct OwnArray {
    void* handle = nullptr;
    ArrayDescription description;
    [[nodiscard]] bool mipmapped() const { return description.levels != 0; }
  };

  Context(const Driver& driver, Capture capture) : driver_(driver), capture_(std::move(capture)) {}
  Result<void> prepare();
  Result<Properties> read_properties() const;
  Result<void> check(cuda::Status status, std::string_view call) const;
  Result<void> settle(cuda::Status status, std::string_view call);
  /// Like check(), but where the driver refuses a size, format or alignment the error is invalid_value, and where memory ran
  /// out it is out_of_memory with that many bytes.
  Result<void> made(cuda::Status status, std::string_view call, const std::string& name,
                    std::uint64_t bytes) const;
  [[nodiscard]] Failure no_memory(std::uint64_t bytes, const std::string& name) const;
  [[nodiscard]] Result<const OwnArray*> array(std::uint64_t number) const;
  /// The CUDA array of one level.
  [[nodiscard]] Result<void*> level_of(const OwnArray& array, std::uint32_t level) const;
  Result<void> copy_array(const ArrayCopy& copy, bool in);
  Result<void*> function(std::uint64_t module, const std::string& name);
  [[nodiscard]] Failure failed(cuda::Status status, const LaunchRequest& launch) const;
  /// The function attributes that its launches need; set once.
  Result<void> opt_in(const LaunchRequest& request, void* function);
  Result<std::byte*> shared(std::uint64_t id, std::uint64_t offset, std::uint64_t bytes) const;
  /// Launches, and returns the driver's status.
  cuda::Status queue(const LaunchRequest& request, void* function);
  /// What is set to 0 and the launches, one after another.
  Result<void> queue_run(const TimedSet& run);
  /// The state of a variant that is being timed.
  struct Timed {
    const std::vector<TimedSet>& sets;
    std::size_t next = 0;  ///< whose turn it is
    int batch = 1;
    double seconds = 0;  ///< of a run; 0: not known yet
    const TimedSet& take() { return sets[next++ % sets.size()]; }
  };
  Result<double> sample(Timed& variant);

  const Driver& driver_;
  Capture capture_;
  int device_ = 0;
  void* stream_ = nullptr;
  void* begin_ = nullptr;
  void* end_ = nullptr;
  Properties properties_;
  std::map<std::uint64_t, void*> modules_;
  std::map<std::pair<std::uint64_t, std::string>, void*> functions_;  // found so far, of modules_
  std::map<void*, std::uint32_t> opted_in_;  // bytes of dynamic shared memory, by function
  std::map<std::uint64_t, Shared> shared_;
  std::map<std::uint64_t, OwnArray> arrays_;  // by the owner's number
};

}  // namespace warpbook::device::gpu
