// An exhibit as rows and columns, for a spreadsheet or a text of the reader's own. The whole of its data, nothing drawn.
#pragma once

#include <string>
#include <vector>

#include "lab/model/exhibits.hpp"

namespace warpbook::lab {

struct Table {
  std::vector<std::string> head;
  std::vector<std::vector<std::string>> rows;  ///< each as long as the head
  friend bool operator==(const Table&, const Table&) = default;
};
/// Of a source with machine code, an instruction is a row behind those of the source; what one kind of row has and the other
/// has not is empty.
Table table_of(const Exhibit& exhibit, const Strings& strings);
/// An instruction a row. First the line of source that it stems from; empty: of none.
Table table_of(const device::Sass& sass, const Strings& strings);

/// As RFC 4180 says, but with plain line feeds: quotes where a cell needs them.
std::string to_csv(const Table& table);
/// Title, where the figures come from, the sentence that the data says, and the table; of a source its text, and the table
/// of its machine code.
std::string to_markdown(const Exhibit& exhibit, const Strings& strings);

}  // namespace warpbook::lab
