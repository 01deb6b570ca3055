// What the host hands to the kernels of kernels.cu; the host and NVRTC both read this file, so that they agree on every byte.
#pragma once

namespace warpbook::device::libraries::cufft {

constexpr int kMostDimensions = 3;

/// Where the elements of a program's array are: row-major, with `step` elements from one to the next, `batch` from one transform to
/// the next, and rows of `embedded` elements.
struct Layout {
  long long step = 1, batch = 0;
  long long embedded[kMostDimensions] = {1, 1, 1};
};

/// Sizes of a transform, and how many of them.
struct Sizes {
  int n[kMostDimensions] = {1, 1, 1};
  long long each = 1;   ///< elements of a transform
  long long total = 1;  ///< and of all
};

/// One step along one dimension: so many transforms of `before` elements become one of `before * radix`.
struct Pass {
  const void* from = nullptr;
  void* to = nullptr;
  const void* roots = nullptr;  ///< exp(-2 pi i k / n) for all k
  long long total = 1;
  long long inner = 1;  ///< elements from one of this dimension to the next
  int n = 1;            ///< of this dimension
  int before = 1;
  int radix = 1;
  int inverse = 0;
};

}  // namespace warpbook::device::libraries::cufft
