// Accesses by which the program itself dies: they are noted in the call log, and the program dies as it would anyhow.
#pragma once

#include <array>
#include <cstdint>

#include "device/runtime/call_log.hpp"

namespace warpbook::device::runtime {

/// From now on the first SIGSEGV, SIGBUS, SIGFPE, SIGILL or SIGABRT that the program does not handle itself is noted.
void watch_for_faults(CallLog& log);

/// The addresses to which this function's callers return, without the library's own.
std::array<std::uint64_t, kFrames> frames_of_program();

}  // namespace warpbook::device::runtime
