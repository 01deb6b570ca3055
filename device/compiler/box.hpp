// The box that student source compiles in. NVRTC quotes any file that it can read, and no scan of
// the source can stop that; so the process that runs it can read none. Each rung adds to the one
// below:
//   limits      empty environment, no open files, bounds on memory, processor time, file size
//   seccomp     only the calls that a warm compile needs; files only through the door (door.hpp)
//   landlock    the kernel refuses every file, TCP port and signal to others besides
//   namespaces  a file system that is empty, and no network, other user, or shared memory to see
#pragma once

#include <sys/types.h>

#include <cstdint>
#include <string>

#include "device/compiler/compiler.hpp"

namespace warpbook::device {

/// The descriptors that a boxed process finds; all others are closed.
inline constexpr int kBoxDoorFd = 3;
inline constexpr int kBoxResultFd = 4;

struct BoxLimits {
  std::uint64_t memory_bytes = 2ull << 30;  ///< address space
  std::uint64_t file_bytes = 512ull << 20;  ///< the result, or a precompiled header
  std::uint32_t processor_seconds = 60;
};

struct BoxEntry {
  BoxRung reached = BoxRung::limits;
  std::string why_not_higher;  ///< what refused the next rung
};

/// Closes this process, a fresh single-threaded child, up to `rung`, having made `door` and
/// `result` its only open files. There is no way back. Where the machine refuses a rung, the rungs
/// below it hold all the same.
BoxEntry enter_box(BoxRung rung, const BoxLimits& limits, int door, int result);

/// The highest rung up to `cap` that this machine allows, found by a child that enters it.
BoxEntry probe_box(BoxRung cap);

}  // namespace warpbook::device
