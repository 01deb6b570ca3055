#include <algorithm>
#include <cmath>

#include "device/sass/sass.hpp"
#include "lab/exhibits/source/sass_summary.hpp"
#include "lab/exhibits/source/sass_text.hpp"
#include "lab/exhibits/source/source.hpp"
#include "lab/markup/html_parts.hpp"
#include "lab/markup/phrases.hpp"

namespace warpbook::lab {
namespace {

constexpr std::size_t kHtmlSassMostRows = 2000;
constexpr int kHtmlSassHeatSteps = 10, kHtmlSassColumns = 8;

/// How often it ran, and the strip that is as warm as that is often.
std::string executed_cell(const SassRow& row, double most) {
  const std::string text = executed_text(row);
  const double times = row.instruction->executed;
  if (text.empty() || !(times > 0) || !std::isfinite(times))
    return tagged("td", "wb-threads", escaped(text));
  const auto step = static_cast<int>(times / most * (kHtmlSassHeatSteps - 1));
  return tagged("td", "wb-threads",
                tagged("span", "wb-heat wb-h" + std::to_string(step), "") + escaped(text));
}

/// The instruction; its opcode says in its title what it does.
std::string text_cell(const device::SassInstruction& one, const Strings& strings) {
  const std::string_view opcode = device::opcode_of(one.text);
  const std::string meaning = meaning_of_opcode(opcode, strings);
  if (meaning.empty()) return tagged("td", "wb-code", escaped(one.text));
  const std::string_view text = one.text;
  const std::size_t begin = static_cast<std::size_t>(opcode.data() - text.data());
  return tagged("td", "wb-code",
                escaped(text.substr(0, begin)) + "<abbr title=\"" + escaped(meaning) + "\">" +
                    escaped(opcode) + "</abbr>" + escaped(text.substr(begin + opcode.size())));
}

std::string line_cell(std::uint32_t line) {
  return tagged("td", "wb-number", line == 0 ? std::string() : std::to_string(line));
}

std::string row_of(const SassRow& row, double most, const Strings& strings) {
  if (!row.instruction) {
    return tagged("tr", "",
                  "<th colspan=\"" + std::to_string(kHtmlSassColumns) + "\">" +
                      escaped(row.function->name) + "</th>");
  }
  const device::SassInstruction& one = *row.instruction;
  return tagged("tr", "",
                tagged("td", "wb-number", address_text(one)) + text_cell(one, strings) +
                    line_cell(one.line) + line_cell(one.ptx_line) +
                    tagged("td", "wb-number", std::to_string(one.stall)) +
                    tagged("td", "wb-number", waits_text(one)) +
                    tagged("td", "wb-number", sets_text(one)) + executed_cell(row, most));
}

}  // namespace

std::string sass_table(const SourceExhibit& source, const Strings& strings) {
  if (!source.sass) return {};
  const device::Sass& sass = *source.sass;
  const std::vector<SassRow> rows = rows_of(sass);
  const double most = most_executed(sass);
  std::string body;
  for (std::size_t i = 0; i < std::min(rows.size(), kHtmlSassMostRows); ++i)
    body += row_of(rows[i], most, strings);
  std::string content = tagged("summary", "", escaped(strings("sass.title"))) +
                        tagged("p", "wb-more", escaped(summary_of(sass, strings)));
  if (!rows.empty()) {
    const std::string head =
        table_head({strings("sass.address"), strings("sass.title"), strings("source.of-line"),
                    strings("sass.of-ptx"), strings("sass.stall"), strings("sass.waits"),
                    strings("sass.sets"), strings("sass.ran")});
    content += tagged("table", "wb-source", head + tagged("tbody", "", body)) +
               tagged("p", "wb-more", escaped(strings("sass.legend")));
  }
  if (rows.size() > kHtmlSassMostRows)
    content +=
        tagged("p", "wb-more",
               escaped(counted(strings, "text.more-lines", rows.size() - kHtmlSassMostRows)));
  return tagged("details", "", content);
}

}  // namespace warpbook::lab
