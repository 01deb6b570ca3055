// The compile worker from its owner's side: several threads ask it at the same time, and each gets its own answer.
#pragma once

#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <optional>

#include "device/compiler/messages.hpp"
#include "device/worker/worker_process.hpp"

namespace warpbook::device {

/// All answers come through one channel, so one of the threads that wait reads it for all of them.
class CompileWorker {
 public:
  using Clock = std::chrono::steady_clock;

  /// Starts a worker and waits until NVRTC is warm. Errors: worker_failed, worker_protocol, compiler_missing.
  static Expected<std::shared_ptr<CompileWorker>> start(const WorkerHello& hello);

  [[nodiscard]] const WorkerReady& ready() const { return ready_; }
  [[nodiscard]] int pid() const { return process_.pid(); }

  /// Asks for a compile; its id, or nothing where the worker is gone.
  std::optional<std::uint64_t> ask(const CompileRequest& request);
  /// Kills the compile. Its answer says so, unless it came first.
  void stop(std::uint64_t id);

  struct Answer {
    CompileDone done;
    UniqueFd memory;  ///< holds the result
  };
  enum class Outcome : std::uint8_t { answer, timeout, gone, malformed };
  /// Waits for the answer to `id` until then, no longer.
  Outcome wait_for(std::uint64_t id, Clock::time_point until, Answer& answer);
  /// The answer to `id` is not wanted any more.
  void forget(std::uint64_t id);

  /// Nobody asks it any more, and who still waits for it learns that it is gone. It is killed with the last who holds it.
  void give_up();
  [[nodiscard]] bool given_up() const;

 private:
  CompileWorker() = default;
  /// Reads one message, without the lock, which is held before and after.
  void read(std::unique_lock<std::mutex>& lock, Clock::time_point until);

  WorkerProcess process_;
  WorkerReady ready_;
  mutable std::mutex mutex_;
  std::condition_variable changed_;
  std::map<std::uint64_t, std::optional<Answer>> asked_;  ///< by id
  std::uint64_t last_id_ = 0;
  bool reading_ = false;          ///< one of the threads is at it
  std::optional<Outcome> ended_;  ///< why there are no answers any more
};

}  // namespace warpbook::device
