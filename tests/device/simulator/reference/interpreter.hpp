// A second interpreter of PTX, slow and plain: every thread runs on its own, one instruction after
// the other, and threads meet only where the ISA makes them wait. It shares the parser with the
// engine and nothing else. Programs whose result depends on the order of threads are not for it.
#pragma once

#include <map>
#include <memory>
#include <string>
#include <vector>

#include "device/launch_record.hpp"
#include "device/simulator/ptx/module.hpp"

namespace warpbook::device::tests::reference {

/// Bytes at an address.
struct Region {
  std::uint64_t address = 0;
  std::vector<std::uint8_t> bytes;
};

struct Request {
  const ptx::Module* module = nullptr;
  Dim3 grid, block;
  std::vector<std::byte> parameters;  ///< laid out as the kernel's .param list
  std::vector<Region> memory;         ///< what the kernel may touch
  /// Where the module's .global and .const variables lie; their bytes come from the module.
  std::map<std::string_view, std::uint64_t> variables;
  std::uint64_t step_limit = 2'000'000;
};

struct Result {
  std::string error;           ///< why it could not go on; empty where all threads ended
  std::vector<Region> memory;  ///< as the kernel left it, in the order of the request
  std::map<std::uint32_t, Counters> instructions;  ///< by line of the PTX
  std::map<std::uint32_t, Counters> lines;         ///< by line of the source
  Counters total;
  /// Loops have one entry each: lanes in step are known, and so are requests, sectors and wavefronts.
  bool in_step = true;
};

/// Runs the module's first kernel.
Result interpret(const Request& request);

}  // namespace warpbook::device::tests::reference
