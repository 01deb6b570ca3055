// Who waits for whom between two barriers, from tallies written down by hand.
#include "device/simulator/estimate/intervals.hpp"

#include <catch2/catch_test_macros.hpp>

namespace warpbook::device::intervals_test {
namespace {

using Executions = std::vector<std::uint64_t>;

constexpr std::uint32_t kBarrier = 1;

/// Code of two basic blocks, of 10 instructions and of 1, and a sampler of what runs of it.
class Sampled {
 public:
  Sampled() {
    code_.blocks.resize(2);
    code_.blocks[0].instructions = 10;
    code_.blocks[1].instructions = 1;
  }
  /// The warp runs each basic block so many times.
  void run(std::uint64_t block, std::uint32_t warp, std::uint64_t first, std::uint64_t second) {
    sampler.begin_turn(tallies_);
    tallies_[0].executions += first;
    tallies_[1].executions += second;
    sampler.executed(block, warp, tallies_);
  }
  /// A warp of a block that is not sampled.
  void run_unseen() { ++tallies_[0].executions; }

 private:
  isa::Code code_;
  std::vector<BlockTally> tallies_{2};

 public:
  IntervalSampler sampler{code_};
};

}  // namespace

TEST_CASE("Intervals: all warps of a block are awaited as if each had done what the longest did") {
  Sampled sampled;
  sampled.run(0, 0, 3, 0);
  sampled.run_unseen();
  sampled.run(0, 1, 1, 5);  // 15 instructions beside 30
  sampled.sampler.end_interval(0, kBarrier);
  const IntervalExecutions& made = sampled.sampler.intervals().at(kBarrier);
  CHECK(made.done == Executions{4, 5});
  CHECK(made.awaited == Executions{6, 0});
}

TEST_CASE("Intervals: each barrier has its own longest warp, and so has each block") {
  Sampled sampled;
  sampled.run(0, 0, 2, 0);
  sampled.run(0, 1, 0, 0);
  sampled.run(7, 1, 1, 0);
  sampled.sampler.end_interval(0, kBarrier);
  sampled.run(0, 1, 0, 4);
  sampled.run(0, 0, 0, 0);
  sampled.sampler.end_interval(0, kNone);
  sampled.sampler.end_interval(7, kBarrier);
  const Intervals& made = sampled.sampler.intervals();
  CHECK(made.at(kBarrier).done == Executions{3, 0});
  CHECK(made.at(kBarrier).awaited == Executions{5, 0});
  CHECK(made.at(kNone).done == Executions{0, 4});
  CHECK(made.at(kNone).awaited == Executions{0, 8});
}

TEST_CASE("Intervals: several turns of a warp between two barriers are one") {
  Sampled sampled;
  sampled.run(0, 0, 1, 0);
  sampled.run(0, 1, 1, 9);
  sampled.run(0, 0, 1, 0);
  sampled.sampler.end_interval(0, kBarrier);
  CHECK(sampled.sampler.intervals().at(kBarrier).awaited == Executions{4, 0});
}

}  // namespace warpbook::device::intervals_test
