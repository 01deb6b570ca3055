// The block's part of the picture in shared memory, each thread its own place.
__global__ void invert(const unsigned char* image, unsigned char* out, int width, int height) {
  __shared__ unsigned char part[1024];
  int x = blockIdx.x * blockDim.x + threadIdx.x;
  int y = blockIdx.y * blockDim.y + threadIdx.y;
  int t = threadIdx.y * blockDim.x + threadIdx.x;
  bool mine = x < width && y < height;
  if (mine) part[t] = image[y * width + x];
  __syncthreads();
  if (mine) out[y * width + x] = 255 - part[t];
}
