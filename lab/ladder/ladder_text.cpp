// A ladder as a table in a terminal.
#include <algorithm>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "lab/ladder/ladder.hpp"
#include "lab/markup/phrases.hpp"
#include "lab/markup/terminal.hpp"
#include "lab/render/render.hpp"
#include "lab/report/report.hpp"
#include "lab/text/unicode.hpp"

namespace warpbook::lab {
namespace {

struct Cell {
  std::string text;
  Ink ink = Ink::plain;
  bool number = true;  // stands at the right
};

std::string time_text(const std::optional<LadderTime>& time) {
  if (!time) return "–";
  return time->low == time->high ? duration(time->seconds)
                                 : duration(time->seconds) + " (" + duration(time->low) + " – " +
                                       duration(time->high) + ")";
}

bool any_time(const Ladder& ladder, std::optional<LadderTime> LadderRow::*time) {
  return std::ranges::any_of(ladder.rows,
                             [&](const LadderRow& row) { return (row.*time).has_value(); });
}

/// "moved against asked": sectors at L1 in bytes, over the bytes that the rung's block says must move.
std::string traffic(const LadderRow& row) {
  if (row.bytes == 0) return "–";
  return number(
      32.0 * static_cast<double>(row.total.global_sectors) / static_cast<double>(row.bytes), 3);
}

std::vector<Cell> head_of(const Strings& strings, bool estimate, bool record) {
  std::vector<Cell> head;
  for (const char* key : {"ladder.head.rung", "ladder.head.check", "ladder.head.instructions",
                          "ladder.head.sectors", "ladder.head.traffic", "ladder.head.conflicts",
                          "ladder.head.atomics", "ladder.head.barriers", "ladder.head.registers"})
    head.push_back({strings(key), Ink::quiet, true});
  if (estimate) {
    head.push_back({strings("ladder.head.estimate"), Ink::quiet, true});
    head.push_back({strings("ladder.head.limiter"), Ink::quiet, false});
  }
  if (record) head.push_back({strings("ladder.head.record"), Ink::quiet, true});
  head[0].number = head[1].number = false;
  return head;
}

std::vector<Cell> cells_of(const LadderRow& row, const Strings& strings, bool estimate,
                           bool record) {
  const std::string name = fmt::format("{:02} {}", row.rung.number, row.rung.name);
  if (!row.left_out.empty())
    return {{name, Ink::quiet, false}, {strings(row.left_out), Ink::quiet, false}};
  const bool good = row.verdict.passed();
  const device::Counters& c = row.total;
  std::vector<Cell> cells = {
      {name, Ink::strong, false},
      {strings(good ? "ladder.right" : "ladder.wrong"), good ? Ink::good : Ink::bad, false},
      {grouped(c.warp_instructions)},
      {grouped(c.global_sectors)},
      {traffic(row)},
      {grouped(c.shared_wavefronts - std::min(c.shared_wavefronts, c.shared_wavefronts_ideal))},
      {grouped(c.atomics)},
      {grouped(c.barriers)},
      {row.registers ? std::to_string(*row.registers) : "–"}};
  if (estimate) {
    cells.push_back({time_text(row.estimate)});
    cells.push_back({row.estimate ? strings("estimate.part." + row.estimate->limiter) : "–",
                     Ink::plain, false});
  }
  if (record) cells.push_back({time_text(row.record)});
  return cells;
}

void draw(const std::vector<std::vector<Cell>>& table, Page& page) {
  std::vector<int> widths;
  for (const auto& row : table) {
    if (row.size() == 2) continue;  // a rung that was left out says why in one long cell
    widths.resize(std::max(widths.size(), row.size()));
    for (std::size_t i = 0; i < row.size(); ++i)
      widths[i] = std::max(widths[i], columns_of(row[i].text));
  }
  for (const auto& row : table) {
    std::string line;
    for (std::size_t i = 0; i < row.size(); ++i) {
      const int width = row.size() == 2 && i == 1 ? 0 : widths[i];
      const std::string text =
          row[i].number ? padded_left(row[i].text, width) : padded(row[i].text, width);
      line += "  " + page.ink(row[i].ink, text);
    }
    page.line(line);
  }
}

}  // namespace

Exhibit libraries_of(const Ladder& ladder) {
  return {"libraries", {"ladder.libraries"}, std::nullopt, *ladder.libraries};
}

std::string to_text(const Ladder& ladder, const Strings& strings, int width, bool colour) {
  const bool estimate = any_time(ladder, &LadderRow::estimate);
  const bool record = any_time(ladder, &LadderRow::record);
  Page page(width, colour);
  std::string size = ladder.size_text;
  for (const std::string& define : ladder.defines) size += ", " + define;
  page.line(page.ink(Ink::strong, ladder.operation) + "  " + size + "  " +
            page.ink(Ink::quiet,
                     "[" + badge(strings, {device::EvidenceKind::counted, ladder.gpu, {}}) + "]"));
  std::vector<std::vector<Cell>> table = {head_of(strings, estimate, record)};
  for (const LadderRow& row : ladder.rows)
    table.push_back(cells_of(row, strings, estimate, record));
  draw(table, page);
  for (const LadderRow& row : ladder.rows) {
    if (row.verdict.passed()) continue;
    page.line();
    std::string name = fmt::format("{:02} {}", row.rung.number, row.rung.name);
    if (!row.failed_at.empty())
      name = strings("ladder.failed-at", {{"rung", name}, {"size", row.failed_at}});
    page.line(page.ink(Ink::bad, name));
    for (const KernelFailure& failure : row.verdict.failures) {
      const std::string text = sentence(failure, strings);
      for (const std::string_view line : lines_of(text)) page.paragraph(line, 2);
    }
  }
  page.line();
  page.paragraph(strings("ladder.legend"), 0, Ink::quiet);
  if (!ladder.also.empty()) {
    page.paragraph(
        strings("ladder.also", {{"sizes", fmt::format("{}", fmt::join(ladder.also, "; "))}}), 0,
        Ink::quiet);
  }
  const bool launched = std::ranges::any_of(
      ladder.rows, [](const LadderRow& row) { return !row.verdict.records.empty(); });
  if (!launched && ladder.passed()) page.paragraph(strings("ladder.no-launch"), 0, Ink::quiet);
  if (launched && !estimate) page.paragraph(strings("ladder.no-estimate"), 0, Ink::quiet);
  if (!record) page.paragraph(strings("ladder.no-record"), 0, Ink::quiet);
  if (!ladder.no_libraries.empty()) page.paragraph(strings(ladder.no_libraries), 0, Ink::quiet);
  if (!ladder.libraries) return page.take();
  page.line();
  Page below(width, colour);
  if (!ladder.libraries_tolerance.empty()) {
    below.paragraph(strings("ladder.libraries-held", {{"tolerance", ladder.libraries_tolerance}}),
                    0, Ink::quiet);
  }
  return page.take() + to_text(libraries_of(ladder), strings, width) + below.take();
}

}  // namespace warpbook::lab
