// The box in which the source of other people compiles (docs/compile-box.md). NVRTC quotes any file that it can read, and
// no scan of the source can prevent that, so the process in which NVRTC runs can read no file. Each level of confinement adds
// to the one before:
//   limits      an empty environment, no open files, bounds on memory, processor time and file size
//   seccomp     only the system calls of a warm compile; files come from the file broker (file_broker.hpp)
//   landlock    the kernel refuses every path, TCP port and signal to other processes
//   namespaces  an empty file system, no network, no other users, no shared memory
#pragma once

#include <sys/types.h>

#include <cstdint>
#include <string>

#include "device/compiler/compiler.hpp"

namespace warpbook::device {

/// The two descriptors that a boxed process has; it closes all others.
inline constexpr int kBoxBrokerFd = 3;
inline constexpr int kBoxResultFd = 4;

struct BoxLimits {
  std::uint64_t memory_bytes = 2ull << 30;  ///< address space
  std::uint64_t file_bytes = 512ull << 20;  ///< the result, or a precompiled header
  std::uint32_t processor_seconds = 60;
};
template <class V>
void fields(V&& visit, Is<BoxLimits> auto& v) {
  visit("memory_bytes", v.memory_bytes);
  visit("file_bytes", v.file_bytes);
  visit("processor_seconds", v.processor_seconds);
}

struct BoxEntry {
  ConfinementLevel reached = ConfinementLevel::limits;
  std::string why_not_higher;  ///< the reason why the next level was not reached
};
template <class V>
void fields(V&& visit, Is<BoxEntry> auto& v) {
  visit("reached", v.reached);
  visit("why_not_higher", v.why_not_higher);
}

/// Confines this process, a fresh single-threaded child, up to `level`, and keeps `broker` and `result` as its only open
/// files. There is no way back. If the computer refuses a level, the lower levels hold all the same.
BoxEntry enter_box(ConfinementLevel level, const BoxLimits& limits, int broker, int result);

/// The highest level up to `cap` that this computer allows. A child finds out by entering it.
BoxEntry probe_box(ConfinementLevel cap);

}  // namespace warpbook::device
