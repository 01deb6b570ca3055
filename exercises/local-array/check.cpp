// local-array: how often each digit from 0 to 7 is among a thread's sixteen, counted without an array in local memory.
#include <algorithm>
#include <string>
#include <vector>

#include "lab/exercise/exercise_tools.hpp"

namespace warpbook::exercises {
namespace local_array_check {

constexpr std::int64_t kDigits = 16, kKinds = 8;

lab::Trial trial(std::int64_t n, std::int64_t block, std::uint32_t seed) {
  std::vector<std::uint8_t> digits(static_cast<std::size_t>(n * kDigits));
  std::vector<double> truth(static_cast<std::size_t>(n * kKinds));
  std::uint32_t state = seed;
  for (std::size_t at = 0; at < digits.size(); ++at) {
    state = state * 1664525 + 1013904223;  // Numerical Recipes, section 7.1
    const std::int64_t thread = static_cast<std::int64_t>(at) / kDigits;
    // One thread in eleven has the same digit sixteen times: a count of 16 takes five bits.
    digits[at] = static_cast<std::uint8_t>(
        thread % 11 == 5 ? thread % kKinds
                         : std::min<std::int64_t>(state >> 28, (state >> 24) % kKinds));
    truth[at / kDigits * kKinds + digits[at]] += 1;
  }
  lab::Trial made;
  made.name = "n = " + std::to_string(n) + ", block " + std::to_string(block);
  made.grid = {static_cast<std::uint32_t>((n + block - 1) / block), 1, 1};
  made.block = {static_cast<std::uint32_t>(block), 1, 1};
  made.arrays = {lab::input_array("digits", digits),
                 lab::output_array<std::int32_t>("counts", std::move(truth))};
  made.arguments = {"digits", "counts", device::Argument::of(static_cast<std::int32_t>(n))};
  return made;
}

void check(lab::Checker& checker) {
  lab::Trials trials(checker);
  std::uint32_t seed = 1;
  for (const std::int64_t n : lab::telling_sizes())
    trials.run(trial(n, n % 2 == 0 ? 64 : 96, seed++));
  trials.run(lab::with_gates(trial(64 * 64 - 5, 64, seed++)));
  // More threads than 16 bits count.
  trials.run(trial(260 * 256 - 37, 256, seed));
  for (const std::int64_t block : {32, 64, 96})
    trials.run(lab::hidden_with_gates(trial(lab::drawn_elements(checker, block, 3, 30), block,
                                            static_cast<std::uint32_t>(checker.draw()))));

  trials.add_right("right");
  trials.add_safe("safe");
  trials.add_written_once("written-once", "counts");
  // The line that accesses the array most is the one whose index the compiler does not know.
  trials.add_counter(
      "no-local", {"local-array.no-local"},
      {[](const device::LaunchRecord& record) {
         return static_cast<double>(lab::counters_without_prints(record).local_requests);
       },
       [](const device::Counters& c) { return c.local_requests; }});
  trials.add_ratio(
      "same-bytes", {"local-array.same-bytes"},
      lab::sum_of([](const device::Counters& c) { return c.global_bytes_asked + c.shared_bytes; }));
  trials.add_shared_out("shared-out");
  trials.add_work("work");
}

}  // namespace local_array_check

lab::Exercise local_array() { return {"local-array", local_array_check::check}; }

}  // namespace warpbook::exercises
