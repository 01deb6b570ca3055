// argmax: a block for each row, and the first place of the row's largest value.
#include <algorithm>
#include <cmath>
#include <iterator>
#include <limits>
#include <random>
#include <string>
#include <vector>

#include "lab/exercise/exercise_tools.hpp"

namespace warpbook::exercises {
namespace argmax_check {

constexpr std::int64_t kKinds = 9;  // of rows
constexpr float kTiny = 1e-12f;
constexpr float kLowest = -std::numeric_limits<float>::infinity(), kHighest = 3003.0f;

struct Size {
  std::int64_t rows, columns;
  std::uint32_t block;
};

/// The rows take turns: few different values, so that many are the largest; all below 0; every value the same; nothing but minus
/// infinity; the largest at the end, or twice, at both ends; -0 in front and +0 behind, which are equal; the least floats, of which
/// the last is the largest; ones that differ in the last bit alone. Half precision cannot tell the other values apart.
std::vector<float> values_of(const Size& size, std::uint64_t seed) {
  std::mt19937_64 random(seed);
  std::vector<float> x;
  for (std::int64_t r = 0; r < size.rows; ++r) {
    std::vector<float> row;
    for (std::int64_t c = 0; c < size.columns; ++c)
      row.push_back(static_cast<float>(random() % 12) / 4 + (r % 2 == 0 ? 3000.0f : -3005.5f));
    const std::int64_t kind = r % kKinds;
    if (kind == 2) std::ranges::fill(row, -3000.25f);
    if (kind == 3) std::ranges::fill(row, kLowest);
    if (kind == 4) row.back() = kHighest;
    if (kind == 5) row.front() = row.back() = kHighest;
    if (kind == 6) {
      for (float& value : row) value = -std::abs(value);
      row.back() = 0.0f;
      row.front() = -0.0f;
    }
    if (kind == 7) std::ranges::fill(row, -std::numeric_limits<float>::max());
    if (kind == 8) std::ranges::fill(row, kTiny);
    if (kind >= 7) row.back() = std::nextafter(row.front(), kHighest);
    std::ranges::copy(row, std::back_inserter(x));
  }
  return x;
}

lab::Trial trial(const Size& size, std::uint64_t seed) {
  const std::vector<float> x = values_of(size, seed);
  std::vector<double> places;
  for (std::int64_t r = 0; r < size.rows; ++r) {
    const auto row = x.begin() + r * size.columns;
    places.push_back(static_cast<double>(std::max_element(row, row + size.columns) - row));
  }
  lab::Trial made;
  made.name = "rows = " + std::to_string(size.rows) +
              ", columns = " + std::to_string(size.columns) + ", block " +
              std::to_string(size.block);
  made.grid = {static_cast<std::uint32_t>(size.rows), 1, 1};
  made.block = {size.block, 1, 1};
  made.arrays = {lab::input_array("x", x), lab::output_array<int>("place", std::move(places))};
  made.arguments = {"x", "place", device::Argument::of(static_cast<std::int32_t>(size.columns))};
  return made;
}

void check(lab::Checker& checker) {
  lab::Trials trials(checker);
  std::uint64_t seed = 1;
  for (const std::int64_t columns : {1, 2, 31, 32, 33, 65, 127, 129, 769, 1025}) {
    trials.run(trial({kKinds, columns, 32}, seed++));
    trials.run(trial({kKinds, columns, 96}, seed++));
  }
  for (const std::uint32_t block : {992u, 1024u}) trials.run(trial({kKinds, 2500, block}, seed++));
  // More rows than an unsigned char counts.
  trials.run(trial({300, 3, 32}, seed++));
  // More blocks than threads of a block, and the last column none of the first 32 of any 40.
  trials.run(trial({40, 120, 32}, seed++));
  trials.run(lab::with_gates(trial({64, 1000, 128}, seed++)));
  for (const std::uint32_t block : {128u, 256u}) {
    const Size size{static_cast<std::int64_t>(checker.drawn(64, 70)),
                    static_cast<std::int64_t>(checker.drawn(4 * block, 5 * block)), block};
    trials.run(lab::hidden_with_gates(trial(size, checker.draw())));
  }

  trials.add_right("right");
  trials.add_safe("safe");
  trials.add_written_once("written-once", "place");
  trials.add_shared_out("shared-out");
  trials.add_work("work");
}

}  // namespace argmax_check

lab::Exercise argmax() { return {"argmax", argmax_check::check}; }

}  // namespace warpbook::exercises
