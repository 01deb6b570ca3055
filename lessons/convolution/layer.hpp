// The layer that the chapter's runs share: its sizes, its numbers and, for every pass, what should come out.
#pragma once

#include <cstdint>
#include <vector>

#include "lab/experiment/lesson.hpp"

namespace warpbook::lessons::convolution {

/// One square image under square filters, one stride, pad and dilation for both axes.
struct Layer {
  std::int64_t channels = 1, side = 1, filters = 1, taps = 1;  ///< taps: of a filter, along a side
  std::int64_t stride = 1, pad = 0, dilation = 1;
  std::int64_t out = 0;  ///< side of the output; 0: the filter does not fit
  bool channels_last = false;

  [[nodiscard]] std::int64_t inputs() const { return channels * side * side; }
  [[nodiscard]] std::int64_t weights() const { return filters * channels * taps * taps; }
  [[nodiscard]] std::int64_t outputs() const { return filters * out * out; }
  /// Multiply-adds, those with the padding's zeros included.
  [[nodiscard]] std::int64_t products() const { return outputs() * channels * taps * taps; }
};
/// Above so many multiply-adds only what the reader asked for runs: a change should show at once.
inline constexpr std::int64_t kMostSideProducts = 4'000'000;
/// What a launch over the whole layer may use; a small one is bounded as every lesson's, so that an endless loop ends soon.
device::Budget budget_of(const Layer& layer);

/// As the parameters say.
Layer layer_of(lab::Lab& lab);
/// The side of the output: floor, and 0 where nothing fits.
std::int64_t out_side(const Layer& layer);

/// Whole numbers, so small that every order of adding gives the same sum in FP32. All with the channels first.
struct Numbers {
  std::vector<float> x, weights, bias, dy;
};
Numbers numbers_of(const Layer& layer);

// Plain loops over the same products: what each pass should give, with the channels first.
std::vector<float> forward(const Layer& layer, const Numbers& numbers);
std::vector<float> backward_data(const Layer& layer, const Numbers& numbers);
std::vector<float> backward_filter(const Layer& layer, const Numbers& numbers);

/// [outer][channels][inner] -> [outer][inner][channels] where the layer has its channels last, else as it is.
std::vector<float> laid_out(const Layer& layer, std::vector<float> values, std::int64_t outer,
                            std::int64_t channels, std::int64_t inner);
/// The way back.
std::vector<float> channels_first(const Layer& layer, std::vector<float> values, std::int64_t outer,
                                  std::int64_t channels, std::int64_t inner);

}  // namespace warpbook::lessons::convolution
