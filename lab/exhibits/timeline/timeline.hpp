// What host and device did when: calls, copies and kernels, each on the row of its host thread or stream.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

#include "device/types.hpp"
#include "lab/markup/kind.hpp"

namespace warpbook::lab {

/// The threads of the host and the streams of the device as rows, and on each what ran there, one thing after the other.
struct TimelineExhibit {
  static constexpr std::string_view kKind = "timeline";
  enum class Activity : std::uint8_t {
    host_call,  ///< a call that the host makes without waiting: it asks for work
    waiting,    ///< the host waits inside of a call
    callback,   ///< a function of the host that a stream calls
    copy_in,    ///< from the host to the device
    copy_out,   ///< from the device to the host
    copy,       ///< within the device, or from one device to another
    fill,
    kernel
  };
  struct Row {
    Message name;
    bool host = false;  ///< a thread of the host; else a stream of the device
    friend bool operator==(const Row&, const Row&) = default;
  };
  struct Span {
    std::uint32_t row = 0;
    Activity activity = Activity::host_call;
    std::string label;  ///< "cudaMemcpyAsync", "saxpy"
    double begin = 0,
           end = 0;  ///< seconds from the timeline's start; 0 where only the order is known
    std::uint64_t bytes = 0;            ///< copied or filled
    std::uint32_t line = 0;             ///< of the source; 0: none
    std::optional<std::uint32_t> call;  ///< the span of the host that asked for it
    /// The spans of other rows that had to end first; that it also follows the one before it on its row goes without saying.
    std::vector<std::uint32_t> after;
    friend bool operator==(const Span&, const Span&) = default;
  };
  std::vector<Row> rows;
  /// In the order in which the host asked for them, so that `call` and `after` name earlier ones.
  std::vector<Span> spans;
  /// Where the times come from; none: only the order is known, and no time is given.
  std::optional<device::Evidence> times;
  double total = 0, low = 0,
         high = 0;  ///< seconds from the start to the end of everything, with its band
  friend bool operator==(const TimelineExhibit&, const TimelineExhibit&) = default;
};

constexpr auto enum_names(TimelineExhibit::Activity) {
  return device::checked_names<TimelineExhibit::Activity>(
      "host-call", "waiting", "callback", "copy-in", "copy-out", "copy", "fill", "kernel");
}

template <class V>
void fields(V&& visit, Is<TimelineExhibit::Row> auto& v) {
  visit("name", v.name);
  visit("host", v.host);
}

template <class V>
void fields(V&& visit, Is<TimelineExhibit::Span> auto& v) {
  visit("row", v.row);
  visit("activity", v.activity);
  visit("label", v.label);
  visit("begin", v.begin);
  visit("end", v.end);
  visit("bytes", v.bytes);
  visit("line", v.line);
  visit("call", v.call);
  visit("after", v.after);
}

template <class V>
void fields(V&& visit, Is<TimelineExhibit> auto& v) {
  visit("rows", v.rows);
  visit("spans", v.spans);
  visit("times", v.times);
  visit("total", v.total);
  visit("low", v.low);
  visit("high", v.high);
}
/// Every span is on a row, ends no earlier than it begins, and waits for earlier ones only.
bool valid(const TimelineExhibit& v);

/// The row of the host's only thread, and of a stream by its number; 0 is the default stream.
TimelineExhibit::Row host_row();
TimelineExhibit::Row stream_row(std::uint32_t stream);

void extras(JsonExtras& json, const TimelineExhibit& timeline);

std::string sentence_of(const TimelineExhibit& timeline, const Strings& strings);
void text_body(const TimelineExhibit& timeline, const Strings& strings, Page& page);
std::string html_body(const TimelineExhibit& timeline, const TimelineExhibit* beside,
                      const Strings& strings, const std::string& caption);
std::string_view style_of(std::type_identity<TimelineExhibit> kind);
Table table_of(const TimelineExhibit& timeline, const Strings& strings);
void compare(const TimelineExhibit& a, const TimelineExhibit& b, Comparer& comparer);

}  // namespace warpbook::lab
