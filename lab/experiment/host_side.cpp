#include "lab/experiment/host_side.hpp"

#include <algorithm>
#include <utility>

namespace warpbook::lab {

HostSide::Work HostSide::launch_of(const device::LaunchRecord& record) {
  Work work;
  work.name = record.kernel;
  if (!record.estimate) return work;
  work.time = {record.estimate->seconds, record.estimate->low, record.estimate->high};
  work.share = std::min(1.0, record.estimate->waves);
  return work;
}

void HostSide::spend(const std::string& call, const Duration& time) {
  writer_.call({call, 0, clock_.call(time)});
}

HostSide::Interval HostSide::ask(const std::string& call, const Work& work) {
  return add(TimelineWriter::Call{call, 0, clock_.call(kOneCall)}, work);
}

HostSide::Interval HostSide::ask_and_wait(const std::string& call, const Work& work) {
  const Interval time = ask(call, work);
  const std::uint32_t stream = work.stream;
  const auto wait = [stream](device::runtime::DeviceClock& clock) { return clock.wait(stream); };
  writer_.wait({call, 0, clock_(wait)}, stream);
  order_.host_waits(stream);
  return time;
}

HostSide::Interval HostSide::work(const Work& work) { return add({}, work); }

void HostSide::make_independent(std::uint32_t stream) {
  clock_([stream](device::runtime::DeviceClock& clock) { clock.make_independent(stream); });
  order_.make_independent(stream);
}

void HostSide::record_event(std::uint32_t event, std::uint32_t stream) {
  events_[event] = {clock_.time_of(stream), writer_.last_of(stream)};
  order_.record_event(event, stream);
}

void HostSide::wait_for_event(std::uint32_t stream, std::uint32_t event) {
  const auto found = events_.find(event);
  if (found == events_.end()) return;
  clock_.hold(stream, found->second.time);
  if (found->second.span) awaited_[stream].push_back(*found->second.span);
  order_.wait_for_event(stream, event);
}

void HostSide::wait(const std::string& call, const Duration& time) {
  if (time.seconds > 0) spend(call, time);
  const auto wait = [](device::runtime::DeviceClock& clock) { return clock.wait_all(); };
  writer_.wait({call, 0, clock_(wait)}, {});
  order_.host_waits_for_all();
}

HostSide::Interval HostSide::add(const std::optional<TimelineWriter::Call>& asked,
                                 const Work& work) {
  timed_ &= work.time.seconds > 0;
  const Interval time = clock_.run(work.stream, work.engine, work.time, work.share);
  asked_.push_back({work.stream, order_.add(work.stream), work.footprint});
  writer_.work(asked, {work.stream, work.engine, work.name, work.bytes, 0, time,
                       std::exchange(awaited_[work.stream], {})});
  return time;
}

std::vector<device::runtime::StreamRace> HostSide::races() const {
  std::vector<device::runtime::OrderedOperation> operations;
  for (const Asked& asked : asked_)
    operations.push_back({asked.stream, &asked.past, &asked.footprint});
  return device::runtime::stream_races(operations);
}

TimelineExhibit HostSide::timeline(const Message& gpu) {
  std::optional<device::Evidence> times;
  if (timed_) times = device::Evidence{device::EvidenceKind::estimated, gpu, {}};
  return writer_.take(std::move(times), clock_.host());
}

}  // namespace warpbook::lab
