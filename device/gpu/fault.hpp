// The meaning of a driver's status: how much is lost, and which error reports it.
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

/// How much a failure destroys.
enum class Harm : std::uint8_t {
  none,     ///< nothing: the call was refused
  context,  ///< the context and all memory in it; another one works
  device    ///< the GPU itself does not answer any more; perhaps another try finds it again
};
constexpr auto enum_names(Harm) { return checked_names<Harm>("none", "context", "device"); }
Harm harm_of(cuda::Status status);

/// A failure on the worker's side.
struct Failure {
  Error error;
  Harm harm = Harm::none;
};
template <class V>
void fields(V&& visit, Is<Failure> auto& v) {
  visit("error", v.error);
  visit("harm", v.harm);
}

/// An error without a place in a source.
Error error_of(ErrorCode code, MessageArguments arguments);

/// A launch that failed.
struct FaultedLaunch {
  std::string kernel;
  Dim3 grid, block;
  double seconds = 0;  ///< it ran for so long
};

/// The error of a launch that was refused or that faulted. `status_name` is the driver's. `said` is the driver's output on
/// standard error, in which a failed assertion names its thread.
Error launch_error(cuda::Status status, const std::string& status_name, const FaultedLaunch& launch,
                   std::string_view said);

/// The first failed assertion in `said`.
std::optional<Error> assertion_in(std::string_view said, const FaultedLaunch& launch);

/// The error of any other call. Running out of memory has a code of its own.
Error call_error(cuda::Status status, const std::string& status_name, std::string_view call);

}  // namespace warpbook::device::gpu
