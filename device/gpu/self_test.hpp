// Whether a device computes: a small kernel with a known answer, before anything is trusted to it.
#pragma once

#include "device/device.hpp"

namespace warpbook::device::gpu {

/// Loads, launches and copies back, threads exchanging values through shared memory across a barrier. gpu_self_test where
/// the answer is wrong or a step fails.
Expected<void> self_test(Device& device);

}  // namespace warpbook::device::gpu
