#include "device/runtime/library/faults.hpp"

#include <dlfcn.h>
#include <execinfo.h>
#include <link.h>
#include <sys/ucontext.h>

#include <csignal>
#include <cstddef>

namespace warpbook::device::runtime {
namespace {

CallLog* noted_in = nullptr;
std::uint64_t own_begin = 0, own_end = 0;

constexpr std::array kSignals = {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT};
constexpr int kDeepest = 24;
constexpr std::uint64_t kWriteBit = 2;  // of a page fault's error code (Intel SDM, volume 3, 4.7)

bool is_own(std::uint64_t address) { return address >= own_begin && address < own_end; }

/// Where the program was loaded: it is the first of all.
std::uint64_t find_program() {
  std::uint64_t base = 0;
  dl_iterate_phdr(
      [](dl_phdr_info* info, std::size_t, void* found) {
        *static_cast<std::uint64_t*>(found) = info->dlpi_addr;
        return 1;
      },
      &base);
  return base;
}

/// Where this library's code lies.
void find_own_code() {
  dl_iterate_phdr(
      [](dl_phdr_info* info, std::size_t, void*) {
        const auto here = reinterpret_cast<std::uint64_t>(&find_own_code);
        for (int i = 0; i < info->dlpi_phnum; ++i) {
          const auto& part = info->dlpi_phdr[i];
          const std::uint64_t begin = info->dlpi_addr + part.p_vaddr;
          if (part.p_type != PT_LOAD || here < begin || here >= begin + part.p_memsz) continue;
          own_begin = begin;
          own_end = begin + part.p_memsz;
          return 1;
        }
        return 0;
      },
      nullptr);
}

void on_signal(int signal, siginfo_t* info, void* context) {
  HostFault& fault = noted_in->fault;
  if (fault.signal.load() == 0) {
    const auto* machine = static_cast<const ucontext_t*>(context);
    fault.address = reinterpret_cast<std::uint64_t>(info->si_addr);
    fault.write =
        signal == SIGSEGV &&
        (static_cast<std::uint64_t>(machine->uc_mcontext.gregs[REG_ERR]) & kWriteBit) != 0;
    std::array<void*, kDeepest> all{};
    const int depth = ::backtrace(all.data(), kDeepest);
    const auto at = static_cast<std::uint64_t>(machine->uc_mcontext.gregs[REG_RIP]);
    std::size_t kept = 0;
    // The handler's own frames come first; the program's begin at the instruction that failed, which is no address of return.
    fault.frames[kept++] = at + 1;
    bool behind = false;
    for (int i = 0; i < depth && kept < kFrames; ++i) {
      const auto frame = reinterpret_cast<std::uint64_t>(all[static_cast<std::size_t>(i)]);
      if (behind) fault.frames[kept++] = frame;
      if (frame == at) behind = true;
    }
    fault.signal.store(static_cast<std::uint32_t>(signal));
  }
  // Returning, the instruction fails again, or abort() raises it again, and the program dies of it.
  struct sigaction plain {};
  plain.sa_handler = SIG_DFL;
  ::sigaction(signal, &plain, nullptr);
}

}  // namespace

void watch_for_faults(CallLog& log) {
  noted_in = &log;
  log.base = find_program();
  find_own_code();
  std::array<void*, 1> warm{};
  ::backtrace(warm.data(), 1);  // loads what unwinds, which a signal handler may not
  for (const int signal : kSignals) {
    struct sigaction before {};
    ::sigaction(signal, nullptr, &before);
    if (before.sa_handler != SIG_DFL) continue;
    struct sigaction ours {};
    ours.sa_sigaction = on_signal;
    ours.sa_flags = SA_SIGINFO;
    ::sigaction(signal, &ours, nullptr);
  }
}

std::array<std::uint64_t, kFrames> frames_of_program() {
  std::array<void*, kDeepest> all{};
  // The runtime's own frames come first, and a build that inlines little has more of them.
  const int depth = ::backtrace(all.data(), kDeepest);
  std::array<std::uint64_t, kFrames> frames{};
  std::size_t kept = 0;
  for (int i = 0; i < depth && kept < kFrames; ++i) {
    const auto frame = reinterpret_cast<std::uint64_t>(all[static_cast<std::size_t>(i)]);
    if (!is_own(frame)) frames[kept++] = frame;
  }
  return frames;
}

}  // namespace warpbook::device::runtime
