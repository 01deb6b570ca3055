// ring-all-reduce: a program in which several devices add up their arrays, each sending to its neighbours alone.
#include <algorithm>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "exercises/judged_runs.hpp"
#include "lab/exercise/program_trials.hpp"
#include "lab/text/strings.hpp"

namespace warpbook::exercises {
namespace ring_all_reduce_check {

using device::runtime::Engine;
using Item = lab::CheckExhibit::Item;
using lab::LinkUse;
using State = lab::CheckExhibit::State;

struct Size {
  std::int64_t devices = 1, n = 1;
};

/// A device's number as the program makes it.
std::int64_t number_of(std::int64_t device, std::int64_t i) {
  return (i + 1) * (device + 3) * 7919 % 65537;
}

lab::ProgramTrial trial(const Size& size) {
  std::string sums;
  for (std::int64_t i = 0; i < size.n; ++i) {
    std::int64_t sum = 0;
    for (std::int64_t device = 0; device < size.devices; ++device) sum += number_of(device, i);
    sums += std::to_string(sum) + "\n";
  }
  lab::ProgramTrial made;
  made.devices = static_cast<std::uint32_t>(size.devices);
  made.arguments = {std::to_string(size.devices), std::to_string(size.n)};
  made.name = "devices = " + made.arguments[0] + ", n = " + made.arguments[1];
  for (std::int64_t device = 0; device < size.devices; ++device) made.output += sums;
  return made;
}

std::uint64_t numbers(const lab::ProgramTrial& run) {
  return static_cast<std::uint64_t>(std::stoll(run.arguments[1]));
}

/// The arrays of all devices.
std::uint64_t bytes_of_all(const lab::ProgramTrial& run) {
  return run.devices * numbers(run) * sizeof(int);
}

/// How often a chunk goes from a device to the next one.
double steps(const lab::ProgramTrial& run) { return 2.0 * (run.devices - 1); }

/// Bytes on each link of the ring, where no chunk is larger than it has to be.
double bytes_on_link(const lab::ProgramTrial& run) {
  const std::uint64_t chunk = (numbers(run) + run.devices - 1) / run.devices;
  return steps(run) * static_cast<double>(chunk * sizeof(int));
}

lab::Message words(const std::string& id, const std::string& what,
                   lab::MessageArguments arguments = {}) {
  return {"ring-all-reduce." + id + "." + what, std::move(arguments), {}};
}

/// Between neighbours in the ring there is a link in either direction, and between others there is none.
bool is_in_ring(const LinkUse& link, std::uint32_t devices) {
  return (link.from + 1) % devices == link.to || (link.to + 1) % devices == link.from;
}

Item neighbours(Item item, const std::vector<JudgedRun>& runs) {
  for (const JudgedRun& run : runs) {
    const auto& links = run.result.links;
    const auto outside = std::ranges::find_if(
        links, [&](const LinkUse& link) { return !is_in_ring(link, run.trial.devices); });
    if (item.state != State::passed || outside == links.end()) continue;
    item.state = State::failed;
    item.line = outside->line;
    item.advice = words("neighbours", "advice",
                        {{"from", std::to_string(outside->from)},
                         {"to", std::to_string(outside->to)},
                         {"devices", std::to_string(run.trial.devices)},
                         {"line", outside->line}});
  }
  return item;
}

/// The link that carries the most by what `counted` says; null where nothing was sent.
const LinkUse* busiest(const std::vector<LinkUse>& links, std::uint64_t LinkUse::*counted) {
  const auto found = std::ranges::max_element(links, {}, counted);
  return found == links.end() ? nullptr : &*found;
}

/// What the busiest link carries keeps below the ceiling, and what all carry together, for each device, above the floor: who sends less
/// cannot have told everybody.
Item carried(Item item, const lab::Gate& gate, const std::vector<JudgedRun>& runs) {
  for (const JudgedRun& run : runs) {
    if (item.state != State::passed) break;
    const auto& links = run.result.links;
    const LinkUse* most = busiest(links, &LinkUse::bytes);
    double all = 0;
    for (const LinkUse& link : links) all += static_cast<double>(link.bytes);
    const double needed = bytes_on_link(run.trial), mean = all / run.trial.devices / needed,
                 highest = most ? static_cast<double>(most->bytes) / needed : 0;
    item.got = words("bytes", "got", {{"measured", lab::number(highest, 3)}});
    const bool too_much = highest > gate.ceiling, too_little = mean < gate.floor;
    if (!too_much && !too_little) continue;
    item.state = State::failed;
    if (most) item.line = most->line;
    item.advice = words("bytes", too_much ? "advice" : "less",
                        {{"from", std::to_string(most ? most->from : 0)},
                         {"to", std::to_string(most ? most->to : 0)},
                         {"measured", lab::number(highest, 3)},
                         {"mean", lab::number(mean, 3)}});
  }
  return item;
}

Item copies(Item item, const lab::Gate& gate, const std::vector<JudgedRun>& runs) {
  for (const JudgedRun& run : runs) {
    const LinkUse* most = busiest(run.result.links, &LinkUse::copies);
    if (item.state != State::passed || !most) break;
    const double times = static_cast<double>(most->copies) / steps(run.trial);
    item.got = words("steps", "got", {{"measured", lab::number(times, 3)}});
    if (times <= gate.ceiling) continue;
    item.state = State::failed;
    item.line = most->line;
    item.advice = words("steps", "advice",
                        {{"copies", lab::grouped(most->copies)},
                         {"steps", lab::number(steps(run.trial))},
                         {"devices", std::to_string(run.trial.devices)}});
  }
  return item;
}

void check(lab::Checker& checker) {
  lab::ProgramTrials trials(checker);
  // One device, which has nobody to send to; fewer numbers than devices; chunks of different sizes.
  for (const Size& size : {Size{1, 5}, {2, 9}, {3, 2}, {4, 33}, {5, 1000}}) trials.run(trial(size));
  const Size drawn{checker.drawn(5, 8), checker.drawn(1500, 3000)};
  const std::vector<JudgedRun> judged = run_judged(trials, {trial({4, 2050}), trial(drawn)});

  const auto add = [&](Item item) { checker.result.items.push_back(std::move(item)); };
  const auto waiting = [&](const std::string& id) {
    return trials.judged(id, words(id, "sentence"));
  };
  trials.add_right();
  trials.add_safe();
  trials.add_on_gpu();
  trials.add_home();
  trials.add_parallel(
      [](const lab::ProgramTrial& run) { return (run.devices - 1) * numbers(run); });
  add(neighbours(waiting("neighbours"), judged));
  add(carried(waiting("bytes"), trials.gate_of("bytes"), judged));
  add(copies(waiting("steps"), trials.gate_of("steps"), judged));
  trials.add_copies("in", Engine::copy_in, bytes_of_all);
  trials.add_copies("out", Engine::copy_out, bytes_of_all);
  trials.add_freed();
}

}  // namespace ring_all_reduce_check

lab::Exercise ring_all_reduce() { return {"ring-all-reduce", ring_all_reduce_check::check}; }

}  // namespace warpbook::exercises
