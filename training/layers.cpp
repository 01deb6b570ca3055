#include "training/layers.hpp"

#include <cmath>

namespace warpbook::training {
namespace {

/// A parameter named after its layer.
Variable parameter(const std::string& layer, const std::string& name, const Extents& shape,
                   std::int64_t inputs, Initialiser& initialiser) {
  const double bound = 1 / std::sqrt(static_cast<double>(inputs));
  const std::string whole = layer + "." + name;
  return {whole, initialiser.uniform(whole, shape, -bound, bound), true};
}

Extents filter_shape(Layout layout, std::int64_t filters, std::int64_t channels,
                     std::int64_t side) {
  return layout == Layout::nchw ? Extents{filters, channels, side, side}
                                : Extents{filters, side, side, channels};
}

}  // namespace

Tensor Initialiser::draw(const std::string& operation, const std::string& name,
                         const Extents& shape, const Reals& reals) {
  const Tensor out = engine_.empty(name, shape);
  engine_.run(operation, {{"out", &out}},
              {{"n", out.count()},
               {"seed", static_cast<std::int64_t>(static_cast<std::uint32_t>(seed_))},
               {"stream", streams_++}},
              reals);
  return out;
}

Tensor Initialiser::uniform(const std::string& name, const Extents& shape, double low,
                            double high) {
  return draw("random_uniform", name, shape, {{"low", low}, {"high", high}});
}

Tensor Initialiser::normal(const std::string& name, const Extents& shape, double mean,
                           double deviation) {
  return draw("random_normal", name, shape, {{"mean", mean}, {"deviation", deviation}});
}

Linear::Linear(const std::string& name, std::int64_t inputs, std::int64_t outputs,
               Initialiser& initialiser)
    : Layer(name),
      weights_(parameter(name, "weights", {inputs, outputs}, inputs, initialiser)),
      bias_(parameter(name, "bias", {outputs}, inputs, initialiser)) {}

Variable Linear::forward(Tape& tape, const Variable& x) {
  return tape.add(tape.matmul(x, weights_), bias_);
}

ConvolutionLayer::ConvolutionLayer(const std::string& name, const Convolving& how,
                                   std::int64_t channels, std::int64_t filters, std::int64_t side,
                                   Initialiser& initialiser)
    : Layer(name),
      how_(how),
      weights_(parameter(name, "weights", filter_shape(how.layout, filters, channels, side),
                         channels * side * side, initialiser)),
      bias_(parameter(name, "bias", {filters}, channels * side * side, initialiser)) {}

Variable Flatten::forward(Tape& tape, const Variable& x) {
  return tape.reshape(x, {x.shape()[0], x.value().count() / x.shape()[0]});
}

Variable Network::forward(Tape& tape, Variable x) const {
  for (const auto& layer : layers_) {
    const Engine::LayerScope scope(tape.engine(), layer->name());
    x = layer->forward(tape, x);
  }
  return x;
}

std::vector<Variable> Network::parameters() const {
  std::vector<Variable> all;
  for (const auto& layer : layers_) {
    for (Variable& parameter : layer->parameters()) all.push_back(std::move(parameter));
  }
  return all;
}

}  // namespace warpbook::training
