#include "ranks/mpi_ring.hpp"

#include <mpi.h>

#include <vector>

namespace warpbook::ranks {
namespace {

using training::Tensor;

std::vector<std::byte> bytes_of(training::Engine& engine, const Tensor& tensor) {
  std::vector<std::byte> bytes(static_cast<std::size_t>(tensor.count()) *
                               device::size_of(tensor.type));
  engine.copy_out(tensor, bytes);
  return bytes;
}

}  // namespace

std::uint64_t ring_all_reduce(training::Engine& engine, const Tensor& values,
                              training::Place place) {
  const int next = static_cast<int>((place.index + 1) % place.of),
            before = static_cast<int>((place.index + place.of - 1) % place.of);
  std::uint64_t sent = 0;
  for (std::size_t step = 0; place.of > 1 && step < training::ring_steps(place.of); ++step) {
    const training::RingTurn turn = training::ring_turn(place.index, step, place.of);
    const std::vector<std::byte> sends =
        bytes_of(engine, training::chunk_of(values, turn.sends, place.of));
    const Tensor kept = training::chunk_of(values, turn.receives, place.of);
    std::vector<std::byte> arrived(static_cast<std::size_t>(kept.count()) *
                                   device::size_of(kept.type));
    // MPI ends all processes where a message fails, as it does unless it is told otherwise.
    MPI_Sendrecv(sends.data(), static_cast<int>(sends.size()), MPI_BYTE, next, 0, arrived.data(),
                 static_cast<int>(arrived.size()), MPI_BYTE, before, 0, MPI_COMM_WORLD,
                 MPI_STATUS_IGNORE);
    sent += sends.size();
    if (!turn.adds) {
      engine.copy_in(kept, arrived);
    } else if (kept.count() > 0) {
      const Tensor part = engine.empty("incoming", kept.shape, kept.type);
      engine.copy_in(part, arrived);
      training::accumulate(engine, kept, part);
    }
  }
  return sent;
}

}  // namespace warpbook::ranks
