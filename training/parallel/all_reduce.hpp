// All-reduce: each device has a tensor of one shape, and at the end each has the sum of all of them. Both ways here are made of
// copies from device to device and of the kernel that adds (kernels/accumulate).
//
// The ring cuts the tensor into as many chunks as there are devices, and each device talks to the next one alone:
//
//   step       device 0 sends   device 1 sends   device 2 sends
//   0  (add)   chunk 0          chunk 1          chunk 2            reduce-scatter: what arrives is added; after n - 1 steps
//   1  (add)   chunk 2          chunk 0          chunk 1            each device has one chunk of the whole sum
//   2  (keep)  chunk 1          chunk 2          chunk 0            all-gather: what arrives replaces what was there
//   3  (keep)  chunk 0          chunk 1          chunk 2
//
// So each device sends 2 (n - 1) chunks of S / n bytes: 2 (n - 1) / n S, less than 2 S however many devices there are.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "training/parallel/cluster.hpp"

namespace warpbook::training {

/// Where chunk `chunk` of `chunks` begins in `count` elements; the chunk after the last begins at the end. Sizes differ by 1 at most.
constexpr std::int64_t chunk_begin(std::int64_t count, std::size_t chunk, std::size_t chunks) {
  return count * static_cast<std::int64_t>(chunk) / static_cast<std::int64_t>(chunks);
}
/// That chunk of a tensor whose elements lie side by side: a view.
Tensor chunk_of(const Tensor& tensor, std::size_t chunk, std::size_t chunks);

/// What a device of a ring does in a step.
struct RingTurn {
  std::size_t sends = 0, receives = 0;  ///< chunks: one to the next device, one from the device before it
  bool adds = false;                    ///< what it receives; else it replaces its own by it
};
constexpr std::size_t ring_steps(std::size_t devices) { return 2 * (devices - 1); }
constexpr RingTurn ring_turn(std::size_t device, std::size_t step, std::size_t devices) {
  const std::size_t turned = device + 2 * devices - step;  // step < 2 devices: never below 0
  return {turned % devices, (turned - 1) % devices, step < devices - 1};
}

/// sum += part, of floats or of whole numbers, on the engine's device.
void accumulate(Engine& engine, const Tensor& sum, const Tensor& part);

/// A device and its tensor, whose elements lie side by side.
struct Part {
  std::size_t device = 0;
  Tensor values;
};
/// In the order of the ring. Element by element, the sum begins at another device in each chunk, so it need not have the bits of the
/// sum in the devices' order; but all devices end with the same bits.
void ring_all_reduce(Cluster& cluster, std::span<const Part> parts);
/// All send to the first one, which adds in the devices' order and sends the sum back: (n - 1) S bytes go in and out there.
void star_all_reduce(Cluster& cluster, std::span<const Part> parts);

}  // namespace warpbook::training
