// matmul-backward: both gradients of a product of matrices, whose transposed factors are read where they lie.
#include <array>
#include <string>
#include <utility>
#include <vector>

#include "lab/exercise/exercise_tools.hpp"

namespace warpbook::exercises {
namespace matmul_backward_check {

constexpr std::int64_t kTile = 16;

struct Size {
  std::int64_t m, n, k;
};

std::uint32_t tiles(std::int64_t elements) {
  return static_cast<std::uint32_t>((elements + kTile - 1) / kTile);
}

/// c = a b, of which the gradient is dc. The error is the sum of dc * c.
struct Product {
  Size size;
  std::vector<float> a, b, dc;
  std::vector<double> c;

  Product(const Size& of, std::uint64_t seed)
      : size(of),
        a(halves(of.m * of.k, seed, seed % 2 == 1)),
        b(halves(of.k * of.n, seed + 1, seed % 2 == 1)),
        dc(halves(of.m * of.n, seed + 2, seed % 2 == 0)),
        c(lab::product_of({a, b}, of.m, of.n, of.k)) {}

  /// What an element of c adds to the error if it grows by `more`.
  [[nodiscard]] double error_of(std::int64_t row, std::int64_t column, double more) const {
    const auto at = static_cast<std::size_t>(row * size.n + column);
    return static_cast<double>(dc[at]) * (c[at] + more);
  }

 private:
  /// Wide ones on one side of each gradient and small ones on the other: every order of adding up gives the same float, and half
  /// precision another one.
  static std::vector<float> halves(std::int64_t count, std::uint64_t seed, bool wide) {
    const auto values = static_cast<std::size_t>(count);
    return wide ? lab::wide_halves(values, seed) : lab::small_halves(values, seed);
  }
};

/// Central differences of the error in double, by a step of each element of a, which changes one row of c. All numbers are
/// multiples of 1/16, so they are exact.
std::vector<double> gradient_of_a(const Product& product) {
  constexpr double kStep = 0.5;
  const auto& [m, n, k] = product.size;
  std::vector<double> gradient;
  for (std::int64_t i = 0; i < m; ++i) {
    for (std::int64_t l = 0; l < k; ++l) {
      double above = 0, below = 0;
      for (std::int64_t j = 0; j < n; ++j) {
        const double more =
            kStep * static_cast<double>(product.b[static_cast<std::size_t>(l * n + j)]);
        above += product.error_of(i, j, more);
        below += product.error_of(i, j, -more);
      }
      gradient.push_back((above - below) / (2 * kStep));
    }
  }
  return gradient;
}

/// The same of b, of which each element changes one column of c.
std::vector<double> gradient_of_b(const Product& product) {
  constexpr double kStep = 0.5;
  const auto& [m, n, k] = product.size;
  std::vector<double> gradient;
  for (std::int64_t l = 0; l < k; ++l) {
    for (std::int64_t j = 0; j < n; ++j) {
      double above = 0, below = 0;
      for (std::int64_t i = 0; i < m; ++i) {
        const double more =
            kStep * static_cast<double>(product.a[static_cast<std::size_t>(i * k + l)]);
        above += product.error_of(i, j, more);
        below += product.error_of(i, j, -more);
      }
      gradient.push_back((above - below) / (2 * kStep));
    }
  }
  return gradient;
}

lab::Trial trial(const Size& size, std::uint64_t seed) {
  const Product product(size, seed);
  const auto& [m, n, k] = size;
  const auto number = [](std::int64_t value) {
    return device::Argument::of(static_cast<std::int32_t>(value));
  };
  lab::Trial made;
  made.name =
      "m = " + std::to_string(m) + ", n = " + std::to_string(n) + ", k = " + std::to_string(k);
  made.kernel = "gradient_of_a";
  made.grid = {tiles(k), tiles(m), 1};
  made.block = {kTile, kTile, 1};
  made.arrays = {lab::input_array("a", product.a), lab::input_array("b", product.b),
                 lab::input_array("dc", product.dc),
                 lab::output_array<float>("da", gradient_of_a(product)),
                 lab::output_array<float>("db", gradient_of_b(product))};
  made.arguments = {"dc", "b", "da", number(m), number(n), number(k)};
  lab::NextLaunch next{"gradient_of_b", {"a", "dc", "db", number(m), number(n), number(k)}};
  next.grid = {tiles(n), tiles(k), 1};
  made.next = {std::move(next)};
  return made;
}

/// Whole tiles, or edges that lose little; rows are made of whole float4 for those who load these.
Size drawn_size(lab::Checker& checker, std::int64_t less) {
  const auto edge = [&] { return kTile * checker.drawn(3, 5) - less; };
  const std::int64_t m = edge(), n = edge();
  return {m, n, edge()};
}

void check(lab::Checker& checker) {
  // Less than a tile, a tile and one more each way, a single row, column and depth, primes.
  constexpr std::array kSizes{Size{1, 1, 1},    Size{3, 2, 5},    Size{16, 16, 16},
                              Size{17, 15, 33}, Size{33, 31, 1},  Size{1, 40, 7},
                              Size{40, 1, 20},  Size{31, 47, 61}, Size{16, 32, 24}};
  lab::Trials trials(checker);
  std::uint64_t seed = 1;
  for (const Size& size : kSizes) trials.run(trial(size, seed += 3));
  trials.run(lab::with_gates(trial({kTile * 4, kTile * 5, kTile * 3}, seed + 3)));
  for (const std::int64_t less : {0, 4})
    trials.run(lab::hidden_with_gates(trial(drawn_size(checker, less), checker.draw())));

  trials.add_right("right");
  trials.add_safe("safe");
  trials.add_written_once("written-once", std::vector<std::string>{"da", "db"});
  trials.add_sectors("sectors");
  trials.add_shared_out("shared-out");
  trials.add_work("work");
}

}  // namespace matmul_backward_check

lab::Exercise matmul_backward() { return {"matmul-backward", matmul_backward_check::check}; }

}  // namespace warpbook::exercises
