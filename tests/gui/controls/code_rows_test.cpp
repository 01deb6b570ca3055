#include "gui/controls/code_rows.hpp"

#include <string>

#include <catch2/catch_test_macros.hpp>

namespace warpbook::gui::code_rows_test {
namespace {
/// The rows as they are seen.
std::vector<std::string> seen(std::string_view line, std::size_t columns) {
  std::vector<std::string> rows;
  for (const CodeRow& row : code_rows(line, columns))
    rows.push_back(std::string(row.indent, ' ') +
                   std::string(line.substr(row.from, row.to - row.from)));
  return rows;
}
}  // namespace

TEST_CASE("a line of code that fits is one row, and so is an empty one") {
  CHECK(seen("  int i = 0;", 20) == std::vector<std::string>{"  int i = 0;"});
  CHECK(seen("", 20) == std::vector<std::string>{""});
}

TEST_CASE("a line that is too long goes on farther right, behind a space where there is one") {
  CHECK(seen("  out[i] = x[i] + y[i];", 18) ==
        std::vector<std::string>{"  out[i] = x[i] + ", "      y[i];"});
  CHECK(seen("abcdefghijklmnop", 8) ==
        std::vector<std::string>{"abcdefgh", "    ijkl", "    mnop"});
}

TEST_CASE("no row of code is longer than its room, and together they are the line, in any room") {
  const std::string line =
      "    // 每个线程 load one element: x[blockIdx.x * blockDim.x + threadIdx.x] 。";
  for (std::size_t columns = 1; columns < 90; ++columns) {
    CAPTURE(columns);
    std::size_t at = 0;
    for (const CodeRow& row : code_rows(line, columns)) {
      CHECK(row.from == at);
      CHECK(row.to > row.from);
      CHECK(row.indent <= columns / 2);
      at = row.to;
    }
    CHECK(at == line.size());
  }
}

}  // namespace warpbook::gui::code_rows_test
