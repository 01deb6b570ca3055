// constant-filter: out[i] is the sum of coefficients[k] * x[i + k], with the five coefficients in constant memory.
#include <map>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "lab/exercise/exercise_tools.hpp"
#include "lab/exhibits/accesses/constant_passes.hpp"

namespace warpbook::exercises {
namespace constant_filter_check {

constexpr std::int64_t kTaps = 5;

lab::Trial trial(std::int64_t n, std::int64_t block, std::uint64_t seed) {
  // Half precision cannot hold the samples, or in every other case the coefficients. The products are exact in both.
  const auto &samples = seed % 2 == 0 ? lab::odd_halves : lab::wide_halves,
             &factors = seed % 2 == 0 ? lab::wide_halves : lab::odd_halves;
  const std::vector<float> x = samples(static_cast<std::size_t>(n == 0 ? 0 : n + kTaps - 1), seed),
                           c = factors(kTaps, seed + 1000);
  std::vector<double> truth(static_cast<std::size_t>(n));
  for (std::size_t i = 0; i < truth.size(); ++i) {
    for (std::size_t k = 0; k < kTaps; ++k)
      truth[i] += static_cast<double>(c[k]) * static_cast<double>(x[i + k]);
  }
  const auto bytes = std::as_bytes(std::span(c));
  lab::Trial made;
  made.name = "n = " + std::to_string(n) + ", block " + std::to_string(block);
  made.grid = {static_cast<std::uint32_t>((n + block - 1) / block), 1, 1};
  made.block = {static_cast<std::uint32_t>(block), 1, 1};
  made.arrays = {lab::input_array("x", x), lab::output_array<float>("out", std::move(truth))};
  made.arguments = {"x", "out", device::Argument::of(static_cast<std::int32_t>(n))};
  made.traced = 1u << 17;
  made.symbols = {{"coefficients", {bytes.begin(), bytes.end()}}};
  return made;
}

constexpr std::int64_t kWarp = 32;

/// Requests to constant memory for each warp that has an output; or, where warps without one read as well, for each warp.
double requests_a_warp(const device::LaunchRecord& record) {
  const auto outputs = static_cast<std::int64_t>(record.written.front().writes.size());
  const auto blocks = static_cast<std::int64_t>(record.grid.count()),
             threads = static_cast<std::int64_t>(record.block.count());
  const auto working = static_cast<double>((outputs + kWarp - 1) / kWarp),
             all = static_cast<double>(blocks * ((threads + kWarp - 1) / kWarp)),
             requests = static_cast<double>(record.total.constant_requests);
  return working * kTaps <= requests && requests <= all * kTaps ? kTaps : requests / working;
}

std::uint64_t asked_elsewhere(const device::Counters& counters) {
  return counters.global_bytes_asked + counters.local_bytes + counters.shared_bytes;
}

/// Of the bytes that other memories are asked for, those that several lanes of a request read at one place. Samples are read by
/// each lane elsewhere, so it is a coefficient that was put there; counted twice, the five show even where samples were saved.
std::uint64_t read_together_elsewhere(const device::LaunchRecord& record) {
  struct Read {
    std::uint64_t lanes = 0, bytes = 0;
  };
  std::map<std::tuple<std::uint32_t, std::uint32_t, std::uint64_t>, Read> reads;
  for (const device::Access& access : record.trace) {
    if (access.space == device::Space::constant || access.kind != device::AccessKind::load)
      continue;
    Read& read = reads[{access.block, access.request, access.address}];
    ++read.lanes;
    read.bytes += access.bytes;
  }
  std::uint64_t together = 0;
  for (const auto& [place, read] : reads) together += read.lanes > 1 ? read.bytes : 0;
  return together;
}

void check(lab::Checker& checker) {
  lab::Trials trials(checker);
  std::uint64_t seed = 1;
  for (const std::int64_t n : lab::telling_sizes())
    trials.run(trial(n, n % 2 == 0 ? 64 : 96, seed++));
  trials.run(lab::with_gates(trial(64 * 128 - 5, 128, seed++)));
  trials.run(trial(2 * 1024 - 37, 1024, seed++));  // the largest block
  // More outputs than 16 bits count; its trace would be cut.
  lab::Trial large = trial(260 * 256 - 37, 256, seed);
  large.traced = 0;
  trials.run(std::move(large));
  for (const std::int64_t block : {64, 128, 192})
    trials.run(lab::hidden_with_gates(
        trial(lab::drawn_elements(checker, block, 3, 40), block, checker.draw())));

  trials.add_right("right");
  trials.add_safe("safe");
  trials.add_written_once("written-once", "out");
  const auto requests = [](const device::Counters& c) { return c.constant_requests; };
  trials.add_counter("constant", {"constant-filter.constant"}, {requests_a_warp, requests});
  trials.add_counter("passes", {"constant-filter.passes"},
                     {[](const device::LaunchRecord& record) {
                        return lab::constant_passes_a_request(record).value_or(0);
                      },
                      requests});
  // Samples may pass through shared memory, which adds a third. Coefficients taken from there as well would double the bytes.
  trials.add_ratio("elsewhere", {"constant-filter.elsewhere"},
                   {[](const device::LaunchRecord& record) {
                      return static_cast<double>(asked_elsewhere(record.total) +
                                                 read_together_elsewhere(record));
                    },
                    asked_elsewhere});
  trials.add_shared_out("shared-out");
  trials.add_work("work");
}

}  // namespace constant_filter_check

lab::Exercise constant_filter() { return {"constant-filter", constant_filter_check::check}; }

}  // namespace warpbook::exercises
