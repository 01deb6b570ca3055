// reverse: an array turned round in place by two launches, since blocks may not wait for each other.
#include <string>
#include <vector>

#include "lab/exercise/exercise_tools.hpp"

namespace warpbook::exercises {
namespace reverse_check {

enum class Between { keep, clear };  ///< what the host does to x between the launches

lab::Trial trial(std::int64_t n, std::uint32_t block, Between between, std::uint64_t seed) {
  const auto count = static_cast<std::size_t>(n);
  // Each value but 0 once: an element that came from the wrong place shows. Of both signs, and none of them whole.
  std::vector<float> x(count);
  for (std::size_t i = 0; i < count; ++i) {
    const auto magnitude = static_cast<float>(seed % 50 * 20'000 + i) + 0.25f;
    x[i] = i % 3 == 0 ? -magnitude : magnitude;
    if (i % 31 == 17) x[i] = i % 2 == 0 ? 0.0f : -0.0f;
  }
  lab::Trial made;
  made.name = "n = " + std::to_string(n) + ", block " + std::to_string(block) +
              (between == Between::clear ? ", x cleared" : "");
  made.grid = {static_cast<std::uint32_t>((n + block - 1) / block), 1, 1};
  made.block = {block, 1, 1};
  made.arrays = {lab::updated_array("x", x, std::vector<double>(x.rbegin(), x.rend())),
                 lab::workspace_array<float>("aside", count)};
  const auto length = device::Argument::of(static_cast<std::int32_t>(n));
  made.kernel = "set_aside";
  made.arguments = {"x", "aside", length};
  lab::NextLaunch put_back;
  put_back.kernel = "put_back";
  put_back.arguments = {"aside", "x", length};
  put_back.moved = {"aside"};
  put_back.fresh = true;
  made.next = {std::move(put_back)};
  if (between == Between::clear) made.next.front().cleared = {"x"};
  return made;
}

/// The order of 5,000 blocks in which block 0 is the 4637th.
constexpr std::uint64_t kBlockZeroLate = 3;

void check(lab::Checker& checker) {
  lab::Trials trials(checker);
  std::uint64_t seed = 1;
  for (const std::int64_t n : lab::telling_sizes()) {
    trials.run(trial(n, 32, Between::keep, seed++));
    trials.run(trial(n, 96, Between::clear, seed++));
  }
  // Here a zero changes places with one of the other sign.
  trials.run(trial(66, 32, Between::keep, seed++));
  // More blocks than any GPU of the table has room for at a time: whoever waits for the others waits for ever. In the second order
  // block 0 is among the last to begin.
  trials.run(trial(5000, 1, Between::keep, seed++));
  lab::Trial late = trial(5000, 1, Between::keep, seed++);
  late.schedule = kBlockZeroLate;
  trials.run(std::move(late));
  trials.run(lab::with_gates(trial(260 * 256 - 37, 256, Between::keep, seed)));
  for (const auto& [count, block] : lab::drawn_sizes(checker))
    trials.run(
        lab::hidden_with_gates(trial(count, block, Between::clear, seed++ + checker.drawn(1, 50))));
  const auto [many, large_block] = lab::drawn_large_size(checker);
  trials.run_unless_decided(lab::hidden_with_gates(
      trial(many, large_block, Between::clear, seed + checker.drawn(1, 50))));

  trials.add_right_at_any_size("right");
  trials.add_safe("safe");
  trials.add_written_once("aside-once", "aside");
  trials.add_written_once("written-once", "x");
  trials.add_shared_out("shared-out");
  trials.add_work("work");
}

}  // namespace reverse_check

lab::Exercise reverse() { return {"reverse", reverse_check::check}; }

}  // namespace warpbook::exercises
