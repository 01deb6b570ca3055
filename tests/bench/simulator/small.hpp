// Figures that are no kernel's speed: what a small launch costs, and what it takes to load PTX.
#pragma once

#include <memory>

#include "device/device.hpp"
#include "tests/bench/simulator/cases.hpp"

namespace warpbook::bench {

/// Seconds from launch to record of one block of 256 threads, counting and memcheck on.
struct Latency {
  double machine = 0;  ///< in the machine
  double device = 0;   ///< through device.hpp, each launch waited for
};
Latency measure_latency(device::Device& device, const device::Program& vector_add);

/// Bytes of PTX a second.
struct LoadSpeed {
  double loaded = 0;  ///< to a module on a device, whose kernels are decoded when they are launched
  double decoded = 0;  ///< with all of its kernels decoded
};
/// The kernels of the programs again and again, under new names, in one text of 8 MB.
LoadSpeed measure_load(const std::vector<std::shared_ptr<const device::Program>>& programs);

/// How much faster two threads do twice the work of one, in a loop that needs no memory: what the machine reaches.
double measure_two_threads();

}  // namespace warpbook::bench
