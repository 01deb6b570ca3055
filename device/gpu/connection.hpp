// The owner's connection to the GPU: a device worker, which is started with the first question and again after it was lost.
// A lost worker takes the contents of the GPU's memory with it; `generation` numbers the workers.
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

  /// Asks and waits for an answer of that type. After a failure with harm the worker is gone, with everything that it held.
  /// Errors: library_died where the worker died, library_timeout where it took too long.
  template <class T>
  Expected<T> ask(MessageKind kind, const std::string& bytes,
                  const Patience& patience = {kPatience, {}});
  Expected<void> tell(MessageKind kind, const std::string& bytes, int memory = -1);

  /// A launch. The reply says how the kernel ended, also where it failed; an error means that it did not start.
  Expected<LaunchReply> launch(const LaunchRequest& request, const Patience& patience);

  /// Gives the worker up, for a reason that its answer named.
  void lose(const Error& why);

  /// While a thread holds it, no other thread asks, so only this thread's own questions can change the generation.
  [[nodiscard]] std::unique_lock<std::recursive_mutex> hold() const {
    return std::unique_lock(mutex_);
  }
  [[nodiscard]] std::uint64_t generation() const { return generation_; }
  /// Why the last worker was lost, in English; empty if none was.
  [[nodiscard]] std::string last_loss() const;
  /// The process in which the driver runs; 0 if there is none.
  [[nodiscard]] pid_t worker() const;

  /// The number by which the present worker knows this shared memory. It maps the memory at the first call.
  Expected<std::uint64_t> number_of(const SharedMemory& memory);
  /// The owner is about to free that memory.
  void forget(std::uint64_t number);
  /// The owner needs a module of that generation no more.
  void unload(std::uint64_t module, std::uint64_t generation);

  static constexpr double kPatience = 120;  // seconds: a driver's compiler takes its time

 private:
  Expected<Opened> open_locked();
  tl::expected<std::string, Failure> exchange(MessageKind kind, const std::string& bytes,
                                              int memory, const Patience& patience);
  void lose_locked(const Error& why);

  // Held while a question waits for its answer. Recursive, because a question may first open the GPU and map memory.
  mutable std::recursive_mutex mutex_;
  WorkerProcess worker_;
  std::optional<Opened> opened_;
  std::atomic<std::uint64_t> generation_ = 1;
  std::string last_loss_;
  std::set<std::uint64_t> shared_;  // numbers of the memory that this worker has mapped
};

}  // namespace warpbook::device::gpu
