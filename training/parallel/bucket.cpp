#include "training/parallel/bucket.hpp"

namespace warpbook::training {

Bucket::Bucket(Engine& engine, std::vector<Variable> parameters, std::int64_t more)
    : parameters_(std::move(parameters)) {
  for (const Variable& parameter : parameters_) gradients_ += parameter.value().count();
  values_ = engine.empty("bucket", {gradients_ + more});
}

std::vector<Tensor> Bucket::places() const {
  std::vector<Tensor> places;
  std::int64_t at = 0;
  for (const Variable& parameter : parameters_) {
    const std::int64_t count = parameter.value().count();
    places.push_back(values_.sliced(0, at, at + count).reshaped(parameter.shape()));
    at += count;
  }
  return places;
}

void Bucket::fill(Engine& engine) {
  const std::vector<Tensor> to = places();
  for (std::size_t i = 0; i < to.size(); ++i)
    engine.copy(to[i], engine.contiguous(*parameters_[i].gradient()));
}

void Bucket::spread() {
  const std::vector<Tensor> from = places();
  for (std::size_t i = 0; i < from.size(); ++i) parameters_[i].set_gradient(from[i]);
}

}  // namespace warpbook::training
