// Darkens a picture on the GPU: one thread per pixel,
// in blocks of 16 x 16 threads.
// nvcc -o darken darken.cu && ./darken
#include <cstdio>
#include <cstdlib>
#include <vector>

// Ends the program where a CUDA call fails.
#define CHECK(call)                           \
  do {                                        \
    cudaError_t error = (call);               \
    if (error != cudaSuccess) {               \
      fprintf(stderr, "line %d: %s\n",        \
              __LINE__,                       \
              cudaGetErrorString(error));     \
      exit(EXIT_FAILURE);                     \
    }                                         \
  } while (0)

// Each thread halves one pixel's brightness.
// image, out: [height][width]
__global__ void darken(
    const unsigned char* image, unsigned char* out,
    int width, int height) {
  int x = blockIdx.x * blockDim.x + threadIdx.x;
  int y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x < width && y < height) {
    int i = y * width + x;
    out[i] = image[i] / 2;
  }
}

int main() {
  // No multiples of 16, so blocks reach past the right
  // and the lower edge, and the guard is needed.
  const int width = 200, height = 150;
  const size_t bytes = size_t(width) * height;
  std::vector<unsigned char> image(bytes), out(bytes);
  for (int y = 0; y < height; ++y) {
    for (int x = 0; x < width; ++x) {
      image[y * width + x] = (3 * x + 5 * y) % 256;
    }
  }

  unsigned char *d_image, *d_out;
  CHECK(cudaMalloc(&d_image, bytes));
  CHECK(cudaMalloc(&d_out, bytes));
  CHECK(cudaMemcpy(d_image, image.data(), bytes,
                   cudaMemcpyHostToDevice));

  const dim3 block(16, 16);
  const dim3 grid((width + block.x - 1) / block.x,
                  (height + block.y - 1) / block.y);
  darken<<<grid, block>>>(d_image, d_out, width,
                          height);
  CHECK(cudaGetLastError());
  CHECK(cudaMemcpy(out.data(), d_out, bytes,
                   cudaMemcpyDeviceToHost));
  CHECK(cudaFree(d_image));
  CHECK(cudaFree(d_out));

  for (size_t i = 0; i < bytes; ++i) {
    if (out[i] != image[i] / 2) {
      printf("pixel %zu is %d, not %d\n", i, out[i],
             image[i] / 2);
      printf("FAIL\n");
      return EXIT_FAILURE;
    }
  }
  printf("%u x %u blocks darkened %d x %d pixels\n",
         grid.x, grid.y, width, height);
  printf("PASS\n");
}
