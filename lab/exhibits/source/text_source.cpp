#include <algorithm>
#include <map>

#include "lab/exhibits/source/line_heat.hpp"
#include "lab/exhibits/source/sass_text.hpp"
#include "lab/markup/phrases.hpp"
#include "lab/markup/terminal.hpp"
#include "lab/text/unicode.hpp"

namespace warpbook::lab {
namespace {

constexpr std::size_t kMostSourceLines = 400;
constexpr std::string_view kGap = "  ";

std::string without_tabs(std::string_view line) {
  std::string text;
  for (const char c : line) {
    if (c == '\t')
      text.append(4 - text.size() % 4, ' ');
    else if (c != '\r')
      text += c;
  }
  return text;
}

Ink ink_of(device::Severity severity) {
  switch (severity) {
    case device::Severity::error: return Ink::bad;
    case device::Severity::warning: return Ink::warn;
    case device::Severity::remark:
    case device::Severity::note: return Ink::quiet;
  }
  __builtin_unreachable();
}

}  // namespace

void text_body(const SourceExhibit& source, const Strings& strings, Page& page) {
  const std::vector<std::string_view> lines = lines_of(source.text);
  std::map<std::uint32_t, const SourceExhibit::Line*> cost;
  for (const SourceExhibit::Line& line : source.lines) cost[line.line] = &line;
  std::multimap<std::uint32_t, const SourceExhibit::Mark*> marks;
  for (const SourceExhibit::Mark& mark : source.marks) marks.emplace(mark.line, &mark);

  int number_columns = columns_of(strings("source.line")), threads_columns = 0;
  number_columns = std::max(number_columns, static_cast<int>(std::to_string(lines.size()).size()));
  if (!cost.empty()) threads_columns = columns_of(heat_name(Heat::threads, strings));
  for (const auto& [number, line] : cost) {
    threads_columns = std::max(threads_columns, static_cast<int>(grouped(line->threads).size()));
  }
  const auto margin = [&](const std::string& number, const std::string& threads) {
    std::string text(kGap);
    text += padded_left(number, number_columns);
    if (threads_columns != 0) text += std::string(kGap) + padded_left(threads, threads_columns);
    return text + std::string(kGap);
  };
  const int margin_columns = columns_of(margin("", ""));
  const auto draw_mark = [&](const SourceExhibit::Mark& mark) {
    const int column =
        std::min(mark.column == 0 ? 0 : static_cast<int>(mark.column) - 1, page.width() / 2);
    page.line(page.ink(ink_of(mark.severity),
                       std::string(static_cast<std::size_t>(margin_columns + column), ' ') + "^"));
    const std::string text = strings(
        "source.mark",
        {{"severity", severity_word(strings, mark.severity)}, {"text", strings(mark.text)}});
    page.paragraph(text, margin_columns, ink_of(mark.severity));
  };

  if (threads_columns != 0)
    page.line(
        page.ink(Ink::quiet, margin(strings("source.line"), heat_name(Heat::threads, strings))));
  const std::size_t shown = std::min(lines.size(), kMostSourceLines);
  for (std::uint32_t number = 1; number <= shown; ++number) {
    const auto line = cost.find(number);
    const std::string head =
        margin(std::to_string(number), line == cost.end() ? "" : grouped(line->second->threads));
    const std::string text =
        clipped(printable(without_tabs(lines[number - 1])), page.width() - margin_columns);
    page.line(page.ink(Ink::quiet, head) + page.ink(Ink::plain, text));
    for (auto [mark, end] = marks.equal_range(number); mark != end; ++mark)
      draw_mark(*mark->second);
  }
  if (shown < lines.size())
    page.paragraph(counted(strings, "text.more-lines", lines.size() - shown), 2, Ink::quiet);
  for (const auto& [number, mark] : marks) {
    if (number != 0 && number <= shown) continue;
    page.paragraph(strings("source.mark-at",
                           {{"line", std::to_string(number)}, {"text", strings(mark->text)}}),
                   2, ink_of(mark->severity));
  }
  if (source.sass) sass_body(*source.sass, strings, page);
}

}  // namespace warpbook::lab
