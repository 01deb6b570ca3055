__global__ void gelu_backward(const float* x, const float* dy,
                              float* dx, int n) {
  __shared__ float tile[1024];
  const float a = 0.79788456f, b = 0.044715f;
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) tile[threadIdx.x] = x[i];
  __syncthreads();
  if (i >= n) return;
  float v = tile[threadIdx.x];
  float t = tanhf(a * (v + b * v * v * v));
  float du = a * (1 + 3 * b * v * v);
  dx[i] = dy[i] * (0.5f * (1 + t) + 0.5f * v * (1 - t * t) * du);
}
