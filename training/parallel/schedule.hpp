// The order in which the stages of a pipeline work through the micro-batches of a step.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "device/types.hpp"

namespace warpbook::training {

/// gpipe: all forward passes, then all backward passes (Huang et al., "GPipe", 2019). one_f_one_b: a stage goes back as soon as it can,
/// so that it keeps no more micro-batches than there are stages from it on (Narayanan et al., "PipeDream", 2019; without its stale
/// weights: the pipeline is empty before the optimiser's step).
enum class Schedule : std::uint8_t { gpipe, one_f_one_b };
constexpr auto enum_names(Schedule) {
  return device::checked_names<Schedule>("gpipe", "1f1b");
}

/// What a stage does next.
struct Turn {
  bool forward = true;
  std::size_t micro_batch = 0;
  friend bool operator==(const Turn&, const Turn&) = default;
};

/// All turns of a stage, in order. Gradients of micro-batches are added in the order of the micro-batches, whatever the schedule.
std::vector<Turn> turns_of(Schedule schedule, std::size_t stage, std::size_t stages,
                           std::size_t micro_batches);

/// How many micro-batches a stage keeps at most between their forward and their backward pass.
std::size_t most_kept(Schedule schedule, std::size_t stage, std::size_t stages,
                      std::size_t micro_batches);

/// How long each stage's turns take, and what a result needs to the next stage.
struct TurnTimes {
  double forward = 0, backward = 0, send = 0;
};
struct TimedTurn {
  std::size_t stage = 0;
  Turn turn;
  double begin = 0, end = 0;
};
/// When each turn begins and ends, if each begins as soon as it can; in an order in which none comes before what it waits for.
std::vector<TimedTurn> timed_turns(Schedule schedule, std::size_t stages, std::size_t micro_batches,
                                   const TurnTimes& times);

/// Walks all stages' turns in an order in which none comes before what it needs: of a forward turn, that of the stage before; of a
/// backward turn, that of the stage after. `act(stage, turn)` does one.
template <class Act>
void walk_turns(Schedule schedule, std::size_t stages, std::size_t micro_batches, Act&& act) {
  struct Stage {
    std::vector<Turn> turns;
    std::size_t next = 0, forwards = 0, backwards = 0;
  };
  std::vector<Stage> all(stages);
  for (std::size_t stage = 0; stage < stages; ++stage)
    all[stage].turns = turns_of(schedule, stage, stages, micro_batches);
  const auto ready = [&](std::size_t stage, const Turn& turn) {
    if (turn.forward) return stage == 0 || all[stage - 1].forwards > turn.micro_batch;
    return stage + 1 == stages || all[stage + 1].backwards > turn.micro_batch;
  };
  for (bool moved = true; moved;) {
    moved = false;
    for (std::size_t stage = 0; stage < stages; ++stage) {
      Stage& at = all[stage];
      if (at.next == at.turns.size() || !ready(stage, at.turns[at.next])) continue;
      const Turn turn = at.turns[at.next++];
      act(stage, turn);
      ++(turn.forward ? at.forwards : at.backwards);
      moved = true;
    }
  }
}

}  // namespace warpbook::training
