// One loop of nine steps, and the sum in double precision.
__global__ void nine(cudaTextureObject_t image, float* out, int width, int height) {
  int x = blockIdx.x * blockDim.x + threadIdx.x;
  int y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x >= width || y >= height) return;
  double sum = 0;
#pragma unroll 1
  for (int k = 0; k < 9; ++k)
    sum += tex2D<float>(image, x + k % 3 - 0.5f, y + k / 3 - 0.5f);
  out[y * width + x] = static_cast<float>(sum);
}
