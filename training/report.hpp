// What a training did, as data: the curve, the cost of each operation by layer, and the memory.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "device/device.hpp"
#include "device/wire/fields.hpp"
#include "lab/text/strings.hpp"

namespace warpbook::training {

using device::Is;

/// The three parts of a training step.
enum class Pass : std::uint8_t { forward, backward, update };
constexpr auto enum_names(Pass) {
  return device::checked_names<Pass>("forward", "backward", "update");
}

/// All launches of one operation, in one layer and one pass.
struct OperationCost {
  std::string layer;      ///< empty: of the network as a whole
  Pass pass = Pass::forward;
  std::string operation;  ///< a folder of kernels/
  std::string kernel;     ///< the file below the root that was launched
  std::uint64_t launches = 0;
  std::uint64_t warp_instructions = 0;
  std::uint64_t bytes = 0;  ///< of the sectors of global memory that moved at L1
  /// Estimated for the device's GPU, with the ends of its band; each 0 where there is no estimate.
  double seconds = 0, low = 0, high = 0;
};
template <class V>
void fields(V&& visit, Is<OperationCost> auto& v) {
  visit("layer", v.layer);
  visit("pass", v.pass);
  visit("operation", v.operation);
  visit("kernel", v.kernel);
  visit("launches", v.launches);
  visit("warp_instructions", v.warp_instructions);
  visit("bytes", v.bytes);
  visit("seconds", v.seconds);
  visit("low", v.low);
  visit("high", v.high);
}

/// A block of device memory: from the launch before which it was taken to the one before which it was free again, counted from the
/// first that was observed.
struct Lifetime {
  std::string name;
  std::uint64_t bytes = 0;
  std::uint64_t begin = 0, end = 0;
};
template <class V>
void fields(V&& visit, Is<Lifetime> auto& v) {
  visit("name", v.name);
  visit("bytes", v.bytes);
  visit("begin", v.begin);
  visit("end", v.end);
}

struct MemoryUse {
  std::uint64_t peak_bytes = 0;  ///< the most that lived at once
  std::uint64_t held_bytes = 0;  ///< taken from the device; some of it free for the next step
  std::vector<Lifetime> lifetimes;
};
template <class V>
void fields(V&& visit, Is<MemoryUse> auto& v) {
  visit("peak_bytes", v.peak_bytes);
  visit("held_bytes", v.held_bytes);
  visit("lifetimes", v.lifetimes);
}

/// The network before step `step`. Shares are from 0 to 1.
struct CurvePoint {
  std::uint64_t step = 0;
  double loss = 0;  ///< on that step's batch
  /// Of a classifier's right answers, on that step's batch; on all that it trains on where Controls::ask_all says so.
  std::optional<double> accuracy;
  std::optional<double> held_out = {};  ///< the same on what was held out, where all are asked
  friend bool operator==(const CurvePoint&, const CurvePoint&) = default;
};
template <class V>
void fields(V&& visit, Is<CurvePoint> auto& v) {
  visit("step", v.step);
  visit("loss", v.loss);
  visit("accuracy", v.accuracy);
  visit("held_out", v.held_out);
}

struct TrainingReport {
  std::string preset;
  device::Message device;  ///< "H200, simulated"
  std::uint64_t seed = 0;
  std::uint64_t steps = 0;  ///< done, over all runs of a resumed training
  std::vector<CurvePoint> curve;
  /// Shares of right answers at the end: on all that it trains on, and on what was held out. Only where something was.
  std::optional<double> training, held_out;
  std::vector<OperationCost> operations;  ///< of one step, in the order in which they first ran
  MemoryUse memory;                       ///< of the same step
  double wall_seconds = 0;                ///< of this run, on this computer
};
template <class V>
void fields(V&& visit, Is<TrainingReport> auto& v) {
  visit("preset", v.preset);
  visit("device", v.device);
  visit("seed", v.seed);
  visit("steps", v.steps);
  visit("curve", v.curve);
  visit("training", v.training);
  visit("held_out", v.held_out);
  visit("operations", v.operations);
  visit("memory", v.memory);
  visit("wall_seconds", v.wall_seconds);
}

/// For a terminal: the curve, the cost of a step by layer, and the memory.
std::string to_text(const TrainingReport& report, const lab::Strings& strings, int width,
                    bool colour);
/// A point of the curve in one line: progress.
std::string point_text(const CurvePoint& point, const lab::Strings& strings);

}  // namespace warpbook::training
