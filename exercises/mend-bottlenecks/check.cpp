// mend-bottlenecks: three kernels that are right and slow, each held up by something else.
#include <algorithm>
#include <array>
#include <string>
#include <vector>

#include "lab/exercise/exercise_tools.hpp"

namespace warpbook::exercises {
namespace mend_bottlenecks_check {

struct Table {
  std::int64_t rows, columns;
  std::uint32_t block;
};

std::uint32_t blocks_of(std::int64_t threads, std::uint32_t block) {
  return static_cast<std::uint32_t>((threads + block - 1) / block);
}

device::Argument number(std::int64_t value) {
  return device::Argument::of(static_cast<std::int32_t>(value));
}

/// out[r][c] = factor[c] * in[r][c], with a thread for each row.
lab::Trial strided(const Table& table, std::uint64_t seed) {
  const auto& [rows, columns, block] = table;
  const auto count = static_cast<std::size_t>(rows * columns);
  const std::vector<float> in = lab::with_zeros(lab::wide_halves(count, seed)),
                           factor = lab::small_halves(static_cast<std::size_t>(columns), seed + 1);
  std::vector<double> truth;
  for (std::size_t i = 0; i < count; ++i)
    truth.push_back(double{factor[i % static_cast<std::size_t>(columns)]} * in[i]);
  lab::Trial made;
  made.name = "strided: " + std::to_string(rows) + " x " + std::to_string(columns) + ", block " +
              std::to_string(block);
  made.kernel = "strided";
  made.grid = {blocks_of(rows, block), 1, 1};
  made.block = {block, 1, 1};
  made.arrays = {lab::input_array("in", in), lab::input_array("factor", factor),
                 lab::output_array<float>("out", std::move(truth))};
  made.arguments = {"in", "factor", "out", number(rows), number(columns)};
  return made;
}

/// A table of few columns: who gives each row to a warp has few lanes with work there, and the result alone is looked at.
lab::Trial of_narrow_table(const Table& table, std::uint64_t seed) {
  lab::Trial made = strided(table, seed);
  made.spared = {"shared-out", "work"};
  return made;
}

double corrected(double x) {
  constexpr int kTerms = 64;
  double y = 0;
  for (int k = kTerms; k > 0; --k) y = y * x + 1.0 / k;
  return y;
}

/// out[k] = corrected(in[4 k]), with a thread for each reading.
lab::Trial divergent(std::int64_t n, std::uint32_t block, std::uint64_t seed) {
  constexpr std::size_t kEvery = 4;
  constexpr double kTolerance = 1e-5;
  std::vector<float> in = lab::odd_halves(static_cast<std::size_t>(n), seed);
  for (float& value : in) value /= 50;  // up to 0.99, where even the last term counts
  std::vector<double> truth;
  for (std::size_t i = 0; i < in.size(); i += kEvery) truth.push_back(corrected(in[i]));
  lab::Trial made;
  made.name = "divergent: n = " + std::to_string(n) + ", block " + std::to_string(block);
  made.kernel = "divergent";
  made.grid = {blocks_of(n, block), 1, 1};
  made.block = {block, 1, 1};
  made.arrays = {lab::input_array("in", in),
                 lab::output_array<float>("out", std::move(truth), kTolerance)};
  made.arguments = {"in", "out", number(n)};
  made.workers = (in.size() + kEvery - 1) / kEvery;
  return made;
}

/// *total += in[i] for all i. Half precision cannot hold the readings; a float holds their sums, but for an order that nobody takes.
lab::Trial serial_atomics(std::int64_t n, std::uint32_t grid, std::uint32_t block,
                          std::uint64_t seed) {
  constexpr double kTolerance = 1e-6;
  const std::vector<float> in =
      lab::with_zeros(lab::wide_halves(static_cast<std::size_t>(n), seed));
  double sum = 0;
  for (const float value : in) sum += value;
  lab::Trial made;
  made.name = "serial_atomics: n = " + std::to_string(n) + ", " + std::to_string(grid) + " x " +
              std::to_string(block) + " threads";
  made.kernel = "serial_atomics";
  made.grid = {n == 0 ? 0 : grid, 1, 1};
  made.block = {block, 1, 1};
  made.arrays = {lab::input_array("in", in),
                 lab::updated_array<float>("total", std::vector<float>{0}, {sum}, kTolerance)};
  made.arguments = {"in", "total", number(n)};
  made.workers = std::min<std::uint64_t>(in.size(), std::uint64_t{grid} * block);
  return made;
}

/// The multiply-adds of `corrected` that warps of `divergent` execute. How a thread finds its index says nothing about lanes that idle.
double multiply_adds_of_divergent(const device::LaunchRecord& record) {
  std::uint64_t executed = 0;
  for (const device::InstructionCounters& each : record.instructions)
    if (record.kernel == "divergent" && each.text.find("fma.") != std::string::npos)
      executed += each.counters.warp_instructions;
  return static_cast<double>(executed);
}

void check(lab::Checker& checker) {
  constexpr std::array<std::int64_t, 7> kSizes{0, 1, 31, 33, 129, 192, 1025};
  lab::Trials trials(checker);
  std::uint64_t seed = 1;
  for (const Table& table :
       {Table{1, 1, 32}, Table{31, 33, 32}, Table{32, 32, 32}, Table{33, 45, 64},
        Table{129, 40, 64}, Table{3, 1025, 96}, Table{300, 8, 32}})
    trials.run(strided(table, seed++));
  for (const std::int64_t n : kSizes) {
    trials.run(divergent(n, 64, seed++));
    trials.run(serial_atomics(n, 3, 64, seed++));
  }
  trials.run(lab::with_gates(strided({2050, 36, 32}, seed++)));
  trials.run(lab::with_gates(strided({200, 150, 64}, seed++)));
  trials.run(lab::with_gates(strided({700, 30, 32}, seed++)));
  trials.run(of_narrow_table({3000, 3, 32}, seed++));
  trials.run(lab::with_gates(divergent(10'001, 64, seed++)));
  // More than 16 bits count.
  trials.run(lab::with_gates(divergent(70'001, 128, seed++)));
  trials.run(lab::with_gates(serial_atomics(70'003, 112, 128, seed++)));
  trials.run(lab::hidden(
      of_narrow_table({checker.drawn(1'300, 2'000), checker.drawn(2, 7), 64}, checker.draw())));
  for (const std::uint32_t block : {64u, 192u}) {
    const std::int64_t rows = checker.drawn(block, 2 * block),
                       n = checker.drawn(40 * block, 80 * block);
    trials.run(
        lab::hidden_with_gates(strided({rows, checker.drawn(200, 260), block}, checker.draw())));
    trials.run(lab::hidden_with_gates(divergent(n, block, checker.draw())));
    trials.run(lab::hidden_with_gates(serial_atomics(
        n, static_cast<std::uint32_t>(checker.drawn(8, 16)), block, checker.draw())));
  }

  trials.add_right("right");
  trials.add_safe("safe");
  trials.add_sectors("sectors");
  trials.add_ratio(
      "lanes", {"mend-bottlenecks.lanes"},
      {multiply_adds_of_divergent, [](const device::Counters& c) { return c.warp_instructions; }});
  trials.add_ratio("atomics", {"mend-bottlenecks.atomics"},
                   lab::sum_of([](const device::Counters& c) { return c.atomics; }),
                   lab::Judged::every_trial);
  trials.add_shared_out("shared-out");
  trials.add_work("work");
}

}  // namespace mend_bottlenecks_check

lab::Exercise mend_bottlenecks() { return {"mend-bottlenecks", mend_bottlenecks_check::check}; }

}  // namespace warpbook::exercises
