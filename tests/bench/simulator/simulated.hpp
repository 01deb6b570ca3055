// A case on the simulated device: compiled as any kernel is, its buffers in place, launched at will.
#pragma once

#include <memory>
#include <vector>

#include "device/compiler/compiler.hpp"
#include "device/device.hpp"
#include "tests/bench/simulator/cases.hpp"

namespace warpbook::bench {

/// The kernel's program; what fails ends the bench with the compiler's words.
std::shared_ptr<const device::Program> compile(device::Compiler& compiler, const Case& c);

class Simulated {
 public:
  /// What is on: counting and memcheck always.
  struct Mode {
    bool init_and_race = false;
    std::uint32_t host_threads = 1;
  };
  struct Run {
    double wall = 0, processor = 0;  ///< seconds, counters merged
    std::uint64_t instructions = 0;
  };

  Simulated(device::Device& device, const std::shared_ptr<const device::Program>& program,
            const Case& c);

  /// One launch; throws where it fails or a checker finds anything.
  Run run(Mode mode);
  /// Zeros in the output, one launch, and what it wrote.
  Array result(Mode mode);

 private:
  device::Device& device_;
  const Case& case_;
  device::Launch launch_;
  std::vector<device::Buffer> buffers_;  ///< the last is the output
};

}  // namespace warpbook::bench
