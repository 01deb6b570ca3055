#include <algorithm>
#include <string>
#include <vector>

#include "lab/exhibits/timeline/timeline_picture.hpp"
#include "lab/markup/html_parts.hpp"
#include "lab/markup/phrases.hpp"
#include "lab/markup/svg_pen.hpp"

namespace warpbook::lab {
namespace {

constexpr double kWidth = 768;
constexpr std::size_t kTableRows = 16;

std::string table(const TimelineExhibit& timeline, const Strings& strings) {
  std::uint64_t left_out = 0;
  const std::size_t first_words = timeline.times ? 0 : 1, last_words = first_words + 2;
  const double whole = whole_of(timeline);
  std::string rows;
  for (const TimelineRun& run : longest_runs(timeline, kTableRows, left_out)) {
    const std::vector<std::string> row = table_row_of(timeline, run, whole, strings);
    std::string cells;
    for (std::size_t c = 0; c < row.size(); ++c) {
      const bool words = c >= first_words && c <= last_words;
      cells += tagged("td", words ? "wb-words" : "", escaped(row[c]));
    }
    rows += tagged("tr", "", cells);
  }
  std::string html = tagged("table", "wb-table",
                            table_head(run_head(timeline, strings)) + tagged("tbody", "", rows));
  if (left_out > 0)
    html += tagged("p", "wb-more", escaped(counted(strings, "timeline.more", left_out)));
  return html;
}

}  // namespace

std::string html_body(const TimelineExhibit& timeline, const TimelineExhibit* beside,
                      const Strings& strings, const std::string& caption) {
  if (timeline.spans.empty()) return {};
  const Canvas canvas = svg_canvas(kWidth, strings);
  const TimelinePlane plane(timeline, beside, canvas);
  return svg_of(drawing_of(timeline, plane, {}, canvas), caption) + table(timeline, strings);
}

}  // namespace warpbook::lab
