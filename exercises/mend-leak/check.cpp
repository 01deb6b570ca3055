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

/// A run of many days never holds more memory than one of a single day, but for a little.
Item peak(Item item, const lab::Gate& gate, std::uint64_t day,
          const std::vector<const lab::ProgramResult*>& many) {
  for (const lab::ProgramResult* run : many) {
    if (item.state != State::passed) break;
    const double times = static_cast<double>(most_at_once(run->outcome.record)) /
                         static_cast<double>(std::max<std::uint64_t>(day, 1));
    item.got = {"mend-leak.peak.got", {{"measured", lab::number(times, 3)}}, {}};
    if (gate.ceiling && times <= *gate.ceiling) continue;
    item.state = State::failed;
    item.advice = {"mend-leak.peak.advice", {{"measured", lab::number(times, 3)}}, {}};
  }
  return item;
}

void check(lab::Checker& checker) {
  lab::ProgramTrials trials(checker);
  constexpr std::int64_t kPixels = 1000;
  const std::uint64_t day = most_at_once(trials.run(trial(1, kPixels)).outcome.record);
  for (const auto& [days, n] : {std::pair{2, 1}, {3, 33}, {4, 257}}) trials.run(trial(days, n));
  std::vector<const lab::ProgramResult*> many;
  lab::ProgramTrial judged = trial(12, kPixels);
  judged.gates = true;
  many.push_back(&trials.run(std::move(judged)));
  lab::ProgramTrial drawn = trial(checker.drawn(14, 25), kPixels);
  drawn.gates = drawn.hidden = true;
  many.push_back(&trials.run(std::move(drawn)));
  lab::ProgramTrial small = trial(checker.drawn(5, 9), checker.drawn(34, 999));
  small.hidden = true;
  trials.run(std::move(small));

  trials.add_right();
  trials.add_safe();
  trials.add_on_gpu();
  trials.add_freed();
  checker.result.items.push_back(peak(trials.judged("peak", {"mend-leak.peak.sentence", {}, {}}),
                                      trials.gate_of("peak"), day, many));
}

}  // namespace mend_leak_check

lab::Exercise mend_leak() { return {"mend-leak", mend_leak_check::check}; }

}  // namespace warpbook::exercises
