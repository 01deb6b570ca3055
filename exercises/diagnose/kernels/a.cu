// Each warp writes down the columns of its tile and reads them again.
__global__ void mystery(const float* in, float* out) {
  __shared__ float tile[8][32][32];
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  int warp = threadIdx.x / 32, lane = threadIdx.x % 32;
  float v = in[i];
  for (int k = 0; k < 32; ++k) {
    tile[warp][lane][k] = v;
    __syncwarp();
    v += tile[warp][(lane + 1) % 32][k];
    __syncwarp();
  }
  out[i] = v;
}
