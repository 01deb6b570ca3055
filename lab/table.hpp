// An exhibit as rows and columns, for a spreadsheet or a text of the reader's own. The whole of its data, nothing drawn.
#pragma once

#include <string>
#include <vector>

#include "lab/exhibits.hpp"

namespace warpbook::lab {

struct Table {
  std::vector<std::string> head;
  std::vector<std::vector<std::string>> rows;  ///< each as long as the head
  friend bool operator==(const Table&, const Table&) = default;
};
Table table_of(const Exhibit& exhibit, const Strings& strings);

/// As RFC 4180 says, but with plain line feeds: quotes where a cell needs them.
std::string to_csv(const Table& table);
/// Title, where the figures come from, the sentence that the data says, and the table.
std::string to_markdown(const Exhibit& exhibit, const Strings& strings);

}  // namespace warpbook::lab
