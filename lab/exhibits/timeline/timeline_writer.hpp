// Makes a timeline call by call, in the order of the host: of a whole program that ran, or of a lesson's own host side.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "device/runtime/device_clock.hpp"
#include "lab/exhibits/timeline/timeline.hpp"

namespace warpbook::lab {

class TimelineWriter {
 public:
  using Interval = device::runtime::Interval;
  /// What the host does, and when.
  struct Call {
    std::string name;        ///< "cudaMemcpy"
    std::uint32_t line = 0;  ///< of the source; 0: none
    Interval time;
  };
  /// What a stream does.
  struct Work {
    std::uint32_t stream = 0;
    device::runtime::Engine engine = device::runtime::Engine::kernel;
    std::string name;  ///< "saxpy"
    std::uint64_t bytes = 0;
    std::uint32_t line = 0;
    Interval time;
    std::vector<std::uint32_t> after{};  ///< spans of other streams that it waited for
  };

  TimelineWriter() { timeline_.rows.push_back(host_row()); }

  /// A call with which the device has nothing to do; gives the number of its span.
  std::uint32_t call(const Call& call);
  /// What a call asks of a stream. Without a call, the stream does it by itself, as it moves pages.
  void work(const std::optional<Call>& asked, const Work& work);
  /// The host waits for all that is in a stream, or in all of them. A wait of no time is none.
  void wait(const Call& call, std::optional<std::uint32_t> stream);
  /// The span of the last work in a stream; none where there was none.
  [[nodiscard]] std::optional<std::uint32_t> last_of(std::uint32_t stream) const;
  /// The whole of it. Without `times` only the order is known.
  TimelineExhibit take(std::optional<device::Evidence> times,
                       const device::runtime::Duration& whole);

 private:
  std::uint32_t row_of(std::uint32_t stream);
  std::uint32_t add_call(const Call& call, TimelineExhibit::Activity activity);

  TimelineExhibit timeline_;
  std::map<std::uint32_t, std::uint32_t> rows_, last_;  ///< by stream
};

}  // namespace warpbook::lab
