// What libraries, and kernels of our own, would run for one problem.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "device/launch_record.hpp"
#include "lab/markup/kind.hpp"

namespace warpbook::lab {

/// What libraries, and kernels of our own, would run for one problem: what each needs, and how long it takes.
struct AlgorithmsExhibit {
  static constexpr std::string_view kKind = "algorithms";
  struct Time {
    double seconds = 0;        ///< the median, or the only sample
    double low = 0, high = 0;  ///< p20 and p80, or the estimate's band
    std::uint32_t samples = 1;
    friend bool operator==(const Time&, const Time&) = default;
  };
  struct Row {
    std::string name;                ///< "engine 38", "brgconv:avx512_core"
    std::string settings;            ///< in the library's own words; may be empty
    std::string origin;              ///< how it came to be listed: "heuristic"; may be empty
    std::uint64_t workspace = 0;     ///< bytes, beside what goes in and comes out
    std::vector<std::string> notes;  ///< in the library's own words: "TENSOR_CORE"
    std::optional<Time> time;        ///< none: it was not timed
    std::optional<double> stopped;   ///< it was not done after so many seconds
    std::optional<double> off;       ///< the largest difference from the truth; none: not known
    friend bool operator==(const Row&, const Row&) = default;
  };
  /// What one library has, or the chapter's own kernels. Groups are never held against each other.
  struct Group {
    Message name;  ///< "cuDNN 9.19.0"
    /// Of its times; of its list where there are none; no badge where a list is the same for every GPU.
    std::optional<device::Evidence> evidence;
    Message description;         ///< how a GPU that is not here was described to it; may be empty
    std::vector<Row> rows;       ///< in its own order of preference
    std::uint32_t left_out = 0;  ///< of lower precision than was asked for
    std::uint32_t refused = 0;   ///< that do not take this problem on this GPU
    std::uint32_t over_cap = 0;  ///< that need a workspace of more than `cap` bytes
    std::uint64_t cap = 0;
    Message untimed;                     ///< why it has no times
    std::optional<device::Error> error;  ///< why it has no rows, or no times
    friend bool operator==(const Group&, const Group&) = default;
  };
  Message problem;  ///< in words
  std::vector<Group> groups;
  friend bool operator==(const AlgorithmsExhibit&, const AlgorithmsExhibit&) = default;
};

template <class V>
void fields(V&& visit, Is<AlgorithmsExhibit::Time> auto& v) {
  visit("seconds", v.seconds);
  visit("low", v.low);
  visit("high", v.high);
  visit("samples", v.samples);
}

template <class V>
void fields(V&& visit, Is<AlgorithmsExhibit::Row> auto& v) {
  visit("name", v.name);
  visit("settings", v.settings);
  visit("origin", v.origin);
  visit("workspace_bytes", v.workspace);
  visit("notes", v.notes);
  visit("time", v.time);
  visit("not_done_after", v.stopped);
  visit("off", v.off);
}

template <class V>
void fields(V&& visit, Is<AlgorithmsExhibit::Group> auto& v) {
  visit("name", v.name);
  visit("evidence", v.evidence);
  visit("description", v.description);
  visit("rows", v.rows);
  visit("left_out", v.left_out);
  visit("refused", v.refused);
  visit("over_cap", v.over_cap);
  visit("cap", v.cap);
  visit("untimed", v.untimed);
  visit("error", v.error);
}

template <class V>
void fields(V&& visit, Is<AlgorithmsExhibit> auto& v) {
  visit("problem", v.problem);
  visit("groups", v.groups);
}

std::string sentence_of(const AlgorithmsExhibit& algorithms, const Strings& strings);
void text_body(const AlgorithmsExhibit& algorithms, const Strings& strings, Page& page);
std::string html_body(const AlgorithmsExhibit& algorithms, const Strings& strings,
                      const std::string& caption);
Table table_of(const AlgorithmsExhibit& algorithms, const Strings& strings);
void compare(const AlgorithmsExhibit& a, const AlgorithmsExhibit& b, Comparer& comparer);

}  // namespace warpbook::lab
