#include "lessons/convolution/convolve.hpp"

#include "lessons/common.hpp"

namespace warpbook::lessons::convolution {

std::vector<lab::SourceSlot> convolve_slots() {
  const auto slot = [](const std::string& name) {
    return lab::SourceSlot{name, "lessons/convolution/variants/" + name + ".cu", {}};
  };
  return {slot("convolve"), slot("convolve_nhwc")};
}

std::string slot_of(const Layer& layer) {
  return layer.channels_last ? "convolve_nhwc" : "convolve";
}

LayerRan convolve(lab::Lab& lab, const std::shared_ptr<const device::Module>& module,
                  const Layer& layer, const Numbers& numbers, lab::Checking checking) {
  constexpr std::int64_t kBlock = 64;  // the page's small image: a block for each filter
  const std::int64_t pixels = layer.side * layer.side, taps = layer.taps * layer.taps;
  LayerRan ran;
  ran.x = lab.upload<float>("x", laid_out(layer, numbers.x, 1, layer.channels, pixels));
  ran.weights = lab.upload<float>(
      "weights", laid_out(layer, numbers.weights, layer.filters, layer.channels, taps));
  ran.bias = lab.upload<float>("bias", numbers.bias);
  ran.y = lab.allocate("y", device::ElementType::f32, static_cast<std::uint64_t>(layer.outputs()));
  device::Launch launch;
  launch.module = module;
  // A row of blocks for each filter.
  launch.grid = {blocks_for(layer.out * layer.out, kBlock),
                 static_cast<std::uint32_t>(layer.filters), 1};
  launch.block = {static_cast<std::uint32_t>(kBlock), 1, 1};
  launch.budget = budget_of(layer);
  for (const device::Buffer* buffer : {&ran.x, &ran.weights, &ran.bias, &ran.y})
    launch.arguments.push_back(pointer_argument(*buffer));
  for (const std::int64_t number : {layer.channels, layer.side, layer.filters, layer.taps,
                                    layer.out, layer.stride, layer.pad, layer.dilation})
    launch.arguments.push_back(number_argument(number));
  // A worker thread of the launch calls this: Lab::progress(), which ends a cancelled run, is not for it.
  if (const auto& progress = lab.context().progress)
    launch.progress = [&progress](double done) { progress(done, {"convolution.running"}); };
  ran.record = lab.launch(std::move(launch), lab::Printing::shown, checking);
  ran.out = lab.download<float>(ran.y);
  return ran;
}

}  // namespace warpbook::lessons::convolution
