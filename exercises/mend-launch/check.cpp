// mend-launch: a program whose launch was right as long as there were few readings.
#include <cstdint>
#include <string>
#include <utility>

#include "lab/exercise/program_trials.hpp"

namespace warpbook::exercises {
namespace mend_launch_check {

lab::ProgramTrial trial(std::int64_t n) {
  lab::ProgramTrial made;
  made.name = "n = " + std::to_string(n);
  made.arguments = {std::to_string(n)};
  for (std::int64_t i = 0; i < n; ++i) {
    made.inputs.push_back(i * 3 % 70 - 20);
    made.output += std::to_string(made.inputs.back() * 10 - 5) + "\n";
  }
  return made;
}

lab::ProgramTrial with_gates(lab::ProgramTrial trial) {
  trial.gates = trial.traced = true;
  return trial;
}

void check(lab::Checker& checker) {
  lab::ProgramTrials trials(checker);
  for (const int n : {0, 1, 32, 1000, 1024, 1025}) trials.run(trial(n));
  trials.run(with_gates(trial(6000)));  // the most that the task names
  lab::ProgramTrial drawn = with_gates(trial(checker.drawn(4000, 5999)));
  drawn.hidden = true;
  trials.run(std::move(drawn));
  lab::ProgramTrial small = trial(checker.drawn(34, 999));
  small.hidden = true;
  trials.run(std::move(small));

  trials.add_right();
  trials.add_safe();
  trials.add_printed_by_gpu();
  trials.add_parallel([](const lab::ProgramTrial& run) {
    return static_cast<std::uint64_t>(std::stoll(run.arguments.front()));
  });
  trials.add_freed();
}

}  // namespace mend_launch_check

lab::Exercise mend_launch() { return {"mend-launch", mend_launch_check::check}; }

}  // namespace warpbook::exercises
