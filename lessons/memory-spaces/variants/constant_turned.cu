// Each thread begins with a weight of its own, so that the
// lanes of a warp do not all want the same one at once.
__constant__ float weight[8];

__global__ void smooth(const float* x, const float* c,
                       float* out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  float sum = 0;
  for (int k = 0; k < 8; ++k) {
    int turned = (k + i) % 8;
    sum += weight[turned] * x[i + turned];
  }
  out[i] = sum;
}
