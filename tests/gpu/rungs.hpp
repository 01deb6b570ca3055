// The rungs of kernels/, for checks on a GPU.
#pragma once

#include <memory>
#include <vector>

#include "lab/operation/kernel_check.hpp"
#include "tests/gpu/on_gpu.hpp"

namespace warpbook::tests {

/// A Lab that runs on this device.
std::unique_ptr<lab::Lab> lab_on(std::shared_ptr<device::Device> device);

/// A rung compiled for the device that it will run on; with -fmad=false it gives the same bits everywhere. Throws
/// ExperimentFailed.
std::shared_ptr<const device::Program> compile_rung_for(const device::Device& gpu,
                                                        const lab::Rung& rung, bool fmad);

/// Where a rung is compared with the simulator, and where it is timed: without the size that fills a GPU if WARPBOOK_WITHOUT_LARGE is
/// set, for a driver that computes on the simulator.
std::vector<lab::OperationCase> compared_sizes(const lab::Operation& operation);
std::vector<lab::OperationCase> timed_sizes(const lab::Operation& operation);

/// The operations of kernels/, each with the rungs that a GPU of that capability can run.
std::vector<lab::Operation> operations_for(int compute_capability);

}  // namespace warpbook::tests
