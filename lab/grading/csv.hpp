// CSV as learning systems write it, and cells that no spreadsheet takes for a formula.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace warpbook::lab {

using CsvRow = std::vector<std::string>;

struct Csv {
  char separator = ',';
  std::vector<CsvRow> rows;  ///< the first is the head; empty lines are left out
};

/// Reads RFC 4180 with either kind of line end and without a byte order mark. The separator is a comma, or a semicolon where the first
/// line has more of those. Nothing where a quote is never closed.
std::optional<Csv> parse_csv(std::string_view text);
std::string to_csv(const Csv& csv);

/// The text for a cell that may come from a student: valid, on one line, and with an apostrophe in front where a spreadsheet would
/// calculate it. (OWASP, "CSV Injection", names the letters with which a formula begins.)
std::string safe_cell(std::string_view text);

}  // namespace warpbook::lab
