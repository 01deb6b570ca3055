//@ idea: fused: the sum never leaves its register
//@ block: 256
//@ grid: ceil_div(pixels, block), k, n
//@ registers: 40
//@ bytes: 8 * n * k * pixels
//@ flops: 21 * n * k * pixels

// y = activation(x + bias), activation(x) = tanh(x)      x, y: [n][k][pixels], bias: [k]
//
// The addition costs no byte when the word is at hand: half the traffic of two launches, and half
// the time. It goes further: the convolution's last line is the best place for both
// (kernels/convolution adds its bias there).

// tanhf, within 2 ulp. The textbook's (e^x - e^-x) / (e^x + e^-x) gives inf / inf from x = 89 on,
// and near 0 it subtracts two numbers that are nearly 1; the library's takes another way at either
// end.
__device__ float hyperbolic_tangent(float x) { return tanhf(x); }

__global__ void activation_tanh_bias(const float* x, const float* bias, float* y, int n, int k,
                                     int pixels) {
  const int pixel = blockIdx.x * blockDim.x + threadIdx.x;
  const int filter = blockIdx.y, image = blockIdx.z;
  if (pixel >= pixels) return;
  const int i = (image * k + filter) * pixels + pixel;
  y[i] = hyperbolic_tangent(x[i] + bias[filter]);
}
