// Memory that graphs allocate. Its address is known when the node is made, and every launch of the graph gets it again.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>

#include "device/runtime/library/api.hpp"

namespace warpbook::device::runtime {

/// The memory of one allocation node. It goes with the last graph that has the node, and not before the program has freed it.
struct GraphMemory {
  GraphMemory() = default;
  GraphMemory(const GraphMemory&) = delete;
  GraphMemory& operator=(const GraphMemory&) = delete;
  ~GraphMemory();

  std::uint64_t address = 0;
  cudaMemAllocNodeParams parameters{};  ///< as the program asked
};

/// Sets memory aside for a node. Errors: cudaErrorInvalidValue, cudaErrorMemoryAllocation, and cudaErrorNotSupported for memory that
/// is not a device's.
cudaError_t make_graph_memory(Call& call, const cudaMemAllocNodeParams& parameters,
                              std::shared_ptr<GraphMemory>& memory);
/// The node runs. Error: cudaErrorInvalidValue where nobody has freed what it allocated before.
cudaError_t begin_graph_memory(const std::shared_ptr<GraphMemory>& memory);
/// A node, or the program itself, frees what a node allocated. Error: cudaErrorInvalidValue where that is not allocated.
cudaError_t end_graph_memory(std::uint64_t address);
bool is_allocated(const GraphMemory& memory);
/// Whether the memory is that of a graph, allocated at the moment or not.
bool is_graph_memory(std::uint64_t address);

}  // namespace warpbook::device::runtime
