// The host side of an experiment as data. A lesson says which calls a CUDA program would make for what it does; the clock of whole
// programs says when, and what comes out is a timeline: calls, the work of streams, and who waited for what.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "device/launch_record.hpp"
#include "device/runtime/device_clock.hpp"
#include "lab/exhibits/timeline/timeline_writer.hpp"

namespace warpbook::lab {

class HostSide {
 public:
  using Duration = device::runtime::Duration;
  /// What a stream is to do.
  struct Work {
    device::runtime::Engine engine = device::runtime::Engine::kernel;
    std::string name;  ///< "t", "plus"
    Duration time;
    std::uint64_t bytes = 0;
    std::uint32_t stream = 0;
    double share = 1;  ///< of the multiprocessors, which a kernel occupies
  };
  /// A launch that has run. Without an estimate, as on a GPU, the timeline shows the order alone.
  static Work launch_of(const device::LaunchRecord& record);

  /// What a call takes that only asks for something.
  static constexpr Duration kOneCall{device::runtime::kCallSeconds, device::runtime::kCallSeconds,
                                     device::runtime::kCallSeconds};
  /// A call with which the device has nothing to do.
  void spend(const std::string& call, const Duration& time);
  /// A call asks a stream for work and returns at once.
  void ask(const std::string& call, const Work& work);
  /// A call asks a stream for work and returns when it is done, as cudaMemcpy does.
  void ask_and_wait(const std::string& call, const Work& work);
  /// A stream works unasked, as it moves the pages that a kernel touches.
  void work(const Work& work);
  /// A call waits for all streams, and takes that long by itself.
  void wait(const std::string& call, const Duration& time = kOneCall);

  /// `gpu`: whose times these are.
  TimelineExhibit timeline(const Message& gpu);

 private:
  void add(const std::optional<TimelineWriter::Call>& asked, const Work& work);

  device::runtime::BandedClock clock_;
  TimelineWriter writer_;
  bool timed_ = true;
};

}  // namespace warpbook::lab
