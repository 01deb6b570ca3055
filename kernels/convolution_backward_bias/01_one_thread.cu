//@ idea: one thread a filter adds everything that its outputs received
//@ block: 128
//@ grid: ceil_div(k, block)
//@ registers: 48
//@ depth: n * pixels
//@ bytes: 4 * (n * k * pixels + k)
//@ flops: n * k * pixels

// dbias[filter] = sum over image, pixel of dy[image][filter][pixel]
// dy: [n][k][pixels], dbias: [k]
//
// The bias was added to every output of its filter, so its gradient is the sum of theirs. k threads
// are few, and their neighbours read words that lie `pixels` apart: a sector of 32 bytes for each
// 4.
__global__ void convolution_backward_bias(const float* dy, float* dbias, int n, int k, int pixels) {
  const int filter = blockIdx.x * blockDim.x + threadIdx.x;
  if (filter >= k) return;
  float sum = 0;
  for (int image = 0; image < n; ++image) {
    for (int pixel = 0; pixel < pixels; ++pixel) sum += dy[(image * k + filter) * pixels + pixel];
  }
  dbias[filter] = sum;
}
