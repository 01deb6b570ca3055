// The same activation by kernels of this book, by cuDNN and by oneDNN.
#include "lab/ladder/algorithms_of.hpp"
#include "lessons/activations/runs.hpp"
#include "lessons/activations/truth.hpp"
#include "lessons/common.hpp"

namespace warpbook::lessons::activations {
namespace {

using device::libraries::Activation;

/// A layer's output; the size is fixed, so that libraries are asked once a function.
constexpr std::int64_t kLibraryImages = 2, kChannels = 8, kSide = 32;

Activation activation_of(const std::string& function) {
  if (function == "sigmoid") return Activation::sigmoid;
  if (function == "tanh") return Activation::tanh;
  return function == "gelu" ? Activation::gelu : Activation::relu;
}

lab::AlgorithmsExhibit::Group own(lab::Lab& lab, const std::string& function,
                                  const lab::LibraryTruth& truth) {
  const lab::Operation operation =
      lab::require(lab::load_operation(lab.context().root, "activation_" + function));
  lab::RungArguments arguments;
  const std::vector<float>& x = truth.inputs.front();
  arguments.scalars = {{"n", static_cast<std::int64_t>(x.size())}};
  arguments.inputs["x"] = bytes_of(x);
  arguments.estimate = true;
  lab::AlgorithmsExhibit::Group group = lab::own_kernels(lab.device().properties().name);
  for (const lab::Rung& rung : operation.rungs) {
    const lab::RungResult result = lab::run_rung(lab, rung, operation, arguments);
    group.rows.push_back(lab::own_row(operation, rung, arguments.scalars, result, truth.output));
  }
  return group;
}

}  // namespace

void libraries(lab::Lab& lab) {
  const std::string function = plain_function(lab);
  lab::LibraryTruth truth;
  truth.inputs = {uneven(kLibraryImages * kChannels * kSide * kSide, 37)};
  for (const float x : truth.inputs.front())
    truth.output.push_back(value_of(function, static_cast<double>(x), 0));

  lab::AlgorithmsRequest request;
  request.problem.kind = device::libraries::ProblemKind::activation;
  request.problem.activation = activation_of(function);
  request.problem.image = {kLibraryImages, kChannels, kSide, kSide};
  request.gpu = gpu_for_libraries(lab);
  request.truth = std::make_shared<const lab::LibraryTruth>(truth);
  lab::AlgorithmsExhibit made = lab::require(lab::algorithms_of(request, lab.context().stop));
  made.groups.insert(made.groups.begin(), own(lab, function, truth));
  lab.show({"libraries", {"activations.libraries"}, std::nullopt, std::move(made)});
}

}  // namespace warpbook::lessons::activations
