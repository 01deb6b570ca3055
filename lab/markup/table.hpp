// Rows and columns, for a spreadsheet or a text of the reader's own.
#pragma once

#include <string>
#include <vector>

namespace warpbook::lab {

struct Table {
  std::vector<std::string> head;
  std::vector<std::vector<std::string>> rows;  ///< each as long as the head
  friend bool operator==(const Table&, const Table&) = default;
};

/// The shortest text that reads back as the same number.
std::string exact_text(double value);

/// As RFC 4180 says, but with plain line feeds: quotes where a cell needs them.
std::string to_csv(const Table& table);
std::string to_markdown(const Table& table);

}  // namespace warpbook::lab
