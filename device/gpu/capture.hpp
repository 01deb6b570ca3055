// What is written to standard output and standard error while a kernel runs: the driver prints a kernel's printf to the
// one and its failed assertions to the other.
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
  /// What was written since begin(), of the output no more than `limit` bytes (0: all). Both descriptors are then what
  /// they were before.
  Said end(std::uint64_t limit);

 private:
  UniqueFd output_, errors_, old_output_, old_errors_;
};

}  // namespace warpbook::device::gpu
