#include "device/compiler/seccomp_filter.hpp"

#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/syscall.h>

#include <array>
#include <cerrno>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace warpbook::device {
namespace {

#if defined(__x86_64__)
constexpr std::uint32_t kArchitecture = AUDIT_ARCH_X86_64;
#elif defined(__aarch64__)
constexpr std::uint32_t kArchitecture = AUDIT_ARCH_AARCH64;
#else
constexpr std::uint32_t kArchitecture = 0;
#endif

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

constexpr auto kNumber = static_cast<std::uint32_t>(offsetof(seccomp_data, nr));
constexpr auto kArch = static_cast<std::uint32_t>(offsetof(seccomp_data, arch));

constexpr std::uint32_t low_word_of_argument(std::size_t index) {
  return static_cast<std::uint32_t>(offsetof(seccomp_data, args) + index * sizeof(std::uint64_t));
}

class Filter {
 public:
  void load(std::uint32_t offset) { code_.push_back(BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offset)); }
  void finish(std::uint32_t verdict) { code_.push_back(BPF_STMT(BPF_RET | BPF_K, verdict)); }
  /// With the call's number loaded: for `number`, `verdict`.
  void judge(long number, std::uint32_t verdict) {
    code_.push_back(BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, static_cast<std::uint32_t>(number), 0, 1));
    finish(verdict);
  }
  /// For `number`: allowed where no bit of `forbidden` is set in an argument, else refused.
  void judge_bits(long number, std::size_t argument, std::uint32_t forbidden,
                  std::uint32_t refused) {
    code_.push_back(BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, static_cast<std::uint32_t>(number), 0, 4));
    load(low_word_of_argument(argument));
    code_.push_back(BPF_JUMP(BPF_JMP | BPF_JSET | BPF_K, forbidden, 0, 1));
    finish(refused);
    finish(SECCOMP_RET_ALLOW);
  }
  /// For `number`: allowed where an argument's low word is `wanted`, else refused.
  void judge_value(long number, std::size_t argument, std::uint32_t wanted, std::uint32_t refused) {
    code_.push_back(BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, static_cast<std::uint32_t>(number), 0, 4));
    load(low_word_of_argument(argument));
    code_.push_back(BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, wanted, 0, 1));
    finish(SECCOMP_RET_ALLOW);
    finish(refused);
  }
  void kill_other_architectures() {
    load(kArch);
    code_.push_back(BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, kArchitecture, 1, 0));
    finish(SECCOMP_RET_KILL_PROCESS);
  }
  [[nodiscard]] sock_fprog program() {
    return {static_cast<unsigned short>(code_.size()), code_.data()};
  }

 private:
  std::vector<sock_filter> code_;
};

}  // namespace

bool seccomp_is_known_here() { return kArchitecture != 0; }

int close_with_seccomp(int broker_socket) {
  if (!seccomp_is_known_here()) return ENOSYS;
  constexpr std::uint32_t kRefused = SECCOMP_RET_ERRNO | EPERM;
  Filter program;
  program.kill_other_architectures();
  // Numbers of the x32 set have bit 30 and match nothing below.
  program.load(kNumber);
  for (const long number : kTrapped) program.judge(number, SECCOMP_RET_TRAP);
  for (const long number : kAllowed) program.judge(number, SECCOMP_RET_ALLOW);
  program.judge_bits(SYS_mmap, 2, PROT_EXEC, kRefused);
  program.judge_bits(SYS_mprotect, 2, PROT_EXEC, kRefused);
  program.judge_value(SYS_recvmsg, 0, static_cast<std::uint32_t>(broker_socket), kRefused);
  // Limits may be asked for (the new value is null), not set.
  program.judge_value(SYS_prlimit64, 2, 0, kRefused);
  program.finish(kRefused);
  const sock_fprog filter = program.program();
  return ::prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &filter) == 0 ? 0 : errno;
}

}  // namespace warpbook::device
