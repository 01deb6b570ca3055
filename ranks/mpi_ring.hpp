// The ring of several processes: the same turns as the ring of one process's devices, with MPI's messages in place of copies.
#pragma once

#include <cstdint>

#include "training/parallel/data_parallel.hpp"

namespace warpbook::ranks {

/// `values` of every process become the sum of all of them, with the bits that ring_all_reduce() gives. Gives the bytes sent.
std::uint64_t ring_all_reduce(training::Engine& engine, const training::Tensor& values,
                              training::Place place);

}  // namespace warpbook::ranks
