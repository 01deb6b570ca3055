#include "training/kernel_choice.hpp"

#include <algorithm>
#include <stdexcept>

namespace warpbook::training {
namespace {

constexpr std::int64_t kTiledProducts = 1 << 16;  // multiply-adds from which tiles of 64 x 64 pay

/// The filters, channels and taps of small networks are few, and a tile of a convolution's matrix product that is as large as in a
/// large network would mostly multiply zeros. The least multiple of 16 that holds them, up to the rungs' own 64.
std::int64_t tile_for(std::int64_t rows) {
  return std::clamp<std::int64_t>((rows + 15) / 16 * 16, 16, 64);
}

KernelChoice implicit_gemm(std::int64_t rows) {
  return {"implicit_gemm", {{"TILE_M", tile_for(rows)}}};
}

/// Where an operation has one rung for all sizes.
const std::map<std::string_view, std::string>& fixed_rungs() {
  static const std::map<std::string_view, std::string> rungs = {
      {"accumulate", "one_each"},
      {"activation_gelu", "one_each"},
      {"activation_gelu_backward", "one_each"},
      {"activation_relu", "one_each"},
      {"activation_relu_backward", "one_each"},
      {"activation_sigmoid", "one_each"},
      {"activation_sigmoid_backward", "one_each"},
      {"activation_tanh", "one_each"},
      {"activation_tanh_backward", "one_each"},
      {"adam", "one_each"},
      {"add", "guarded"},
      {"broadcast_add", "one_each"},
      {"broadcast_backward", "warp"},
      {"broadcast_multiply", "one_each"},
      {"convolution_backward_bias", "block_sum"},
      {"cross_entropy", "warp"},
      {"cross_entropy_backward", "one_each"},
      {"mean_square_error", "one_block"},
      {"mean_square_error_backward", "one_each"},
      {"pooling_average", "direct"},
      {"pooling_average_backward", "gather"},
      {"pooling_max", "direct"},
      {"pooling_max_backward", "gather"},
      {"random_normal", "four_each"},
      {"random_uniform", "four_each"},
      {"reduction", "grid_stride"},
      {"sgd_momentum", "one_each"},
      {"softmax", "warp"},
      {"softmax_backward", "warp"},
      {"strided_copy", "one_each"},
  };
  return rungs;
}

}  // namespace

KernelChoice choose_kernel(std::string_view operation, const Sizes& sizes) {
  if (const auto fixed = fixed_rungs().find(operation); fixed != fixed_rungs().end())
    return {fixed->second, {}};
  if (operation == "sgemm_strided") {
    const std::int64_t products = sizes.at("m") * sizes.at("n") * sizes.at("k");
    return {products < kTiledProducts ? "one_each" : "tiled", {}};
  }
  if (operation == "convolution") return implicit_gemm(sizes.at("k"));
  if (operation == "convolution_backward_data") return implicit_gemm(sizes.at("c"));
  if (operation.starts_with("convolution_backward_filter")) {
    const std::int64_t taps = sizes.at("c") * sizes.at("r") * sizes.at("s");
    return {"split_k_gemm", {{"TILE_M", tile_for(sizes.at("k"))}, {"TILE_N", tile_for(taps)}}};
  }
  if (operation == "convolution_nhwc") return {"implicit_gemm", {{"TILE_N", tile_for(sizes.at("k"))}}};
  if (operation == "convolution_backward_data_nhwc")
    return {"implicit_gemm", {{"TILE_N", tile_for(sizes.at("c"))}}};
  throw std::logic_error("no training uses the operation " + std::string(operation));
}

}  // namespace warpbook::training
