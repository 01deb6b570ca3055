// Times of variants, as bars.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

#include "device/launch_record.hpp"
#include "lab/markup/kind.hpp"

namespace warpbook::lab {

/// Times of variants. One group of bars, one badge: rows with different evidence are never put in one ratio.
struct TimingsExhibit {
  static constexpr std::string_view kKind = "timings";
  struct Row {
    Message label;
    double seconds = 0;        ///< the median, or the only sample
    double low = 0, high = 0;  ///< p20 and p80, or the estimate's band
    double minimum = 0;
    std::uint32_t samples = 1;
    device::Evidence evidence;
    Message bottleneck;  ///< of one launch's estimate: what it waits for most; else empty
    friend bool operator==(const Row&, const Row&) = default;
  };
  Message what;  ///< what the times are of: the simulation itself, a kernel
  std::vector<Row> rows;
  friend bool operator==(const TimingsExhibit&, const TimingsExhibit&) = default;
};

/// Rows of the same evidence, which alone may be compared; in the order in which they first appear.
using TimingGroup = std::vector<const TimingsExhibit::Row*>;
std::vector<TimingGroup> groups_of(const TimingsExhibit& timings);

template <class V>
void fields(V&& visit, Is<TimingsExhibit::Row> auto& v) {
  visit("label", v.label);
  visit("seconds", v.seconds);
  visit("low", v.low);
  visit("high", v.high);
  visit("minimum", v.minimum);
  visit("samples", v.samples);
  visit("evidence", v.evidence);
  visit("bottleneck", v.bottleneck);
}

template <class V>
void fields(V&& visit, Is<TimingsExhibit> auto& v) {
  visit("what", v.what);
  visit("rows", v.rows);
}

std::string sentence_of(const TimingsExhibit& timings, const Strings& strings);
void text_body(const TimingsExhibit& timings, const Strings& strings, Page& page);
std::string html_body(const TimingsExhibit& timings, const Strings& strings,
                      const std::string& caption);
std::string_view style_of(std::type_identity<TimingsExhibit> kind);
Table table_of(const TimingsExhibit& timings, const Strings& strings);
void compare(const TimingsExhibit& a, const TimingsExhibit& b, Comparer& comparer);

}  // namespace warpbook::lab
