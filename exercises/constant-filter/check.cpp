// constant-filter: out[i] is the sum of coefficients[k] * x[i + k], with the five coefficients in constant memory.
#include <algorithm>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "lab/exercise/exercise_tools.hpp"
#include "lab/exhibits/accesses/constant_passes.hpp"
#include "lab/model/ptx_words.hpp"

namespace warpbook::exercises {
namespace constant_filter_check {

constexpr std::int64_t kTaps = 5;

lab::Trial trial(std::int64_t n, std::int64_t block, std::uint64_t seed) {
  // Half precision cannot hold the samples, or in every other case the coefficients. The products are exact in both.
  const auto &samples = seed % 2 == 0 ? lab::odd_halves : lab::wide_halves,
             &factors = seed % 2 == 0 ? lab::wide_halves : lab::odd_halves;
  const std::vector<float> x = lab::with_runs_of_zeros(
                               samples(static_cast<std::size_t>(n == 0 ? 0 : n + kTaps - 1), seed),
                               kTaps + 1),
                           c = factors(kTaps, seed + 1000);
  std::vector<double> truth(static_cast<std::size_t>(n));
  for (std::size_t i = 0; i < truth.size(); ++i) {
    for (std::size_t k = 0; k < kTaps; ++k)
      truth[i] += static_cast<double>(c[k]) * static_cast<double>(x[i + k]);
  }
  lab::Trial made;
  made.name = "n = " + std::to_string(n) + ", block " + std::to_string(block);
  made.grid = {static_cast<std::uint32_t>((n + block - 1) / block), 1, 1};
  made.block = {static_cast<std::uint32_t>(block), 1, 1};
  made.arrays = {lab::input_array("x", x), lab::output_array<float>("out", std::move(truth))};
  made.arguments = {"x", "out", device::Argument::of(static_cast<std::int32_t>(n))};
  // A larger case's trace would be cut, and is left out.
  constexpr std::int64_t kAccesses = 2 * kTaps + 1, kMostTraced = 1 << 18;
  made.traced = n * kAccesses <= kMostTraced ? kMostTraced : 0;
  made.symbols = {lab::input_array("coefficients", c)};
  return made;
}

constexpr std::uint64_t kWarp = 32;

/// Requests to constant memory for each warp that has an output; or, where warps without one read as well, for each warp.
double requests_a_warp(const device::LaunchRecord& record) {
  const auto warps_of = [](std::uint64_t threads) { return (threads + kWarp - 1) / kWarp; };
  const std::uint64_t warps_with_outputs = warps_of(record.written.front().writes.size()),
                      warps_in_all = record.grid.count() * warps_of(record.block.count());
  const auto working = static_cast<double>(warps_with_outputs),
             all = static_cast<double>(warps_in_all),
             requests = static_cast<double>(record.total.constant_requests);
  return working * kTaps <= requests && requests <= all * kTaps ? kTaps : requests / working;
}

using Registers = std::set<std::string>;

/// Whether the instruction's first operand gets the value of another one as it is, or in another format.
bool hands_on(const lab::PtxWords& words) {
  return words.opcode.starts_with("mov.") || words.opcode.starts_with("cvt.") ||
         words.opcode.starts_with("selp.");
}

/// Whether the instruction hands on a coefficient, or computes with coefficients and numbers of the code alone, from which a
/// coefficient can be had again.
bool makes_of_coefficients(const lab::PtxWords& words, const Registers& held) {
  if (words.opcode.starts_with("setp.")) return false;
  std::size_t known = 0, other = 0;
  for (std::size_t from = 1; from < words.operands.size(); ++from) {
    for (const std::string& name : words.operands[from]) ++(held.contains(name) ? known : other);
  }
  return known != 0 && (other == 0 || hands_on(words));
}

/// The registers that hold a coefficient, and not a product with a sample: those that constant memory was read into, and those that
/// got their value from such registers alone.
Registers registers_of_coefficients(const device::LaunchRecord& record) {
  Registers held;
  std::size_t before;
  do {
    before = held.size();
    for (const device::InstructionCounters& each : record.instructions) {
      const lab::PtxWords words = lab::ptx_words(each.text);
      const bool loads = each.counters.constant_requests != 0;
      const bool computes = words.operands.size() > 1 && lab::writes_register(words) &&
                            makes_of_coefficients(words, held);
      if (loads || computes)
        held.insert(words.operands.front().begin(), words.operands.front().end());
    }
  } while (held.size() != before);
  return held;
}

/// How often threads store a coefficient, and the line that does so most often; 0 where none does. A printed one does not count.
struct StoredCoefficients {
  std::uint64_t stores = 0, most = 0;
  std::uint32_t line = 0;
};
StoredCoefficients stored_coefficients(const device::LaunchRecord& record) {
  const Registers held = registers_of_coefficients(record);
  const std::vector<std::uint32_t> prints = lab::lines_that_print(record);
  StoredCoefficients stored;
  for (const device::InstructionCounters& each : record.instructions) {
    const lab::PtxWords words = lab::ptx_words(each.text);
    const bool stores = words.opcode.starts_with("st.") && !words.has("param") &&
                        std::ranges::find(prints, each.place.line) == prints.end();
    if (!stores || words.operands.size() < 2) continue;
    if (std::ranges::none_of(words.operands[1],
                             [&](const auto& name) { return held.contains(name); }))
      continue;
    const std::uint64_t times = each.counters.thread_instructions;
    stored.stores += times;
    if (times > stored.most) stored.line = each.place.line;
    stored.most = std::max(stored.most, times);
  }
  return stored;
}

void check(lab::Checker& checker) {
  lab::Trials trials(checker);
  std::uint64_t seed = 1;
  for (const std::int64_t n : lab::telling_sizes())
    trials.run(trial(n, n % 2 == 0 ? 64 : 96, seed++));
  trials.run(lab::with_gates(trial(96 * 128 - 5, 128, seed++)));
  trials.run(trial(2 * 1024 - 37, 1024, seed++));  // the largest block
  trials.run(trial(260 * 256 - 37, 256, seed));    // more outputs than 16 bits count
  for (const auto& [count, block] : lab::drawn_sizes(checker))
    trials.run(lab::hidden_with_gates(trial(count, block, checker.draw())));
  const auto [many, large_block] = lab::drawn_large_size(checker);
  trials.run_unless_decided(lab::hidden_with_gates(trial(many, large_block, checker.draw())));

  trials.add_right_at_any_size("right");
  trials.add_safe("safe");
  trials.add_written_once("written-once", "out");
  const auto requests = [](const device::Counters& c) { return c.constant_requests; };
  trials.add_counter("constant", {"constant-filter.constant"}, {requests_a_warp, requests});
  trials.advise_above({"constant-filter.constant-above"});
  trials.advise_below({"constant-filter.constant-below"});
  trials.add_counter("passes", {"constant-filter.passes"},
                     {[](const device::LaunchRecord& record) {
                        return lab::constant_passes_a_request(record).value_or(0);
                      },
                      requests},
                     lab::Judged::every_trial);
  // Samples and results may be anywhere. A coefficient that is in another memory was stored there by the kernel.
  trials.add_counter(
      "elsewhere", {"constant-filter.elsewhere"},
      {[](const device::LaunchRecord& record) {
         return static_cast<double>(stored_coefficients(record).stores);
       },
       {},
       [](const device::LaunchRecord& record) { return stored_coefficients(record).line; }});
  trials.add_shared_out("shared-out");
  trials.add_work("work");
}

}  // namespace constant_filter_check

lab::Exercise constant_filter() { return {"constant-filter", constant_filter_check::check}; }

}  // namespace warpbook::exercises
