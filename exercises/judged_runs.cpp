#include "exercises/judged_runs.hpp"

#include <utility>

namespace warpbook::exercises {

std::vector<JudgedRun> run_judged(lab::ProgramTrials& trials, std::vector<lab::ProgramTrial> all) {
  std::vector<JudgedRun> judged;
  for (lab::ProgramTrial& trial : all) {
    trial.gates = trial.traced = true;
    trial.hidden = !judged.empty();
    const lab::ProgramResult& result = trials.run(trial);
    judged.push_back({std::move(trial), result});
  }
  return judged;
}

std::vector<std::int64_t> drawn_numbers(std::int64_t count, std::uint32_t salt, std::int64_t most) {
  std::vector<std::int64_t> values;
  for (std::uint32_t i = 0; i < count; ++i) {
    std::uint32_t mixed = ((i + 1) * 2654435761u) ^ (salt * 40503u);
    mixed = (mixed ^ (mixed >> 15)) * 2246822519u;
    values.push_back(static_cast<std::int64_t>(mixed >> 16) % (2 * most + 1) - most);
  }
  return values;
}

}  // namespace warpbook::exercises
