#include "device/worker/channel.hpp"

#include <poll.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/stat.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>
#include <system_error>

namespace warpbook::device {
namespace {

constexpr std::uint32_t kMagic = 0x4b425057;  // "WPBK"
constexpr std::uint32_t kMaxInline = 1u << 20;
constexpr std::size_t kLargeBytes =
    32768;  // below a socket's buffer, so a send does not wait for the reader

struct Prefix {
  std::uint32_t magic = kMagic;
  std::uint32_t kind = 0;
  std::uint32_t bytes = 0;
  std::uint32_t memory_is_body = 0;  ///< the bytes themselves are in the attached memory
};

bool send_some(int socket, std::string_view bytes, int memory) {
  while (!bytes.empty()) {
    const ssize_t sent = send_with(socket, bytes, memory);
    if (sent <= 0) return false;
    bytes.remove_prefix(static_cast<std::size_t>(sent));
    memory = -1;  // it went with the first bytes
  }
  return true;
}

Channel::Outcome wait_readable(int socket, const Channel::Deadline& deadline) {
  while (true) {
    int milliseconds = -1;
    if (deadline) {
      const auto left = std::chrono::ceil<std::chrono::milliseconds>(
          *deadline - std::chrono::steady_clock::now());
      milliseconds = static_cast<int>(std::clamp<std::int64_t>(left.count(), 0, 1 << 30));
    }
    pollfd wanted{socket, POLLIN, 0};
    const int ready = ::poll(&wanted, 1, milliseconds);
    if (ready < 0 && errno == EINTR) continue;
    if (ready < 0) return Channel::Outcome::closed;
    return ready == 0 ? Channel::Outcome::timeout : Channel::Outcome::message;
  }
}

Channel::Outcome receive_exactly(int socket, char* to, std::size_t bytes, UniqueFd& memory,
                                 const Channel::Deadline& deadline) {
  while (bytes > 0) {
    // Without a deadline recvmsg waits by itself, and short messages are mostly calls of the system.
    if (deadline) {
      const auto outcome = wait_readable(socket, deadline);
      if (outcome != Channel::Outcome::message) return outcome;
    }
    iovec part{to, bytes};
    msghdr message{};
    message.msg_iov = &part;
    message.msg_iovlen = 1;
    alignas(cmsghdr) std::array<char, CMSG_SPACE(sizeof(int))> control{};
    message.msg_control = control.data();
    message.msg_controllen = control.size();
    const ssize_t got = ::recvmsg(socket, &message, MSG_CMSG_CLOEXEC);
    if (got < 0 && errno == EINTR) continue;
    if (got <= 0) return Channel::Outcome::closed;
    for (cmsghdr* header = CMSG_FIRSTHDR(&message); header != nullptr;
         header = CMSG_NXTHDR(&message, header)) {
      if (header->cmsg_level != SOL_SOCKET || header->cmsg_type != SCM_RIGHTS) continue;
      int fd = -1;
      std::memcpy(&fd, CMSG_DATA(header), sizeof fd);
      memory = UniqueFd(fd);
    }
    to += got;
    bytes -= static_cast<std::size_t>(got);
  }
  return Channel::Outcome::message;
}

}  // namespace

Expected<std::pair<Channel, Channel>> Channel::pair() {
  std::array<int, 2> ends{};
  if (::socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends.data()) != 0) {
    return failure(ErrorCode::worker_failed, {{"why", std::generic_category().message(errno)}});
  }
  return std::pair(Channel(UniqueFd(ends[0])), Channel(UniqueFd(ends[1])));
}

bool Channel::send(std::uint32_t kind, std::string_view bytes, int memory) {
  Prefix prefix;
  prefix.kind = kind;
  UniqueFd body;
  if (memory < 0 && bytes.size() > kLargeBytes) {
    body = make_memory(bytes);
    if (!body) return false;
    memory = body.get();
    prefix.memory_is_body = 1;
    bytes = {};
  }
  if (bytes.size() > kMaxInline) return false;
  prefix.bytes = static_cast<std::uint32_t>(bytes.size());
  std::string message(reinterpret_cast<const char*>(&prefix), sizeof prefix);
  message += bytes;
  return send_some(socket_.get(), message, memory);
}

Channel::Outcome Channel::receive(Packet& message, Deadline deadline) {
  Prefix prefix;
  message = Packet{};
  auto outcome = receive_exactly(socket_.get(), reinterpret_cast<char*>(&prefix), sizeof prefix,
                                 message.memory, deadline);
  if (outcome != Outcome::message) return outcome;
  if (prefix.magic != kMagic || prefix.bytes > kMaxInline) return Outcome::malformed;
  message.kind = prefix.kind;
  message.bytes.resize(prefix.bytes);
  outcome = receive_exactly(socket_.get(), message.bytes.data(), message.bytes.size(),
                            message.memory, deadline);
  if (outcome != Outcome::message) return outcome;
  if (prefix.memory_is_body != 0) {
    auto body = read_memory(message.memory.get());
    if (!body) return Outcome::malformed;
    message.bytes = std::move(*body);
    message.memory.reset();
  }
  return Outcome::message;
}

ssize_t send_with(int socket, std::string_view bytes, int fd) {
  iovec part{const_cast<char*>(bytes.data()), bytes.size()};
  msghdr message{};
  message.msg_iov = &part;
  message.msg_iovlen = 1;
  alignas(cmsghdr) std::array<char, CMSG_SPACE(sizeof(int))> control{};
  if (fd >= 0) {
    message.msg_control = control.data();
    message.msg_controllen = control.size();
    cmsghdr* header = CMSG_FIRSTHDR(&message);
    header->cmsg_level = SOL_SOCKET;
    header->cmsg_type = SCM_RIGHTS;
    header->cmsg_len = CMSG_LEN(sizeof(int));
    std::memcpy(CMSG_DATA(header), &fd, sizeof(int));
  }
  ssize_t sent = -1;
  do {
    sent = ::sendmsg(socket, &message, MSG_NOSIGNAL);
  } while (sent < 0 && errno == EINTR);
  return sent;
}

UniqueFd make_memory(std::string_view bytes) {
  UniqueFd memory(::memfd_create("warpbook", MFD_CLOEXEC));
  if (!memory) return memory;
  while (!bytes.empty()) {
    const ssize_t written = ::write(memory.get(), bytes.data(), bytes.size());
    if (written < 0 && errno == EINTR) continue;
    if (written <= 0) return UniqueFd();
    bytes.remove_prefix(static_cast<std::size_t>(written));
  }
  return memory;
}

std::optional<std::string> read_memory(int memory, std::uint64_t limit) {
  struct stat about {};
  if (memory < 0 || ::fstat(memory, &about) != 0 || !S_ISREG(about.st_mode)) return std::nullopt;
  const auto size = static_cast<std::uint64_t>(about.st_size);
  if (size > limit) return std::nullopt;
  std::string bytes(size, '\0');
  std::size_t have = 0;
  while (have < size) {
    const ssize_t got = ::pread(memory, bytes.data() + have, size - have, static_cast<off_t>(have));
    if (got < 0 && errno == EINTR) continue;
    if (got <= 0) return std::nullopt;
    have += static_cast<std::size_t>(got);
  }
  return bytes;
}

}  // namespace warpbook::device
