#include "exercises/pipelines.hpp"

#include <algorithm>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "device/nvcc/nvcc.hpp"
#include "device/runtime/host_lines.hpp"
#include "lab/exercise/program_overlap.hpp"
#include "lab/exercise/program_trials.hpp"
#include "lab/text/strings.hpp"

namespace warpbook::exercises {
namespace {

using device::runtime::Engine;
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

/// What the program makes itself, and sends through the GPU.
std::vector<std::int64_t> inputs(const Size& size) {
  std::vector<std::int64_t> all;
  for (std::int64_t i = 0; i < size.n; ++i) all.push_back(i * 7919 % 65537);
  return all;
}

/// How many chunks have any numbers.
std::int64_t full_chunks(const Size& size) {
  const std::int64_t chunk = (size.n + size.chunks - 1) / size.chunks;
  return (size.n + chunk - 1) / chunk;
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
                                          {"percent", lab::number(100 * one, 3)},
                                          {"ceiling", lab::number(*gate.ceiling, 3)}};
    item.got = words(gate.id, "got", arguments);
    if (one <= *gate.ceiling) continue;
    item.state = State::failed;
    item.advice = words(gate.id, "advice", arguments);
  }
  return item;
}

std::int64_t copies(const lab::ProgramResult& result, Engine engine) {
  const auto& operations = result.outcome.record.operations;
  return std::ranges::count(operations, engine, &device::runtime::OperationNote::engine);
}

struct Run {
  Size size;
  const lab::ProgramResult& result;
};

/// The numbers come to the GPU as the program makes them, and each chunk is copied by itself, both there and back: of many chunks there
/// are at least as many copies as chunks, and of one chunk there are far fewer, however a chunk is divided.
Item in_chunks(Item item, const Run& one_chunk, const std::vector<Run>& runs) {
  for (const Run& run : runs) {
    if (item.state != State::passed) break;
    for (const Engine engine : {Engine::copy_in, Engine::copy_out}) {
      const std::int64_t got = copies(run.result, engine);
      const bool is_by_chunk =
          got >= full_chunks(run.size) && 2 * copies(one_chunk.result, engine) <= got;
      if (is_by_chunk || item.state != State::passed) continue;
      item.state = State::failed;
      item.advice = words("chunks", engine == Engine::copy_in ? "in" : "out",
                          {{"chunks", full_chunks(run.size)},
                           {"copies", got},
                           {"once", copies(one_chunk.result, engine)}});
    }
    const std::vector<std::int64_t> numbers = inputs(run.size);
    const std::size_t missing = lab::first_not_held(numbers, run.result.arrived);
    if (item.state != State::passed || missing == numbers.size()) continue;
    item.state = State::failed;
    item.advice = words("chunks", "changed");
  }
  return item;
}

/// Says of an item that failed why operations of the run wait for each other, where that is known, and on which line.
void tell_hold_up(Item& item, const lab::Checker& checker, const lab::ProgramResult& result) {
  const lab::HoldUp held = lab::hold_up_of(result.outcome.record);
  const auto& calls = result.outcome.calls;
  if (held.why == lab::HoldUp::Why::unknown || held.call >= calls.size()) return;
  std::vector<std::string> headers;
  if (const auto nvcc = device::find_nvcc()) headers.push_back(nvcc->includes.string());
  device::runtime::HostLines lines(checker.program, std::move(headers));
  item.line = lines.place_of(calls[held.call].frames, result.outcome.base).line;
  const char* why = held.why == lab::HoldUp::Why::one_stream   ? "one-stream"
                    : held.why == lab::HoldUp::Why::host_waits ? "host-waits"
                                                               : "default-stream";
  lab::MessageArguments arguments = item.advice.arguments;
  arguments.emplace_back("line", std::to_string(item.line));
  arguments.emplace_back("count", std::to_string(held.times));
  item.advice = words(item.id, why, std::move(arguments));
}

}  // namespace

void check_pipeline(lab::Checker& checker) {
  lab::ProgramTrials trials(checker);
  for (const Size& size : {Size{1, 1}, {2, 5}, {33, 4}, {1023, 7}}) trials.run(trial(size));
  constexpr Size kOneChunk{1000, 1};
  const Run one_chunk{kOneChunk, trials.run(trial(kOneChunk))};
  lab::ProgramTrial small = trial({checker.drawn(34, 999), checker.drawn(2, 12)});
  small.hidden = true;
  trials.run(std::move(small));
  std::vector<lab::ProgramOverlap> overlaps;
  std::vector<Run> runs;
  constexpr Size kMost{10000, 12};  // that the tasks name
  for (const Size& size :
       {Size{4096, 8}, kMost, {checker.drawn(3000, 4000), checker.drawn(9, 12)}}) {
    lab::ProgramTrial made = trial(size);
    made.gates = made.traced = true;
    made.hidden = runs.size() == 2;
    const std::uint64_t bytes = numbers(made) * sizeof(std::int32_t);
    runs.push_back({size, trials.run(std::move(made))});
    overlaps.push_back(lab::overlap_of(runs.back().result.outcome.record, bytes));
  }

  trials.add_right();
  trials.add_safe();
  trials.add_printed_by_gpu({.like_inputs = true});
  checker.result.items.push_back(
      in_chunks(trials.judged("chunks", words("chunks", "sentence")), one_chunk, runs));
  trials.add_parallel(numbers);
  const auto add = [&](const std::string& id, const auto& of) {
    std::vector<double> measured;
    for (const lab::ProgramOverlap& overlap : overlaps) measured.push_back(of(overlap));
    checker.result.items.push_back(
        most(trials.judged(id, words(id, "sentence")), trials.gate_of(id), measured));
  };
  add("pinned", [](const lab::ProgramOverlap& overlap) { return overlap.pageable_share; });
  const bool is_pinned = checker.result.items.back().state != State::failed;
  add("overlap", [](const lab::ProgramOverlap& overlap) { return overlap.path_share; });
  Item& overlapping = checker.result.items.back();
  if (overlapping.state == State::failed) {
    const double most = *trials.gate_of("overlap").ceiling;
    const auto serial = std::ranges::find_if(
        overlaps, [=](const lab::ProgramOverlap& overlap) { return overlap.path_share > most; });
    if (is_pinned)
      tell_hold_up(overlapping, checker, runs[serial - overlaps.begin()].result);
    else
      overlapping.advice = words("overlap", "pageable", overlapping.advice.arguments);
  }
  add("ahead",
      [](const lab::ProgramOverlap& overlap) { return static_cast<double>(overlap.late_copies); });
  trials.add_freed();
}

}  // namespace warpbook::exercises
