#include <map>

#include "lab/exhibits/source/line_heat.hpp"
#include "lab/exhibits/source/sass_text.hpp"
#include "lab/markup/html_parts.hpp"
#include "lab/markup/phrases.hpp"

namespace warpbook::lab {
namespace {

constexpr int kHeatSteps = 10;

/// A counter's number, and beside it the strip that is as warm as it is large.
std::string heat_cell(std::uint64_t value, const LineHeat& heat) {
  if (value == 0) return tagged("td", "wb-threads", "");
  const auto step = static_cast<int>(heat.share(value) * (kHeatSteps - 1));
  return tagged("td", "wb-threads",
                tagged("span", "wb-heat wb-h" + std::to_string(step), "") + heat.text(value));
}

/// What takes most of each line's estimated time, by line.
std::map<std::uint32_t, std::string> waiting_by_line(const SourceExhibit& source,
                                                     const Strings& strings) {
  std::map<std::uint32_t, std::string> waiting;
  for (const SourceExhibit::Line& line : source.lines) {
    if (!line.estimated.empty()) waiting[line.line] = waits_for(line, strings);
  }
  return waiting;
}

std::string source_table(const SourceExhibit& source, const Strings& strings) {
  const std::vector<Heat> kinds = heats_of(source);
  std::vector<LineHeat> heats;
  std::vector<std::string> head{strings("source.line"), strings("source.text")};
  for (const Heat kind : kinds) {
    heats.emplace_back(source, kind);
    head.push_back(heat_name(kind, strings));
  }
  const std::map<std::uint32_t, std::string> waiting = waiting_by_line(source, strings);
  if (!waiting.empty()) head.push_back(strings("source.mostly"));
  const auto draw_mark = [&](const SourceExhibit::Mark& mark, std::string_view key) {
    const std::string text = strings(key, {{"severity", severity_word(strings, mark.severity)},
                                           {"line", std::to_string(mark.line)},
                                           {"text", strings(mark.text)}});
    const bool error = mark.severity == device::Severity::error;
    return tagged("tr", error ? "wb-mark wb-bad" : "wb-mark wb-warn",
                  "<td></td><td colspan=\"" + std::to_string(head.size() - 1) + "\">" +
                      escaped(text) + "</td>");
  };
  const std::vector<std::string_view> lines = lines_of(source.text);
  std::string rows;
  for (std::uint32_t number = 1; number <= lines.size(); ++number) {
    std::string cells = tagged("td", "wb-number", std::to_string(number)) +
                        tagged("td", "wb-code", escaped(lines[number - 1]));
    for (const LineHeat& heat : heats) cells += heat_cell(heat.of_line(number), heat);
    const auto line = waiting.find(number);
    if (!waiting.empty())
      cells += tagged("td", "", line == waiting.end() ? std::string() : escaped(line->second));
    rows += tagged("tr", "", cells);
    for (const SourceExhibit::Mark& mark : source.marks) {
      if (mark.line == number) rows += draw_mark(mark, "source.mark");
    }
  }
  for (const SourceExhibit::Mark& mark : source.marks) {
    if (mark.line == 0 || mark.line > lines.size()) rows += draw_mark(mark, "source.mark-at");
  }
  const std::string legend =
      waiting.empty() ? std::string() : tagged("p", "wb-more", escaped(strings("source.times")));
  return tagged("table", "wb-source", table_head(head) + tagged("tbody", "", rows)) + legend;
}

/// Each line of the PTX with the line of the source that it stems from.
std::string ptx_table(const SourceExhibit& source, const Strings& strings) {
  if (source.ptx.empty()) return {};
  const std::vector<Heat> kinds = heats_of(source);
  std::vector<LineHeat> heats;
  std::vector<std::string> head{strings("source.line"), strings("source.ptx"),
                                strings("source.of-line")};
  for (const Heat kind : kinds) {
    heats.emplace_back(source, kind);
    head.push_back(heat_name(kind, strings));
  }
  std::map<std::uint32_t, std::uint32_t> stems_from;
  for (const SourceExhibit::Instruction& one : source.instructions)
    stems_from[one.ptx_line] = one.line;
  std::string rows;
  std::uint32_t number = 0;
  for (const std::string_view line : lines_of(source.ptx)) {
    const auto from = stems_from.find(++number);
    const bool known = from != stems_from.end() && from->second != 0;
    std::string cells =
        tagged("td", "wb-number", std::to_string(number)) + tagged("td", "wb-code", escaped(line)) +
        tagged("td", "wb-number", known ? std::to_string(from->second) : std::string());
    for (const LineHeat& heat : heats) cells += heat_cell(heat.of_ptx(number), heat);
    rows += tagged("tr", "", cells);
  }
  return tagged("details", "",
                tagged("summary", "", escaped(strings("source.ptx"))) +
                    tagged("table", "wb-source", table_head(head) + tagged("tbody", "", rows)));
}

}  // namespace

std::string html_body(const SourceExhibit& source, const Strings& strings, const std::string&) {
  return source_table(source, strings) + ptx_table(source, strings) + sass_table(source, strings);
}

}  // namespace warpbook::lab
