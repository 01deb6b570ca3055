// What the host hands to the kernels of kernels.cu; the host and NVRTC both read this file, so that they agree on every byte.
#pragma once

namespace warpbook::device::libraries::cudnn {

/// The factors with which a result and what was there before are joined: to = alpha * result + beta * to.
struct Blend {
  double alpha = 1, beta = 0;
};

/// A tensor of images: sizes in n, c, h and w, and elements from one to the next in each.
struct Tensor {
  int n = 0, c = 0, h = 0, w = 0;
  long long n_stride = 0, c_stride = 0, h_stride = 0, w_stride = 0;
};

/// What slides over an image, in height and width.
struct Window {
  int h = 1, w = 1;
  int pad_h = 0, pad_w = 0;
  int step_h = 1, step_w = 1;
  int dilation_h = 1, dilation_w = 1;
};

/// Weights are those of `k` filters, each of c / groups channels; `flipped`: the convolution of mathematics.
struct Convolution {
  Tensor x, weights, y;  ///< of weights, n is the filter
  Window window;
  int groups = 1;
  int flipped = 0;
};

enum class Activation : int { sigmoid, relu, tanh, clipped_relu, elu, identity, swish };
enum class Pooling : int { maximum, average_with_padding, average_without_padding };

/// Vectors over which softmax runs: `length` elements of each, of one image or of one place in it.
struct Vectors {
  long long count = 0;
  int length = 0;
  int whole_images = 0;
  int fast = 0;  ///< the maximum is not subtracted
  int logarithm = 0;
};

/// How many filters a thread of the convolution serves with each element that it loads.
constexpr int kFiltersOfThread = 4;

}  // namespace warpbook::device::libraries::cudnn
