#include <cmath>

#include "lab/exhibits/algorithms/algorithms_summary.hpp"
#include "lab/markup/html_parts.hpp"
#include "lab/markup/phrases.hpp"

namespace warpbook::lab {
namespace {

using Group = AlgorithmsExhibit::Group;
using AlgorithmsRow = AlgorithmsExhibit::Row;

std::string head_of(const Group& group, const Strings& strings) {
  const auto cell = [&](std::string_view key) {
    return "<th scope=\"col\">" + escaped(strings(key)) + "</th>";
  };
  std::string row = cell("algorithms.column.name");
  if (tells_times(group)) row += "<th></th>" + cell("algorithms.column.time");
  row += "<th></th>" + cell("algorithms.column.workspace");
  if (tells_errors(group)) row += cell("algorithms.column.off");
  return tagged("thead", "", tagged("tr", "", row + cell("algorithms.column.words")));
}

std::string row_html(const AlgorithmsRow& row, const Group& group, const Strings& strings) {
  std::string html = "<th scope=\"row\">" + escaped(row.name) + "</th>";
  if (tells_times(group)) {
    const double longest = longest_time(group);
    const double scale = longest > 0 ? 1 / longest : 0;
    html += tagged(
        "td", "wb-bars",
        row.time ? svg_bar(row.time->seconds * scale, row.time->low * scale, row.time->high * scale)
                 : "");
    const std::string spread = spread_text(row, group, strings);
    html += tagged("td", "wb-time",
                   escaped(time_text(row, group, strings)) +
                       (spread.empty() ? "" : " " + tagged("span", "wb-quiet", escaped(spread))));
  }
  const auto largest = static_cast<double>(largest_workspace(group));
  html += tagged("td", "wb-bars",
                 svg_bar(largest > 0 ? static_cast<double>(row.workspace) / largest : 0, 0, 0));
  html += tagged("td", "wb-time", escaped(byte_count(row.workspace)));
  if (tells_errors(group)) html += tagged("td", "wb-time", row.off ? number(*row.off, 2) : "");
  return tagged("tr", "", html + tagged("td", "wb-quiet", escaped(words_of(row))));
}

}  // namespace

std::string html_body(const AlgorithmsExhibit& algorithms, const Strings& strings,
                      const std::string&) {
  std::string html;
  if (!algorithms.groups.empty() && !algorithms.problem.empty())
    html += tagged("p", "wb-quiet", escaped(strings(algorithms.problem)));
  for (const Group& group : algorithms.groups) {
    std::string head = tagged("strong", "", escaped(strings(group.name)));
    if (group.evidence) head += " " + badge_html(*group.evidence, strings);
    html += tagged("p", "", head);
    std::string rows;
    for (const AlgorithmsRow& row : group.rows) rows += row_html(row, group, strings);
    if (!rows.empty()) {
      html += tagged("table", "wb-table wb-timings wb-algorithms",
                     head_of(group, strings) + tagged("tbody", "", rows));
    }
    for (const std::string& remark : remarks_of(group, strings))
      html += tagged("p", "wb-more", escaped(remark));
  }
  return html;
}

}  // namespace warpbook::lab
