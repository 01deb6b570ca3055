#include "device/compiler/seccomp_filter.hpp"

#include <sys/mman.h>
#include <sys/syscall.h>

#include <array>
#include <cerrno>
#include <cstdint>

#include "device/box/seccomp_program.hpp"

namespace warpbook::device {
namespace {

constexpr std::array kAllowed{
    SYS_read,
    SYS_write,
    SYS_pread64,
    SYS_pwrite64,
    SYS_readv,
    SYS_writev,
    SYS_lseek,
    SYS_close,
    SYS_fstat,
    SYS_ftruncate,
    SYS_brk,
    SYS_munmap,
    SYS_mremap,
    SYS_madvise,
    SYS_gettid,
    SYS_getpid,
    SYS_clock_gettime,
    SYS_gettimeofday,
    SYS_times,
    SYS_getrusage,
    SYS_getrandom,
    SYS_exit,
    SYS_exit_group,
    SYS_futex,
    SYS_rt_sigaction,
    SYS_rt_sigreturn,
    SYS_rt_sigprocmask,
    SYS_sched_yield,
    SYS_sched_getaffinity,
#ifdef __SANITIZE_ADDRESS__
    SYS_sigaltstack,  // asked for by AddressSanitizer wherever an exception is thrown
#endif
};

// Each asks for, or about, a file by name.
constexpr std::array kTrapped{
#ifdef SYS_open
    SYS_open,   SYS_stat,       SYS_lstat,     SYS_access, SYS_unlink,
#endif
    SYS_openat, SYS_newfstatat, SYS_faccessat, SYS_getcwd, SYS_unlinkat,
};

}  // namespace

int close_with_seccomp(int broker_socket) {
  constexpr std::uint32_t kRefused = SeccompProgram::fail_with(EPERM);
  SeccompProgram program;
  program.begin();
  // Numbers of the x32 set have bit 30 and match nothing below.
  for (const long number : kTrapped) program.judge(number, SECCOMP_RET_TRAP);
  for (const long number : kAllowed) program.judge(number, SeccompProgram::kAllow);
  program.judge_bits(SYS_mmap, 2, PROT_EXEC, kRefused);
  program.judge_bits(SYS_mprotect, 2, PROT_EXEC, kRefused);
  const std::array broker{static_cast<std::uint32_t>(broker_socket)};
  program.judge_value(SYS_recvmsg, 0, broker, SeccompProgram::kAllow, kRefused);
  // Limits may be asked for (the new value is null), not set.
  program.judge_pointer(SYS_prlimit64, 2, kRefused);
  program.finish(kRefused);
  return program.enter();
}

}  // namespace warpbook::device
