// The engine runs kernels of kernels/ on tensors, by the operations' names, and notes what that costs. A network is host code
// that calls it; the host computes nothing that a GPU would.
//
// Launches are queued and not waited for, as in a CUDA program: what is wrong with one shows at the next finish() or download().
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "device/device.hpp"
#include "lab/experiment/lesson.hpp"
#include "lab/operation/operation.hpp"
#include "lab/operation/rung_launch.hpp"
#include "training/kernel_choice.hpp"
#include "training/memory.hpp"
#include "training/report.hpp"
#include "training/tensor.hpp"

namespace warpbook::training {

/// What an operation works on: its inputs and outputs by their names in operation.toml.
using Operands = std::vector<std::pair<std::string_view, const Tensor*>>;
using Reals = std::map<std::string, double>;

/// What is observed in each launch beyond the Lab's checks. Nothing: as fast as it can be.
struct Observing {
  bool costs = false;    ///< counters and the estimate of the time
  bool records = false;  ///< the whole record is kept
  /// Launched by Lab::launch(), one after the other: errors and findings go into the lesson's report and end nothing, and what slots
  /// execute is counted at their lines.
  bool in_report = false;
  std::uint32_t trace_accesses = 0;
};

/// A launch since observe() was called.
struct NotedLaunch {
  std::string layer;
  Pass pass = Pass::forward;
  std::string operation;
  std::string kernel_file;  ///< below the root
  std::shared_ptr<const device::LaunchRecord> record;  ///< where records are kept
};

class Engine {
 public:
  /// On the Lab's device, with its compiler, its checks and its budget; the Lab must outlive the engine.
  explicit Engine(lab::Lab& lab);
  ~Engine();
  Engine(const Engine&) = delete;
  Engine& operator=(const Engine&) = delete;

  /// Uninitialised, named after the layer that is entered and the pass: "fc1.matmul", "fc1.backward.matmul".
  Tensor empty(const std::string& name, const Extents& shape,
               device::ElementType type = device::ElementType::f32);
  /// `values` in row-major order.
  template <class T>
  Tensor upload(const std::string& name, const Extents& shape, std::span<const T> values) {
    const Tensor tensor = empty(name, shape, device::element_type_of<T>::value);
    copy_in(tensor, std::as_bytes(values));
    return tensor;
  }
  Tensor upload(const std::string& name, const Extents& shape, const std::vector<float>& values) {
    return upload(name, shape, std::span(values));
  }
  /// Filled with 0, as cudaMemset does it.
  Tensor zeros(const std::string& name, const Extents& shape);
  /// A number that kernels read from memory. The same number is the same tensor.
  Tensor constant(float value);
  /// In row-major order. Waits for what was launched; a view is gathered by a kernel first.
  template <class T = float>
  std::vector<T> download(const Tensor& tensor) {
    const Tensor dense = contiguous(tensor);
    std::vector<T> values(static_cast<std::size_t>(dense.count()));
    copy_out(dense, std::as_writable_bytes(std::span(values)));
    return values;
  }
  /// Within the device, in order with the launches; both lie side by side and have one size.
  void copy(const Tensor& to, const Tensor& from);
  void copy_in(const Tensor& to, std::span<const std::byte> bytes);
  void copy_out(const Tensor& from, std::span<std::byte> bytes);

  /// Launches the kernels of an operation. An output may be an input as well where each thread reads its own element alone.
  void run(std::string_view operation, const Operands& operands, const Sizes& sizes,
           const Reals& reals = {});
  /// A copy whose elements lie side by side, and by which a view is gathered.
  Tensor copied(const Tensor& tensor, const std::string& name);
  /// The tensor itself where its elements lie side by side, else a copy of which they do.
  Tensor contiguous(const Tensor& tensor);

  /// Runs `source`, the reader's own, wherever the operation is run from now on, launched as the block of our rung `rung` says.
  /// Throws ExperimentFailed where it does not compile.
  void use_source(const std::string& operation, const std::string& rung, const std::string& source);

  /// The same with a slot of the lesson, whose source the report shows.
  void use_slot(const std::string& operation, const std::string& rung, const std::string& slot);

  /// Runs `module` wherever the operation is run from now on, launched as `rung`, which need not be one of ours, says.
  void use_rung(const std::string& operation, lab::Rung rung,
                std::shared_ptr<const device::Module> module);

  /// A launch of the caller's own, in order with the others, observed and noted as they are. `operation` and `kernel_file` are what
  /// NotedLaunch says of it.
  void launch(const std::string& operation, const std::string& kernel_file, device::Launch launch);

  /// Waits for all launches. Throws ExperimentFailed for the first that failed or has a finding, which names its kernel's line.
  void finish();

  /// Tensors, launches and costs belong to this layer, until the scope ends.
  class LayerScope {
   public:
    LayerScope(Engine& engine, std::string layer)
        : engine_(engine), before_(std::exchange(engine.layer_, std::move(layer))) {}
    ~LayerScope() { engine_.layer_ = std::move(before_); }
    LayerScope(const LayerScope&) = delete;
    LayerScope& operator=(const LayerScope&) = delete;

   private:
    Engine& engine_;
    std::string before_;
  };
  [[nodiscard]] const std::string& layer() const { return layer_; }
  void set_pass(Pass pass) { pass_ = pass; }

  /// Of each launch from now on: what is checked, and what it may use before it is stopped. The Lab's own to begin with, which are
  /// meant for a reader's kernels and not for hours of ours.
  void set_checks(const device::Checks& checks) { checks_ = checks; }
  void set_budget(const device::Budget& budget) { budget_ = budget; }

  /// From the next launch on. What was noted before is dropped, the lifetimes of memory too. Throws as finish() does.
  void observe(const Observing& observing);
  /// What was noted since observe(), after finish().
  [[nodiscard]] const std::vector<NotedLaunch>& launches() const { return launches_; }
  [[nodiscard]] std::vector<OperationCost> costs() const { return costs_; }
  [[nodiscard]] MemoryUse memory_use() const { return memory_->use(); }
  /// The number of the first of launches(), counted as launched() does.
  [[nodiscard]] std::uint64_t first_noted() const { return first_noted_; }
  /// How many launches were made, noted or not.
  [[nodiscard]] std::uint64_t launched() const { return launched_; }

  [[nodiscard]] lab::Lab& lab() { return lab_; }

 private:
  struct Plan;
  struct Pending {
    device::LaunchTicket ticket;
    std::size_t noted = 0;  ///< its index in launches_
  };

  const lab::Operation& operation_named(const std::string& name);
  std::shared_ptr<const device::Module> module_of(const lab::Rung& rung, const Sizes& defines);
  const Plan& plan_of(const std::string& operation, const Sizes& sizes, const Reals& reals);
  std::unique_ptr<Plan> make_plan(const std::string& operation, const Sizes& sizes,
                                  const Reals& reals);
  void fill_with_zeros(const Tensor& tensor);
  [[nodiscard]] device::Launch observed(device::Launch launch) const;
  /// Until those that are queued have run. What is known of memory is a part of what a launch is recalled by, so it must not depend on
  /// how far the host came meanwhile.
  void wait_for_launches() const;
  void settle(const Pending& pending);
  void note(std::size_t noted, const std::shared_ptr<const device::LaunchRecord>& record);
  void fill_constants(const Plan& plan, const std::map<std::string_view, const Tensor*>& buffers);
  void add_cost(const NotedLaunch& noted, const device::LaunchRecord& record);

  lab::Lab& lab_;
  std::shared_ptr<Memory> memory_;
  std::map<std::string, lab::Operation> operations_;
  std::map<std::pair<std::string, Sizes>, std::shared_ptr<const device::Module>> modules_;
  std::map<std::pair<std::string, Sizes>, std::unique_ptr<Plan>> plans_;
  struct OwnSource {
    lab::Rung rung;
    std::shared_ptr<const device::Module> module;
  };
  std::map<std::string, OwnSource, std::less<>> own_sources_;
  std::map<float, Tensor> constants_;
  std::vector<Pending> pending_;
  std::vector<NotedLaunch> launches_;
  std::vector<OperationCost> costs_;
  std::string layer_;
  device::Checks checks_;
  device::Budget budget_;
  Pass pass_ = Pass::forward;
  Observing observing_;
  std::uint64_t launched_ = 0, first_noted_ = 0;
};

}  // namespace warpbook::training
