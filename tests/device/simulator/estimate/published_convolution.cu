// A filter of an odd width over an image, one channel, zero outside; results held between 0 and 1 in double precision, as in the
// code whose timings are published (published.toml). Written for the estimate's tests.

__constant__ float filter[11 * 11];

__device__ inline float held(float x) { return fmin(fmax(static_cast<double>(x), 0.0), 1.0); }

extern "C" __global__ void filter_global(const float* image, const float* mask, float* to, int mask_height,
                                         int mask_width, int height, int width, int channels) {
  const int i = blockIdx.y * blockDim.y + threadIdx.y, j = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= height || j >= width) return;
  const int top = i - mask_height / 2, left = j - mask_width / 2;
  for (int c = 0; c < channels; ++c) {
    float sum = 0;
    for (int k = 0; k < mask_height; ++k) {
      for (int l = 0; l < mask_width; ++l) {
        if (top + k >= 0 && top + k < height && left + l >= 0 && left + l < width)
          sum += image[((top + k) * width + left + l) * channels + c] * mask[k * mask_width + l];
      }
    }
    to[(i * width + j) * channels + c] = held(sum);
  }
}

extern "C" __global__ void filter_constant(const float* image, float* to, int mask_height, int mask_width,
                                           int height, int width, int channels) {
  const int i = blockIdx.y * blockDim.y + threadIdx.y, j = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= height || j >= width) return;
  const int top = i - mask_height / 2, left = j - mask_width / 2;
  for (int c = 0; c < channels; ++c) {
    float sum = 0;
    for (int k = 0; k < mask_height; ++k) {
      for (int l = 0; l < mask_width; ++l) {
        if (top + k >= 0 && top + k < height && left + l >= 0 && left + l < width)
          sum += image[((top + k) * width + left + l) * channels + c] * filter[k * mask_width + l];
      }
    }
    to[(i * width + j) * channels + c] = held(sum);
  }
}

extern __shared__ float tile[];

/// A block loads a tile with its halo and computes the elements inside.
extern "C" __global__ void filter_tiled(const float* image, float* to, int mask_height, int mask_width,
                                        int height, int width, int channels) {
  const int tile_height = blockDim.y - mask_height + 1, tile_width = blockDim.x - mask_width + 1;
  const int y = threadIdx.y, x = threadIdx.x;
  const int row = blockIdx.y * tile_height + y, column = blockIdx.x * tile_width + x;
  const int from_row = row - mask_height / 2, from_column = column - mask_width / 2;
  for (int c = 0; c < channels; ++c) {
    const bool inside = from_row >= 0 && from_row < height && from_column >= 0 && from_column < width;
    tile[y * blockDim.x + x] = inside ? image[(from_row * width + from_column) * channels + c] : 0;
    __syncthreads();
    if (y < tile_height && x < tile_width && row < height && column < width) {
      float sum = 0;
      for (int k = 0; k < mask_height; ++k) {
        for (int l = 0; l < mask_width; ++l)
          sum += tile[(y + k) * blockDim.x + x + l] * filter[k * mask_width + l];
      }
      to[(row * width + column) * channels + c] = held(sum);
    }
    __syncthreads();
  }
}
