// Jobs that are done one after another on a thread of their own, beside the window.
#pragma once

#include <algorithm>
#include <atomic>
#include <condition_variable>
#include <cstdint>
#include <deque>
#include <functional>
#include <mutex>
#include <stop_token>
#include <thread>
#include <utility>

namespace warpbook::gui {

/// Whoever owns it declares it last: its thread uses what `work` uses. Destroyed, it asks the job in progress to stop, waits
/// for it and drops the others.
template <class Job>
class WorkQueue {
 public:
  /// Does a job on the queue's thread; false where nobody wants it any more, so that it is no news.
  using Work = std::function<bool(const Job&, const std::stop_token&)>;

  /// `wake` is called on the queue's thread after every job that is news; may be empty.
  WorkQueue(Work work, std::function<void()> wake)
      : work_(std::move(work)), wake_(std::move(wake)) {
    thread_ = std::jthread([this](const std::stop_token& stop) { run(stop); });
  }

  /// Adds a job behind the others.
  void add(Job job) {
    const std::scoped_lock lock(mutex_);
    waiting_.push_back(std::move(job));
    changed_.notify_all();
  }
  /// Adds it unless one like it is waiting.
  void add_once(Job job) {
    const std::scoped_lock lock(mutex_);
    if (std::ranges::find(waiting_, job) != waiting_.end()) return;
    waiting_.push_back(std::move(job));
    changed_.notify_all();
  }
  /// Drops the waiting jobs of which `unwanted` says so.
  template <class Unwanted>
  void drop(Unwanted unwanted) {
    const std::scoped_lock lock(mutex_);
    std::erase_if(waiting_, unwanted);
    changed_.notify_all();
  }
  /// How many jobs were news.
  [[nodiscard]] std::uint64_t done() const { return done_.load(); }
  /// Waits until nothing waits and nothing is being done.
  void settle() {
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [&] { return waiting_.empty() && !running_; });
  }

 private:
  void run(const std::stop_token& stop) {
    std::unique_lock lock(mutex_);
    while (changed_.wait(lock, stop, [&] { return !waiting_.empty(); })) {
      const Job job = std::move(waiting_.front());
      waiting_.pop_front();
      running_ = true;
      lock.unlock();
      const bool news = work_(job, stop);
      lock.lock();
      running_ = false;
      if (stop.stop_requested()) break;
      done_ += news ? 1 : 0;
      changed_.notify_all();
      lock.unlock();
      if (news && wake_) wake_();
      lock.lock();
    }
  }

  Work work_;
  std::function<void()> wake_;
  std::mutex mutex_;  ///< guards all below
  std::condition_variable_any changed_;
  std::deque<Job> waiting_;
  bool running_ = false;
  std::atomic<std::uint64_t> done_ = 0;
  std::jthread thread_;  ///< last: it uses all of the above
};

}  // namespace warpbook::gui
