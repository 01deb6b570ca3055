// What came of a training that several devices did together, in one process or as many processes.
#pragma once

#include <cstdint>
#include <string>

#include "lab/text/strings.hpp"
#include "training/parallel/data_parallel.hpp"

namespace warpbook::training {

struct Together {
  std::string preset;
  std::uint64_t members = 0;     ///< devices, or processes with a device each
  bool processes = false;
  std::uint64_t steps = 0;
  double loss = 0;               ///< before the last step
  std::uint64_t bytes_sent = 0;  ///< by the first member, in each step
  std::uint64_t weights = 0;     ///< their checksum, of the first member
  bool equal = true;             ///< all members have that one
};

/// Of all parameters, one after the other. Waits for the launches.
std::uint64_t weights_checksum(Replica& replica);
/// A few lines for a terminal.
std::string text_of(const Together& together, const lab::Strings& strings);

}  // namespace warpbook::training
