// The GPU as its owner reaches it: a device worker, started when it is first asked, and anew after one was lost. What was
// in the GPU's memory goes with the worker; `generation` tells one from the next.
#pragma once

#include <atomic>
#include <mutex>
#include <optional>
#include <set>
#include <stop_token>
#include <string>

#include "device/gpu/messages.hpp"
#include "device/gpu/shared_memory.hpp"
#include "device/worker/worker_process.hpp"

namespace warpbook::device::gpu {

/// How long an answer may take.
struct Patience {
  double seconds = 0;    ///< 0: without end
  std::stop_token stop;  ///< a request for it kills the worker, too
};

class Connection {
 public:
  /// Starts the worker and opens the GPU, unless both are there. Errors: those of Context::open, worker_failed.
  Expected<Opened> open();

  /// Asks, and takes an answer of that type. After a failure with harm the worker is gone, and so is what it held. A
  /// worker that died is library_died, one that took too long library_timeout.
  template <class T>
  Expected<T> ask(Frame frame, const std::string& bytes,
                  const Patience& patience = {kPatience, {}});
  Expected<void> tell(Frame frame, const std::string& bytes, int memory = -1);

  /// A launch: what befell it stands in the reply, whatever it was; an error where it did not start.
  Expected<LaunchReply> launch(const LaunchRequest& request, const Patience& patience);

  /// The worker is gone for a reason that its answer told.
  void lose(const Error& why);

  /// While it is held, no other thread asks, so the generation stays what it is but for one's own questions.
  [[nodiscard]] std::unique_lock<std::recursive_mutex> hold() const {
    return std::unique_lock(mutex_);
  }
  [[nodiscard]] std::uint64_t generation() const { return generation_; }
  /// Why the last worker was lost, in English; empty: none was.
  [[nodiscard]] std::string last_loss() const;
  /// The process that the driver runs in; 0 where there is none.
  [[nodiscard]] pid_t worker() const;

  /// The number of shared memory in the present worker, which maps it when it first hears of it.
  Expected<std::uint64_t> number_of(const SharedMemory& memory);
  /// That memory goes away.
  void forget(std::uint64_t number);
  /// A module of that generation is wanted no more.
  void unload(std::uint64_t module, std::uint64_t generation);

  static constexpr double kPatience = 120;  // seconds: a driver's compiler takes its time

 private:
  Expected<Opened> open_locked();
  tl::expected<std::string, Failure> exchange(Frame frame, const std::string& bytes, int memory,
                                              const Patience& patience);
  void lose_locked(const Error& why);

  // Held for as long as a question waits for its answer. Recursive: what asks opens and maps first.
  mutable std::recursive_mutex mutex_;
  WorkerProcess worker_;
  std::optional<Opened> opened_;
  std::atomic<std::uint64_t> generation_ = 1;
  std::string last_loss_;
  std::set<std::uint64_t> shared_;  // what this worker has mapped
};

}  // namespace warpbook::device::gpu
