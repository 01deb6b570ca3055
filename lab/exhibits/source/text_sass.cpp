#include <algorithm>
#include <span>

#include "lab/exhibits/source/sass_summary.hpp"
#include "lab/exhibits/source/sass_text.hpp"
#include "lab/markup/phrases.hpp"
#include "lab/markup/text_parts.hpp"
#include "lab/text/unicode.hpp"

namespace warpbook::lab {
namespace {

constexpr std::size_t kMostRows = 2000;
constexpr int kGap = 2;

std::string number_or_nothing(std::uint32_t number) {
  return number == 0 ? std::string() : std::to_string(number);
}

std::vector<std::string> cells_of(const SassRow& row) {
  const device::SassInstruction& one = *row.instruction;
  return {address_text(one),         executed_text(row), number_or_nothing(one.line),
          std::to_string(one.stall), waits_text(one),    sets_text(one),
          printable(one.text)};
}

/// One function's instructions, the text last, so that a narrow page cuts nothing but it.
void draw(std::span<const SassRow> rows, const Strings& strings, Page& page) {
  std::vector<std::vector<std::string>> table{
      {strings("sass.address"), strings("sass.ran"), strings("source.of-line"),
       strings("sass.stall"), strings("sass.waits"), strings("sass.sets"), strings("sass.title")}};
  for (const SassRow& row : rows) table.push_back(cells_of(row));
  text_rows(table, page, table.front().size() - 1);
}

}  // namespace

void sass_body(const device::Sass& sass, const Strings& strings, Page& page) {
  page.line(page.ink(Ink::strong, std::string(kGap, ' ') + strings("sass.title")));
  page.paragraph(summary_of(sass, strings), kGap, Ink::quiet);
  const std::vector<SassRow> rows = rows_of(sass);
  const std::size_t shown = std::min(rows.size(), kMostRows);
  for (std::size_t begin = 0; begin < shown;) {
    if (!rows[begin].instruction) page.paragraph(rows[begin++].function->name, kGap, Ink::strong);
    std::size_t end = begin;
    while (end < shown && rows[end].instruction) ++end;
    if (end > begin) draw(std::span(rows).subspan(begin, end - begin), strings, page);
    begin = end;
  }
  if (shown < rows.size())
    page.paragraph(counted(strings, "text.more-lines", rows.size() - shown), kGap, Ink::quiet);
  if (shown != 0) page.paragraph(strings("sass.legend"), kGap, Ink::quiet);
}

std::string to_text(const device::Sass& sass, const Strings& strings, int width) {
  Page page(width, false);
  sass_body(sass, strings, page);
  return page.take();
}

}  // namespace warpbook::lab
