#include "training/parallel/estimate.hpp"

#include <algorithm>

#include "device/gpu_table.hpp"

namespace warpbook::training {
namespace {

constexpr double kFloat = 4;
/// Adam keeps two numbers for each weight, and its step reads four and writes three.
constexpr double kAdamNumbers = 2, kAdamMoves = 7;
/// Large products in single precision reach about 0.8 of the multiply-add rate (Matmul has our own; cuBLAS is a little faster), and
/// copies about as much of the memory's rate. The rest of a block, which is memory-bound, is in the band.
constexpr double kReached = 0.8, kMostReached = 0.95, kLeastReached = 0.5;

Duration banded(double seconds) {
  return {seconds / kReached, seconds / kMostReached, seconds / kLeastReached};
}
Duration operator*(double factor, const Duration& d) {
  return {factor * d.seconds, factor * d.low, factor * d.high};
}
Duration operator+(const Duration& a, const Duration& b) {
  return {a.seconds + b.seconds, a.low + b.low, a.high + b.high};
}
Duration operator-(const Duration& a, const Duration& b) {
  return {a.seconds - b.seconds, a.low - b.low, a.high - b.high};
}

double divided(std::int64_t number, std::size_t parts) {
  return static_cast<double>(number) / static_cast<double>(parts);
}

/// A plan in numbers that are needed more than once.
struct Figures {
  explicit Figures(const BlockPlan& plan)
      : blocks(divided(plan.shape.blocks, plan.split.pipeline)),
        width(static_cast<double>(plan.shape.width)),
        hidden(divided(plan.shape.hidden, plan.split.tensor)),
        rows(divided(plan.shape.rows, plan.split.data * plan.micro_batches)),
        // Only the second bias is not cut up.
        parameters(blocks * (2 * width * hidden + hidden + width)) {}
  double blocks, width, hidden, rows;  ///< of a device: its blocks and columns, and the rows of a micro-batch
  double parameters;                   ///< of a device
  [[nodiscard]] double result_bytes() const { return kFloat * rows * width; }
};

DeviceMemory memory_of(const BlockPlan& plan, const Figures& of) {
  DeviceMemory memory;
  memory.weights = memory.gradients = kFloat * of.parameters;
  memory.optimiser = kAdamNumbers * kFloat * of.parameters;
  const auto kept = static_cast<double>(
      most_kept(plan.schedule, 0, plan.split.pipeline, plan.micro_batches));
  // Of each block: x, and what goes into relu and comes out of it.
  memory.activations = kept * kFloat * of.rows * of.blocks * (of.width + 2 * of.hidden);
  return memory;
}

/// Multiply-adds a second.
double multiply_adds(const device::Properties& gpu) {
  return device::rates_of(gpu).multiply_add * gpu.multiprocessors * gpu.clock_khz * 1e3;
}

/// Devices that are `apart` from one to the next reach as far as the last of them.
const Link& link_of(const Machines& machines, std::size_t devices, std::size_t apart) {
  return devices * apart > machines.devices_each ? *machines.outer : *machines.inner;
}

Duration all_reduce_time(Exchange exchange, const Link& link, std::size_t devices, double bytes) {
  return exchange == Exchange::ring ? ring_time(link, devices, bytes)
                                    : star_time(link, devices, bytes);
}

/// Of the whole pipeline, from its first turn to its last, if a turn forward takes `forward`.
double pipeline_seconds(const BlockPlan& plan, const TurnTimes& times) {
  double end = 0;
  for (const TimedTurn& turn :
       timed_turns(plan.schedule, plan.split.pipeline, plan.micro_batches, times))
    end = std::max(end, turn.end);
  return end;
}

Duration pipeline_time(const BlockPlan& plan, const Duration& forward, const Duration& backward,
                       const Duration& send) {
  return {pipeline_seconds(plan, {forward.seconds, backward.seconds, send.seconds}),
          pipeline_seconds(plan, {forward.low, backward.low, send.low}),
          pipeline_seconds(plan, {forward.high, backward.high, send.high})};
}

}  // namespace

SentBytes sent_bytes(const BlockPlan& plan) {
  const Figures of(plan);
  const auto ring = [](std::size_t devices) {
    return 2 * (static_cast<double>(devices) - 1) / static_cast<double>(devices);
  };
  const auto micro_batches = static_cast<double>(plan.micro_batches);
  SentBytes sent;
  sent.gradients = ring(plan.split.data) * kFloat * of.parameters;
  // Once forward and once backward for each block.
  sent.sums = ring(plan.split.tensor) * 2 * of.blocks * micro_batches * of.result_bytes();
  // A stage in the middle sends on and back, of two stages each sends one way.
  const double ways = std::min<double>(2, static_cast<double>(plan.split.pipeline) - 1);
  sent.activations = ways * micro_batches * of.result_bytes();
  return sent;
}

SplitEstimate estimate_split(const BlockPlan& plan, const Machines& machines) {
  const Figures of(plan);
  const Split& split = plan.split;
  const auto micro_batches = static_cast<double>(plan.micro_batches);
  SplitEstimate made;
  made.memory = memory_of(plan, of);
  made.sent = sent_bytes(plan);

  // A weight takes a multiply-add for each row forward, and two backward: for the gradient of x and for its own.
  const Duration forward =
      banded(of.rows * of.parameters / multiply_adds(*machines.gpu));
  const Duration sums =
      of.blocks * all_reduce_time(plan.exchange, link_of(machines, split.tensor, 1), split.tensor,
                                  of.result_bytes());
  const Duration send = split.pipeline == 1
                            ? Duration{}
                            : message_time(link_of(machines, split.pipeline, split.tensor),
                                           of.result_bytes());
  const Duration turn_forward = forward + sums, turn_backward = 2 * forward + sums;
  const Duration pipeline = pipeline_time(plan, turn_forward, turn_backward, send);
  made.turn = {turn_forward.seconds, turn_backward.seconds, send.seconds};
  made.compute = 3 * micro_batches * forward;
  made.sums = 2 * micro_batches * sums;
  made.waits = pipeline - (made.compute + made.sums);
  // Without a pipeline, the difference is 0 but for rounding, which may be below it.
  made.bubble = pipeline.seconds > 0 ? std::max(0.0, made.waits.seconds / pipeline.seconds) : 0;
  made.gradients =
      all_reduce_time(plan.exchange, link_of(machines, split.data, split.pipeline * split.tensor),
                      split.data, kFloat * of.parameters);
  made.update = banded(kAdamMoves * kFloat * of.parameters / device::memory_rate(*machines.gpu));
  made.total = pipeline + made.gradients + made.update;
  return made;
}

}  // namespace warpbook::training
