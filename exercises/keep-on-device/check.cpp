// keep-on-device: a program of many steps that leaves its array on the GPU between them.
#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "lab/exercise/program_trials.hpp"
#include "lab/text/strings.hpp"

namespace warpbook::exercises {
namespace keep_on_device_check {

using device::runtime::Engine;
using device::runtime::MemoryKind;
using device::runtime::ProgramRecord;
using Item = lab::CheckExhibit::Item;
using State = lab::CheckExhibit::State;

struct Size {
  std::int64_t n = 0, steps = 0;
};
/// What others are compared with: whatever a program does once weighs most here.
constexpr Size kFewSteps{1000, 2};
constexpr Size kManySteps{1000, 24};

std::uint64_t bytes_of(const Size& size) { return static_cast<std::uint64_t>(size.n) * 4; }

using Numbers = std::vector<std::int64_t>;

/// As the program makes the array.
Numbers at_first(std::int64_t n) {
  Numbers x(static_cast<std::size_t>(n));
  for (std::size_t i = 0; i < x.size(); ++i) x[i] = static_cast<std::int64_t>(i * 7919 % 1000);
  return x;
}

Numbers smoothed(const Size& size) {
  Numbers x = at_first(size.n);
  for (std::int64_t step = 0; step < size.steps; ++step) {
    Numbers next = x;
    for (std::size_t i = 1; i + 1 < x.size(); ++i) next[i] = (x[i - 1] + 2 * x[i] + x[i + 1]) / 4;
    x = std::move(next);
  }
  return x;
}

lab::ProgramTrial trial(const Size& size) {
  lab::ProgramTrial made;
  made.arguments = {std::to_string(size.n), std::to_string(size.steps)};
  made.name = "n = " + made.arguments[0] + ", k = " + made.arguments[1];
  for (const std::int64_t value : smoothed(size)) made.output += std::to_string(value) + "\n";
  return made;
}

lab::Message words(const std::string& id, const std::string& what,
                   lab::MessageArguments arguments = {}) {
  return {"keep-on-device." + id + "." + what, std::move(arguments), {}};
}

/// A run at which gates are judged.
struct Judged {
  Size size;
  const lab::ProgramResult& result;
  [[nodiscard]] const ProgramRecord& record() const { return result.outcome.record; }
};

/// Instructions of all kernels for each element.
double work_of(const Judged& run) {
  double all = 0;
  for (const auto& launch : run.record().launches)
    all += static_cast<double>(launch.thread_instructions);
  return all / static_cast<double>(run.size.n);
}

/// The kernels' work grows with the number of steps, and from the first one on: else the host does some of them.
Item steps(Item item, const lab::Gate& gate, const Judged& few, const std::vector<Judged>& many) {
  for (const Judged& run : many) {
    if (item.state != State::passed) break;
    const double each = work_of(few) / static_cast<double>(few.size.steps);
    const double times = work_of(run) / static_cast<double>(run.size.steps) / each;
    item.got = words("steps", "got", {{"measured", lab::number(times, 3)}});
    const bool too_few = !gate.floor || !(times >= *gate.floor),
               too_many = !gate.ceiling || !(times <= *gate.ceiling);
    if (!too_few && !too_many) continue;
    item.state = State::failed;
    item.advice = words("steps", too_few ? "advice" : "fixed");
  }
  return item;
}

/// The first step reads the array as the program makes it, if that is copied to the GPU, and the last one stores it as it is printed, but
/// for the two ends, which no step changes: so the host does neither.
Item first_and_last(Item item, const std::vector<Judged>& many) {
  for (const Judged& run : many) {
    if (item.state != State::passed) break;
    const Numbers first = at_first(run.size.n), last = smoothed(run.size);
    const auto& arrived = run.result.arrived;
    const bool begins = arrived.empty() || lab::first_not_held(first, arrived) == first.size(),
               ends = lab::hold_in_order(lab::left_by(run.result.stores),
                                         Numbers(last.begin() + 1, last.end() - 1));
    if (begins && ends) continue;
    item.state = State::failed;
    item.advice = words("steps", begins ? "last" : "first");
  }
  return item;
}

std::uint64_t allocated(const ProgramRecord& record, bool on_host) {
  std::uint64_t bytes = 0;
  for (const auto& allocation : record.allocations)
    if ((allocation.kind == MemoryKind::pinned) == on_host) bytes += allocation.bytes;
  return bytes;
}

/// The kernels use memory of the GPU's, and not the host's across the link. Variables of the module are no allocations, but what
/// is in them is copied.
Item resident(Item item, const std::vector<Judged>& many) {
  for (const Judged& run : many) {
    if (item.state != State::passed) break;
    std::uint64_t copied = 0;
    for (const auto& copies : run.result.copies) copied += copies.bytes;
    const std::uint64_t once = bytes_of(run.size);
    const bool on_gpu = allocated(run.record(), false) >= once || copied >= once;
    if (on_gpu || allocated(run.record(), true) < once) continue;
    item.state = State::failed;
    item.advice = words("resident", "advice");
  }
  return item;
}

/// However many steps there are, the program allocates memory as often as for a few.
Item allocations(Item item, const Judged& few, const std::vector<Judged>& many) {
  const std::size_t once = few.record().allocations.size();
  for (const Judged& run : many) {
    if (item.state != State::passed) break;
    const std::size_t got = run.record().allocations.size();
    item.got = words("allocations", "got", {{"count", lab::grouped(got)}});
    if (got <= once) continue;
    item.state = State::failed;
    item.advice =
        words("allocations", "advice", {{"count", lab::grouped(got)}, {"few", lab::grouped(once)}});
  }
  return item;
}

void check(lab::Checker& checker) {
  lab::ProgramTrials trials(checker);
  for (const Size& size : {Size{1, 3}, {2, 5}, {3, 1}, {31, 7}, {33, 0}, {257, 4}})
    trials.run(trial(size));
  const Judged few{kFewSteps, trials.run(trial(kFewSteps))};

  const Size drawn{checker.drawn(1100, 2000), checker.drawn(15, 30)};
  std::vector<Judged> many;
  for (const Size& size : {kManySteps, drawn}) {
    lab::ProgramTrial made = trial(size);
    made.gates = made.traced = true;
    made.hidden = !many.empty();
    many.push_back({size, trials.run(std::move(made))});
  }
  lab::ProgramTrial small = trial({checker.drawn(34, 999), checker.drawn(3, 9)});
  small.hidden = true;
  trials.run(std::move(small));

  const auto needed = [](const lab::ProgramTrial& run) {
    return bytes_of({std::stoll(run.arguments.front()), 0});
  };
  const auto add = [&](Item item) { checker.result.items.push_back(std::move(item)); };
  const auto judged = [&](const std::string& id) {
    return trials.judged(id, words(id, "sentence"));
  };
  trials.add_right();
  trials.add_safe();
  trials.add_on_gpu();
  trials.add_parallel([](const lab::ProgramTrial& run) {
    return static_cast<std::uint64_t>(std::stoll(run.arguments[0]) * std::stoll(run.arguments[1]));
  });
  add(first_and_last(steps(judged("steps"), trials.gate_of("steps"), few, many), many));
  add(resident(judged("resident"), many));
  trials.add_copies("in", Engine::copy_in, needed);
  trials.add_copies("out", Engine::copy_out, needed);
  add(allocations(judged("allocations"), few, many));
  trials.add_freed();
}

}  // namespace keep_on_device_check

lab::Exercise keep_on_device() { return {"keep-on-device", keep_on_device_check::check}; }

}  // namespace warpbook::exercises
