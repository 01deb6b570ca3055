// Captures standard output and standard error while a kernel runs, because the driver prints a kernel's printf to the first
// and its failed assertions to the second.
#pragma once

#include <cstdint>
#include <string>

#include "device/error.hpp"
#include "device/unique_fd.hpp"

namespace warpbook::device::gpu {

class Capture {
 public:
  /// worker_failed where the system has no more files.
  static Expected<Capture> make();

  struct Said {
    std::string output, errors;
    bool cut = false;  ///< there was more output
  };
  void begin();
  /// The text written since begin(), of standard output at most `limit` bytes (0: all). Restores both descriptors.
  Said end(std::uint64_t limit);

 private:
  UniqueFd output_, errors_, old_output_, old_errors_;
};

}  // namespace warpbook::device::gpu
