// row-norm: an operation whose results depend on a whole row each, and its backward kernel, held against central differences in double.
#include <array>
#include <cmath>
#include <cstdint>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "lab/exercise/exercise_tools.hpp"

namespace warpbook::exercises {
namespace row_norm_check {

constexpr std::uint32_t kWarp = 32, kBlock = 128;
constexpr double kEpsilon = 1e-5;
// A float keeps within it, also in rows whose scale is large; a sum in half precision does not.
constexpr double kTolerance = 1e-4;

struct Shape {
  std::int64_t rows, columns;
};

double scale_of(std::span<const double> row) {
  double squares = 0;
  for (const double value : row) squares += value * value;
  return 1 / std::sqrt(squares / static_cast<double>(row.size()) + kEpsilon);
}

/// The error as a function of one row: its results, weighted by the gradient that comes back to them.
double error_of(std::span<const double> row, std::span<const double> dy) {
  double error = 0;
  for (std::size_t i = 0; i < row.size(); ++i) error += dy[i] * row[i];
  return error * scale_of(row);
}

/// Central differences, with a step that is small beside the row's elements and large beside a double's rounding.
std::vector<double> gradient_of(std::vector<double> row, std::span<const double> dy) {
  constexpr double kPart = 1.0 / 65536;
  const double step = kPart / scale_of(row);
  std::vector<double> gradient;
  for (double& element : row) {
    const double kept = element;
    element = kept + step;
    const double above = error_of(row, dy);
    element = kept - step;
    const double below = error_of(row, dy);
    element = kept;
    gradient.push_back((above - below) / (2 * step));
  }
  return gradient;
}

/// Rows of very different size, of which some are so small that epsilon counts, and some are 0.
std::vector<float> rows_of(const Shape& shape, std::uint64_t seed) {
  constexpr std::array kSizes{1.0f, 0.25f, 4.0f, 1.0f / 256, 0.0f};
  std::vector<float> x =
      lab::normal_values(static_cast<std::size_t>(shape.rows * shape.columns), seed);
  for (std::size_t i = 0; i < x.size(); ++i)
    x[i] *= kSizes[i / static_cast<std::size_t>(shape.columns) % kSizes.size()];
  return x;
}

lab::Trial trial(const Shape& shape, std::uint64_t seed) {
  const auto [rows, columns] = shape;
  const std::vector<float> x = rows_of(shape, seed), dy = lab::normal_values(x.size(), seed + 1);
  std::vector<double> y, scale, dx;
  for (std::int64_t row = 0; row < rows; ++row) {
    const auto part = [&, first = row * columns, end = (row + 1) * columns](const auto& values) {
      return std::vector<double>(values.begin() + first, values.begin() + end);
    };
    const std::vector<double> of_row = part(x), gradient = gradient_of(of_row, part(dy));
    scale.push_back(scale_of(of_row));
    for (const double value : of_row) y.push_back(scale.back() * value);
    dx.insert(dx.end(), gradient.begin(), gradient.end());
  }
  const auto number = [](std::int64_t value) {
    return device::Argument::of(static_cast<std::int32_t>(value));
  };
  lab::Trial made;
  made.name = "rows = " + std::to_string(rows) + ", columns = " + std::to_string(columns);
  made.kernel = "normalise";
  made.grid = {(static_cast<std::uint32_t>(rows) * kWarp + kBlock - 1) / kBlock, 1, 1};
  made.block = {kBlock, 1, 1};
  made.arrays = {lab::input_array("x", x), lab::input_array("dy", dy),
                 lab::output_array<float>("y", std::move(y), kTolerance),
                 lab::output_array<float>("scale", std::move(scale), kTolerance),
                 lab::output_array<float>("dx", std::move(dx), kTolerance)};
  made.arguments = {"x", "y", "scale", number(rows), number(columns)};
  lab::NextLaunch backward{"normalise_backward",
                           {"y", "scale", "dy", "dx", number(rows), number(columns)}};
  backward.fresh = true;
  made.next = {std::move(backward)};
  return made;
}

void check(lab::Checker& checker) {
  lab::Trials trials(checker);
  std::uint64_t seed = 1;
  for (const Shape& shape : std::initializer_list<Shape>{
           {0, 5}, {1, 1}, {1, 33}, {3, 31}, {4, 32}, {5, 65}, {33, 7}, {129, 100}}) {
    trials.run(trial(shape, seed));
    seed += 2;
  }
  // More elements than 16 bits count.
  trials.run(lab::with_gates(trial({301, 230}, seed)));
  for (int i = 0; i < 2; ++i) {
    const Shape drawn{checker.drawn(260, 320), checker.drawn(120, 230)};
    trials.run(lab::hidden_with_gates(trial(drawn, checker.draw())));
  }
  trials.add_right("right");
  trials.add_safe("safe");
  trials.add_written_once("written-once", std::vector<std::string>{"y", "scale", "dx"});
  trials.add_sectors("moved");
  trials.add_shared_out("shared-out");
  trials.add_work("work");
}

}  // namespace row_norm_check

lab::Exercise row_norm() { return {"row-norm", row_norm_check::check}; }

}  // namespace warpbook::exercises
