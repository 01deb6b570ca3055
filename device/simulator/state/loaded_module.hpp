// The door of the engine: a parsed module becomes an LoadedModule on a device; a launch of one of its kernels runs.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <stop_token>
#include <string>
#include <string_view>
#include <vector>

#include "device/device.hpp"
#include "device/error.hpp"
#include "device/launch_record.hpp"
#include "device/simulator/cubin/machine_code.hpp"
#include "device/simulator/ptx/module.hpp"
#include "device/simulator/state/memory.hpp"
#include "device/types.hpp"

namespace warpbook::device {

/// Which build of the handlers runs. The results are the same bits.
enum class HandlerSet : std::uint8_t { best, sse2, avx2 };

/// A module placed on a device: its globals and constants allocated and initialised, its code ready to be decoded.
/// Frees its variables when the last holder lets go. Immutable to the outside, and safe to use from several threads.
class LoadedModule {
 public:
  virtual ~LoadedModule() = default;
  [[nodiscard]] virtual std::span<const KernelInfo> kernels() const = 0;
  /// A .global or .const variable by its PTX name or its source name; no_such_global.
  [[nodiscard]] virtual Expected<AllocationInfo> global(std::string_view name) const = 0;
  /// Decodes `mangled` and all that it can reach: ptx_unsupported or ptx_unresolved at the source line, else nothing.
  [[nodiscard]] virtual Expected<void> prepare(std::string_view mangled) const = 0;
};

/// Places `module` in `memory`. ptx_unresolved where an initialiser names something that is not there, out_of_memory.
Expected<std::shared_ptr<const LoadedModule>> load_module(ptx::Module module, const Properties& gpu,
                                                          std::shared_ptr<GlobalMemory> memory,
                                                          HandlerSet handlers = HandlerSet::best);

/// A launch whose arguments and geometry have been checked.
struct RunRequest {
  std::shared_ptr<const LoadedModule> image;
  std::string kernel;  ///< mangled
  Dim3 grid, block, cluster;
  std::uint32_t dynamic_shared = 0;  ///< bytes
  bool cooperative = false;
  std::vector<std::byte>
      parameters;  ///< laid out as the kernel's .param list: each at its alignment
  Observation observe;
  Budget budget;
  EstimateRequest estimate;
  std::uint64_t seed = 0;
  std::uint32_t workers = 0;  ///< 0: as many as the machine has; 1 where order matters
  std::stop_token stop;
  std::function<void(double)> progress;
  std::uint64_t resident_blocks = 0;                ///< occupancy x multiprocessors; 0: no bound
  std::shared_ptr<const MachineCode> machine_code;  ///< of the kernel; nullptr: no cubin
  std::optional<std::uint32_t> registers;           ///< a thread; from the cubin
};

/// Runs a launch to its end. An error where nothing ran (unsupported instruction); else the record, whose `error` says
/// what stopped it or what was found.
Expected<LaunchRecord> run(const RunRequest& request);

}  // namespace warpbook::device
