#include <algorithm>
#include <array>
#include <map>
#include <string>
#include <vector>

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

/// What stands before each line: its number and, where there are costs, its threads, its estimated time and what takes that.
class Margin {
 public:
  Margin(const SourceExhibit& source, const Strings& strings) : strings_(strings) {
    std::vector<std::array<std::string, kCells>> rows;
    timed_ =
        std::ranges::any_of(source.lines, [](const auto& line) { return !line.estimated.empty(); });
    const bool counted = !source.lines.empty();
    head_ = {strings("source.line"), counted ? heat_name(Heat::threads, strings) : "",
             timed_ ? heat_name(Heat::time, strings) : "", timed_ ? strings("source.mostly") : ""};
    rows.push_back(head_);
    rows.push_back({std::to_string(lines_of(source.text).size()), "", "", ""});
    for (const SourceExhibit::Line& line : source.lines) rows.push_back(cells_of(0, &line));
    for (const auto& row : rows) {
      for (std::size_t k = 0; k < kCells; ++k) wide_[k] = std::max(wide_[k], columns_of(row[k]));
    }
  }
  [[nodiscard]] bool timed() const { return timed_; }
  [[nodiscard]] std::string head() const { return text_of(head_); }
  [[nodiscard]] std::string of(std::uint32_t number, const SourceExhibit::Line* line) const {
    return text_of(cells_of(number, line));
  }
  [[nodiscard]] int columns() const { return columns_of(text_of({})); }

 private:
  static constexpr std::size_t kCells = 4;

  [[nodiscard]] std::array<std::string, kCells> cells_of(std::uint32_t number,
                                                         const SourceExhibit::Line* line) const {
    std::array<std::string, kCells> cells{std::to_string(number), "", "", ""};
    if (!line) return cells;
    cells[1] = grouped(line->threads);
    if (timed_) {
      cells[2] = heat_text(Heat::time, heat_of(Heat::time, *line));
      cells[3] = waits_for(*line, strings_);
    }
    return cells;
  }
  [[nodiscard]] std::string text_of(const std::array<std::string, kCells>& cells) const {
    std::string text;
    for (std::size_t k = 0; k < kCells; ++k) {
      const bool words = k + 1 == kCells;
      if (wide_[k] != 0)
        text += std::string(kGap) +
                (words ? padded(cells[k], wide_[k]) : padded_left(cells[k], wide_[k]));
    }
    return text + std::string(kGap);
  }

  const Strings& strings_;
  bool timed_ = false;
  std::array<std::string, kCells> head_;
  std::array<int, kCells> wide_{};
};

}  // namespace

void text_body(const SourceExhibit& source, const Strings& strings, Page& page) {
  const std::vector<std::string_view> lines = lines_of(source.text);
  std::map<std::uint32_t, const SourceExhibit::Line*> cost;
  for (const SourceExhibit::Line& line : source.lines) cost[line.line] = &line;
  std::multimap<std::uint32_t, const SourceExhibit::Mark*> marks;
  for (const SourceExhibit::Mark& mark : source.marks) marks.emplace(mark.line, &mark);

  const Margin margin(source, strings);
  const int margin_columns = margin.columns();
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

  if (!cost.empty()) page.line(page.ink(Ink::quiet, margin.head()));
  const std::size_t shown = std::min(lines.size(), kMostSourceLines);
  for (std::uint32_t number = 1; number <= shown; ++number) {
    const auto line = cost.find(number);
    const std::string head = margin.of(number, line == cost.end() ? nullptr : line->second);
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
  if (margin.timed()) page.paragraph(strings("source.times"), 2, Ink::quiet);
  if (source.sass) sass_body(*source.sass, strings, page);
}

}  // namespace warpbook::lab
