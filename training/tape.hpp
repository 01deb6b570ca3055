// The tape: what a network computed, in order, and how to go back. Each operation of a Tape computes its result at once and notes
// a node; backward() walks the nodes from the last to the first, and each turns the gradient of its result into those of its
// inputs by launching the operation's backward kernel.
//
//   Tape tape(engine);
//   Variable x = tape.parameter("x", engine.upload("x", {1}, {2.0f}));
//   Variable y = tape.add(tape.multiply(tape.constant(3), x), tape.constant(2));
//   Variable z = tape.multiply(y, y);
//   tape.backward(z);            // x.gradient() is 48
//   tape.backward(z);            // ... and now 96: gradients of parameters add up until zero_gradient()
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "training/engine.hpp"
#include "training/operations.hpp"

namespace warpbook::training {

/// A tensor that a network computes with. Copies are the same variable.
class Variable {
 public:
  /// What gradients are asked of (weights), or not (data).
  Variable(std::string name, Tensor value, bool wants_gradient)
      : state_(std::make_shared<State>(
            State{std::move(name), std::move(value), std::nullopt, wants_gradient, true})) {}

  [[nodiscard]] const std::string& name() const { return state_->name; }
  [[nodiscard]] const Tensor& value() const { return state_->value; }
  [[nodiscard]] const Extents& shape() const { return state_->value.shape; }
  [[nodiscard]] bool wants_gradient() const { return state_->wants_gradient; }
  /// Whether it was put in, and no operation made it.
  [[nodiscard]] bool is_leaf() const { return state_->is_leaf; }
  /// Nothing before the first backward(). Of a leaf it adds up; of a result it is the last backward()'s, where that kept it.
  [[nodiscard]] const std::optional<Tensor>& gradient() const { return state_->gradient; }
  void zero_gradient() { state_->gradient.reset(); }
  /// What takes its place, as the sum over several devices does.
  void set_gradient(Tensor gradient) { state_->gradient = std::move(gradient); }
  friend bool operator==(const Variable& a, const Variable& b) { return a.state_ == b.state_; }

 private:
  friend class Tape;
  struct State {
    std::string name;
    Tensor value;
    std::optional<Tensor> gradient;
    bool wants_gradient = false;
    bool is_leaf = true;
  };
  std::shared_ptr<State> state_;
};

/// Some launches, by their numbers (Engine::launched): the first, and the one after the last.
struct LaunchRange {
  std::uint64_t begin = 0, end = 0;
};

class Tape {
 public:
  struct Node {
    std::string operation;  ///< "multiply", "matmul", "relu": as a reader would say it
    std::string layer;
    std::vector<Variable> inputs;
    Variable output;
    LaunchRange forward, backward;  ///< backward: of the last backward()
    /// What the last backward() gave each input by way of this node, where it kept gradients.
    std::vector<std::optional<Tensor>> gradients;
    /// The gradients of the inputs, in their order; nothing for one that wants none.
    std::function<std::vector<std::optional<Tensor>>(const Tensor& dy)> go_back;
  };
  /// What is left of the tape after backward().
  enum class Keep : std::uint8_t {
    nothing,   ///< each node goes as soon as it is done with, and with it the memory of its results
    tape,      ///< all nodes, so that backward() can be called again
    gradients  ///< the gradients of results as well, and those of each node's inputs, to be looked at
  };

  explicit Tape(Engine& engine) : engine_(engine) {}

  /// Data: no gradient is asked of it. And a parameter, of which one is.
  Variable data(std::string name, Tensor value) { return {std::move(name), std::move(value), false}; }
  Variable parameter(std::string name, Tensor value) {
    return {std::move(name), std::move(value), true};
  }
  Variable constant(float value);

  Variable add(const Variable& x, const Variable& y);
  Variable multiply(const Variable& x, const Variable& y);
  Variable matmul(const Variable& a, const Variable& b);
  Variable transpose(const Variable& x);  ///< of a matrix: a view
  Variable broadcast_to(const Variable& x, const Extents& shape);
  Variable reshape(const Variable& x, const Extents& shape);
  Variable sum(const Variable& x);   ///< -> {1}
  Variable mean(const Variable& x);  ///< -> {1}
  Variable activate(Activation activation, const Variable& x);
  Variable softmax(const Variable& x);
  Variable mean_square_error(const Variable& x, const Tensor& target);
  struct Classified {
    Variable loss;
    Tensor hits;           ///< {1}, i32: how many labels had the largest word
    Tensor probabilities;  ///< [rows][columns]
  };
  Classified cross_entropy(const Variable& x, const Tensor& labels);
  Variable convolve(const Convolving& how, const Variable& x, const Variable& weights,
                    const Variable& bias);
  Variable pool_max(const Window& window, const Variable& x);
  Variable pool_average(const Window& window, const Variable& x);

  /// An operation of the caller's own: its result, and how to go back.
  Variable note(const std::string& operation, std::vector<Variable> inputs, Tensor result,
                std::uint64_t first_launch,
                std::function<std::vector<std::optional<Tensor>>(const Tensor& dy)> go_back);

  /// From `loss`, of one element, whose gradient is 1.
  void backward(const Variable& loss, Keep keep = Keep::tape);
  /// From any result, whose gradient came from elsewhere: the rest of the network may be on another device.
  void backward(const Variable& result, const Tensor& gradient, Keep keep);

  [[nodiscard]] const std::vector<Node>& nodes() const { return nodes_; }
  void clear() { nodes_.clear(); }
  [[nodiscard]] Engine& engine() { return engine_; }

 private:
  Engine& engine_;
  std::vector<Node> nodes_;
};

}  // namespace warpbook::training
