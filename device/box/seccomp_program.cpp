#include "device/box/seccomp_program.hpp"

#include <linux/audit.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/syscall.h>

#include <array>
#include <cerrno>

namespace warpbook::device {
namespace {

#if defined(__x86_64__)
constexpr std::uint32_t kArchitecture = AUDIT_ARCH_X86_64;
#elif defined(__aarch64__)
constexpr std::uint32_t kArchitecture = AUDIT_ARCH_AARCH64;
#else
constexpr std::uint32_t kArchitecture = 0;
#endif

constexpr auto kNumber = static_cast<std::uint32_t>(offsetof(seccomp_data, nr));
constexpr auto kArch = static_cast<std::uint32_t>(offsetof(seccomp_data, arch));
constexpr std::uint32_t kX32Bit = 0x40000000;

constexpr std::uint32_t low_word_of_argument(std::size_t index) {
  return static_cast<std::uint32_t>(offsetof(seccomp_data, args) + index * sizeof(std::uint64_t));
}
constexpr std::uint32_t high_word_of_argument(std::size_t index) {
  return low_word_of_argument(index) + 4;
}

}  // namespace

void SeccompProgram::load(std::uint32_t offset) {
  code_.push_back(BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offset));
}

void SeccompProgram::finish(std::uint32_t verdict) {
  code_.push_back(BPF_STMT(BPF_RET | BPF_K, verdict));
}

// Lines that concern one number load an argument in place of it, so each of them has to decide.
std::size_t SeccompProgram::skip_unless(long number) {
  code_.push_back(BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, static_cast<std::uint32_t>(number), 0, 0));
  return code_.size();
}

void SeccompProgram::end_skip(std::size_t from) {
  code_[from - 1].jf = static_cast<std::uint8_t>(code_.size() - from);
}

void SeccompProgram::begin() {
  load(kArch);
  code_.push_back(BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, kArchitecture, 1, 0));
  finish(SECCOMP_RET_KILL_PROCESS);
  load(kNumber);
}

void SeccompProgram::refuse_x32(std::uint32_t verdict) {
  code_.push_back(BPF_JUMP(BPF_JMP | BPF_JGE | BPF_K, kX32Bit, 0, 1));
  finish(verdict);
}

void SeccompProgram::judge(long number, std::uint32_t verdict) {
  const std::size_t skip = skip_unless(number);
  finish(verdict);
  end_skip(skip);
}

void SeccompProgram::judge_bits(long number, std::size_t argument, std::uint32_t forbidden,
                                std::uint32_t refused) {
  const std::size_t skip = skip_unless(number);
  load(low_word_of_argument(argument));
  code_.push_back(BPF_JUMP(BPF_JMP | BPF_JSET | BPF_K, forbidden, 0, 1));
  finish(refused);
  finish(kAllow);
  end_skip(skip);
}

void SeccompProgram::judge_value(long number, std::size_t argument,
                                 std::span<const std::uint32_t> values, std::uint32_t listed,
                                 std::uint32_t otherwise) {
  const std::size_t skip = skip_unless(number);
  load(low_word_of_argument(argument));
  for (const std::uint32_t value : values) {
    code_.push_back(BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, value, 0, 1));
    finish(listed);
  }
  finish(otherwise);
  end_skip(skip);
}

void SeccompProgram::judge_pointer(long number, std::size_t argument, std::uint32_t refused) {
  const std::size_t skip = skip_unless(number);
  for (const std::uint32_t word :
       {low_word_of_argument(argument), high_word_of_argument(argument)}) {
    load(word);
    code_.push_back(BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, 0, 1, 0));
    finish(refused);
  }
  finish(kAllow);
  end_skip(skip);
}

void SeccompProgram::judge_socket_pairs(std::uint32_t refused) {
  const std::size_t skip = skip_unless(SYS_socketpair);
  load(low_word_of_argument(0));
  code_.push_back(BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, AF_UNIX, 1, 0));
  finish(refused);
  load(low_word_of_argument(1));
  constexpr std::uint32_t kWithoutFlags = 0xf;
  code_.push_back(BPF_STMT(BPF_ALU | BPF_AND | BPF_K, kWithoutFlags));
  for (const std::uint32_t type : std::array<std::uint32_t, 2>{SOCK_STREAM, SOCK_SEQPACKET}) {
    code_.push_back(BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, type, 0, 1));
    finish(kAllow);
  }
  finish(refused);
  end_skip(skip);
}

int SeccompProgram::enter() {
  if (!seccomp_is_known_here()) return ENOSYS;
  const sock_fprog filter{static_cast<unsigned short>(code_.size()), code_.data()};
  return ::prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &filter) == 0 ? 0 : errno;
}

bool seccomp_is_known_here() { return kArchitecture != 0; }

}  // namespace warpbook::device
