// A problem in oneDNN's terms: its operation descriptor, and which of a primitive's arguments our tensors are.
#pragma once

#include <vector>

#include "device/libraries/onednn_api.hpp"
#include "device/libraries/problem.hpp"

namespace warpbook::device::libraries {

/// Where the data may lie: images in the layout that was asked for and the filters as oneDNN likes them, or all as it
/// likes.
enum class OneDnnFreedom : std::uint8_t { filters, all };

/// The primitive that oneDNN is asked for, and the forward one beside it: a gradient's descriptor needs that as a hint, and
/// the gradient of a maximum needs the workspace in which the forward pass remembered its choices.
struct OneDnnTask {
  union Descriptor {
    dnnl_convolution_desc_t convolution;
    dnnl_matmul_desc_t matmul;
    dnnl_softmax_v2_desc_t softmax;
    dnnl_eltwise_desc_t eltwise;
    dnnl_pooling_v2_desc_t pooling;
  };
  Descriptor descriptor{}, forward{};
  bool has_forward = false;
};

/// Error: library_refused.
Expected<OneDnnTask> onednn_task(const OneDnnApi& api, const Problem& problem,
                                 OneDnnFreedom freedom);

/// The argument (DNNL_ARG_SRC, ...) that each input of tensors_of is, 0 for one that oneDNN does without, and at the end
/// the one that the output is.
std::vector<int> onednn_arguments(const Problem& problem);

/// The tensor that is that argument in our own order, FP32.
Expected<dnnl_memory_desc_t> onednn_plain(const OneDnnApi& api, const Problem& problem,
                                          const Shape& shape, int argument);

}  // namespace warpbook::device::libraries
