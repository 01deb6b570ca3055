// Plain C++ for what the kernels compute. A file of its own, so that nothing is known of the sizes when it is compiled.
#pragma once

#include <cstdint>

namespace warpbook::bench {

void plain_add(const float* a, const float* b, float* c, int n);
/// c = a b, n x n.
void plain_sgemm(const float* a, const float* b, float* c, int n);
void plain_transpose(const float* from, float* to, int n);
/// The sum of every 256 elements.
void plain_reduction(const float* from, float* sums, int n);
/// Adds to 256 bins.
void plain_histogram(const std::uint32_t* values, std::uint32_t* bins, int n);
/// Eight channels of n x n to sixteen, 3 x 3 taps, zero outside.
void plain_convolution(const float* from, const float* weights, float* to, int n);
void plain_softmax(const float* from, float* to, int rows, int columns);

}  // namespace warpbook::bench
