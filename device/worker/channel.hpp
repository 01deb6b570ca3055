// One end of the connection between Warpbook and a worker process: length-prefixed messages over a socket pair. Large
// bodies travel in shared memory (a memfd that is sent along with the message).
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

struct Packet {
  std::uint32_t kind = 0;  ///< the two ends agree on its meaning
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

  enum class Outcome : std::uint8_t { message, closed, timeout, malformed };
  /// The next message. With a deadline, waits no longer than that.
  Outcome receive(Packet& message, Deadline deadline = {});

  [[nodiscard]] int fd() const { return socket_.get(); }
  explicit operator bool() const { return static_cast<bool>(socket_); }
  void close() { socket_.reset(); }

 private:
  UniqueFd socket_;
};

/// ::sendmsg of `bytes`, with the descriptor `fd` unless it is negative; tried again when a signal interrupts it.
ssize_t send_with(int socket, std::string_view bytes, int fd);
/// Shared memory that holds `bytes`; invalid where the system refuses.
UniqueFd make_memory(std::string_view bytes);
/// All bytes of a memfd; nothing if they cannot be read or are more than `limit`.
std::optional<std::string> read_memory(int memory, std::uint64_t limit = 1ull << 30);

}  // namespace warpbook::device
