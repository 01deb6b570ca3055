#include "training/tape.hpp"

#include <map>
#include <stdexcept>

namespace warpbook::training {
namespace {

using Gradients = std::vector<std::optional<Tensor>>;

/// A gradient that is only computed where it is wanted. Those of several inputs are fetched into locals first: a launch may throw,
/// and then GCC 12 would destroy twice what a braced list already holds.
template <class Compute>
std::optional<Tensor> if_wanted(const Variable& variable, Compute&& compute) {
  if (!variable.wants_gradient()) return std::nullopt;
  return compute();
}

}  // namespace

Variable Tape::constant(float value) {
  return data(lab::number(value), engine_.constant(value));
}

Variable Tape::note(const std::string& operation, std::vector<Variable> inputs, Tensor result,
                    std::uint64_t first_launch,
                    std::function<Gradients(const Tensor& dy)> go_back) {
  bool wanted = false;
  for (const Variable& input : inputs) wanted = wanted || input.wants_gradient();
  const std::string name = result.name();
  Variable output(name, std::move(result), wanted);
  output.state_->is_leaf = false;
  nodes_.push_back({operation,
                    engine_.layer(),
                    std::move(inputs),
                    output,
                    {first_launch, engine_.launched()},
                    {},
                    {},
                    std::move(go_back)});
  return output;
}

Variable Tape::add(const Variable& x, const Variable& y) {
  const std::uint64_t first = engine_.launched();
  return note("add", {x, y}, training::add(engine_, x.value(), y.value()), first,
              [this, x, y](const Tensor& dout) {
                auto dx = if_wanted(x, [&] { return sum_to(engine_, dout, x.shape()); });
                auto dy = if_wanted(y, [&] { return sum_to(engine_, dout, y.shape()); });
                return Gradients{std::move(dx), std::move(dy)};
              });
}

Variable Tape::multiply(const Variable& x, const Variable& y) {
  const std::uint64_t first = engine_.launched();
  return note("multiply", {x, y}, training::multiply(engine_, x.value(), y.value()), first,
              [this, x, y](const Tensor& dout) {
                const auto gradient = [&](const Variable& of, const Variable& other) {
                  return if_wanted(of, [&] {
                    return sum_to(engine_, training::multiply(engine_, dout, other.value()),
                                  of.shape());
                  });
                };
                auto dx = gradient(x, y), dy = gradient(y, x);
                return Gradients{std::move(dx), std::move(dy)};
              });
}

/// Of C = A B: dA = dC B^T and dB = A^T dC.
Variable Tape::matmul(const Variable& a, const Variable& b) {
  const std::uint64_t first = engine_.launched();
  return note("matmul", {a, b}, training::matmul(engine_, a.value(), b.value()), first,
              [this, a, b](const Tensor& dc) {
                auto da = if_wanted(a, [&] {
                  return training::matmul(engine_, dc, b.value().transposed(0, 1));
                });
                auto db = if_wanted(b, [&] {
                  return training::matmul(engine_, a.value().transposed(0, 1), dc);
                });
                return Gradients{std::move(da), std::move(db)};
              });
}

Variable Tape::transpose(const Variable& x) {
  return note("transpose", {x}, x.value().transposed(0, 1), engine_.launched(),
              [](const Tensor& dy) { return Gradients{dy.transposed(0, 1)}; });
}

Variable Tape::broadcast_to(const Variable& x, const Extents& shape) {
  return note("broadcast", {x}, x.value().broadcast_to(shape), engine_.launched(),
              [this, x](const Tensor& dy) {
                return Gradients{sum_to(engine_, dy, x.shape())};
              });
}

Variable Tape::reshape(const Variable& x, const Extents& shape) {
  const std::uint64_t first = engine_.launched();
  return note("reshape", {x}, engine_.contiguous(x.value()).reshaped(shape), first,
              [this, x](const Tensor& dy) {
                return Gradients{engine_.contiguous(dy).reshaped(x.shape())};
              });
}

Variable Tape::sum(const Variable& x) {
  const std::uint64_t first = engine_.launched();
  // Each element counts once, so each has the sum's own gradient: a view that repeats one word.
  return note("sum", {x}, training::sum(engine_, x.value()), first, [x](const Tensor& dy) {
    return Gradients{dy.reshaped({}).broadcast_to(x.shape())};
  });
}

Variable Tape::mean(const Variable& x) {
  return multiply(sum(x), constant(1.0f / static_cast<float>(x.value().count())));
}

Variable Tape::activate(Activation activation, const Variable& x) {
  const std::uint64_t first = engine_.launched();
  return note(std::string(name_of(activation)), {x},
              training::activate(engine_, activation, x.value()), first,
              [this, activation, x](const Tensor& dy) {
                return Gradients{activate_backward(engine_, activation, x.value(), dy)};
              });
}

Variable Tape::softmax(const Variable& x) {
  const std::uint64_t first = engine_.launched();
  const Tensor y = training::softmax(engine_, x.value());
  return note("softmax", {x}, y, first, [this, y](const Tensor& dy) {
    return Gradients{softmax_backward(engine_, y, dy)};
  });
}

Variable Tape::mean_square_error(const Variable& x, const Tensor& target) {
  const std::uint64_t first = engine_.launched();
  return note("mean_square_error", {x}, training::mean_square_error(engine_, x.value(), target),
              first, [this, x, target](const Tensor& dloss) {
                return Gradients{mean_square_error_backward(engine_, x.value(), target, dloss)};
              });
}

Tape::Classified Tape::cross_entropy(const Variable& x, const Tensor& labels) {
  const std::uint64_t first = engine_.launched();
  const CrossEntropy result = training::cross_entropy(engine_, x.value(), labels);
  Variable loss = note("cross_entropy", {x}, result.loss, first,
                       [this, probabilities = result.probabilities, labels](const Tensor& dloss) {
                         return Gradients{
                             cross_entropy_backward(engine_, probabilities, labels, dloss)};
                       });
  return {std::move(loss), result.hits, result.probabilities};
}

Variable Tape::convolve(const Convolving& how, const Variable& x, const Variable& weights,
                        const Variable& bias) {
  const std::uint64_t first = engine_.launched();
  return note("convolution", {x, weights, bias},
              training::convolve(engine_, how, x.value(), weights.value(), bias.value()), first,
              [this, how, x, weights, bias](const Tensor& dy) {
                auto dx = if_wanted(x, [&] {
                  return convolve_backward_data(engine_, how, dy, weights.value(), x.shape());
                });
                auto dweights = if_wanted(weights, [&] {
                  return convolve_backward_filter(engine_, how, x.value(), dy, weights.shape());
                });
                auto dbias =
                    if_wanted(bias, [&] { return convolve_backward_bias(engine_, how, dy); });
                return Gradients{std::move(dx), std::move(dweights), std::move(dbias)};
              });
}

Variable Tape::pool_max(const Window& window, const Variable& x) {
  const std::uint64_t first = engine_.launched();
  const PooledMax pooled = training::pool_max(engine_, window, x.value());
  return note("pooling_max", {x}, pooled.y, first,
              [this, window, x, tap = pooled.tap](const Tensor& dy) {
                return Gradients{pool_max_backward(engine_, window, dy, tap, x.shape())};
              });
}

Variable Tape::pool_average(const Window& window, const Variable& x) {
  const std::uint64_t first = engine_.launched();
  return note("pooling_average", {x}, training::pool_average(engine_, window, x.value()), first,
              [this, window, x](const Tensor& dy) {
                return Gradients{pool_average_backward(engine_, window, dy, x.shape())};
              });
}

void Tape::backward(const Variable& loss, Keep keep) {
  if (loss.value().count() != 1) refuse_shape("backward", text_of(loss.shape()), "one-element");
  backward(loss, engine_.constant(1).reshaped(loss.shape()), keep);
}

void Tape::backward(const Variable& result, const Tensor& gradient, Keep keep) {
  if (gradient.shape != result.shape())
    refuse_shape("backward", text_of(gradient.shape) + ", " + text_of(result.shape()), "same");
  // The gradients of results so far. They begin anew in each call; only those of leaves add up over calls.
  std::map<const Variable::State*, Tensor> of_results;
  of_results[result.state_.get()] = gradient;
  engine_.set_pass(Pass::backward);
  for (std::size_t i = nodes_.size(); i-- > 0;) {
    Node& node = nodes_[i];
    const auto found = of_results.find(node.output.state_.get());
    if (found != of_results.end() && node.output.wants_gradient()) {
      const Engine::LayerScope layer(engine_, node.layer);
      const Tensor dy = found->second;
      of_results.erase(found);
      if (keep == Keep::gradients) node.output.state_->gradient = dy;
      node.backward.begin = engine_.launched();
      const Gradients gradients = node.go_back(dy);
      for (std::size_t input = 0; input < node.inputs.size(); ++input) {
        Variable::State& state = *node.inputs[input].state_;
        if (!state.wants_gradient || !gradients[input]) continue;
        // Never added in place: the gradient may be a view of another one's memory.
        const auto add_up = [&](const Tensor* before) {
          return before ? training::add(engine_, *before, *gradients[input]) : *gradients[input];
        };
        if (state.is_leaf) {
          state.gradient = add_up(state.gradient ? &*state.gradient : nullptr);
        } else {
          const auto before = of_results.find(&state);
          of_results[&state] = add_up(before == of_results.end() ? nullptr : &before->second);
        }
      }
      node.backward.end = engine_.launched();
      if (keep == Keep::gradients) node.gradients = gradients;
    }
    if (keep == Keep::nothing) nodes_.pop_back();
  }
  engine_.set_pass(Pass::forward);
}

}  // namespace warpbook::training
