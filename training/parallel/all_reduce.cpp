#include "training/parallel/all_reduce.hpp"

#include <vector>

namespace warpbook::training {
namespace {

/// Room on a device for what arrives; with more devices than elements, some chunks are empty.
Tensor incoming(Engine& engine, const Tensor& like) {
  return like.count() == 0 ? like : engine.empty("incoming", like.shape, like.type);
}

}  // namespace

Tensor chunk_of(const Tensor& tensor, std::size_t chunk, std::size_t chunks) {
  const std::int64_t count = tensor.count();
  return tensor.reshaped({count}).sliced(0, chunk_begin(count, chunk, chunks),
                                         chunk_begin(count, chunk + 1, chunks));
}

void accumulate(Engine& engine, const Tensor& sum, const Tensor& part) {
  if (sum.count() == 0) return;
  const Sizes sizes{{"n", sum.count()}};
  if (sum.type == device::ElementType::i32)
    engine.run("add", {{"x", &sum}, {"y", &part}, {"out", &sum}}, sizes);
  else
    engine.run("accumulate", {{"sum", &sum}, {"part", &part}, {"sum_next", &sum}}, sizes);
}

void ring_all_reduce(Cluster& cluster, std::span<const Part> parts) {
  const std::size_t n = parts.size();
  for (std::size_t step = 0; n > 1 && step < ring_steps(n); ++step) {
    std::vector<Tensor> arriving(n);
    for (std::size_t i = 0; i < n; ++i) {
      const std::size_t next = (i + 1) % n;
      const RingTurn turn = ring_turn(i, step, n);
      const Tensor kept = chunk_of(parts[next].values, turn.sends, n);
      arriving[next] = turn.adds ? incoming(cluster.engine(parts[next].device), kept) : kept;
      cluster.copy(parts[i].device, chunk_of(parts[i].values, turn.sends, n), parts[next].device,
                   arriving[next]);
    }
    cluster.arrive();
    for (std::size_t i = 0; i < n; ++i) {
      const RingTurn turn = ring_turn(i, step, n);
      if (turn.adds)
        accumulate(cluster.engine(parts[i].device), chunk_of(parts[i].values, turn.receives, n),
                   arriving[i]);
    }
  }
}

void star_all_reduce(Cluster& cluster, std::span<const Part> parts) {
  const Part& first = parts.front();
  Engine& engine = cluster.engine(first.device);
  std::vector<Tensor> arriving;
  for (const Part& part : parts.subspan(1)) {
    arriving.push_back(incoming(engine, part.values));
    cluster.copy(part.device, part.values, first.device, arriving.back());
  }
  cluster.arrive();
  for (const Tensor& part : arriving) accumulate(engine, first.values, part);
  for (const Part& part : parts.subspan(1))
    cluster.copy(first.device, first.values, part.device, part.values);
  cluster.arrive();
}

}  // namespace warpbook::training
