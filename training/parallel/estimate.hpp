// What a split of a large network costs: the memory of a device, what it sends, and how long a step takes. It is estimated from the
// shapes, by formulae that tests hold against what the devices of a cluster really copy and keep.
#pragma once

#include <cstdint>

#include "device/device.hpp"
#include "training/parallel/block_network.hpp"
#include "training/parallel/links.hpp"

namespace warpbook::training {

/// The machines: so many devices in each, `inner` between them, `outer` from machine to machine.
struct Machines {
  const device::Properties* gpu = nullptr;
  std::size_t devices_each = 8;
  const Link* inner = nullptr;
  const Link* outer = nullptr;
};

/// Bytes of the device that has the most.
struct DeviceMemory {
  double weights = 0, gradients = 0, optimiser = 0, activations = 0;
  [[nodiscard]] double total() const { return weights + gradients + optimiser + activations; }
};

/// Bytes that a device sends in a step, by purpose; of the pipeline's devices, one in its middle (or its first, of two).
struct SentBytes {
  double gradients = 0, sums = 0, activations = 0;
  [[nodiscard]] double total() const { return gradients + sums + activations; }
};
SentBytes sent_bytes(const BlockPlan& plan);

struct SplitEstimate {
  DeviceMemory memory;
  SentBytes sent;
  TurnTimes turn;          ///< of a stage and a micro-batch, the sums over its slices included
  double bubble = 0;       ///< of the time until the last turn, the part in which a stage waits
  Duration compute;        ///< that a device computes
  Duration sums;           ///< that it adds up over the slices
  Duration waits;          ///< that a stage waits, for others and for what they send
  Duration gradients;      ///< that the gradients are added up over the groups, behind the last turn
  Duration update;         ///< of the optimiser
  Duration total;          ///< of a step
  [[nodiscard]] bool fits(const device::Properties& gpu) const {
    return memory.total() <= static_cast<double>(gpu.global_bytes);
  }
};
/// In single precision, with Adam.
SplitEstimate estimate_split(const BlockPlan& plan, const Machines& machines);

}  // namespace warpbook::training
