#include "lab/operation/reference/reference.hpp"

namespace warpbook::lab::reference {

/// x: [rows][columns], out: [columns][rows]
Truths transpose(const Given& given) {
  const std::int64_t rows = given.size("rows"), columns = given.size("columns");
  const std::vector<double>& x = given.input("x");
  Truth out;
  for (std::int64_t column = 0; column < columns; ++column) {
    for (std::int64_t row = 0; row < rows; ++row)
      out.values.push_back(x[static_cast<std::size_t>(row * columns + column)]);
  }
  return {{"out", out}};
}

}  // namespace warpbook::lab::reference
