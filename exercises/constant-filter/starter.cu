// The host copies five numbers to it before the launch.
__constant__ float coefficients[5];

// out[i] = sum over k of coefficients[k] * x[i + k]
// x: [n + 4], out: [n]
__global__ void constant_filter(const float* x,
                                float* out, int n) {
  // five samples, five coefficients, one sum
}
