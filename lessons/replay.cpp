#include "lessons/replay.hpp"

#include <optional>
#include <utility>
#include <vector>

#include "lab/exhibits/schedules/schedules_of.hpp"
#include "lessons/common.hpp"

namespace warpbook::lessons {
namespace {

constexpr device::Checks kNoChecks{false, false, false, false, false, false};

std::shared_ptr<const device::LaunchRecord> run_under(lab::Lab& lab, const Replayed& replayed,
                                                      std::uint32_t schedule,
                                                      const device::Checks& checks) {
  replayed.prepare();
  device::Launch launch = replayed.launch;
  launch.seed = schedule;
  static_cast<device::Checks&>(launch.observe) = checks;
  launch.observe.counters = checks != kNoChecks;
  launch.observe.trace_accesses = 0;
  launch.budget = lab.context().budget;
  launch.budget.seconds = kPatience / kReplays;
  launch.stop = lab.context().stop;
  return lab::require(lab.device().launch(std::move(launch)).wait());
}

}  // namespace

std::shared_ptr<const device::LaunchRecord> run_beside(lab::Lab& lab, const Replayed& replayed,
                                                       std::uint32_t schedule) {
  return run_under(lab, replayed, schedule, lab.context().checks);
}

lab::SchedulesExhibit replay(lab::Lab& lab, const Replayed& replayed,
                             const device::LaunchRecord& record, std::uint32_t chosen) {
  std::vector<std::optional<lab::TensorExhibit>> outputs;
  for (std::uint32_t schedule = 0; schedule < kReplays; ++schedule) {
    lab.progress(static_cast<double>(schedule) / kReplays, {});
    const bool ended = !run_under(lab, replayed, schedule, kNoChecks)->error;
    outputs.push_back(ended ? std::optional(lab.tensor(*replayed.array, replayed.truth.shape))
                            : std::nullopt);
  }
  lab::SchedulesExhibit made = lab::schedules_of(replayed.truth, outputs);
  made.chosen = chosen;
  made.seeded = lab.device().supports(device::Feature::seeds);
  lab::add_races(made, record, replayed.file, replayed.source);
  return made;
}

}  // namespace warpbook::lessons
