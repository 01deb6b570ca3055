#include "training/parallel/schedule.hpp"

#include <algorithm>

namespace warpbook::training {

std::vector<Turn> turns_of(Schedule schedule, std::size_t stage, std::size_t stages,
                           std::size_t micro_batches) {
  // The first backward pass can begin when the last stage is through with a micro-batch; until then, others fill the pipeline.
  const std::size_t ahead = schedule == Schedule::gpipe
                                ? micro_batches
                                : std::min(micro_batches, stages - stage);
  std::vector<Turn> turns;
  std::size_t forwards = 0;
  for (; forwards < ahead; ++forwards) turns.push_back({true, forwards});
  for (std::size_t backwards = 0; backwards < micro_batches; ++backwards) {
    turns.push_back({false, backwards});
    if (forwards < micro_batches) turns.push_back({true, forwards++});
  }
  return turns;
}

std::size_t most_kept(Schedule schedule, std::size_t stage, std::size_t stages,
                      std::size_t micro_batches) {
  std::size_t kept = 0, most = 0;
  for (const Turn& turn : turns_of(schedule, stage, stages, micro_batches)) {
    if (turn.forward)
      most = std::max(most, ++kept);
    else
      --kept;
  }
  return most;
}

std::vector<TimedTurn> timed_turns(Schedule schedule, std::size_t stages, std::size_t micro_batches,
                                   const TurnTimes& times) {
  std::vector<double> free(stages, 0);  // when each stage has done its last turn
  // When each stage's result of a micro-batch is there.
  using Times = std::vector<std::vector<double>>;
  Times forward(stages, std::vector<double>(micro_batches, 0)), backward = forward;
  std::vector<TimedTurn> turns;
  walk_turns(schedule, stages, micro_batches, [&](std::size_t stage, const Turn& turn) {
    const std::size_t m = turn.micro_batch;
    double begin = free[stage];
    if (turn.forward && stage > 0) begin = std::max(begin, forward[stage - 1][m] + times.send);
    if (!turn.forward && stage + 1 < stages)
      begin = std::max(begin, backward[stage + 1][m] + times.send);
    const double end = begin + (turn.forward ? times.forward : times.backward);
    (turn.forward ? forward : backward)[stage][m] = free[stage] = end;
    turns.push_back({stage, turn, begin, end});
  });
  return turns;
}

}  // namespace warpbook::training
