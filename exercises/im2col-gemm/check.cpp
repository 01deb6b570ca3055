// im2col-gemm: the submission writes every window out as a column of a matrix; the book's own matrix product does the rest.
#include <string>
#include <vector>

#include "device/platform.hpp"
#include "lab/exercise/exercise_tools.hpp"

namespace warpbook::exercises {
namespace im2col_gemm_check {

constexpr std::int64_t kBlock = 128;
// The book's product, with a tile as small as these matrices ask for.
constexpr const char* kProduct = "kernels/convolution/04_im2col_gemm.cu";
constexpr std::int64_t kProductBlock = 256, kTileM = 16, kTileN = 64;

struct Layer {
  std::int64_t channels, height, width;  ///< of the image
  std::int64_t filters, rows, columns;   ///< of the filters
  std::int64_t stride, pad;
};

std::int64_t outputs(std::int64_t image, std::int64_t filter, const Layer& layer) {
  const std::int64_t room = image + 2 * layer.pad - filter;
  return room < 0 ? 0 : room / layer.stride + 1;
}

std::uint32_t blocks(std::int64_t items, std::int64_t each) {
  return static_cast<std::uint32_t>((items + each - 1) / each);
}

/// The matrix of windows, straight from its definition.
std::vector<double> windows(const Layer& layer, const std::vector<float>& x, std::int64_t p,
                            std::int64_t q) {
  std::vector<double> matrix;
  for (std::int64_t channel = 0; channel < layer.channels; ++channel) {
    for (std::int64_t tap = 0; tap < layer.rows * layer.columns; ++tap) {
      for (std::int64_t out = 0; out < p * q; ++out) {
        const std::int64_t row = out / q * layer.stride + tap / layer.columns - layer.pad,
                           column = out % q * layer.stride + tap % layer.columns - layer.pad;
        const bool inside = 0 <= row && row < layer.height && 0 <= column && column < layer.width;
        const std::int64_t at = (channel * layer.height + row) * layer.width + column;
        matrix.push_back(inside ? static_cast<double>(x[static_cast<std::size_t>(at)]) : 0);
      }
    }
  }
  return matrix;
}

/// One case. Halves, and small ones for weights: every order of adding up gives the same float.
lab::Trial trial(const std::shared_ptr<const device::Module>& product, const Layer& layer,
                 std::uint64_t seed) {
  const std::int64_t p = outputs(layer.height, layer.rows, layer),
                     q = outputs(layer.width, layer.columns, layer),
                     taps = layer.channels * layer.rows * layer.columns, outs = p * q;
  const auto size = [](std::int64_t count) { return static_cast<std::size_t>(count); };
  const std::vector<float> x = lab::wide_halves(size(layer.channels * layer.height * layer.width),
                                                seed),
                           weights = lab::small_halves(size(layer.filters * taps), seed + 1),
                           bias = lab::odd_halves(size(layer.filters), seed + 2);
  std::vector<double> matrix = windows(layer, x, p, q), y(size(layer.filters * outs));
  for (std::int64_t filter = 0; filter < layer.filters; ++filter) {
    for (std::int64_t out = 0; out < outs; ++out) {
      double& sum = y[size(filter * outs + out)];
      sum = static_cast<double>(bias[size(filter)]);
      for (std::int64_t tap = 0; tap < taps; ++tap)
        sum += static_cast<double>(weights[size(filter * taps + tap)]) *
               matrix[size(tap * outs + out)];
    }
  }
  lab::Trial made;
  made.name = std::to_string(layer.channels) + " x " + std::to_string(layer.height) + " x " +
              std::to_string(layer.width) + ", r = " + std::to_string(layer.rows) +
              ", s = " + std::to_string(layer.columns) +
              ", stride = " + std::to_string(layer.stride) + ", pad = " + std::to_string(layer.pad);
  made.kernel = "im2col";
  made.grid = {blocks(outs, kBlock), static_cast<std::uint32_t>(taps), 1};
  made.block = {static_cast<std::uint32_t>(kBlock), 1, 1};
  made.arrays = {lab::input_array("x", x), lab::input_array("weights", weights),
                 lab::input_array("bias", bias),
                 lab::output_array<float>("columns", std::move(matrix)),
                 lab::output_array<float>("y", std::move(y))};
  const auto number = [](std::int64_t value) {
    return device::Argument::of(static_cast<std::int32_t>(value));
  };
  made.arguments = {"x",
                    "columns",
                    number(layer.height),
                    number(layer.width),
                    number(layer.rows),
                    number(layer.columns),
                    number(p),
                    number(q),
                    number(layer.stride),
                    number(layer.pad)};
  lab::NextLaunch multiply;
  multiply.kernel = "multiply";
  multiply.arguments = {"weights",    "columns",   "bias", "y", number(layer.filters),
                        number(outs), number(taps)};
  multiply.module = product;
  multiply.grid = device::Dim3{blocks(outs, kTileN), blocks(layer.filters, kTileM), 1};
  multiply.block = device::Dim3{static_cast<std::uint32_t>(kProductBlock), 1, 1};
  made.next = {std::move(multiply)};
  return made;
}

std::shared_ptr<const device::Module> compiled_product(lab::Lab& lab) {
  const auto source = device::read_file(lab.context().root + "/" + kProduct);
  if (!source) throw lab::ExperimentFailed(source.error(), {});
  return lab.compile_source(
      kProduct, *source, {{"TILE_M", std::to_string(kTileM)}, {"TILE_N", std::to_string(kTileN)}});
}

void check(lab::Checker& checker) {
  const auto product = compiled_product(checker.lab);
  lab::Trials trials(checker);
  std::uint64_t seed = 1;
  for (const Layer& layer : std::vector<Layer>{{1, 0, 0, 1, 1, 1, 1, 0},
                                               {1, 1, 1, 1, 1, 1, 1, 0},
                                               {1, 1, 1, 2, 3, 3, 1, 1},
                                               {1, 2, 2, 1, 5, 5, 1, 0},
                                               {1, 1, 31, 1, 1, 3, 1, 0},
                                               {2, 32, 4, 3, 3, 3, 1, 1},
                                               {1, 33, 1, 1, 3, 1, 1, 0},
                                               {3, 13, 17, 4, 3, 2, 2, 1},
                                               {2, 11, 7, 17, 2, 5, 3, 2},
                                               {1, 8, 8, 1, 5, 5, 1, 2},
                                               {7, 9, 12, 2, 3, 3, 1, 1}}) {
    trials.run(trial(product, layer, seed));
    seed += 3;
  }
  // 41 outputs a row: 1 / 41 in float times a multiple of 41 is below the whole number.
  trials.run(trial(product, {1, 43, 43, 1, 3, 3, 1, 0}, seed++));
  // More outputs, pixels, columns and rows than 16 bits count.
  trials.run(trial(product, {2, 1, 66'000, 1, 1, 1, 1, 0}, seed++));
  trials.run(trial(product, {1, 66'000, 1, 1, 1, 1, 1, 0}, seed++));
  // 27 taps, each 14 blocks wide, the last ones not full.
  trials.run(lab::with_gates(trial(product, {3, 79, 83, 5, 3, 3, 2, 1}, seed)));
  for (const std::int64_t stride : {1, 2}) {
    const Layer layer{
        checker.drawn(1, 6), checker.drawn(20, 34), checker.drawn(20, 44), 2, 3, 3, stride,
        checker.drawn(0, 1)};
    trials.run(lab::hidden_with_gates(trial(product, layer, checker.draw())));
  }

  trials.add_right("right");
  trials.add_safe("safe");
  trials.add_written_once("written-once", "columns");
  trials.add_ratio("stores", {"im2col-gemm.stores"},
                   lab::sum_of([](const device::Counters& c) { return c.global_store_sectors; }));
  trials.add_ratio("loads", {"im2col-gemm.loads"},
                   lab::sum_of([](const device::Counters& c) { return c.global_load_sectors; }));
  trials.add_shared_out("shared-out");
  trials.add_work("work");
}

}  // namespace im2col_gemm_check

lab::Exercise im2col_gemm() { return {"im2col-gemm", im2col_gemm_check::check}; }

}  // namespace warpbook::exercises
