// A launch under schedule after schedule, side by side.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>

#include "lab/exhibits/schedules/schedules.hpp"
#include "lab/experiment/lesson.hpp"

namespace warpbook::lessons {

/// How many schedules a launch is run under: 0, the simulator's usual one, and others that permute warps and lanes.
inline constexpr std::uint32_t kReplays = 64;

/// A launch, and the array that counts.
struct Replayed {
  std::string file, source;  ///< of the kernel: as findings call it, and its text
  device::Launch launch;
  const device::Buffer* array = nullptr;
  lab::TensorExhibit truth;  ///< what the array should be
  /// Puts everything that the launch changes back to what it was before.
  std::function<void()> prepare;
};

/// Runs it under one schedule with counters and all checkers. Unlike Lab::launch(), this leaves no error in the report: it is for
/// kernels of the book beside the one that the reader looks at.
std::shared_ptr<const device::LaunchRecord> run_beside(lab::Lab& lab, const Replayed& replayed,
                                                       std::uint32_t schedule);

/// Runs it under each schedule, where nothing is looked at but what is in the array afterwards. `record`: of the same launch under
/// the schedule `chosen`, which is shown first, with all checkers.
lab::SchedulesExhibit replay(lab::Lab& lab, const Replayed& replayed,
                             const device::LaunchRecord& record, std::uint32_t chosen);

}  // namespace warpbook::lessons
