// The three convolutions of a layer are one form, linear in x, weights and dy: <dy, conv(x, weights)> = <dx, x> = <dweights, weights>.
// On small integers every rung's sums are exact, and so must the three numbers be equal.
#include <catch2/catch_test_macros.hpp>
#include <catch2/generators/catch_generators.hpp>

#include "tests/kernels/ladder.hpp"

namespace warpbook::tests::adjoint_test {

using namespace warpbook;
using namespace warpbook::lab;

namespace {

using Array = std::vector<float>;
using Scalars = std::map<std::string, std::int64_t>;

const Operation& operation_named(const std::string& name) {
  for (const Operation& operation : tests::operations()) {
    if (operation.name == name) return operation;
  }
  throw std::logic_error("there is no operation " + name);
}

/// -3 to 3, in no order that a wrong index would meet again.
Array integers(std::int64_t count, std::uint32_t seed) {
  Array values;
  for (std::int64_t i = 0; i < count; ++i) {
    seed = seed * 1664525u + 1013904223u;
    values.push_back(static_cast<float>(static_cast<int>((seed >> 16) % 7) - 3));
  }
  return values;
}

std::vector<std::byte> bytes_of(const Array& values) {
  std::vector<std::byte> bytes(values.size() * sizeof(float));
  if (!values.empty()) __builtin_memcpy(bytes.data(), values.data(), bytes.size());
  return bytes;
}

double product(const Array& a, const Array& b) {
  REQUIRE(a.size() == b.size());
  double sum = 0;
  for (std::size_t i = 0; i < a.size(); ++i) sum += static_cast<double>(a[i]) * b[i];
  return sum;
}

Array run(const Operation& operation, const Rung& rung, const Scalars& scalars,
          const std::map<std::string, Array>& inputs, const std::string& output) {
  const auto lab = tests::checking_lab("h200");
  RungArguments arguments;
  arguments.scalars = scalars;
  for (const auto& [name, values] : inputs) arguments.inputs[name] = bytes_of(values);
  const RungResult result = run_rung(*lab, rung, operation, arguments);
  const TensorExhibit& tensor = result.outputs.at(output);
  Array values(tensor.data.size() / sizeof(float));
  if (!values.empty()) __builtin_memcpy(values.data(), tensor.data.data(), tensor.data.size());
  return values;
}

}  // namespace

TEST_CASE("a convolution and its two gradients are adjoint, rung by rung, in both layouts") {
  const std::string layout = GENERATE("", "_nhwc");
  const Scalars given = GENERATE(Scalars{{"n", 2},
                                         {"c", 3},
                                         {"h", 9},
                                         {"w", 7},
                                         {"k", 5},
                                         {"r", 3},
                                         {"s", 3},
                                         {"stride", 1},
                                         {"pad", 1},
                                         {"dilation", 1}},
                                 Scalars{{"n", 1},
                                         {"c", 5},
                                         {"h", 10},
                                         {"w", 11},
                                         {"k", 3},
                                         {"r", 2},
                                         {"s", 3},
                                         {"stride", 2},
                                         {"pad", 2},
                                         {"dilation", 2}});
  const Operation& forward = operation_named("convolution" + layout);
  Scalars sizes = given;
  REQUIRE_FALSE(add_values(forward, sizes).has_value());
  const auto at = [&](const char* name) { return sizes.at(name); };
  const Array x = integers(at("n") * at("c") * at("h") * at("w"), 1);
  const Array weights = integers(at("k") * at("c") * at("r") * at("s"), 2);
  const Array dy = integers(at("n") * at("k") * at("p") * at("q"), 3);
  const Array no_bias(static_cast<std::size_t>(at("k")), 0.0f);

  std::vector<std::pair<std::string, double>> forms;
  const auto add_all = [&](const std::string& name, const std::map<std::string, Array>& inputs,
                           const std::string& output, const Array& against) {
    const Operation& operation = operation_named(name + layout);
    for (const Rung& rung : operation.rungs) {
      if (!admits(rung, sizes)) continue;
      forms.emplace_back(rung.path, product(run(operation, rung, given, inputs, output), against));
    }
  };
  add_all("convolution", {{"x", x}, {"weights", weights}, {"bias", no_bias}}, "y", dy);
  add_all("convolution_backward_data", {{"dy", dy}, {"weights", weights}}, "dx", x);
  add_all("convolution_backward_filter", {{"x", x}, {"dy", dy}}, "dweights", weights);
  REQUIRE(forms.size() >= 7);
  CHECK(forms.front().second != 0);
  for (const auto& [path, form] : forms) {
    CAPTURE(path, layout);
    CHECK(form == forms.front().second);
  }
}

}  // namespace warpbook::tests::adjoint_test
