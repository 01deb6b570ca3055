// `warpbook train --devices N` and `--ranks N`: several simulated GPUs share each batch, in one process or in as many.
#pragma once

#include <cstdint>
#include <string>

#include "lab/experiment/lesson.hpp"
#include "lab/text/strings.hpp"
#include "training/presets.hpp"

namespace warpbook::cli {

/// More would need more memory than a small computer has.
inline constexpr std::uint32_t kMostMembers = 64;

struct TogetherRequest {
  const training::Preset& preset;
  std::uint64_t seed = 1, steps = 0;
};

/// In this process. Gives the exit code; throws ExperimentFailed.
int train_on_devices(lab::Lab& lab, const TogetherRequest& request, std::uint64_t devices,
                     const lab::Strings& strings);
/// Becomes mpiexec, which starts the processes. Comes back with an exit code only where that is not possible.
int train_by_ranks(const TogetherRequest& request, std::uint64_t ranks, const std::string& gpu,
                   const std::string& checks, const lab::Strings& strings,
                   const std::string& language);

}  // namespace warpbook::cli
