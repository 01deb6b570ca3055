#include "lab/markup/table.hpp"

#include <fmt/format.h>

namespace warpbook::lab {
namespace {

std::string csv_row(const std::vector<std::string>& cells) {
  std::string row;
  for (std::size_t i = 0; i < cells.size(); ++i) {
    if (i) row += ',';
    if (cells[i].find_first_of(",\"\r\n") == std::string::npos) {
      row += cells[i];
      continue;
    }
    row += '"';
    for (const char c : cells[i]) row += c == '"' ? std::string("\"\"") : std::string(1, c);
    row += '"';
  }
  return row + '\n';
}

std::string markdown_row(const std::vector<std::string>& cells) {
  std::string row = "|";
  for (const std::string& cell : cells) {
    row += ' ';
    for (const char c : cell) {
      if (c == '|' || c == '\\') row += '\\';
      row += c == '\n' ? ' ' : c;
    }
    row += " |";
  }
  return row + '\n';
}

}  // namespace

std::string exact_text(double value) { return fmt::format("{}", value); }

std::string to_csv(const Table& table) {
  std::string text = csv_row(table.head);
  for (const auto& row : table.rows) text += csv_row(row);
  return text;
}

std::string to_markdown(const Table& table) {
  std::string text =
      markdown_row(table.head) + markdown_row(std::vector<std::string>(table.head.size(), "---"));
  for (const auto& row : table.rows) text += markdown_row(row);
  return text;
}

}  // namespace warpbook::lab
