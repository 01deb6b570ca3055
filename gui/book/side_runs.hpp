// Runs beside the live one: those that decide questions, and the variants of comparisons. They run one after another on
// a thread of their own, and all reports are kept.
#pragma once

#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <string>

#include "device/compiler/compiler.hpp"
#include "gui/book/work_queue.hpp"
#include "lab/experiment/lesson.hpp"

namespace warpbook::gui {

class SideRuns {
 public:
  /// `wake` is called on the worker thread after every run.
  SideRuns(const lab::Lesson& lesson, std::shared_ptr<device::Compiler> compiler, std::string root,
           std::function<void()> wake);

  /// Asks for a run of these inputs, unless it has run or has been asked for.
  void want(const lab::Inputs& inputs);
  /// Forgets every run, finished or only asked for, for which `wanted` is false.
  void keep_if(const std::function<bool(const lab::Inputs&)>& wanted);
  /// Null until it has run.
  [[nodiscard]] std::shared_ptr<const lab::Report> find(const lab::Inputs& inputs) const;
  /// How many runs have finished.
  [[nodiscard]] std::uint64_t done() const { return queue_.done(); }
  void settle() { queue_.settle(); }

 private:
  struct Run {
    lab::Inputs inputs;
    std::shared_ptr<const lab::Report> report;  ///< null: asked for, not finished
  };
  bool run(const lab::Inputs& inputs, const std::stop_token& stop);

  const lab::Lesson& lesson_;
  std::shared_ptr<device::Compiler> compiler_;
  std::string root_;
  mutable std::mutex mutex_;           ///< guards the runs
  std::map<std::uint64_t, Run> runs_;  ///< by their inputs' hash
  WorkQueue<lab::Inputs> queue_;
};

}  // namespace warpbook::gui
