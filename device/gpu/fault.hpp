// What a status of the driver means: what it costs, and the error that says it.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "device/driver/cuda.hpp"
#include "device/error.hpp"
#include "device/types.hpp"

namespace warpbook::device::gpu {

/// What is lost with a failure.
enum class Harm : std::uint8_t {
  none,     ///< nothing: the call was refused
  context,  ///< the context and all memory in it; another one works
  device    ///< the GPU itself does not answer any more; perhaps another try finds it again
};
Harm harm_of(cuda::Status status);

/// A failure on the worker's side.
struct Failure {
  Error error;
  Harm harm = Harm::none;
};

/// An error that has no place in a source.
Error error_of(ErrorCode code, std::vector<std::pair<std::string, std::string>> arguments);

/// The launch that something befell.
struct FaultedLaunch {
  std::string kernel;
  Dim3 grid, block;
  double seconds = 0;  ///< that it ran
};

/// The error of a launch that was refused or that faulted. `status_name` is the driver's; `said` is what it wrote to
/// standard error, where an assertion names its thread.
Error launch_error(cuda::Status status, const std::string& status_name, const FaultedLaunch& launch,
                   std::string_view said);

/// The first failed assertion that `said` tells of.
std::optional<Error> assertion_in(std::string_view said, const FaultedLaunch& launch);

/// The error of any other call: out_of_memory has its own.
Error call_error(cuda::Status status, const std::string& status_name, std::string_view call);

}  // namespace warpbook::device::gpu
