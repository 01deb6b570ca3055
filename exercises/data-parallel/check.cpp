// data-parallel: a program whose devices share the days of a batch, and add up what each of them finds.
#include <algorithm>
#include <cstdint>
#include <numeric>
#include <string>
#include <utility>
#include <vector>

#include "exercises/judged_runs.hpp"
#include "lab/exercise/program_trials.hpp"
#include "lab/text/strings.hpp"

namespace warpbook::exercises {
namespace data_parallel_check {

using device::runtime::Engine;
using Item = lab::CheckExhibit::Item;
using State = lab::CheckExhibit::State;

constexpr std::int64_t kStations = 24, kWeights = kStations * kStations;

struct Size {
  std::int64_t devices = 1, days = 1;
};

/// The gradient of half the sum of all squared errors, as one device would find it. A float holds all sums exactly.
std::vector<std::int64_t> gradient_for(std::int64_t days) {
  const auto x = drawn_numbers(days * kStations, 1, 3),
             target = drawn_numbers(days * kStations, 2, 20),
             weights = drawn_numbers(kWeights, 3, 2);
  const auto at = [](const std::vector<std::int64_t>& values, std::int64_t row,
                     std::int64_t column) {
    return values[static_cast<std::size_t>(row * kStations + column)];
  };
  std::vector<std::int64_t> gradient(static_cast<std::size_t>(kWeights));
  for (std::int64_t day = 0; day < days; ++day) {
    for (std::int64_t column = 0; column < kStations; ++column) {
      std::int64_t error = -at(target, day, column);
      for (std::int64_t k = 0; k < kStations; ++k) error += at(x, day, k) * at(weights, k, column);
      for (std::int64_t row = 0; row < kStations; ++row)
        gradient[static_cast<std::size_t>(row * kStations + column)] += at(x, day, row) * error;
    }
  }
  return gradient;
}

lab::ProgramTrial trial(const Size& size) {
  std::string gradient;
  for (const std::int64_t value : gradient_for(size.days)) gradient += std::to_string(value) + "\n";
  lab::ProgramTrial made;
  made.devices = static_cast<std::uint32_t>(size.devices);
  made.arguments = {std::to_string(size.devices), std::to_string(size.days)};
  made.name = "devices = " + made.arguments[0] + ", days = " + made.arguments[1];
  for (std::int64_t device = 0; device < size.devices; ++device) made.output += gradient;
  return made;
}

std::uint64_t days_of(const lab::ProgramTrial& run) {
  return static_cast<std::uint64_t>(std::stoll(run.arguments[1]));
}

/// The gradients of all devices.
std::uint64_t bytes_out(const lab::ProgramTrial& run) {
  return static_cast<std::uint64_t>(kWeights) * run.devices * sizeof(float);
}

/// Each day with its targets once, and the weights to each device.
std::uint64_t bytes_in(const lab::ProgramTrial& run) {
  return 2 * days_of(run) * kStations * sizeof(float) + bytes_out(run);
}

/// Each of the others gives its gradient away and gets the sum: a ring sends no more and no less.
double bytes_between(const lab::ProgramTrial& run) {
  return 2.0 * (run.devices - 1) * kWeights * sizeof(float);
}

lab::Message words(const std::string& id, const std::string& what,
                   lab::MessageArguments arguments = {}) {
  return {"data-parallel." + id + "." + what, std::move(arguments), {}};
}

/// The kernels on the device that does the least do at least the floor's part of what each would do if all did the same.
Item shared(Item item, const lab::Gate& gate, const std::vector<JudgedRun>& runs) {
  for (const JudgedRun& run : runs) {
    if (item.state != State::passed) break;
    const std::vector<double> work =
        lab::work_by_device(run.result.outcome.record, run.trial.devices);
    const auto least = std::ranges::min_element(work);
    const double all = std::accumulate(work.begin(), work.end(), 0.0);
    const double share = all > 0 ? *least * run.trial.devices / all : 0;
    item.got = words("shared", "got", {{"measured", lab::number(share, 3)}});
    if (share >= gate.floor) continue;
    item.state = State::failed;
    item.advice = words(
        "shared", "advice",
        {{"device", std::to_string(least - work.begin())}, {"measured", lab::number(share, 3)}});
  }
  return item;
}

Item between(Item item, const lab::Gate& gate, const std::vector<JudgedRun>& runs) {
  for (const JudgedRun& run : runs) {
    if (item.state != State::passed) break;
    std::uint64_t all = 0;
    lab::LinkUse most;
    for (const lab::LinkUse& link : run.result.links) {
      all += link.bytes;
      if (link.bytes > most.bytes) most = link;
    }
    const double times = static_cast<double>(all) / bytes_between(run.trial);
    item.got = words("between", "got", {{"measured", lab::number(times, 3)}});
    if (times <= gate.ceiling && times >= gate.floor) continue;
    item.state = State::failed;
    item.line = most.line;
    item.advice = words("between", times > gate.ceiling ? "advice" : "less",
                        {{"from", std::to_string(most.from)},
                         {"to", std::to_string(most.to)},
                         {"measured", lab::number(times, 3)}});
  }
  return item;
}

void check(lab::Checker& checker) {
  lab::ProgramTrials trials(checker);
  // One device alone, and more devices than days.
  for (const Size& size : {Size{1, 7}, {2, 9}, {3, 2}, {4, 33}}) trials.run(trial(size));
  const Size drawn_size{checker.drawn(3, 6), checker.drawn(90, 160)};
  const std::vector<JudgedRun> judged = run_judged(trials, {trial({4, 150}), trial(drawn_size)});

  const auto add = [&](Item item) { checker.result.items.push_back(std::move(item)); };
  const auto waiting = [&](const std::string& id) {
    return trials.judged(id, words(id, "sentence"));
  };
  trials.add_right();
  trials.add_safe();
  trials.add_on_gpu();
  trials.add_home();
  // A product's terms are read from memory one by one, so a result may need many bytes: here one counts for each eight terms.
  trials.add_parallel([](const lab::ProgramTrial& run) {
    return days_of(run) * static_cast<std::uint64_t>(kWeights) / 8;
  });
  add(shared(waiting("shared"), trials.gate_of("shared"), judged));
  trials.add_copies("in", Engine::copy_in, bytes_in);
  add(between(waiting("between"), trials.gate_of("between"), judged));
  trials.add_copies("out", Engine::copy_out, bytes_out);
  trials.add_freed();
}

}  // namespace data_parallel_check

lab::Exercise data_parallel() { return {"data-parallel", data_parallel_check::check}; }

}  // namespace warpbook::exercises
