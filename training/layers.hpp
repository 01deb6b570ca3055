// Layers: parameters, and how an input becomes an output on a tape. A network is a list of them.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "training/tape.hpp"

namespace warpbook::training {

/// Weights to begin with. Each tensor has a stream of random numbers of its own, so what one layer draws changes nothing for
/// the others.
class Initialiser {
 public:
  Initialiser(Engine& engine, std::uint64_t seed) : engine_(engine), seed_(seed) {}
  Tensor uniform(const std::string& name, const Extents& shape, double low, double high);
  Tensor normal(const std::string& name, const Extents& shape, double mean, double deviation);
  /// So many tensors are another device's: the next one has the numbers that it would have after them.
  void skip(std::int64_t tensors) { streams_ += tensors; }

 private:
  Tensor draw(const std::string& operation, const std::string& name, const Extents& shape,
              const Reals& reals);

  Engine& engine_;
  std::uint64_t seed_;
  std::int64_t streams_ = 0;
};

class Layer {
 public:
  explicit Layer(std::string name) : name_(std::move(name)) {}
  virtual ~Layer() = default;
  Layer(const Layer&) = delete;
  Layer& operator=(const Layer&) = delete;

  [[nodiscard]] const std::string& name() const { return name_; }
  virtual Variable forward(Tape& tape, const Variable& x) = 0;
  [[nodiscard]] virtual std::vector<Variable> parameters() const { return {}; }

 private:
  std::string name_;
};

/// y = x weights + bias      x: [n][inputs], weights: [inputs][outputs], bias: [outputs]
/// Both begin evenly between -b and b, b = 1 / sqrt(inputs).
class Linear : public Layer {
 public:
  Linear(const std::string& name, std::int64_t inputs, std::int64_t outputs,
         Initialiser& initialiser);
  Variable forward(Tape& tape, const Variable& x) override;
  [[nodiscard]] std::vector<Variable> parameters() const override { return {weights_, bias_}; }

 private:
  Variable weights_, bias_;
};

class ActivationLayer : public Layer {
 public:
  ActivationLayer(const std::string& name, Activation activation)
      : Layer(name), activation_(activation) {}
  Variable forward(Tape& tape, const Variable& x) override {
    return tape.activate(activation_, x);
  }

 private:
  Activation activation_;
};

/// `filters` of side x side on images of `channels`. Begins as Linear does, with channels x side x side inputs.
class ConvolutionLayer : public Layer {
 public:
  ConvolutionLayer(const std::string& name, const Convolving& how, std::int64_t channels,
                   std::int64_t filters, std::int64_t side, Initialiser& initialiser);
  Variable forward(Tape& tape, const Variable& x) override {
    return tape.convolve(how_, x, weights_, bias_);
  }
  [[nodiscard]] std::vector<Variable> parameters() const override { return {weights_, bias_}; }

 private:
  Convolving how_;
  Variable weights_, bias_;
};

class MaxPooling : public Layer {
 public:
  MaxPooling(const std::string& name, const Window& window) : Layer(name), window_(window) {}
  Variable forward(Tape& tape, const Variable& x) override { return tape.pool_max(window_, x); }

 private:
  Window window_;
};

class AveragePooling : public Layer {
 public:
  AveragePooling(const std::string& name, const Window& window) : Layer(name), window_(window) {}
  Variable forward(Tape& tape, const Variable& x) override {
    return tape.pool_average(window_, x);
  }

 private:
  Window window_;
};

/// [n][...] -> [n][all the rest]
class Flatten : public Layer {
 public:
  using Layer::Layer;
  Variable forward(Tape& tape, const Variable& x) override;
};

/// Layers one after the other.
class Network {
 public:
  template <class L, class... Arguments>
  void add(Arguments&&... arguments) {
    layers_.push_back(std::make_unique<L>(std::forward<Arguments>(arguments)...));
  }
  Variable forward(Tape& tape, Variable x) const;
  [[nodiscard]] std::vector<Variable> parameters() const;
  [[nodiscard]] std::span<const std::unique_ptr<Layer>> layers() const { return layers_; }

 private:
  std::vector<std::unique_ptr<Layer>> layers_;
};

}  // namespace warpbook::training
