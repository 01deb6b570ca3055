// The boxed side of the file broker: a handler of SIGSYS. It runs in the middle of NVRTC's calls, so it allocates nothing,
// takes no lock, and makes only calls that the filter allows.
#include <fcntl.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <ucontext.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <csignal>
#include <cstring>

#include "device/compiler/file_broker.hpp"

namespace warpbook::device {
namespace {

int g_broker_socket = -1;  // a signal handler has no other way to know

// A trapped call has its arguments and its result in registers (System V ABI, A.2.1 "Calling conventions").
#if defined(__x86_64__)
struct TrappedCall {
  explicit TrappedCall(ucontext_t* context) : registers(context->uc_mcontext.gregs) {}
  [[nodiscard]] long argument(int index) const {
    constexpr std::array kOrder{REG_RDI, REG_RSI, REG_RDX, REG_R10, REG_R8, REG_R9};
    return static_cast<long>(registers[kOrder[static_cast<std::size_t>(index)]]);
  }
  void set_result(long result) { registers[REG_RAX] = result; }
  greg_t* registers;
};
#elif defined(__aarch64__)
struct TrappedCall {
  explicit TrappedCall(ucontext_t* context) : registers(context->uc_mcontext.regs) {}
  [[nodiscard]] long argument(int index) const { return static_cast<long>(registers[index]); }
  void set_result(long result) { registers[0] = static_cast<unsigned long long>(result); }
  unsigned long long* registers;
};
#endif

const char* path_argument(const TrappedCall& call, int index) {
  return reinterpret_cast<const char*>(call.argument(index));
}

// Asks the zygote. Returns 0 or a negative errno; `fd` receives the descriptor of an open.
long ask(FileCall what, const char* path, struct stat* about, int* fd) {
  FileRequest request;
  request.call = what;
  const std::size_t length = ::strnlen(path, kMostPathBytes);
  if (length == kMostPathBytes) return -ENAMETOOLONG;
  if (length == 0) return -ENOENT;
  request.path_bytes = static_cast<std::uint32_t>(length);
  std::memcpy(request.path, path, length);
  const std::size_t bytes = kFileRequestPrefix + length;
  if (::write(g_broker_socket, &request, bytes) != static_cast<ssize_t>(bytes)) return -ENOENT;

  FileReply reply;
  iovec part{&reply, sizeof reply};
  msghdr message{};
  message.msg_iov = &part;
  message.msg_iovlen = 1;
  alignas(cmsghdr) std::array<char, CMSG_SPACE(sizeof(int))> control{};
  message.msg_control = control.data();
  message.msg_controllen = control.size();
  if (::recvmsg(g_broker_socket, &message, MSG_CMSG_CLOEXEC) != static_cast<ssize_t>(sizeof reply))
    return -ENOENT;
  if (reply.result != 0) return reply.result;
  if (about != nullptr) *about = reply.about;
  if (fd != nullptr) {
    const cmsghdr* header = CMSG_FIRSTHDR(&message);
    if (header == nullptr || header->cmsg_type != SCM_RIGHTS) return -EMFILE;
    std::memcpy(fd, CMSG_DATA(header), sizeof *fd);
  }
  return 0;
}

long open_through_broker(const char* path, long flags) {
  const bool writes = (flags & O_ACCMODE) != O_RDONLY || (flags & (O_CREAT | O_TRUNC)) != 0;
  int fd = -1;
  const long result =
      ask(writes ? FileCall::open_to_write : FileCall::open_to_read, path, nullptr, &fd);
  return result == 0 ? fd : result;
}

long stat_through_broker(const char* path, long buffer) {
  return ask(FileCall::stat, path, reinterpret_cast<struct stat*>(buffer), nullptr);
}

// A relative path is taken from "/", because the zygote warmed NVRTC there.
bool from_current_folder(long folder, const char* path) {
  return static_cast<int>(folder) == AT_FDCWD || path[0] == '/';
}

long answer(long number, const TrappedCall& call) {
  switch (number) {
#ifdef SYS_open
    case SYS_open: return open_through_broker(path_argument(call, 0), call.argument(1));
    case SYS_stat:
    case SYS_lstat: return stat_through_broker(path_argument(call, 0), call.argument(1));
    case SYS_unlink: return 0;  // of a temporary file, which was never in any folder
    case SYS_access: return ask(FileCall::stat, path_argument(call, 0), nullptr, nullptr);
#endif
    case SYS_openat: {
      const char* path = path_argument(call, 1);
      if (!from_current_folder(call.argument(0), path)) return -ENOENT;
      return open_through_broker(path, call.argument(2));
    }
    case SYS_newfstatat: {
      const char* path = path_argument(call, 1);
      if ((call.argument(3) & AT_EMPTY_PATH) != 0 && path[0] == '\0') {
        return ::syscall(SYS_fstat, call.argument(0), call.argument(2)) == 0 ? 0 : -errno;
      }
      if (!from_current_folder(call.argument(0), path)) return -ENOENT;
      return stat_through_broker(path, call.argument(2));
    }
    case SYS_unlinkat: return 0;
    case SYS_faccessat: return ask(FileCall::stat, path_argument(call, 1), nullptr, nullptr);
    case SYS_getcwd: {
      if (call.argument(1) < 2) return -ERANGE;
      std::memcpy(reinterpret_cast<char*>(call.argument(0)), "/", 2);
      return 2;
    }
    default: return -EPERM;
  }
}

void on_trap(int, siginfo_t* info, void* context) {
  const int saved = errno;
  TrappedCall call(static_cast<ucontext_t*>(context));
  call.set_result(answer(info->si_syscall, call));
  errno = saved;
}

}  // namespace

bool install_file_request_handler(int socket) {
  g_broker_socket = socket;
  struct sigaction action {};
  action.sa_sigaction = on_trap;
  action.sa_flags = SA_SIGINFO | SA_NODEFER;
  return ::sigaction(SIGSYS, &action, nullptr) == 0;
}

}  // namespace warpbook::device
