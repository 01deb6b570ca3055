// The page's own kernel, `convolve`: one thread per output. The reader may edit it, in both chapters on convolution.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "lessons/convolution/layer.hpp"

namespace warpbook::lessons::convolution {

/// The kernel for each layout, as slots of a lesson.
std::vector<lab::SourceSlot> convolve_slots();
/// The slot with the kernel for the layer's layout.
std::string slot_of(const Layer& layer);

struct LayerRan {
  std::shared_ptr<const device::LaunchRecord> record;
  device::Buffer x, weights, bias, y;
  std::vector<float> out;  ///< in the layer's layout
};

/// Uploads the layer's numbers in its layout, launches `module`'s kernel over all outputs and downloads y.
LayerRan convolve(lab::Lab& lab, const std::shared_ptr<const device::Module>& module,
                  const Layer& layer, const Numbers& numbers,
                  lab::Checking checking = lab::Checking::whole);

}  // namespace warpbook::lessons::convolution
