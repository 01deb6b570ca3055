// The trainer: steps of a task, one after the other, on any thread. It tells how far it is, can be paused and stopped between
// two steps, and can go on later from a file, with the same bits as if it had never stopped.
#pragma once

#include <condition_variable>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <mutex>
#include <optional>
#include <stop_token>
#include <string>
#include <utility>
#include <vector>

#include "training/presets.hpp"
#include "training/report.hpp"
#include "training/step.hpp"

namespace warpbook::training {

/// Holds a training between two steps. Calls may come from any thread.
class PauseGate {
 public:
  void pause() { set(true); }
  void resume() { set(false); }
  /// Waits while it is paused, until a stop is asked for.
  void pass(const std::stop_token& stop);

 private:
  void set(bool paused);
  std::mutex mutex_;
  std::condition_variable_any changed_;
  bool paused_ = false;
};

/// What the owner of a training wants of it.
struct Controls {
  std::stop_token stop;
  PauseGate* pause = nullptr;
  /// After each step: how many are done. On the trainer's thread.
  std::function<void(std::uint64_t done)> stepped;
  /// A new point of the curve.
  std::function<void(const CurvePoint& point)> point;
  /// Each point says how many of all samples are answered right, and how many of those that were held out: a pass forward over all.
  bool ask_all = false;
  /// What is observed of the step that begins after `done`; without it, the first one's costs. `stepped` may read it off the engine.
  std::function<Observing(std::uint64_t done)> observing;
};

class Trainer {
 public:
  /// Makes the task on the engine's device. Throws ExperimentFailed.
  Trainer(Engine& engine, const Preset& preset, std::uint64_t seed);

  /// Until `steps` are done, or a stop is asked for; true: all are done. The report has what was observed of the first. Throws
  /// ExperimentFailed.
  bool run(std::uint64_t steps, const Controls& controls = {});

  /// The file holds parameters, what the optimiser remembers, the curve and the step.
  device::Expected<void> save(const std::filesystem::path& file);
  /// Goes on where `file` left off; its preset and seed are this one's. Error: file_unreadable.
  device::Expected<void> restore(const std::filesystem::path& file);

  [[nodiscard]] std::uint64_t steps_done() const { return done_; }
  /// The part of the samples whose label has the largest answer. They are asked batch by batch, as in training, so that no more memory
  /// is needed.
  double accuracy(const Samples& samples);
  /// With the accuracy on data that was held out, where there is such.
  TrainingReport report();
  [[nodiscard]] Task& task() { return task_; }

 private:
  struct AllAsked {
    double training = 0;
    std::optional<double> held_out;
  };
  /// `asked`: what the step's point is to say of all samples; without a value, of its batch.
  void step(const Controls& controls, const std::optional<AllAsked>& asked);
  /// Of a classifier, which has labels.
  std::optional<AllAsked> ask_all();
  /// Parameters, then what the optimiser remembers.
  [[nodiscard]] std::vector<std::pair<std::string, Tensor>> saved_tensors() const;

  Engine& engine_;
  const Preset& preset_;
  std::uint64_t seed_, done_ = 0;
  Task task_;
  std::vector<Variable> parameters_;
  std::vector<CurvePoint> curve_;
  std::vector<OperationCost> costs_;  ///< of the step that was observed
  MemoryUse memory_;                  ///< of that step
  double seconds_ = 0;
};

/// The preset, the seed and the number of steps that a saved training has. Error: file_unreadable.
struct SavedTraining {
  std::string preset;
  std::uint64_t seed = 0, steps = 0;
};
device::Expected<SavedTraining> look_into(const std::filesystem::path& file);

}  // namespace warpbook::training
