// A launch of one kernel of a loaded module, from its start to its record.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <stop_token>
#include <string>
#include <vector>

#include "device/device.hpp"
#include "device/error.hpp"
#include "device/launch_record.hpp"
#include "device/simulator/cubin/machine_code.hpp"
#include "device/simulator/state/loaded_module.hpp"
#include "device/types.hpp"

namespace warpbook::device {

/// A launch whose arguments and geometry have been checked.
struct RunRequest {
  std::shared_ptr<const LoadedModule> module;
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
  bool perturb_approximations = false;
  std::uint32_t host_threads =
      0;  ///< 0: as many as the processor has; always 1 where order matters
  std::stop_token stop;
  std::function<void(double)> progress;
  std::uint64_t resident_blocks = 0;                ///< occupancy x multiprocessors; 0: no bound
  std::shared_ptr<const MachineCode> machine_code;  ///< of the kernel; nullptr: no cubin
  std::optional<std::uint32_t> registers;           ///< per thread; from the cubin
};

/// Runs a launch to its end. An error where nothing ran (unsupported instruction); else the record, whose `error` says
/// what stopped it or what was found.
Expected<LaunchRecord> run(const RunRequest& request);

}  // namespace warpbook::device
