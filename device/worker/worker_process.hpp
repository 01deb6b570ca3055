// A worker as its owner sees it: our own binary, started anew as `warpbook worker KIND`, at the
// other end of a channel.
#pragma once

#include <sys/types.h>

#include <string>

#include "device/error.hpp"
#include "device/worker/channel.hpp"

namespace warpbook::device {

/// The binary that is started: $WARPBOOK_BINARY, else this program itself.
std::string worker_binary();

/// A running worker. Destroyed, it is killed and waited for: cancel is kill.
class WorkerProcess {
 public:
  WorkerProcess() = default;
  WorkerProcess(WorkerProcess&& other) noexcept;
  WorkerProcess& operator=(WorkerProcess&& other) noexcept;
  ~WorkerProcess();

  /// Starts one with a clean environment, no open files but the channel's and standard error, and
  /// /dev/null as its standard input and output. `kind` is "compile" or "device". Error:
  /// worker_failed.
  static Expected<WorkerProcess> start(const std::string& kind);

  [[nodiscard]] Channel& channel() { return channel_; }
  [[nodiscard]] pid_t pid() const { return pid_; }
  explicit operator bool() const { return pid_ > 0; }
  void kill();
  /// Of one whose channel closed: waits for its end and says how it came, "it ended with code 1" or "signal 11
  /// (Segmentation fault)". One that goes on after all is killed.
  std::string ending();

 private:
  pid_t pid_ = -1;
  Channel channel_;
};

}  // namespace warpbook::device
