#include "lab/program/program_timeline.hpp"

#include <array>
#include <map>
#include <string>
#include <vector>

namespace warpbook::lab {
namespace {

using device::runtime::Engine;
using device::runtime::OperationNote;
using device::runtime::ProgramOutcome;
using device::runtime::WaitNote;
using Activity = TimelineExhibit::Activity;

Activity activity_of(const OperationNote& operation) {
  switch (operation.engine) {
    case Engine::copy_in: return Activity::copy_in;
    case Engine::copy_out: return Activity::copy_out;
    case Engine::copy: return Activity::copy;
    case Engine::fill: return Activity::fill;
    case Engine::kernel: return Activity::kernel;
    case Engine::host: return Activity::callback;
  }
  __builtin_unreachable();
}

class TimelineWriter {
 public:
  TimelineWriter(const ProgramOutcome& outcome, device::runtime::HostLines& lines)
      : outcome_(outcome), lines_(lines) {
    timeline_.lanes.push_back(host_lane());
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
      for (; wait != record.waits.end() && wait->operations <= operations; ++wait) add(*wait);
    };
    for (std::size_t i = 0; i < record.operations.size(); ++i) {
      add_waits(i);
      add(record.operations[i]);
    }
    add_waits(record.operations.size());
    timeline_.times = evidence;
    timeline_.total = record.device_time.seconds;
    timeline_.low = record.device_time.low;
    timeline_.high = record.device_time.high;
    return std::move(timeline_);
  }

 private:
  std::uint32_t lane_of(std::uint32_t stream) {
    const auto [found, fresh] =
        lanes_.try_emplace(stream, static_cast<std::uint32_t>(timeline_.lanes.size()));
    if (fresh) timeline_.lanes.push_back(stream_lane(stream));
    return found->second;
  }

  /// What the host does in a call.
  TimelineExhibit::Span span_of(std::uint64_t number, Activity activity,
                                const device::runtime::Interval& time) {
    TimelineExhibit::Span span;
    span.activity = activity;
    span.begin = time.begin;
    span.end = time.end;
    if (number >= outcome_.calls.size()) return span;
    const auto& call = outcome_.calls[number];
    span.label = name_of(call.function);
    if (span.label.starts_with("__cuda")) span.label.erase(0, 2);
    span.line = lines_.place_of(call.frames, outcome_.base).line;
    return span;
  }

  void add(const OperationNote& operation) {
    TimelineExhibit::Span asked = span_of(operation.call, Activity::host_call, operation.asked);
    const auto host = static_cast<std::uint32_t>(timeline_.spans.size());
    TimelineExhibit::Span work = asked;
    timeline_.spans.push_back(std::move(asked));
    work.lane = lane_of(operation.stream);
    work.activity = activity_of(operation);
    work.begin = operation.time.begin;
    work.end = operation.time.end;
    work.bytes = operation.bytes;
    work.call = host;
    if (operation.launch) work.label = outcome_.record.launches[*operation.launch].kernel;
    timeline_.spans.push_back(std::move(work));
    last_[operation.stream] = host + 1;
  }

  void add(const WaitNote& wait) {
    if (wait.time.end <= wait.time.begin) return;
    TimelineExhibit::Span span = span_of(wait.call, Activity::waiting, wait.time);
    for (const auto& [stream, last] : last_) {
      const bool all = !wait.stream || *wait.stream == 0;
      if (all || stream == *wait.stream) span.after.push_back(last);
    }
    timeline_.spans.push_back(std::move(span));
  }

  const ProgramOutcome& outcome_;
  device::runtime::HostLines& lines_;
  TimelineExhibit timeline_;
  std::map<std::uint32_t, std::uint32_t> lanes_, last_;  ///< by stream
};

}  // namespace

TimelineExhibit timeline_of(const ProgramOutcome& outcome, const device::Evidence& evidence,
                            device::runtime::HostLines& lines) {
  return TimelineWriter(outcome, lines).write(evidence);
}

}  // namespace warpbook::lab
