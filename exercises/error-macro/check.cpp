// error-macro: a whole program whose calls and launches are all checked, by a macro that says what failed and where.
#include <array>
#include <cstdint>
#include <string>
#include <utility>

#include "lab/exercise/program_trials.hpp"

namespace warpbook::exercises {
namespace error_macro_check {

/// What the program prints for n readings: the drift of each station is taken away, and tenths of a degree are made.
lab::ProgramTrial trial(std::int64_t n) {
  constexpr std::array<std::int64_t, 4> kDrift{5, 10, 0, 20};  // tenths
  lab::ProgramTrial made;
  made.arguments = {std::to_string(n), "3"};
  made.name = "n = " + made.arguments.front();
  for (std::int64_t i = 0; i < n; ++i) {
    const auto station = static_cast<std::size_t>(i % 3 == 0 ? 3 : i % 3);
    made.output += std::to_string((10 + i % 20) * 10 - kDrift[station]) + "\n";
  }
  return made;
}

void check(lab::Checker& checker) {
  lab::ProgramTrials trials(checker);
  for (const int n : {1, 32, 257}) trials.run(trial(n));
  lab::ProgramTrial judged = trial(1025);
  judged.gates = true;
  trials.run(std::move(judged));
  lab::ProgramTrial drawn = trial(checker.drawn(1030, 2000));
  drawn.gates = drawn.hidden = true;
  trials.run(std::move(drawn));
  lab::ProgramTrial small = trial(checker.drawn(34, 999));
  small.hidden = true;
  trials.run(std::move(small));

  trials.add_right();
  trials.add_safe();
  trials.add_on_gpu(2);  // the starter's kernels
  trials.add_freed();
  constexpr lab::TellingRules kAtOnceAndShort{
      .at_once = true, .most_words = 60, .no_results = true};
  trials.add_errors_told({{.allocation = 1},
                          {.allocation = 2},
                          {.allocation = 3},
                          {.launch = 1},
                          {.launch = 2},
                          {.copy = 1},
                          {.copy = 2},
                          {.copy = 3},
                          {.copy = 4},
                          {.launch = 1, .arguments = {"33", "3"}},
                          {.launch = 2, .arguments = {"33", "3"}},
                          {.copy = 4, .arguments = {"33", "3"}},
                          {.arguments = {"1025", "99999999"}}},
                         kAtOnceAndShort);
  trials.add_places_told();
}

}  // namespace error_macro_check

lab::Exercise error_macro() { return {"error-macro", error_macro_check::check}; }

}  // namespace warpbook::exercises
