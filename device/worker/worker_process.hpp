// A worker process from its owner's side: our own binary, started as `warpbook worker KIND`, at the other end of a channel.
#pragma once

#include <sys/types.h>

#include <string>

#include "device/error.hpp"
#include "device/worker/channel.hpp"

namespace warpbook::device {

/// The descriptor on which a worker finds its end of the channel.
inline constexpr int kWorkerChannelFd = 3;

/// The binary that is started: $WARPBOOK_BINARY, else this program itself.
std::string worker_binary();

/// A running worker. Destroyed, it is killed and waited for: cancel is kill.
class WorkerProcess {
 public:
  WorkerProcess() = default;
  WorkerProcess(WorkerProcess&& other) noexcept;
  WorkerProcess& operator=(WorkerProcess&& other) noexcept;
  ~WorkerProcess();

  /// Starts one with a clean environment and without open files but the channel's and standard error; its standard input and
  /// output are /dev/null. `kind` is "compile" or "device". Error: worker_failed.
  static Expected<WorkerProcess> start(const std::string& kind);

  [[nodiscard]] Channel& channel() { return channel_; }
  [[nodiscard]] pid_t pid() const { return pid_; }
  explicit operator bool() const { return pid_ > 0; }
  void kill();
  /// For a worker whose channel closed: waits for its end and says how it ended, "it ended with code 1" or "signal 11
  /// (Segmentation fault)". If it does not end, it is killed.
  Message ending();

 private:
  pid_t pid_ = -1;
  Channel channel_;
};

}  // namespace warpbook::device
