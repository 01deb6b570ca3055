// Data parallel: every device has the whole network, and its own rows of each batch. Before the step of the optimiser the devices
// add up their gradients, and then all of them take the same step, so that their weights stay the same, bit for bit.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "training/parallel/all_reduce.hpp"
#include "training/parallel/bucket.hpp"
#include "training/step.hpp"

namespace warpbook::training {

/// One of `of` devices that train together, counted from 0.
struct Place {
  std::size_t index = 0, of = 1;
};

/// What one device does. What it has in common with the others is only what the caller adds up: sums() and hits().
class Replica {
 public:
  /// Weights and data by the seed, so the same on each device. Throws ExperimentFailed: with more devices than samples in a batch,
  /// some would have nothing to do.
  Replica(Engine& engine, const Preset& preset, std::uint64_t seed, Place place);

  /// Forward and backward on its rows of the step's batch. A row weighs as much as in the whole batch, so that the sums over
  /// all devices are the batch's loss and gradients even if the devices have unequally many rows.
  void compute(std::uint64_t step);
  /// Gradients, and behind them the loss.
  [[nodiscard]] const Tensor& sums() const { return bucket_->values(); }
  /// i32, of a classifier.
  [[nodiscard]] const std::optional<Tensor>& hits() const { return hits_; }
  /// The step of the optimiser, by what sums() holds now.
  void update(std::uint64_t step);
  /// From what sums() and hits() hold now.
  CurvePoint point(std::uint64_t step);

  [[nodiscard]] Engine& engine() { return engine_; }
  [[nodiscard]] const std::vector<Variable>& parameters() const { return parameters_; }

 private:
  Engine& engine_;
  const Preset& preset_;
  Place place_;
  Task task_;
  std::vector<Variable> parameters_;
  std::unique_ptr<Bucket> bucket_;
  std::optional<Tensor> hits_;
};

/// A replica on each device of a cluster.
class DataParallel {
 public:
  DataParallel(Cluster& cluster, const Preset& preset, std::uint64_t seed);
  /// The gradients of the next step's batch, added up around the ring.
  void compute();
  /// What compute() and the optimiser make of the batch.
  CurvePoint step();
  [[nodiscard]] Replica& replica(std::size_t device) { return *replicas_[device]; }

 private:
  Cluster& cluster_;
  std::uint64_t done_ = 0;
  std::vector<std::unique_ptr<Replica>> replicas_;
};

}  // namespace warpbook::training
