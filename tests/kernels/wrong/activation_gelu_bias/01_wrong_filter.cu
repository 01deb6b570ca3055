//@ idea: takes the bias of another filter
//@ caught: values
//@ block: 256
//@ grid: ceil_div(n * k * pixels, block)

__global__ void activation_gelu_bias(const float* x, const float* bias, float* y, int n, int k,
                                     int pixels) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n * k * pixels) return;
  const float word = x[i] + bias[i % k];
  y[i] = word * normcdff(word);
}
