#include "lab/operation/reference/reference.hpp"

namespace warpbook::lab::reference {

/// a: [m][k], b: [k][n], c: [m][n]
Truths sgemm(const Given& given) {
  const std::int64_t m = given.size("m"), n = given.size("n"), k = given.size("k");
  const std::vector<double>&a = given.input("a"), &b = given.input("b");
  Truth c;
  c.products = static_cast<std::uint64_t>(k);
  for (std::int64_t row = 0; row < m; ++row) {
    for (std::int64_t column = 0; column < n; ++column) {
      double sum = 0;
      for (std::int64_t depth = 0; depth < k; ++depth)
        sum += a[row * k + depth] * b[depth * n + column];
      c.values.push_back(sum);
    }
  }
  return {{"c", c}};
}

}  // namespace warpbook::lab::reference
