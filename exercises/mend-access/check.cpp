// mend-access: a program whose kernel trusts the numbers of stations that a file has, and reaches past the end of its arrays.
#include <array>
#include <cstdint>
#include <string>
#include <utility>

#include "lab/exercise/program_trials.hpp"

namespace warpbook::exercises {
namespace mend_access_check {

/// `missing`: what the file has where the station is not known: every seventh reading.
lab::ProgramTrial trial(std::int64_t n, const std::string& missing) {
  std::array<std::int64_t, 8> sums{};
  std::int64_t unknown = 0;
  lab::ProgramTrial made;
  for (std::int64_t i = 0; i < n; ++i) {
    made.inputs.push_back(i % 50);
    if (i % 7 == 3)
      ++unknown;
    else
      sums[static_cast<std::size_t>(i % 8)] += made.inputs.back();
  }
  made.arguments = {std::to_string(n), missing};
  made.name = "n = " + made.arguments.front() + ", station " + missing;
  for (const std::int64_t sum : sums) made.output += std::to_string(sum) + "\n";
  made.output += "unknown: " + std::to_string(unknown) + "\n";
  return made;
}

lab::ProgramTrial with_gates(lab::ProgramTrial trial) {
  trial.gates = trial.traced = true;
  return trial;
}

void check(lab::Checker& checker) {
  lab::ProgramTrials trials(checker);
  for (const auto& [n, missing] : {std::pair{1, "-1"},
                                   {32, "8"},
                                   {256, "-1"},
                                   {257, "9"},
                                   {300, "2147483647"},
                                   {1000, "-2147483648"}})
    trials.run(trial(n, missing));
  trials.run(with_gates(trial(4000, "99999999")));  // the most readings that the task names
  lab::ProgramTrial drawn =
      with_gates(trial(checker.drawn(2050, 3999), std::to_string(-checker.drawn(2, 99))));
  drawn.hidden = true;
  trials.run(std::move(drawn));
  lab::ProgramTrial small = trial(checker.drawn(34, 999), std::to_string(checker.drawn(8, 40)));
  small.hidden = true;
  trials.run(std::move(small));

  trials.add_right();
  trials.add_safe();
  trials.add_printed_by_gpu({.sums = true});
  trials.add_parallel([](const lab::ProgramTrial& run) {
    return static_cast<std::uint64_t>(std::stoll(run.arguments.front()));
  });
  trials.add_freed();
}

}  // namespace mend_access_check

lab::Exercise mend_access() { return {"mend-access", mend_access_check::check}; }

}  // namespace warpbook::exercises
