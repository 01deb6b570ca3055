#include "lab/ladder/library_truth.hpp"

#include <algorithm>
#include <cmath>

#include "lab/operation/kernel_inputs.hpp"

namespace warpbook::lab {
namespace {

using device::libraries::Layout;
using device::libraries::Pass;
using device::libraries::Problem;
using device::libraries::ProblemKind;
using device::libraries::Shape;
using device::libraries::Tensor;

/// A library's "w" is our "weights".
std::string own_name(const std::string& name) {
  if (name == "w") return "weights";
  return name == "dw" ? "dweights" : name;
}

/// From the order in which our kernels keep a tensor to that of the libraries' interface, channels before rows.
std::vector<double> in_their_order(const std::vector<double>& own, const Shape& s,
                                   const Problem& problem) {
  const bool channels_last =
      problem.kind == ProblemKind::convolution && problem.layout == Layout::nhwc;
  if (!channels_last || own.empty()) return own;
  std::vector<double> theirs;
  theirs.reserve(own.size());
  for (std::int64_t n = 0; n < s.n; ++n) {
    for (std::int64_t c = 0; c < s.c; ++c) {
      for (std::int64_t h = 0; h < s.h; ++h) {
        for (std::int64_t w = 0; w < s.w; ++w)
          theirs.push_back(own.at(static_cast<std::size_t>(((n * s.h + h) * s.w + w) * s.c + c)));
      }
    }
  }
  return theirs;
}

/// Numbers of which no two neighbours are alike: a maximum has one place.
std::vector<double> scattered(std::int64_t count) {
  constexpr double kGoldenRatio = 0.6180339887498949;
  std::vector<double> numbers;
  for (std::int64_t i = 0; i < count; ++i) {
    const double turned = static_cast<double>(i) * kGoldenRatio;
    numbers.push_back(static_cast<double>(static_cast<float>(turned - std::floor(turned))));
  }
  return numbers;
}

/// A gradient is of a forward pass: what a library asks for of that and our kernels do not take.
void add_forward_pass(const std::string& operation, const Problem& problem, Given& given) {
  constexpr std::string_view kBackward = "_backward";
  const bool wanted = problem.pass == Pass::data && (problem.kind == ProblemKind::activation ||
                                                     problem.kind == ProblemKind::pooling);
  if (!wanted) return;
  const auto forward =
      find_reference(std::string_view(operation).substr(0, operation.size() - kBackward.size()));
  if (!given.inputs.contains("x")) given.inputs["x"] = scattered(problem.image.count());
  Truths truths = forward(given);
  // What libraries take is FP32.
  std::vector<double>& y = truths.at("y").values;
  std::ranges::transform(
      y, y.begin(), [](double value) { return static_cast<double>(static_cast<float>(value)); });
  for (auto& [name, truth] : truths) given.inputs[name] = std::move(truth.values);
}

/// The most additions in a row that an element can take, in whatever order they are made.
std::int64_t depth_of(const Problem& problem) {
  return problem.kind == ProblemKind::softmax ? problem.image.c
                                              : problem.window.h * problem.window.w;
}

}  // namespace

std::shared_ptr<const LibraryTruth> library_truth(const Operation& operation,
                                                  const OperationCase& size,
                                                  const Problem& problem) {
  const Reference reference = find_reference(operation.name);
  if (reference == nullptr) return nullptr;
  Given given = make_inputs(operation, size, InputKind::normal).given;
  if (const auto bias = given.inputs.find("bias"); bias != given.inputs.end())
    std::ranges::fill(bias->second, 0.0);
  add_forward_pass(operation.name, problem, given);

  const auto tensors = tensors_of(problem);
  auto made = std::make_shared<LibraryTruth>();
  for (const Tensor& tensor : tensors.inputs) {
    const auto numbers = in_their_order(given.input(own_name(tensor.name)), tensor.shape, problem);
    made->inputs.emplace_back(numbers.begin(), numbers.end());
  }
  const std::string output = own_name(tensors.output.name);
  const Truth truth = reference(given).at(output);
  made->output = in_their_order(truth.values, tensors.output.shape, problem);
  made->magnitudes = in_their_order(truth.magnitudes, tensors.output.shape, problem);
  made->products = truth.products;
  made->depth = depth_of(problem);
  const std::string& own = operation.parameter(output)->tolerance;
  made->tolerance = parse_tolerance(own.empty() ? operation.tolerance : own);
  return made;
}

}  // namespace warpbook::lab
