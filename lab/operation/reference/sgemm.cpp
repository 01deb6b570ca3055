#include "lab/operation/reference/reference.hpp"

namespace warpbook::lab::reference {
namespace {

/// How far apart the elements of a matrix lie along its rows' axis and its columns'.
struct Strides {
  std::int64_t row, column;
};

Truths product(const Given& given, const Strides& of_a, const Strides& of_b) {
  const std::int64_t m = given.size("m"), n = given.size("n"), k = given.size("k");
  const std::vector<double>&a = given.input("a"), &b = given.input("b");
  Truth c;
  c.products = static_cast<std::uint64_t>(k);
  for (std::int64_t row = 0; row < m; ++row) {
    for (std::int64_t column = 0; column < n; ++column) {
      double sum = 0;
      for (std::int64_t depth = 0; depth < k; ++depth)
        sum += a[row * of_a.row + depth * of_a.column] * b[depth * of_b.row + column * of_b.column];
      c.values.push_back(sum);
    }
  }
  return {{"c", c}};
}

}  // namespace

/// a: [m][k], b: [k][n], c: [m][n]
Truths sgemm(const Given& given) {
  return product(given, {given.size("k"), 1}, {given.size("n"), 1});
}

/// c: [m][n]; a and b lie as their strides say
Truths sgemm_strided(const Given& given) {
  return product(given, {given.size("a_row"), given.size("a_column")},
                 {given.size("b_row"), given.size("b_column")});
}

}  // namespace warpbook::lab::reference
