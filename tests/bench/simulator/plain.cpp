#include "tests/bench/simulator/plain.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>

namespace warpbook::bench {

void plain_add(const float* a, const float* b, float* c, int n) {
  for (int i = 0; i < n; ++i) c[i] = a[i] + b[i];
}

void plain_sgemm(const float* a, const float* b, float* c, int n) {
  std::fill(c, c + static_cast<std::ptrdiff_t>(n) * n, 0.0f);
  for (int i = 0; i < n; ++i) {
    for (int k = 0; k < n; ++k) {
      for (int j = 0; j < n; ++j) c[i * n + j] += a[i * n + k] * b[k * n + j];
    }
  }
}

void plain_transpose(const float* from, float* to, int n) {
  for (int y = 0; y < n; ++y) {
    for (int x = 0; x < n; ++x) to[x * n + y] = from[y * n + x];
  }
}

void plain_reduction(const float* from, float* sums, int n) {
  for (int block = 0; block < (n + 255) / 256; ++block) {
    float sum = 0;
    for (int i = 256 * block; i < std::min(n, 256 * (block + 1)); ++i) sum += from[i];
    sums[block] = sum;
  }
}

void plain_histogram(const std::uint32_t* values, std::uint32_t* bins, int n) {
  for (int i = 0; i < n; ++i) ++bins[values[i] & 255];
}

void plain_convolution(const float* from, const float* weights, float* to, int n) {
  for (int out = 0; out < 16; ++out) {
    for (int y = 0; y < n; ++y) {
      for (int x = 0; x < n; ++x) {
        float sum = 0;
        for (int in = 0; in < 8; ++in) {
          for (int dy = -1; dy <= 1; ++dy) {
            for (int dx = -1; dx <= 1; ++dx) {
              if (y + dy < 0 || y + dy >= n || x + dx < 0 || x + dx >= n) continue;
              sum += from[(in * n + y + dy) * n + x + dx] *
                     weights[(out * 8 + in) * 9 + (dy + 1) * 3 + dx + 1];
            }
          }
        }
        to[(out * n + y) * n + x] = sum;
      }
    }
  }
}

void plain_softmax(const float* from, float* to, int rows, int columns) {
  for (int row = 0; row < rows; ++row, from += columns, to += columns) {
    const float largest = *std::max_element(from, from + columns);
    float sum = 0;
    for (int i = 0; i < columns; ++i) {
      to[i] = std::exp(from[i] - largest);
      sum += to[i];
    }
    for (int i = 0; i < columns; ++i) to[i] /= sum;
  }
}

}  // namespace warpbook::bench
