// whole-program: a main of one's own that adds two arrays on the GPU and prints the sums.
#include <cstdint>
#include <string>
#include <utility>

#include "lab/exercise/program_trials.hpp"

namespace warpbook::exercises {
namespace whole_program_check {

lab::ProgramTrial trial(std::int64_t n) {
  lab::ProgramTrial made;
  made.name = "n = " + std::to_string(n);
  made.arguments = {std::to_string(n)};
  for (std::int64_t i = 0; i < n; ++i)
    made.output += std::to_string(3 * i + 1 + i * i % 1000) + "\n";
  return made;
}

lab::ProgramTrial with_gates(lab::ProgramTrial trial) {
  trial.gates = true;
  return trial;
}

lab::ProgramTrial hidden(lab::ProgramTrial trial) {
  trial.hidden = true;
  return trial;
}

void check(lab::Checker& checker) {
  lab::ProgramTrials trials(checker);
  for (const int n : {0, 1, 31, 32, 33, 127, 1000, 1009}) trials.run(trial(n));
  // More than one block can be, and the last block is not full.
  trials.run(with_gates(trial(2049)));
  trials.run(hidden(trial(checker.drawn(34, 999))));
  trials.run(with_gates(hidden(trial(checker.drawn(1025, 4000)))));

  trials.add_right();
  trials.add_safe();
  trials.add_on_gpu();
  trials.add_parallel([](const lab::ProgramTrial& run) {
    return static_cast<std::uint64_t>(std::stoll(run.arguments.front()));
  });
  trials.add_freed();
  trials.add_errors_told({{.allocation = 1}, {.allocation = 2}, {.allocation = 3}, {.launch = 1}});
}

}  // namespace whole_program_check

lab::Exercise whole_program() { return {"whole-program", whole_program_check::check}; }

}  // namespace warpbook::exercises
