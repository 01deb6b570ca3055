// Runs beside the live one: the runs that decide questions, and the variants of a comparison. One
// after another on a thread of their own, each kept.
#pragma once

#include <atomic>
#include <condition_variable>
#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <thread>

#include "lab/lesson.hpp"

namespace warpbook::gui {

class SideRuns {
 public:
  /// `wake` is called on the worker thread after every run.
  SideRuns(const lab::Lesson& lesson, std::shared_ptr<device::Compiler> compiler, std::string root,
           std::function<void()> wake);
  ~SideRuns();
  SideRuns(const SideRuns&) = delete;
  SideRuns& operator=(const SideRuns&) = delete;

  /// Asks for a run of these inputs unless it is there or on its way.
  void want(const lab::Inputs& inputs);
  /// Lets go of all other runs, asked for or done.
  void keep_only(const lab::Inputs& inputs);
  /// Null until it has run.
  [[nodiscard]] std::shared_ptr<const lab::Report> find(const lab::Inputs& inputs) const;
  /// How many have run.
  [[nodiscard]] std::uint64_t done() const { return done_.load(); }
  void settle();

 private:
  void work(std::stop_token stop);

  const lab::Lesson& lesson_;
  std::shared_ptr<device::Compiler> compiler_;
  std::string root_;
  std::function<void()> wake_;
  mutable std::mutex mutex_;
  std::condition_variable_any changed_;
  std::deque<lab::Inputs> waiting_;
  std::map<std::uint64_t, std::shared_ptr<const lab::Report>> reports_;  ///< null: asked for
  bool running_ = false;
  std::atomic<std::uint64_t> done_ = 0;
  std::jthread thread_;  ///< last: it uses all of the above
};

}  // namespace warpbook::gui
