// One end of the line between Warpbook and a worker process: length-prefixed frames over a socket
// pair. What is large goes through shared memory (a memfd sent along with its frame), so a frame's
// own bytes stay few.
#pragma once

#include <sys/types.h>

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "device/error.hpp"
#include "device/unique_fd.hpp"

namespace warpbook::device {

struct Message {
  std::uint32_t kind = 0;  ///< what it means is between the two ends
  std::string bytes;
  UniqueFd memory;  ///< attached shared memory, if any
};

class Channel {
 public:
  using Deadline = std::optional<std::chrono::steady_clock::time_point>;

  Channel() = default;
  explicit Channel(UniqueFd socket) : socket_(std::move(socket)) {}
  /// Both ends. Error: worker_failed.
  static Expected<std::pair<Channel, Channel>> pair();

  /// Bytes above a few thousand go through shared memory by themselves. `memory` is lent, not
  /// taken. False: the other end is gone or the system is out of resources.
  bool send(std::uint32_t kind, std::string_view bytes, int memory = -1);

  enum class Outcome : std::uint8_t { frame, closed, timeout, malformed };
  /// The next frame. With a deadline, waits no longer than that.
  Outcome receive(Message& frame, Deadline deadline = {});

  [[nodiscard]] int fd() const { return socket_.get(); }
  explicit operator bool() const { return static_cast<bool>(socket_); }
  void close() { socket_.reset(); }

 private:
  UniqueFd socket_;
};

/// One message of `bytes` to a socket, with the descriptor `fd` where that is not negative; again where a signal
/// interrupts. What ::sendmsg gives.
ssize_t send_with(int socket, std::string_view bytes, int fd);
/// Shared memory that holds `bytes`; invalid where the system refuses.
UniqueFd make_memory(std::string_view bytes);
/// All bytes of a memfd, or nothing where they cannot be had or are more than `limit`.
std::optional<std::string> read_memory(int memory, std::uint64_t limit = 1ull << 30);

}  // namespace warpbook::device
