#include "lab/program/program_timeline.hpp"

#include <array>
#include <string>
#include <vector>

#include "lab/exhibits/timeline/timeline_writer.hpp"

namespace warpbook::lab {
namespace {

using device::runtime::OperationNote;
using device::runtime::ProgramOutcome;
using device::runtime::WaitNote;

/// Reads a program's record in the order of its calls.
class ProgramTimeline {
 public:
  ProgramTimeline(const ProgramOutcome& outcome, const ProgramFacts& facts,
                  device::runtime::HostLines& lines)
      : outcome_(outcome), facts_(facts), lines_(lines) {
    // All lines at once, since each question starts a process.
    std::vector<std::array<std::uint64_t, device::runtime::kFrames>> frames;
    const auto add_frames = [&](std::uint64_t call) {
      if (call < outcome.calls.size()) frames.push_back(outcome.calls[call].frames);
    };
    for (const OperationNote& operation : outcome.record.operations) add_frames(operation.call);
    for (const WaitNote& wait : outcome.record.waits) add_frames(wait.call);
    lines_.prepare(frames, outcome.base);
  }

  TimelineExhibit write(const device::Evidence& evidence) {
    const auto& record = outcome_.record;
    auto wait = record.waits.begin();
    const auto add_waits = [&](std::size_t operations) {
      for (; wait != record.waits.end() && wait->operations <= operations; ++wait)
        writer_.wait(call_of(wait->call, wait->time), wait->stream);
    };
    for (std::size_t i = 0; i < record.operations.size(); ++i) {
      add_waits(i);
      add(record.operations[i]);
    }
    add_waits(record.operations.size());
    return writer_.take(evidence, record.device_time);
  }

 private:
  /// What the host does in a call.
  TimelineWriter::Call call_of(std::uint64_t number, const device::runtime::Interval& time) {
    TimelineWriter::Call made{"", 0, time};
    if (number >= outcome_.calls.size()) return made;
    const auto& call = outcome_.calls[number];
    made.name = name_of(call.function);
    if (made.name.starts_with("__cuda")) made.name.erase(0, 2);
    made.line = line_in_source(facts_, lines_.place_of(call.frames, outcome_.base));
    return made;
  }

  void add(const OperationNote& operation) {
    const TimelineWriter::Call asked = call_of(operation.call, operation.asked);
    const std::string& name =
        operation.launch ? outcome_.record.launches[*operation.launch].kernel : asked.name;
    writer_.work(asked, {operation.stream, operation.engine, name, operation.bytes, asked.line,
                         operation.time});
  }

  const ProgramOutcome& outcome_;
  const ProgramFacts& facts_;
  device::runtime::HostLines& lines_;
  TimelineWriter writer_;
};

}  // namespace

TimelineExhibit timeline_of(const ProgramOutcome& outcome, const ProgramFacts& facts,
                            const device::Evidence& evidence, device::runtime::HostLines& lines) {
  return ProgramTimeline(outcome, facts, lines).write(evidence);
}

}  // namespace warpbook::lab
