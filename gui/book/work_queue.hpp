// Does jobs one after another on a thread of its own, so that the window need not wait for them.
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

/// Declare it as the owner's last member, because its thread uses the members that `work` uses. The destructor asks the
/// job in progress to stop, waits for it, and drops the others.
template <class Job>
class WorkQueue {
 public:
  /// Does a job on the queue's thread. Returns false if the result is no longer wanted, so that it does not count.
  using Work = std::function<bool(const Job&, const std::stop_token&)>;

  /// `wake` is called on the queue's thread after every job that counts; may be empty.
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
  /// Adds a job unless an equal one is waiting.
  void add_once(Job job) {
    const std::scoped_lock lock(mutex_);
    if (std::ranges::find(waiting_, job) != waiting_.end()) return;
    waiting_.push_back(std::move(job));
    changed_.notify_all();
  }
  /// Drops the waiting jobs for which `unwanted` is true.
  template <class Unwanted>
  void drop(Unwanted unwanted) {
    const std::scoped_lock lock(mutex_);
    std::erase_if(waiting_, unwanted);
    changed_.notify_all();
  }
  /// How many jobs have been done that count.
  [[nodiscard]] std::uint64_t done() const { return done_.load(); }
  /// Waits until every job is done.
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
