// Kernels of the book as problems of the libraries.
#include <catch2/catch_test_macros.hpp>

#include <algorithm>
#include <set>

#include "device/platform.hpp"
#include "lab/ladder/library_problem.hpp"
#include "lab/operation/operation.hpp"

namespace warpbook::tests::library_problem_test {

using namespace device::libraries;

std::uint64_t elements(const lab::Operation& operation, lab::Operation::Parameter::Kind kind,
                       const std::map<std::string, std::int64_t>& scalars) {
  std::uint64_t most = 0;
  for (const auto& parameter : operation.parameters) {
    if (parameter.kind != kind) continue;
    std::uint64_t count = 1;
    for (const std::string& extent : parameter.shape)
      count *= static_cast<std::uint64_t>(*lab::evaluate(extent, scalars));
    most = std::max(most, count);
  }
  return most;
}

TEST_CASE("library_problem: what goes in and comes out is as large as the rungs' own tensors") {
  const std::string root = device::root_folder().string();
  std::set<std::string> without;
  for (const std::string& name : lab::operation_names(root)) {
    const auto operation = lab::load_operation(root, name);
    REQUIRE(operation);
    auto scalars = operation->ladder.scalars;
    REQUIRE(!lab::add_values(*operation, scalars));
    const auto problem = lab::library_problem(name, scalars);
    if (!problem) {
      without.insert(name);
      continue;
    }
    CAPTURE(name);
    CHECK(check(*problem));
    const Tensors tensors = tensors_of(*problem);
    using Kind = lab::Operation::Parameter::Kind;
    CHECK(static_cast<std::uint64_t>(tensors.output.shape.count()) ==
          elements(*operation, Kind::output, scalars));
    std::int64_t largest = 0;
    for (const Tensor& input : tensors.inputs) largest = std::max(largest, input.shape.count());
    if (name != "pooling_max_backward" &&
        name != "pooling_average_backward")  // x and y go in there, too
      CHECK(static_cast<std::uint64_t>(largest) == elements(*operation, Kind::input, scalars));
  }
  CHECK(without == std::set<std::string>{"accumulate",
                                         "activation_gelu_bias",
                                         "activation_relu_bias",
                                         "activation_sigmoid_bias",
                                         "activation_tanh_bias",
                                         "adam",
                                         "add",
                                         "broadcast_add",
                                         "broadcast_backward",
                                         "broadcast_multiply",
                                         "convolution_backward_bias",
                                         "copy",
                                         "cross_entropy",
                                         "cross_entropy_backward",
                                         "histogram",
                                         "mean_square_error",
                                         "mean_square_error_backward",
                                         "random_normal",
                                         "random_uniform",
                                         "reduction",
                                         "scan",
                                         "sgd_momentum",
                                         "sgemm_strided",
                                         "strided_copy",
                                         "transpose"});
}

TEST_CASE("library_problem: pass, layout and kind follow the operation's name") {
  const std::map<std::string, std::int64_t> layer = {
      {"n", 1}, {"c", 2}, {"h", 9}, {"w", 8},      {"k", 3},   {"r", 3},
      {"s", 2}, {"p", 4}, {"q", 4}, {"stride", 2}, {"pad", 1}, {"dilation", 1}};
  const auto gradient = lab::library_problem("convolution_backward_filter_nhwc", layer);
  REQUIRE(gradient);
  CHECK(gradient->pass == Pass::filter);
  CHECK(gradient->layout == Layout::nhwc);
  CHECK(gradient->window == Along{3, 2});
  CHECK(gradient->stride == Along{2, 2});
  CHECK(gradient->pad == Along{1, 1});
  CHECK(lab::library_problem("convolution_backward_data", layer)->pass == Pass::data);
  CHECK(lab::library_problem("convolution", layer)->pass == Pass::forward);
  const auto tanh = lab::library_problem("activation_tanh_backward", {{"n", 7}});
  REQUIRE(tanh);
  CHECK(tanh->kind == device::libraries::ProblemKind::activation);
  CHECK(tanh->activation == Activation::tanh);
  CHECK(tanh->pass == Pass::data);
  CHECK(!lab::library_problem("transpose", {{"rows", 3}, {"columns", 4}}));
}

}  // namespace warpbook::tests::library_problem_test
