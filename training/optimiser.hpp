// Optimisers: how a gradient becomes a step. They change the parameters where they lie.
#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "training/tape.hpp"

namespace warpbook::training {

class Optimiser {
 public:
  virtual ~Optimiser() = default;
  /// Moves each parameter by its gradient, and forgets the gradient. `step` counts from 1.
  void step(Engine& engine, std::vector<Variable>& parameters, std::uint64_t step);
  /// What it remembers from step to step, by names that stay the same; empty before the first step.
  [[nodiscard]] const std::vector<std::pair<std::string, Tensor>>& memory() const {
    return memory_;
  }
  /// Makes that memory for a training that goes on, to be filled by the caller.
  void prepare(Engine& engine, const std::vector<Variable>& parameters);

 protected:
  explicit Optimiser(std::vector<std::string> kept) : kept_(std::move(kept)) {}
  /// `memory`: this parameter's own tensors, in the order in which the constructor named them.
  virtual void move(Engine& engine, const Tensor& parameter, const Tensor& gradient,
                    const std::vector<const Tensor*>& memory, std::uint64_t step) = 0;

 private:
  std::vector<std::string> kept_;
  std::vector<std::pair<std::string, Tensor>> memory_;
};

/// Gradient descent with momentum; without, where that is 0.
class Sgd : public Optimiser {
 public:
  explicit Sgd(double rate, double momentum = 0)
      : Optimiser({"velocity"}), rate_(rate), momentum_(momentum) {}

 private:
  void move(Engine& engine, const Tensor& parameter, const Tensor& gradient,
            const std::vector<const Tensor*>& memory, std::uint64_t step) override;
  double rate_, momentum_;
};

/// Kingma and Ba, 2015, with the decays that they recommend.
class Adam : public Optimiser {
 public:
  explicit Adam(double rate) : Optimiser({"mean", "square"}), rate_(rate) {}

 private:
  void move(Engine& engine, const Tensor& parameter, const Tensor& gradient,
            const std::vector<const Tensor*>& memory, std::uint64_t step) override;
  double rate_;
};

}  // namespace warpbook::training
