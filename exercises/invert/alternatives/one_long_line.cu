// All threads of the launch as one line, and the image as another: the last blocks have none of it.
__global__ void invert(const unsigned char* image, unsigned char* out, int width, int height) {
  int block = blockIdx.y * gridDim.x + blockIdx.x;
  int thread = threadIdx.y * blockDim.x + threadIdx.x;
  int i = block * blockDim.x * blockDim.y + thread;
  if (i < width * height) out[i] = 255 - image[i];
}
