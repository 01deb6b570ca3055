//@ idea: forgets all images but the first
//@ caught: values
//@ depth: n * pixels
//@ block: 256
//@ grid: ceil_div(k, block)

__global__ void convolution_backward_bias(const float* dy, float* dbias, int n, int k, int pixels) {
  const int filter = blockIdx.x * blockDim.x + threadIdx.x;
  if (filter >= k) return;
  float sum = 0;
  for (int i = 0; i < pixels && n > 0; ++i) sum += dy[filter * pixels + i];
  dbias[filter] = sum;
}
