#include "lab/exhibits/text/text.hpp"

#include <algorithm>

#include "lab/markup/html_parts.hpp"
#include "lab/markup/phrases.hpp"
#include "lab/text/unicode.hpp"

namespace warpbook::lab {
namespace {

constexpr int kQuotedColumns = 100;  ///< of a line of output that a sentence repeats

constexpr int kMostRowsOfALine = 3;  ///< a line that would take more is cut

constexpr std::size_t kMostLinesInTerminal = 200, kMostLinesInHtml = 1000;

}  // namespace

std::string sentence_of(const TextExhibit& exhibit, const Strings& strings) {
  const std::string text = strings(exhibit.text);
  const std::string first = first_line(text, kQuotedColumns);
  if (!exhibit.code) return first.empty() ? strings("text.nothing") : first;
  if (first.empty()) return strings("text.no-lines");
  return strings("text.lines", {{"count", grouped(lines_of(text).size())}, {"first", first}});
}

void text_body(const TextExhibit& exhibit, const Strings& strings, Page& page) {
  const std::string text = strings(exhibit.text);
  const std::vector<std::string_view> lines = lines_of(text);
  const std::size_t shown = std::min(lines.size(), kMostLinesInTerminal);
  // What a program printed is marked, so that it cannot pass for words of ours.
  const std::string indent = exhibit.code && exhibit.text.key.empty() ? "  | " : "  ";
  const int room = page.width() - static_cast<int>(indent.size());
  for (std::size_t i = 0; i < shown; ++i) {
    const int columns = columns_of(lines[i]);
    if (!exhibit.code) {
      page.paragraph(lines[i]);
    } else if (columns > room && columns <= kMostRowsOfALine * room) {
      for (const std::string& row : wrapped(printable(lines[i]), room))
        page.line(indent + page.ink(Ink::plain, row));
    } else {
      page.line(indent + page.ink(Ink::plain, clipped(printable(lines[i]), room)));
    }
  }
  if (shown < lines.size())
    page.paragraph(counted(strings, "text.more-lines", lines.size() - shown), 2, Ink::quiet);
}

std::string html_body(const TextExhibit& exhibit, const Strings& strings, const std::string&) {
  const std::string text = strings(exhibit.text);
  const std::vector<std::string_view> lines = lines_of(text);
  const std::size_t shown = std::min(lines.size(), kMostLinesInHtml);
  std::string html;
  for (std::size_t i = 0; i < shown; ++i) {
    if (exhibit.code)
      html += escaped(lines[i]) + "\n";
    else if (!lines[i].empty())
      html += tagged("p", "", escaped(lines[i]));
  }
  if (exhibit.code && !html.empty()) html = tagged("pre", "wb-output", html);
  if (shown < lines.size())
    html +=
        tagged("p", "wb-more", escaped(counted(strings, "text.more-lines", lines.size() - shown)));
  return html;
}

Table table_of(const TextExhibit& text, const Strings& strings) {
  Table table{{strings("table.text")}, {}};
  const std::string whole = strings(text.text);
  for (std::string_view rest = whole; !rest.empty();) {
    const std::string_view line = rest.substr(0, rest.find('\n'));
    rest.remove_prefix(std::min(rest.size(), line.size() + 1));
    table.rows.push_back({std::string(line)});
  }
  return table;
}

void compare(const TextExhibit& a, const TextExhibit& b, Comparer& comparer) {
  compare_texts(a.text, b.text, b.code, comparer);
}

std::string markdown_of(const TextExhibit& text, const Strings& strings) {
  return "```text\n" + strings(text.text) + "\n```\n";
}

std::string_view style_of(std::type_identity<TextExhibit> /*kind*/) {
  return R"css(.wb-output { margin: 0; padding: 8px; border-radius: 4px; background: var(--s1); font-size: 14px; overflow-x: auto; }
)css";
}

}  // namespace warpbook::lab
