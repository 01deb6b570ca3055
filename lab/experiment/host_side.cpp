#include "lab/experiment/host_side.hpp"

#include <algorithm>

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

void HostSide::ask(const std::string& call, const Work& work) {
  add(TimelineWriter::Call{call, 0, clock_.call(kOneCall)}, work);
}

void HostSide::ask_and_wait(const std::string& call, const Work& work) {
  ask(call, work);
  const std::uint32_t stream = work.stream;
  const auto wait = [stream](device::runtime::DeviceClock& clock) { return clock.wait(stream); };
  writer_.wait({call, 0, clock_(wait)}, stream);
}

void HostSide::work(const Work& work) { add({}, work); }

void HostSide::wait(const std::string& call, const Duration& time) {
  if (time.seconds > 0) spend(call, time);
  const auto wait = [](device::runtime::DeviceClock& clock) { return clock.wait_all(); };
  writer_.wait({call, 0, clock_(wait)}, {});
}

void HostSide::add(const std::optional<TimelineWriter::Call>& asked, const Work& work) {
  timed_ &= work.time.seconds > 0;
  const auto time = clock_.run(work.stream, work.engine, work.time, work.share);
  writer_.work(asked, {work.stream, work.engine, work.name, work.bytes, 0, time});
}

TimelineExhibit HostSide::timeline(const Message& gpu) {
  std::optional<device::Evidence> times;
  if (timed_) times = device::Evidence{device::EvidenceKind::estimated, gpu, {}};
  return writer_.take(std::move(times), clock_.host());
}

}  // namespace warpbook::lab
