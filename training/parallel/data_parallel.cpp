#include "training/parallel/data_parallel.hpp"

#include <algorithm>

namespace warpbook::training {

Replica::Replica(Engine& engine, const Preset& preset, std::uint64_t seed, Place place)
    : engine_(engine),
      preset_(preset),
      place_(place),
      task_(preset.make(engine, seed)),
      parameters_(task_.network.parameters()),
      bucket_(std::make_unique<Bucket>(engine, parameters_, 1)) {
  const std::int64_t rows = std::min(preset.batch, task_.training.count());
  if (rows < static_cast<std::int64_t>(place.of))
    refuse_shape("train", std::to_string(place.of) + " / " + std::to_string(rows), "fewer-rows");
  engine_.finish();
}

void Replica::compute(std::uint64_t step) {
  const Samples batch = batch_of(preset_, task_.training, step);
  const std::int64_t rows = batch.count();
  const Samples own = rows_of(batch, chunk_begin(rows, place_.index, place_.of),
                              chunk_begin(rows, place_.index + 1, place_.of));
  Tape tape(engine_);
  const Losses losses = losses_of(tape, task_.network, own);
  const float share = static_cast<float>(own.count()) / static_cast<float>(rows);
  const Variable loss = tape.multiply(losses.loss, tape.constant(share));
  const Tensor value = loss.value();
  tape.backward(loss, Tape::Keep::nothing);
  bucket_->fill(engine_);
  engine_.copy(bucket_->rest(), value);
  hits_ = losses.hits;
}

void Replica::update(std::uint64_t step) {
  bucket_->spread();
  task_.optimiser->step(engine_, parameters_, step + 1);
}

CurvePoint Replica::point(std::uint64_t step) {
  CurvePoint point{step, engine_.download(bucket_->rest())[0], std::nullopt};
  if (hits_) {
    point.accuracy = static_cast<double>(engine_.download<std::int32_t>(*hits_)[0]) /
                     static_cast<double>(std::min(preset_.batch, task_.training.count()));
  }
  return point;
}

DataParallel::DataParallel(Cluster& cluster, const Preset& preset, std::uint64_t seed)
    : cluster_(cluster) {
  for (std::size_t i = 0; i < cluster.size(); ++i) {
    replicas_.push_back(
        std::make_unique<Replica>(cluster.engine(i), preset, seed, Place{i, cluster.size()}));
  }
}

void DataParallel::compute() {
  for (const auto& replica : replicas_) replica->compute(done_);
  std::vector<Part> sums, hits;
  for (std::size_t i = 0; i < replicas_.size(); ++i) {
    sums.push_back({i, replicas_[i]->sums()});
    if (replicas_[i]->hits()) hits.push_back({i, *replicas_[i]->hits()});
  }
  ring_all_reduce(cluster_, sums);
  ring_all_reduce(cluster_, hits);
}

CurvePoint DataParallel::step() {
  compute();
  const CurvePoint point = replicas_.front()->point(done_);
  for (const auto& replica : replicas_) replica->update(done_);
  cluster_.finish();
  ++done_;
  return point;
}

}  // namespace warpbook::training
