// The host side of an experiment as data. A lesson says which calls a CUDA program would make for what it does; the clock of whole
// programs says when, and what comes out is a timeline: calls, the work of streams, and who waited for what.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "device/launch_record.hpp"
#include "device/runtime/device_clock.hpp"
#include "device/runtime/stream_order.hpp"
#include "lab/exhibits/timeline/timeline_writer.hpp"

namespace warpbook::lab {

class HostSide {
 public:
  using Duration = device::runtime::Duration;
  using Interval = device::runtime::Interval;
  /// What a stream is to do.
  struct Work {
    device::runtime::Engine engine = device::runtime::Engine::kernel;
    std::string name;  ///< "t", "plus"
    Duration time;
    std::uint64_t bytes = 0;
    std::uint32_t stream = 0;
    double share = 1;                        ///< of the multiprocessors, which a kernel occupies
    device::runtime::Footprint footprint{};  ///< what it uses of memory, if races are looked for
  };
  /// A launch that has run. Without an estimate, as on a GPU, the timeline shows the order alone.
  static Work launch_of(const device::LaunchRecord& record);

  /// What a call takes that only asks for something.
  static constexpr Duration kOneCall = device::runtime::kOneCall;
  /// A call with which the device has nothing to do.
  void spend(const std::string& call, const Duration& time);
  /// A call asks a stream for work and returns at once; gives when the work is done.
  Interval ask(const std::string& call, const Work& work);
  /// A call asks a stream for work and returns when it is done, as cudaMemcpy does.
  Interval ask_and_wait(const std::string& call, const Work& work);
  /// A stream works unasked, as it moves the pages that a kernel touches, or as a graph has it.
  Interval work(const Work& work);
  /// cudaStreamNonBlocking: the stream and the legacy default stream do not wait for each other.
  void make_independent(std::uint32_t stream);
  /// An event stands for all that is in the stream now; and a stream's later work waits for what an event stands for. Neither
  /// takes the host any time: whoever calls CUDA for it spends() that.
  void record_event(std::uint32_t event, std::uint32_t stream);
  void wait_for_event(std::uint32_t stream, std::uint32_t event);
  /// A call waits for all streams, and takes that long by itself.
  void wait(const std::string& call, const Duration& time = kOneCall);

  /// Between operations whose footprints are known, by their numbers in the order in which they were asked for.
  [[nodiscard]] std::vector<device::runtime::StreamRace> races() const;

  /// `gpu`: whose times these are.
  TimelineExhibit timeline(const Message& gpu);

 private:
  /// What an event stands for.
  struct Event {
    Duration time;
    std::optional<std::uint32_t> span;
  };
  struct Asked {
    std::uint32_t stream = 0;
    device::runtime::StreamOrder::Past past;
    device::runtime::Footprint footprint;
  };
  Interval add(const std::optional<TimelineWriter::Call>& asked, const Work& work);

  device::runtime::BandedClock clock_;
  device::runtime::StreamOrder order_;
  std::vector<Asked> asked_;
  std::map<std::uint32_t, Event> events_;
  std::map<std::uint32_t, std::vector<std::uint32_t>>
      awaited_;  ///< spans, by the stream that waits
  TimelineWriter writer_;
  bool timed_ = true;
};

}  // namespace warpbook::lab
