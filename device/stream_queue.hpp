// The queues of a device and the thread that works them off.
//
// All streams share one thread, which takes work in the order in which the host asked for it. That
// is one of the orders that CUDA allows, whatever streams and events the host used: work of one
// stream keeps its order, the default stream waits for the others and they for it, and what an
// event stands for was asked for before whatever waits for it. It is also the same order in every
// run, so that results do not depend on the machine.
#pragma once

#include <atomic>
#include <condition_variable>
#include <cstdint>
#include <deque>
#include <functional>
#include <map>
#include <mutex>
#include <optional>
#include <stop_token>
#include <thread>

#include "device/error.hpp"

namespace warpbook::device {

/// One piece of work. Exactly one of the two is called, once.
struct StreamTask {
  std::uint32_t stream = 0;
  std::function<std::optional<Error>(std::stop_token)>
      run;                     ///< on the device's thread; returns the failure, if any
  std::function<void()> drop;  ///< instead of run, where the device goes away first
};

class StreamQueue {
 public:
  StreamQueue();
  ~StreamQueue();
  StreamQueue(const StreamQueue&) = delete;
  StreamQueue& operator=(const StreamQueue&) = delete;

  /// Asks running work to stop, waits for it, and drops waiting work. Nothing may be pushed afterwards. The destructor does
  /// it, too.
  void end();

  void push(StreamTask task);
  /// Notes a failure of work that was refused before it could be queued.
  void note(std::uint32_t stream, const Error& error);

  /// Waits for the work that is in `stream` now, for everything where it is the default stream (0). Takes
  /// the first error of the stream since the last call.
  std::optional<Error> synchronise(std::uint32_t stream);
  /// Waits for everything; takes the first error of all streams.
  std::optional<Error> synchronise();
  /// Waits for everything; leaves the errors.
  void wait_idle();

  /// True on the thread that runs the work, which must not wait for itself.
  [[nodiscard]] bool on_own_thread() const {
    return std::this_thread::get_id() == thread_.get_id();
  }

 private:
  struct NotedError {
    std::uint64_t order = 0;  // among all errors of the device
    Error error;
  };

  void work();
  void wait_until_done(std::unique_lock<std::mutex>& lock, std::uint64_t ticket);
  void note_locked(std::uint32_t stream, const Error& error);

  std::mutex mutex_;
  std::condition_variable work_arrived_, work_done_;
  std::deque<StreamTask> waiting_;
  // Tasks so far; changed under the mutex, looked at without it by who spins.
  std::atomic<std::uint64_t> pushed_ = 0, done_ = 0;
  std::map<std::uint32_t, std::uint64_t> last_of_;   // by stream: `pushed_` after its last task
  std::map<std::uint32_t, NotedError> first_error_;  // by stream
  std::uint64_t errors_ = 0;
  bool ended_ = false;
  std::stop_source stop_;
  std::thread thread_;  // last: everything else is there before it starts
};

}  // namespace warpbook::device
