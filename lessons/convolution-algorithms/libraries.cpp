#include "lessons/convolution-algorithms/libraries.hpp"

#include <string>

#include "lessons/common.hpp"

namespace warpbook::lessons::convolution_algorithms {
namespace {

namespace libraries = device::libraries;

libraries::Problem problem_of(lab::Lab& lab, const Layer& layer) {
  libraries::Problem problem;
  problem.layout = layer.channels_last ? libraries::Layout::nhwc : libraries::Layout::nchw;
  libraries::parse(lab.choice("precision"), problem.precision);
  problem.image = {1, layer.channels, layer.side, layer.side};
  problem.filters = layer.filters;
  problem.window = {layer.taps, layer.taps};
  problem.stride = {layer.stride, layer.stride};
  problem.dilation = {layer.dilation, layer.dilation};
  problem.pad = {layer.pad, layer.pad};
  return problem;
}

/// The libraries' convolution adds no bias, and takes its numbers with the channels first.
std::shared_ptr<const lab::LibraryTruth> truth_of(const Layer& layer, const Numbers& numbers,
                                                  const std::vector<float>& y) {
  auto truth = std::make_shared<lab::LibraryTruth>();
  truth->inputs = {numbers.x, numbers.weights};
  const auto pixels = static_cast<std::size_t>(layer.out * layer.out);
  truth->output.reserve(y.size());
  for (std::size_t i = 0; i < y.size(); ++i)
    truth->output.push_back(static_cast<double>(y[i]) - numbers.bias[i / pixels]);
  return truth;
}

}  // namespace

void show_libraries(lab::Lab& lab, const Layer& layer, const Numbers& numbers,
                    const std::vector<float>& truth, lab::AlgorithmsExhibit::Group own) {
  const auto text = [](std::int64_t value) { return std::to_string(value); };
  lab::AlgorithmsExhibit shown;
  shown.problem = {"convolution-algorithms.libraries.problem",
                   {{"channels", text(layer.channels)},
                    {"side", text(layer.side)},
                    {"filters", text(layer.filters)},
                    {"out", text(layer.out)},
                    {"layout", layer.channels_last ? "NHWC" : "NCHW"}}};
  if (lab.toggle("libraries") && !lab.leaves_out()) {
    lab::AlgorithmsRequest request;
    request.problem = problem_of(lab, layer);
    request.gpu = gpu_for_libraries(lab);
    request.truth = truth_of(layer, numbers, truth);
    shown.groups = lab::require(lab::algorithms_of(request, lab.context().stop)).groups;
  }
  shown.groups.insert(shown.groups.begin(), std::move(own));
  lab.show(
      {"algorithms", {"convolution-algorithms.libraries.title"}, std::nullopt, std::move(shown)});
}

}  // namespace warpbook::lessons::convolution_algorithms
