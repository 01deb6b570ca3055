// The way back of overlapping windows, y[i][j] = x[i + j]:
// dx[k] = the sum of dy over all places where x[k] stands.
// x: [n], y: [n - width + 1][width]
__global__ void windows_backward(const float* dy, float* dx,
                                 int n, int width) {
  int k = blockIdx.x * blockDim.x + threadIdx.x;
  if (k >= n) return;
  float sum = 0;
  for (int i = max(0, k - width + 1);
       i <= min(k, n - width); ++i)
    sum += dy[i * width + k - i];
  dx[k] = sum;
}
