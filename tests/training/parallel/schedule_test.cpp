// Schedules: what waits for what, the bubble, and what is kept.
#include "training/parallel/schedule.hpp"

#include <algorithm>
#include <set>

#include <catch2/catch_test_macros.hpp>
#include <catch2/generators/catch_generators.hpp>
#include <catch2/generators/catch_generators_range.hpp>
#include <catch2/matchers/catch_matchers_floating_point.hpp>

namespace warpbook::tests::schedule_test {

using namespace warpbook::training;
using Catch::Matchers::WithinRel;

namespace {

const Schedule kSchedules[]{Schedule::gpipe, Schedule::one_f_one_b};

}  // namespace

TEST_CASE("schedule: of the time until the end, every stage waits (P - 1) / (M + P - 1)") {
  const Schedule schedule = GENERATE(from_range(kSchedules));
  const auto stages = GENERATE(as<std::size_t>{}, 1, 2, 3, 4, 8);
  const auto micro_batches = GENERATE(as<std::size_t>{}, 1, 2, 4, 5, 16);
  CAPTURE(schedule, stages, micro_batches);
  const auto turns = timed_turns(schedule, stages, micro_batches, {1, 2, 0});
  REQUIRE(turns.size() == 2 * stages * micro_batches);
  double end = 0;
  std::vector<double> busy(stages, 0);
  for (const TimedTurn& turn : turns) {
    end = std::max(end, turn.end);
    busy[turn.stage] += turn.end - turn.begin;
  }
  const auto p = static_cast<double>(stages), m = static_cast<double>(micro_batches);
  for (const double seconds : busy)
    CHECK_THAT(1 + (end - seconds) / end, WithinRel(1 + (p - 1) / (m + p - 1), 1e-12));
}

TEST_CASE(
    "schedule: GPipe keeps all micro-batches, 1F1B no more than there are stages from it on") {
  for (const std::size_t stage : {0, 1, 3}) {
    CHECK(most_kept(Schedule::gpipe, stage, 4, 16) == 16);
    CHECK(most_kept(Schedule::one_f_one_b, stage, 4, 16) == 4 - stage);
    CHECK(most_kept(Schedule::one_f_one_b, stage, 4, 2) == std::min<std::size_t>(2, 4 - stage));
  }
}

TEST_CASE(
    "schedule: each stage goes forward and back once with each micro-batch, back in their order") {
  const Schedule schedule = GENERATE(from_range(kSchedules));
  for (std::size_t stage = 0; stage < 3; ++stage) {
    std::vector<std::size_t> forward, backward;
    std::set<std::size_t> seen;
    for (const Turn& turn : turns_of(schedule, stage, 3, 5)) {
      (turn.forward ? forward : backward).push_back(turn.micro_batch);
      if (turn.forward)
        seen.insert(turn.micro_batch);
      else
        CHECK(seen.contains(turn.micro_batch));
    }
    CHECK(forward == std::vector<std::size_t>{0, 1, 2, 3, 4});
    CHECK(backward == forward);
  }
}

TEST_CASE("schedule: no turn begins before what it needs has ended and arrived") {
  const Schedule schedule = GENERATE(from_range(kSchedules));
  const double send = 0.25;
  const auto turns = timed_turns(schedule, 4, 6, {1, 2, send});
  const auto end_of = [&](std::size_t stage, const Turn& turn) {
    return std::ranges::find_if(
               turns, [&](const TimedTurn& one) { return one.stage == stage && one.turn == turn; })
        ->end;
  };
  for (const TimedTurn& one : turns) {
    if (one.turn.forward && one.stage > 0)
      CHECK(one.begin >= end_of(one.stage - 1, one.turn) + send);
    if (!one.turn.forward && one.stage < 3)
      CHECK(one.begin >= end_of(one.stage + 1, one.turn) + send);
    if (!one.turn.forward) CHECK(one.begin >= end_of(one.stage, {true, one.turn.micro_batch}));
  }
}

}  // namespace warpbook::tests::schedule_test
