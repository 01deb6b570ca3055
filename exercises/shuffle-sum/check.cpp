// shuffle-sum: a grid's sum by shuffles, with one atomic addition a block.
#include <algorithm>
#include <cstdint>
#include <numeric>
#include <string>
#include <vector>

#include "lab/exercise/exercise_tools.hpp"

namespace warpbook::exercises {
namespace shuffle_sum_check {

/// Lanes that changed global memory atomically, and of those that changed shared memory the ones beyond one for each warp: a warp hands
/// on one sum, however it does that.
double needless_atomics(const device::LaunchRecord& record) {
  std::uint64_t global = 0, shared = 0;
  for (const device::InstructionCounters& each : record.instructions)
    (each.text.find(".shared") == std::string::npos ? global : shared) += each.counters.atomics;
  const std::uint64_t warps = record.grid.count() * record.block.count() / device::kLanes;
  return static_cast<double>(global + shared - std::min(shared, warps));
}

struct Size {
  std::int64_t n;
  std::uint32_t grid, block;
};

lab::Trial trial(const Size& size, std::uint64_t seed) {
  // A float holds their sums, but for an order that nobody takes, and half precision cannot hold the values.
  const std::vector<float> x = lab::wide_halves(static_cast<std::size_t>(size.n), seed);
  lab::Trial made;
  made.name = "n = " + std::to_string(size.n) + ", grid " + std::to_string(size.grid) + ", block " +
              std::to_string(size.block);
  made.grid = {size.grid, 1, 1};
  made.block = {size.block, 1, 1};
  made.workers = static_cast<std::uint64_t>(
      std::min(size.n, static_cast<std::int64_t>(size.grid) * size.block));
  made.arrays = {lab::input_array("x", x),
                 lab::updated_array("total", std::vector<float>{0},
                                    {std::accumulate(x.begin(), x.end(), 0.0)})};
  made.arguments = {"x", "total", device::Argument::of(static_cast<std::int32_t>(size.n))};
  return made;
}

void check(lab::Checker& checker) {
  lab::Trials trials(checker);
  std::uint64_t seed = 1;
  for (const std::int64_t n : lab::telling_sizes()) {
    trials.run(trial({n, 3, 32}, seed++));
    trials.run(trial({n, 2, 96}, seed++));
  }
  for (const std::uint32_t block : {992u, 1024u}) trials.run(trial({20011, 1, block}, seed++));
  // So many elements for each thread that four at a time are shared out as well.
  trials.run(lab::with_gates(trial({64 * 128 * 8 - 77, 64, 128}, seed++)));
  for (const std::uint32_t block : {128u, 192u}) {
    const auto grid = static_cast<std::uint32_t>(checker.drawn(64, 70));
    const std::int64_t threads = std::int64_t{grid} * block;
    trials.run(lab::hidden_with_gates(
        trial({checker.drawn(8 * threads, 9 * threads), grid, block}, checker.draw())));
  }
  // Large blocks, too, and few of them: 32 warps take the second stage's lanes to the last one.
  for (const std::uint32_t block : {512u, 1024u}) {
    const auto grid = static_cast<std::uint32_t>(checker.drawn(4, 6));
    const std::int64_t threads = std::int64_t{grid} * block;
    trials.run(lab::hidden_with_gates(
        trial({checker.drawn(8 * threads, 9 * threads), grid, block}, checker.draw())));
  }

  trials.add_right("right");
  trials.add_safe("safe");
  trials.add_ratio("atomics", {"shuffle-sum.atomics"},
                   {needless_atomics, [](const device::Counters& c) { return c.atomics; }},
                   lab::Judged::every_trial);
  trials.advise_above({"shuffle-sum.atomics-advice"});
  trials.add_shuffles("shuffles", {"shuffle-sum.shuffles"});
  trials.add_shared_out("shared-out");
  trials.add_work("work");
}

}  // namespace shuffle_sum_check

lab::Exercise shuffle_sum() { return {"shuffle-sum", shuffle_sum_check::check}; }

}  // namespace warpbook::exercises
