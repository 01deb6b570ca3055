#include "lab/exhibits/timeline/timeline_writer.hpp"

#include <utility>

namespace warpbook::lab {
namespace {

using device::runtime::Engine;
using Activity = TimelineExhibit::Activity;

Activity activity_of(Engine engine) {
  switch (engine) {
    case Engine::copy_in: return Activity::copy_in;
    case Engine::copy_out: return Activity::copy_out;
    case Engine::copy: return Activity::copy;
    case Engine::fill: return Activity::fill;
    case Engine::kernel: return Activity::kernel;
    case Engine::host: return Activity::callback;
  }
  __builtin_unreachable();
}

}  // namespace

std::uint32_t TimelineWriter::row_of(std::uint32_t stream) {
  const auto [found, fresh] =
      rows_.try_emplace(stream, static_cast<std::uint32_t>(timeline_.rows.size()));
  if (fresh) timeline_.rows.push_back(stream_row(stream));
  return found->second;
}

std::uint32_t TimelineWriter::add_call(const Call& call, Activity activity) {
  TimelineExhibit::Span span;
  span.activity = activity;
  span.label = call.name;
  span.line = call.line;
  span.begin = call.time.begin;
  span.end = call.time.end;
  timeline_.spans.push_back(std::move(span));
  return static_cast<std::uint32_t>(timeline_.spans.size() - 1);
}

std::uint32_t TimelineWriter::call(const Call& call) { return add_call(call, Activity::host_call); }

void TimelineWriter::work(const std::optional<Call>& asked, const Work& work) {
  TimelineExhibit::Span span;
  if (asked) span.call = call(*asked);
  span.row = row_of(work.stream);
  span.activity = activity_of(work.engine);
  span.label = work.name;
  span.bytes = work.bytes;
  span.line = work.line;
  span.begin = work.time.begin;
  span.end = work.time.end;
  span.after = work.after;
  last_[work.stream] = static_cast<std::uint32_t>(timeline_.spans.size());
  timeline_.spans.push_back(std::move(span));
}

void TimelineWriter::wait(const Call& call, std::optional<std::uint32_t> stream) {
  if (call.time.end <= call.time.begin) return;
  TimelineExhibit::Span& span = timeline_.spans[add_call(call, Activity::waiting)];
  for (const auto& [other, last] : last_) {
    // The default stream is done when all of them are.
    if (!stream || *stream == 0 || other == *stream) span.after.push_back(last);
  }
}

std::optional<std::uint32_t> TimelineWriter::last_of(std::uint32_t stream) const {
  const auto found = last_.find(stream);
  return found == last_.end() ? std::nullopt : std::optional(found->second);
}

TimelineExhibit TimelineWriter::take(std::optional<device::Evidence> times,
                                     const device::runtime::Duration& whole) {
  timeline_.times = std::move(times);
  if (timeline_.times) {
    timeline_.total = whole.seconds;
    timeline_.low = whole.low;
    timeline_.high = whole.high;
  } else {
    for (TimelineExhibit::Span& span : timeline_.spans) span.begin = span.end = 0;
  }
  return std::move(timeline_);
}

}  // namespace warpbook::lab
