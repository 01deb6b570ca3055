#include "lab/grading/csv.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <utility>

#include "lab/grading/handed_files.hpp"

namespace warpbook::lab {
namespace {

constexpr std::string_view kByteOrderMark = "\xef\xbb\xbf";
/// The last four are the wide forms of the first four, which East Asian spreadsheets take as well.
constexpr std::array<std::string_view, 8> kFormulaBegins{"=",  "+",  "-",  "@",
                                                         "＝", "＋", "－", "＠"};

class CsvReader {
 public:
  CsvReader(std::string_view text, char separator) : text_(text), separator_(separator) {}

  std::optional<std::vector<CsvRow>> rows() {
    while (at_ < text_.size()) {
      if (!take_cell()) return {};
    }
    end_row();
    return std::move(rows_);
  }

 private:
  /// One cell with what ends it. Within quotes, two quotes are one.
  bool take_cell() {
    std::string cell;
    bool quoted = text_[at_] == '"';
    if (quoted) ++at_;
    while (at_ < text_.size()) {
      const char c = text_[at_++];
      if (quoted) {
        if (c != '"') {
          cell += c;
        } else if (at_ < text_.size() && text_[at_] == '"') {
          cell += text_[at_++];
        } else {
          quoted = false;
        }
      } else if (c == separator_) {
        row_.push_back(std::move(cell));
        if (at_ == text_.size()) row_.emplace_back();
        return true;
      } else if (c == '\n') {
        row_.push_back(std::move(cell));
        end_row();
        return true;
      } else if (c != '\r') {
        cell += c;
      }
    }
    row_.push_back(std::move(cell));
    return !quoted;
  }
  void end_row() {
    const bool blank = std::ranges::all_of(row_, &std::string::empty);
    if (!blank) rows_.push_back(std::move(row_));
    row_.clear();
  }

  std::string_view text_;
  char separator_;
  std::size_t at_ = 0;
  CsvRow row_;
  std::vector<CsvRow> rows_;
};

bool is_number(std::string_view text) {
  double value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  return error == std::errc() && end == text.data() + text.size() && std::isfinite(value);
}

std::string csv_cell(const std::string& cell, char separator) {
  if (cell.find_first_of(std::string("\"\r\n") + separator) == cell.npos) return cell;
  std::string quoted = "\"";
  for (const char c : cell) quoted += c == '"' ? std::string("\"\"") : std::string(1, c);
  return quoted + '"';
}

}  // namespace

std::optional<Csv> parse_csv(std::string_view text) {
  if (text.starts_with(kByteOrderMark)) text.remove_prefix(kByteOrderMark.size());
  const std::string_view head = text.substr(0, text.find('\n'));
  Csv csv;
  csv.separator = std::ranges::count(head, ';') > std::ranges::count(head, ',') ? ';' : ',';
  auto rows = CsvReader(text, csv.separator).rows();
  if (!rows) return {};
  csv.rows = std::move(*rows);
  return csv;
}

std::string to_csv(const Csv& csv) {
  std::string text;
  for (const CsvRow& row : csv.rows) {
    for (std::size_t i = 0; i < row.size(); ++i) {
      if (i != 0) text += csv.separator;
      text += csv_cell(row[i], csv.separator);
    }
    text += '\n';
  }
  return text;
}

std::string safe_cell(std::string_view text) {
  std::string cell = on_one_line(text);
  const std::size_t first = cell.find_first_not_of(' ');
  if (first == cell.npos || is_number(cell)) return cell;
  const std::string_view begin = std::string_view(cell).substr(first);
  const bool formula =
      std::ranges::any_of(kFormulaBegins, [&](auto letter) { return begin.starts_with(letter); });
  return formula ? "'" + cell : cell;
}

}  // namespace warpbook::lab
