// mend-leak: a program that runs day after day and has to free, on every way out of its loop, what a day allocates.
#include <algorithm>
#include <cstdint>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "lab/exercise/program_trials.hpp"
#include "lab/text/strings.hpp"

namespace warpbook::exercises {
namespace mend_leak_check {

using Item = lab::CheckExhibit::Item;
using State = lab::CheckExhibit::State;

/// What the program prints: pixels above 200, and how many pixels are darker than their left neighbour, on days with clouds.
lab::ProgramTrial trial(std::int64_t days, std::int64_t n) {
  lab::ProgramTrial made;
  made.arguments = {std::to_string(days), std::to_string(n)};
  made.name = "days = " + made.arguments[0] + ", n = " + made.arguments[1];
  for (std::int64_t day = 0; day < days; ++day) {
    const auto pixel = [&](std::int64_t i) {
      return day % 3 == 1 ? i % 100 : (i * 7 + day * 13) % 256;
    };
    std::int64_t clouds = 0, edges = 0;
    for (std::int64_t i = 0; i < n; ++i) {
      clouds += pixel(i) > 200;
      edges += i > 0 && pixel(i) < pixel(i - 1);
    }
    made.output += "day " + std::to_string(day) + ": ";
    made.output +=
        clouds == 0 ? "no clouds\n" : std::to_string(clouds) + " " + std::to_string(edges) + "\n";
  }
  return made;
}

/// The most bytes of the GPU's memory that were allocated at one time.
std::uint64_t most_at_once(const device::runtime::ProgramRecord& record) {
  std::map<std::uint64_t, std::int64_t> change;  // by the number of the call
  for (const auto& allocation : record.allocations) {
    if (allocation.kind == device::runtime::MemoryKind::pinned) continue;
    change[allocation.call] += static_cast<std::int64_t>(allocation.bytes);
    if (allocation.freed_by)
      change[*allocation.freed_by] -= static_cast<std::int64_t>(allocation.bytes);
  }
  std::int64_t now = 0, most = 0;
  for (const auto& [call, bytes] : change) most = std::max(most, now += bytes);
  return static_cast<std::uint64_t>(most);
}

constexpr std::int64_t kPixels = 1000, kDays = 25;  // the most that the task names

/// What a picture needs, and its two counters, which may have 64 bits.
std::uint64_t needed(std::int64_t n) {
  return static_cast<std::uint64_t>(n) * sizeof(std::int32_t) + 2 * sizeof(std::int64_t);
}

/// A run, and the memory of which it may have a multiple: what a run of one day has, or what a day needs where that is more, since the
/// only day of a small run may do without counting edges.
struct Peak {
  const lab::ProgramResult& run;
  std::uint64_t bytes = 0;
  bool of_one_day = false;
};

/// A run of many days never holds more memory than one of a single day, but for a little, and that one no more than a day needs.
Item peak(Item item, const lab::Gate& gate, const std::vector<Peak>& peaks) {
  for (const auto& [run, bytes, of_one_day] : peaks) {
    if (item.state != State::passed) break;
    const std::uint64_t most = most_at_once(run.outcome.record);
    const double times = static_cast<double>(most) / static_cast<double>(bytes);
    const lab::MessageArguments arguments{{"measured", lab::number(times, 3)},
                                          {"bytes", lab::grouped(most)},
                                          {"needed", lab::grouped(bytes)}};
    item.got = {"mend-leak.peak.got", arguments, {}};
    if (gate.ceiling && times <= *gate.ceiling) continue;
    item.state = State::failed;
    item.advice = {of_one_day ? "mend-leak.peak.day" : "mend-leak.peak.advice", arguments, {}};
  }
  return item;
}

/// One of the kernels is launched every day: a day without clouds is known by its picture alone.
Item each_day(Item item, const lab::ProgramResult& run, std::int64_t days) {
  std::map<std::string, std::int64_t> launches;
  std::int64_t most = 0;
  for (const auto& launch : run.outcome.record.launches)
    most = std::max(most, ++launches[launch.kernel]);
  if (item.state != State::passed || most >= days) return item;
  item.state = State::failed;
  item.advice = {"mend-leak.days.advice", {{"days", days}, {"launches", most}}, {}};
  return item;
}

lab::ProgramTrial with_gates(lab::ProgramTrial trial) {
  trial.gates = trial.traced = true;
  return trial;
}

void check(lab::Checker& checker) {
  lab::ProgramTrials trials(checker);
  for (const auto& [days, n] : {std::pair{2, 1}, {3, 33}, {4, 257}}) trials.run(trial(days, n));
  const auto one_day = [&](std::int64_t n) -> const lab::ProgramResult& {
    return trials.run(trial(1, n));
  };
  const lab::ProgramResult &small_day = one_day(1), &day = one_day(kPixels);
  const std::uint64_t of_small_day = std::max(most_at_once(small_day.outcome.record), needed(1)),
                      of_day = std::max(most_at_once(day.outcome.record), needed(kPixels));
  std::vector<Peak> peaks{{day, needed(kPixels), true},
                          {trials.run(trial(kDays, 1)), of_small_day}};
  const lab::ProgramResult& most = trials.run(with_gates(trial(kDays, kPixels)));
  peaks.push_back({most, of_day});
  lab::ProgramTrial drawn = with_gates(trial(checker.drawn(12, kDays - 1), kPixels));
  drawn.hidden = true;
  peaks.push_back({trials.run(std::move(drawn)), of_day});
  lab::ProgramTrial small = trial(checker.drawn(5, 9), checker.drawn(34, 999));
  small.hidden = true;
  trials.run(std::move(small));

  trials.add_right();
  trials.add_safe();
  trials.add_printed_by_gpu({.like_inputs = true, .sums = true});
  checker.result.items.back() = each_day(std::move(checker.result.items.back()), most, kDays);
  trials.add_freed();
  checker.result.items.push_back(peak(trials.judged("peak", {"mend-leak.peak.sentence", {}, {}}),
                                      trials.gate_of("peak"), peaks));
}

}  // namespace mend_leak_check

lab::Exercise mend_leak() { return {"mend-leak", mend_leak_check::check}; }

}  // namespace warpbook::exercises
