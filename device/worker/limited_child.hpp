// Runs somebody else's program as a child until it ends: without a shell, without input, with no open file of ours but the
// one that it is given, and with bounds on time, memory, output and files.
#pragma once

#include <cstdint>
#include <filesystem>
#include <stop_token>
#include <string>
#include <vector>

namespace warpbook::device {

/// The descriptor under which the child finds `ChildRequest::file`.
inline constexpr int kChildFileFd = 3;

struct ChildRequest {
  std::filesystem::path program;
  std::vector<std::string> arguments;    ///< without the program's own name
  std::vector<std::string> environment;  ///< NAME=VALUE, beside LC_ALL=C; nothing is inherited
  std::filesystem::path folder = "/";    ///< in which it runs
  int file = -1;                         ///< passed on as kChildFileFd; -1: none
  double seconds = 20;
  /// Whether standard error is read as a part of standard output, in the order in which both are written. Else its first 4 KB
  /// are kept apart.
  bool joined_output = false;
  std::uint64_t output_bytes = 64u << 20;   ///< of standard output
  std::uint64_t memory_bytes = 4ull << 30;  ///< address space
  std::uint64_t file_bytes = 0;             ///< of each file that it writes
};

struct ChildOutcome {
  enum class End : std::uint8_t {
    exited,
    signalled,
    out_of_time,
    too_much_output,
    stopped,     ///< as asked for
    not_started  ///< `errors` says why
  };
  End end = End::exited;
  int code = 0;  ///< exit code, or the signal's number
  std::string output, errors;
};

/// Waits until the child has ended, or ends it, together with every process that it started.
ChildOutcome run_limited(const ChildRequest& request, const std::stop_token& stop = {});

}  // namespace warpbook::device
