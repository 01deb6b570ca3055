// What a rung's `//@` block says of its launches, worked out at a size: geometry and arguments. `run_rung` launches by it between
// canaries, and the training library on tensors of its own, so that neither says a grid or an argument twice.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "device/device.hpp"
#include "lab/operation/operation.hpp"

namespace warpbook::lab {

/// The given scalars and those that the operation computes from them. Throws ExperimentFailed.
std::map<std::string, std::int64_t> all_scalars(const Operation& operation,
                                                const std::map<std::string, std::int64_t>& given);

/// A rung's macros, with what `scalars` overrides of them.
std::vector<std::pair<std::string, std::string>> defines_of(
    const Rung& rung, const std::map<std::string, std::int64_t>& scalars);

/// Throws bad_rung, for the reason phrase.rung.NAME.
[[noreturn]] void refuse_rung(std::string_view name, device::MessageArguments arguments,
                              const std::string& path, std::uint32_t line = 0);

/// Kernel name, block, grid and dynamic shared memory. Nothing where the grid is 0: the host skips such a launch. `names` are the
/// rung's (names_of). Throws ExperimentFailed.
std::optional<device::Launch> sized_launch(const Rung& rung, const RungLaunch& launch,
                                           const std::map<std::string, std::int64_t>& names);

/// A kernel's argument. What is in memory and what is a real number the caller puts in, by name.
struct RungArgument {
  enum class Kind : std::uint8_t { buffer, real, fixed } kind = Kind::fixed;
  std::string name;            ///< of the buffer (input, output or workspace) or the real scalar
  std::uint64_t elements = 0;  ///< behind the buffer's first
  device::ElementType type = device::ElementType::f32;  ///< of a real scalar
  device::Argument value;                               ///< of a fixed one
};

/// The arguments of a launch, in the kernel's order. `reals` are the real scalars that will be given. Throws ExperimentFailed.
std::vector<RungArgument> arguments_of(const Operation& operation, const Rung& rung,
                                       const RungLaunch& launch, const device::KernelInfo& kernel,
                                       const std::map<std::string, std::int64_t>& names,
                                       const std::map<std::string, double>& reals);

/// A real scalar as the parameter's type has it.
device::Argument real_argument(device::ElementType type, double value);

}  // namespace warpbook::lab
