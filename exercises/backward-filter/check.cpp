// backward-filter: the gradient of a convolution's weights, a block for each weight.
#include <algorithm>
#include <string>
#include <vector>

#include "lab/exercise/exercise_tools.hpp"

namespace warpbook::exercises {
namespace backward_filter_check {

struct Layer {
  std::int64_t images, channels, side, filters, taps, pad;
  std::uint32_t block;
  [[nodiscard]] std::int64_t out() const {
    return std::max<std::int64_t>(0, side + 2 * pad - taps + 1);
  }
};

/// Calls each(dy's index, x's index) for every output of the filter at which the weight meets a pixel of the image.
template <class Each>
void each_product(const Layer& layer, std::int64_t filter, std::int64_t weight, const Each& each) {
  const std::int64_t out = layer.out(), channel = weight / (layer.taps * layer.taps);
  for (std::int64_t n = 0; n < layer.images; ++n) {
    for (std::int64_t place = 0; place < out * out; ++place) {
      const std::int64_t row = place / out - layer.pad + weight / layer.taps % layer.taps,
                         column = place % out - layer.pad + weight % layer.taps;
      if (row < 0 || row >= layer.side || column < 0 || column >= layer.side) continue;
      each((n * layer.filters + filter) * out * out + place,
           ((n * layer.channels + channel) * layer.side + row) * layer.side + column);
    }
  }
}

lab::Trial trial(const Layer& layer, std::uint64_t seed) {
  const auto& [images, channels, side, filters, taps, pad, block] = layer;
  const std::int64_t out = layer.out(), weights = channels * taps * taps;
  // Floats add up their products exactly in any order, and half precision does not.
  const auto pixels = static_cast<std::size_t>(images * channels * side * side),
             outputs = static_cast<std::size_t>(images * filters * out * out);
  const std::vector<float> x = lab::odd_halves(pixels, seed),
                           dy = lab::small_halves(outputs, seed + 1);
  std::vector<double> dw;
  for (std::int64_t filter = 0; filter < filters; ++filter) {
    for (std::int64_t weight = 0; weight < weights; ++weight) {
      double sum = 0;
      each_product(layer, filter, weight, [&](std::int64_t output, std::int64_t pixel) {
        sum += static_cast<double>(dy[static_cast<std::size_t>(output)]) *
               static_cast<double>(x[static_cast<std::size_t>(pixel)]);
      });
      dw.push_back(sum);
    }
  }
  lab::Trial made;
  made.name = std::to_string(images) + " images of " + std::to_string(channels) + " x " +
              std::to_string(side) + " x " + std::to_string(side) + ", " + std::to_string(filters) +
              " filters, K = " + std::to_string(taps) + ", pad = " + std::to_string(pad) +
              ", block " + std::to_string(block);
  made.grid = {static_cast<std::uint32_t>(weights), static_cast<std::uint32_t>(filters), 1};
  made.block = {block, 1, 1};
  made.arrays = {lab::input_array("x", x), lab::input_array("dy", dy),
                 lab::output_array<float>("dw", std::move(dw))};
  const auto number = [](std::int64_t value) {
    return device::Argument::of(static_cast<std::int32_t>(value));
  };
  made.arguments = {"x",
                    "dy",
                    "dw",
                    number(images),
                    number(channels),
                    number(side),
                    number(filters),
                    number(taps),
                    number(out),
                    number(pad)};
  return made;
}

void check(lab::Checker& checker) {
  lab::Trials trials(checker);
  std::uint64_t seed = 1;
  // No output at all, one output, odd sizes, padding wider than the filter needs; blocks of one warp to eight.
  for (const Layer& layer : std::vector<Layer>{{1, 1, 2, 1, 3, 0, 64},
                                               {1, 1, 1, 1, 1, 0, 32},
                                               {1, 1, 3, 1, 3, 0, 256},
                                               {2, 3, 5, 4, 3, 1, 64},
                                               {3, 2, 7, 2, 5, 2, 96},
                                               {1, 1, 33, 2, 3, 1, 128},
                                               {2, 1, 31, 1, 2, 0, 32},
                                               {5, 2, 9, 3, 3, 0, 192},
                                               {1, 2, 16, 2, 1, 0, 256},
                                               {4, 1, 12, 1, 3, 2, 160},
                                               {1, 5, 4, 3, 4, 3, 224}}) {
    trials.run(trial(layer, seed));
    seed += 2;
  }
  // More pixels than 16 bits count.
  trials.run(trial({8, 1, 96, 1, 2, 0, 256}, seed));
  trials.run(lab::with_gates(trial({12, 3, 14, 4, 3, 1, 128}, seed + 2)));
  for (const std::uint32_t block : {64u, 128u, 256u}) {
    const Layer layer{checker.drawn(10, 16),
                      checker.drawn(2, 4),
                      checker.drawn(13, 17),
                      checker.drawn(3, 5),
                      3,
                      1,
                      block};
    trials.run(lab::hidden_with_gates(trial(layer, checker.draw())));
  }

  trials.add_right("right");
  trials.add_safe("safe");
  trials.add_written_once("written-once", "dw");
  trials.add_shared_out("shared-out");
  trials.add_sectors("sectors");
  trials.add_work("work");
}

}  // namespace backward_filter_check

lab::Exercise backward_filter() { return {"backward-filter", backward_filter_check::check}; }

}  // namespace warpbook::exercises
