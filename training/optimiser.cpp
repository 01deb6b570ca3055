#include "training/optimiser.hpp"

#include <cmath>

namespace warpbook::training {
namespace {

// Kingma and Ba, "Adam: a method for stochastic optimization", 2015, section 2.
constexpr double kMeanDecay = 0.9, kSquareDecay = 0.999, kEpsilon = 1e-8;

}  // namespace

void Optimiser::prepare(Engine& engine, const std::vector<Variable>& parameters) {
  memory_.clear();
  for (const Variable& parameter : parameters) {
    for (const std::string& kept : kept_) {
      const std::string name = parameter.name() + "." + kept;
      memory_.emplace_back(name, engine.zeros(name, parameter.shape()));
    }
  }
}

void Optimiser::step(Engine& engine, std::vector<Variable>& parameters, std::uint64_t step) {
  if (memory_.empty()) prepare(engine, parameters);
  engine.set_pass(Pass::update);
  std::size_t next = 0;
  for (Variable& parameter : parameters) {
    std::vector<const Tensor*> memory;
    for (std::size_t i = 0; i < kept_.size(); ++i) memory.push_back(&memory_[next++].second);
    // A parameter that the loss does not depend on stays where it is.
    if (!parameter.gradient()) continue;
    const Engine::LayerScope layer(engine,
                                   parameter.name().substr(0, parameter.name().find('.')));
    move(engine, parameter.value(), engine.contiguous(*parameter.gradient()), memory, step);
    parameter.zero_gradient();
  }
  engine.set_pass(Pass::forward);
}

void Sgd::move(Engine& engine, const Tensor& parameter, const Tensor& gradient,
               const std::vector<const Tensor*>& memory, std::uint64_t /*step*/) {
  engine.run("sgd_momentum",
             {{"w", &parameter},
              {"dw", &gradient},
              {"v", memory[0]},
              {"w_next", &parameter},
              {"v_next", memory[0]}},
             {{"n", parameter.count()}}, {{"rate", rate_}, {"momentum", momentum_}});
}

void Adam::move(Engine& engine, const Tensor& parameter, const Tensor& gradient,
                const std::vector<const Tensor*>& memory, std::uint64_t step) {
  const auto steps = static_cast<double>(step);
  engine.run("adam",
             {{"w", &parameter},
              {"dw", &gradient},
              {"mean", memory[0]},
              {"square", memory[1]},
              {"w_next", &parameter},
              {"mean_next", memory[0]},
              {"square_next", memory[1]}},
             {{"n", parameter.count()}},
             {{"rate", rate_},
              {"mean_decay", kMeanDecay},
              {"square_decay", kSquareDecay},
              {"mean_share", 1 - std::pow(kMeanDecay, steps)},
              {"square_share", 1 - std::pow(kSquareDecay, steps)},
              {"epsilon", kEpsilon}});
}

}  // namespace warpbook::training
