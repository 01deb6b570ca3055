// Every operation of the tape, forward against its float64 truth, and backward against central differences of that truth.
//
// The loss is the sum of the operation's results, each times a weight of its own, so that every element of a gradient has
// something to say. Central differences in float64 with a step of 1e-6 are right to about 1e-9.
#include <algorithm>
#include <cmath>
#include <functional>

#include <catch2/catch_test_macros.hpp>
#include <catch2/generators/catch_generators.hpp>

#include "lab/operation/reference/reference.hpp"
#include "tests/training/training_lab.hpp"
#include "training/tape.hpp"

namespace warpbook::tests::gradient_test {

using namespace warpbook;
using namespace warpbook::training;

namespace {

using Doubles = std::vector<double>;
using Inputs = std::vector<Doubles>;

constexpr double kStep = 1e-6;
constexpr double kTolerance = 2e-5;  // of the largest element: some hundred roundings in float32

struct Case {
  std::string name;
  std::vector<Extents> shapes;  ///< of the parameters
  std::function<Variable(Tape&, const std::vector<Variable>&)> build;
  std::function<Doubles(const Inputs&)> truth;
};

/// What an operation's float64 reference gives for `output`.
Doubles reference(const std::string& operation, const Sizes& sizes,
                  const std::map<std::string, Doubles>& inputs, const std::string& output) {
  lab::Given given;
  given.integers = sizes;
  given.inputs = inputs;
  return lab::find_reference(operation)(given).at(output).values;
}

Doubles each(const Doubles& x, const Doubles& y, const std::function<double(double, double)>& f) {
  Doubles out;
  for (std::size_t i = 0; i < x.size(); ++i) out.push_back(f(x[i], y[i % y.size()]));
  return out;
}

Sizes layer_sizes(std::int64_t p, std::int64_t q) {
  return {{"n", 2}, {"c", 3}, {"h", 6}, {"w", 5},      {"k", 4},   {"r", 3},
          {"s", 2}, {"p", p}, {"q", q}, {"stride", 2}, {"pad", 1}, {"dilation", 1}};
}
Sizes window_sizes() {
  return {{"planes", 6}, {"h", 6}, {"w", 5},      {"r", 3},  {"s", 2},
          {"p", 3},      {"q", 3}, {"stride", 2}, {"pad", 1}};
}
constexpr Window kWindow{3, 2, 2, 1};

Case convolution_case(Layout layout) {
  const bool nchw = layout == Layout::nchw;
  const std::string name = nchw ? "convolution" : "convolution_nhwc";
  return {name,
          {nchw ? Extents{2, 3, 6, 5} : Extents{2, 6, 5, 3},
           nchw ? Extents{4, 3, 3, 2} : Extents{4, 3, 2, 3},
           {4}},
          [layout](Tape& tape, const std::vector<Variable>& v) {
            return tape.convolve({layout, 2, 1, 1}, v[0], v[1], v[2]);
          },
          [name](const Inputs& in) {
            return reference(name, layer_sizes(3, 3),
                             {{"x", in[0]}, {"weights", in[1]}, {"bias", in[2]}}, "y");
          }};
}

Case activation_case(Activation activation) {
  const std::string name = "activation_" + std::string(name_of(activation));
  return {name,
          {{5, 7}},
          [activation](Tape& tape, const std::vector<Variable>& v) {
            return tape.activate(activation, v[0]);
          },
          [name](const Inputs& in) {
            return reference(name, {}, {{"x", in[0]}}, "y");
          }};
}

std::vector<Case> cases() {
  std::vector<Case> all{
      {"add, of which one is repeated",
       {{4, 3}, {3}},
       [](Tape& tape, const std::vector<Variable>& v) { return tape.add(v[0], v[1]); },
       [](const Inputs& in) {
         return each(in[0], in[1], [](double x, double y) { return x + y; });
       }},
      {"multiply, of which one is repeated",
       {{4, 3}, {3}},
       [](Tape& tape, const std::vector<Variable>& v) { return tape.multiply(v[0], v[1]); },
       [](const Inputs& in) {
         return each(in[0], in[1], [](double x, double y) { return x * y; });
       }},
      {"multiply a tensor by itself",
       {{4, 3}},
       [](Tape& tape, const std::vector<Variable>& v) { return tape.multiply(v[0], v[0]); },
       [](const Inputs& in) {
         return each(in[0], in[0], [](double x, double y) { return x * y; });
       }},
      {"matmul",
       {{3, 10}, {10, 5}},
       [](Tape& tape, const std::vector<Variable>& v) { return tape.matmul(v[0], v[1]); },
       [](const Inputs& in) {
         return reference("sgemm", {{"m", 3}, {"n", 5}, {"k", 10}}, {{"a", in[0]}, {"b", in[1]}},
                          "c");
       }},
      {"matmul in tiles, with a transposed matrix",
       {{70, 33}, {37, 33}},
       [](Tape& tape, const std::vector<Variable>& v) {
         return tape.matmul(v[0], tape.transpose(v[1]));
       },
       [](const Inputs& in) {
         return reference("sgemm_strided",
                          {{"m", 70},
                           {"n", 37},
                           {"k", 33},
                           {"a_row", 33},
                           {"a_column", 1},
                           {"b_row", 1},
                           {"b_column", 33}},
                          {{"a", in[0]}, {"b", in[1]}}, "c");
       }},
      {"broadcast and reshape",
       {{3, 1}},
       [](Tape& tape, const std::vector<Variable>& v) {
         return tape.reshape(tape.broadcast_to(v[0], {2, 3, 4}), {24});
       },
       [](const Inputs& in) {
         Doubles out;
         for (std::size_t i = 0; i < 24; ++i) out.push_back(in[0][i / 4 % 3]);
         return out;
       }},
      {"mean",
       {{33, 5}},
       [](Tape& tape, const std::vector<Variable>& v) { return tape.mean(v[0]); },
       [](const Inputs& in) {
         double sum = 0;
         for (const double x : in[0]) sum += x;
         return Doubles{sum / static_cast<double>(in[0].size())};
       }},
      {"softmax",
       {{3, 5}},
       [](Tape& tape, const std::vector<Variable>& v) { return tape.softmax(v[0]); },
       [](const Inputs& in) {
         return reference("softmax", {{"columns", 5}}, {{"x", in[0]}}, "y");
       }},
      {"mean_square_error",
       {{3, 5}},
       [](Tape& tape, const std::vector<Variable>& v) {
         return tape.mean_square_error(v[0],
                                       tape.engine().upload("target", {3, 5}, some_floats(15, 77)));
       },
       [](const Inputs& in) {
         return reference("mean_square_error", {},
                          {{"x", in[0]}, {"target", as_doubles(some_floats(15, 77))}}, "loss");
       }},
      {"cross_entropy",
       {{3, 5}},
       [](Tape& tape, const std::vector<Variable>& v) {
         const std::vector<std::int32_t> labels{4, 0, 2};
         return tape.cross_entropy(v[0], tape.engine().upload("labels", {3}, std::span(labels)))
             .loss;
       },
       [](const Inputs& in) {
         return reference("cross_entropy", {{"columns", 5}}, {{"x", in[0]}, {"label", {4, 0, 2}}},
                          "loss");
       }},
      {"pooling_max",
       {{2, 3, 6, 5}},
       [](Tape& tape, const std::vector<Variable>& v) { return tape.pool_max(kWindow, v[0]); },
       [](const Inputs& in) {
         return reference("pooling_max", window_sizes(), {{"x", in[0]}}, "y");
       }},
      {"pooling_average",
       {{2, 3, 6, 5}},
       [](Tape& tape, const std::vector<Variable>& v) { return tape.pool_average(kWindow, v[0]); },
       [](const Inputs& in) {
         return reference("pooling_average", window_sizes(), {{"x", in[0]}}, "y");
       }},
      convolution_case(Layout::nchw),
      convolution_case(Layout::nhwc)};
  for (const Activation activation :
       {Activation::relu, Activation::sigmoid, Activation::tanh, Activation::gelu})
    all.push_back(activation_case(activation));
  return all;
}

double weighted(const Doubles& values, const Doubles& weights) {
  double sum = 0;
  for (std::size_t i = 0; i < values.size(); ++i) sum += values[i] * weights[i];
  return sum;
}

/// The largest difference, as a part of the largest element.
double difference(const std::vector<float>& got, const Doubles& expected) {
  REQUIRE(got.size() == expected.size());
  double worst = 0, largest = 0;
  for (std::size_t i = 0; i < got.size(); ++i) {
    worst = std::max(worst, std::abs(got[i] - expected[i]));
    largest = std::max(largest, std::abs(expected[i]));
  }
  REQUIRE(largest > 0);
  return worst / largest;
}

Doubles central_differences(const Case& one, Inputs inputs, std::size_t parameter,
                            const Doubles& weights) {
  Doubles slopes;
  for (double& word : inputs[parameter]) {
    const double before = word;
    word = before + kStep;
    const double above = weighted(one.truth(inputs), weights);
    word = before - kStep;
    const double below = weighted(one.truth(inputs), weights);
    word = before;
    slopes.push_back((above - below) / (2 * kStep));
  }
  return slopes;
}

void check(const Case& one) {
  CAPTURE(one.name);
  const auto lab = training_lab();
  Engine engine(*lab);
  Tape tape(engine);
  std::vector<Variable> parameters;
  Inputs inputs;
  for (std::size_t i = 0; i < one.shapes.size(); ++i) {
    const auto values = some_floats(count_of(one.shapes[i]), static_cast<std::uint32_t>(i + 1));
    inputs.push_back(as_doubles(values));
    parameters.push_back(
        tape.parameter("parameter", engine.upload("parameter", one.shapes[i], values)));
  }
  const Variable result = one.build(tape, parameters);
  CHECK(difference(engine.download(result.value()), one.truth(inputs)) < kTolerance);

  const auto weights = some_floats(result.value().count(), 99);
  const Variable weighting =
      tape.data("weights", engine.upload("weights", result.shape(), weights));
  tape.backward(tape.sum(tape.multiply(result, weighting)));
  for (std::size_t i = 0; i < parameters.size(); ++i) {
    CAPTURE(i);
    REQUIRE(parameters[i].gradient());
    CHECK(difference(engine.download(*parameters[i].gradient()),
                     central_differences(one, inputs, i, as_doubles(weights))) < kTolerance);
  }
}

}  // namespace

TEST_CASE("gradient: every operation's agrees with central differences of its float64 truth") {
  for (const Case& one : cases()) check(one);
}

TEST_CASE("gradient: the same inputs give the same bits again") {
  const auto once = [] {
    const auto lab = training_lab();
    Engine engine(*lab);
    Tape tape(engine);
    const Variable a = tape.parameter("a", engine.upload("a", {70, 33}, some_floats(70 * 33, 1)));
    const Variable b = tape.parameter("b", engine.upload("b", {33, 64}, some_floats(33 * 64, 2)));
    tape.backward(tape.mean(tape.activate(Activation::tanh, tape.matmul(a, b))));
    return engine.download(*b.gradient());
  };
  CHECK(once() == once());
}

}  // namespace warpbook::tests::gradient_test
