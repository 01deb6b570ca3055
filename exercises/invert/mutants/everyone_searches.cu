__global__ void invert(const unsigned char* image, unsigned char* out,
                       int width, int height) {
  for (int k = 0; k < blockDim.x; ++k) {  // walks to its column instead of going there
    int x = blockIdx.x * blockDim.x + k, y = blockIdx.y * blockDim.y + threadIdx.y;
    if (k == threadIdx.x && x < width && y < height) out[y * width + x] = 255 - image[y * width + x];
    __syncthreads();                      // so that the compiler cannot skip the walk
  }
}
