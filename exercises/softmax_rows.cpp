#include "exercises/softmax_rows.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>
#include <vector>

namespace warpbook::exercises {
namespace {

constexpr float kMasked = -std::numeric_limits<float>::infinity();
constexpr double kTolerance =
    1e-6;  // expf is good to 2 units in the last place, and no quotient is above 1

/// A row of elements as nasty as the task allows; each kind of them once in eight rows.
std::vector<float> row_of(std::int64_t row, std::size_t columns, std::uint64_t seed) {
  std::vector<float> elements = lab::normal_values(columns, seed);
  for (std::size_t c = 0; c < columns; ++c) {
    float& element = elements[c];
    switch (row % 8) {
      case 0: element *= 3; break;
      case 1: element += 9'990.0f; break;
      case 2: element -= 9'990.0f; break;
      case 3: element = c % 3 == 0 ? kMasked : 30 * element; break;
      case 4: element = kMasked; break;
      case 5: element = c + 1 == columns ? -10'000.0f : kMasked; break;
      case 6: element = std::clamp(4'000.0f * element, -10'000.0f, 10'000.0f); break;
      default: element = c < 40 ? kMasked : 0.1f * static_cast<float>(c) + element; break;
    }
  }
  return elements;
}

std::vector<double> softmax(const std::vector<float>& elements) {
  std::vector<double> quotients(elements.size());
  const float largest = elements.empty() ? kMasked : *std::ranges::max_element(elements);
  if (largest == kMasked) return quotients;
  double sum = 0;
  for (std::size_t c = 0; c < elements.size(); ++c) {
    quotients[c] = std::exp(static_cast<double>(elements[c]) - static_cast<double>(largest));
    sum += quotients[c];
  }
  for (double& quotient : quotients) quotient /= sum;
  return quotients;
}

}  // namespace

lab::Trial softmax_trial(std::int64_t rows, std::int64_t columns, std::uint64_t seed) {
  std::vector<float> x;
  std::vector<double> truth;
  for (std::int64_t row = 0; row < rows; ++row) {
    const std::vector<float> elements =
        row_of(row, static_cast<std::size_t>(columns), seed + static_cast<std::uint64_t>(row));
    const std::vector<double> quotients = softmax(elements);
    x.insert(x.end(), elements.begin(), elements.end());
    truth.insert(truth.end(), quotients.begin(), quotients.end());
  }
  lab::Trial made;
  made.name = std::to_string(rows) + " x " + std::to_string(columns);
  made.grid = {columns == 0 ? 0 : static_cast<std::uint32_t>(rows), 1, 1};
  made.block = {32, 1, 1};
  made.arrays = {lab::input_array("x", x),
                 lab::output_array<float>("y", std::move(truth), kTolerance)};
  made.arguments = {"x", "y", device::Argument::of(static_cast<std::int32_t>(columns))};
  return made;
}

void run_short_rows(lab::Trials& trials) {
  std::uint64_t seed = 1;
  trials.run(softmax_trial(0, 33, seed));
  for (const std::int64_t columns : lab::telling_sizes()) {
    trials.run(softmax_trial(columns < 1000 ? 8 : 3, columns, seed));
    seed += 100;
  }
}

}  // namespace warpbook::exercises
