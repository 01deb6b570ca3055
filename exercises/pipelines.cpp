#include "exercises/pipelines.hpp"

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "lab/exercise/program_overlap.hpp"
#include "lab/exercise/program_trials.hpp"
#include "lab/text/strings.hpp"

namespace warpbook::exercises {
namespace {

using Item = lab::CheckExhibit::Item;
using State = lab::CheckExhibit::State;

struct Size {
  std::int64_t n = 0, chunks = 1;
};

lab::ProgramTrial trial(const Size& size) {
  lab::ProgramTrial made;
  made.arguments = {std::to_string(size.n), std::to_string(size.chunks)};
  made.name = "n = " + made.arguments[0] + ", c = " + made.arguments[1];
  for (std::int64_t i = 0; i < size.n; ++i) {
    std::int64_t value = i * 7919 % 65537;
    for (int step = 0; step < 10; ++step) value = (value * 75 + 74) % 65537;
    made.output += std::to_string(value) + "\n";
  }
  return made;
}

std::uint64_t numbers(const lab::ProgramTrial& run) {
  return static_cast<std::uint64_t>(std::stoll(run.arguments.front()));
}

lab::Message words(const std::string& id, const std::string& what,
                   lab::MessageArguments arguments = {}) {
  return {"exercise.program." + id + "." + what, std::move(arguments), {}};
}

/// The largest of `measured` keeps within the gate's ceiling.
Item most(Item item, const lab::Gate& gate, const std::vector<double>& measured) {
  for (const double one : measured) {
    if (item.state != State::passed) break;
    const lab::MessageArguments arguments{{"measured", lab::number(one, 3)},
                                          {"ceiling", lab::number(*gate.ceiling, 3)}};
    item.got = words(gate.id, "got", arguments);
    if (one <= *gate.ceiling) continue;
    item.state = State::failed;
    item.advice = words(gate.id, "advice", arguments);
  }
  return item;
}

}  // namespace

void check_pipeline(lab::Checker& checker) {
  lab::ProgramTrials trials(checker);
  for (const Size& size : {Size{1, 1}, {2, 5}, {33, 4}, {1000, 1}, {1023, 7}})
    trials.run(trial(size));
  lab::ProgramTrial small = trial({checker.drawn(34, 999), checker.drawn(2, 12)});
  small.hidden = true;
  trials.run(std::move(small));
  std::vector<lab::ProgramOverlap> overlaps;
  for (const Size& size : {Size{4096, 8}, {checker.drawn(3000, 4000), checker.drawn(9, 12)}}) {
    lab::ProgramTrial made = trial(size);
    made.gates = true;
    made.hidden = !overlaps.empty();
    const std::uint64_t bytes = numbers(made) * sizeof(std::int32_t);
    overlaps.push_back(lab::overlap_of(trials.run(std::move(made)).outcome.record, bytes));
  }

  trials.add_right();
  trials.add_safe();
  trials.add_on_gpu();
  trials.add_parallel(numbers);
  const auto add = [&](const std::string& id, const auto& of) {
    std::vector<double> measured;
    for (const lab::ProgramOverlap& overlap : overlaps) measured.push_back(of(overlap));
    checker.result.items.push_back(
        most(trials.judged(id, words(id, "sentence")), trials.gate_of(id), measured));
  };
  add("pinned", [](const lab::ProgramOverlap& overlap) { return overlap.pageable_share; });
  add("overlap", [](const lab::ProgramOverlap& overlap) { return overlap.path_share; });
  add("ahead",
      [](const lab::ProgramOverlap& overlap) { return static_cast<double>(overlap.late_copies); });
  trials.add_freed();
}

}  // namespace warpbook::exercises
