// y = x right of 0, leak x left of it
// x, y: [n]
//
// ReLU's slope is 0 for every negative x. Here a
// little of it is left.
__global__ void leaky_relu(
    const float* x, float* y, int n, float leak) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) y[i] = x[i] > 0 ? x[i] : leak * x[i];
}
