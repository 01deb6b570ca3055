// Mends the scratches of a film in chunks: while one chunk is
// mended, the next one arrives and the one before goes back.
// nvcc -o film film.cu && ./film
#include <cstdio>
#include <cstdlib>

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

constexpr int kWidth = 500;  // pixels of a row
constexpr int kRadius = 10;

__host__ __device__ unsigned char mended(
    const unsigned char* film, int i) {
  int x = i % kWidth;
  int first = x < kRadius ? 0 : x - kRadius;
  int last = x + kRadius < kWidth ? x + kRadius : kWidth - 1;
  int sum = 0;
  for (int k = first; k <= last; ++k) {
    sum += film[i - x + k];
  }
  int mean = sum / (last - first + 1);
  bool scratch = abs(film[i] - mean) > 40;
  return scratch ? mean : film[i];
}

__global__ void mend(const unsigned char* film,
                     unsigned char* clean, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) clean[i] = mended(film, i);
}

int main() {
  const int chunks = 8, streams = 3, block = 256;
  const int n = 10 * kWidth;  // pixels of a chunk: whole rows
  const int all = chunks * n;
  // Pinned, so that copies can overlap.
  unsigned char *film, *clean, *d_film, *d_clean;
  CHECK(cudaMallocHost(&film, all));
  CHECK(cudaMallocHost(&clean, all));
  CHECK(cudaMalloc(&d_film, all));
  CHECK(cudaMalloc(&d_clean, all));
  for (int i = 0; i < all; ++i) {
    film[i] = i % 97 == 0 ? 250 : 50 + i / kWidth;
  }

  cudaStream_t s[streams];
  cudaEvent_t start, done[streams];
  CHECK(cudaEventCreate(&start));
  for (int k = 0; k < streams; ++k) {
    CHECK(cudaStreamCreate(&s[k]));
    CHECK(cudaEventCreate(&done[k]));
  }

  CHECK(cudaEventRecord(start, s[0]));
  for (int k = 0; k < chunks; ++k) {
    cudaStream_t own = s[k % streams];
    int at = k * n;
    CHECK(cudaMemcpyAsync(d_film + at, film + at, n,
                          cudaMemcpyDefault, own));
    mend<<<(n + block - 1) / block, block, 0, own>>>(
        d_film + at, d_clean + at, n);
    CHECK(cudaGetLastError());
    CHECK(cudaMemcpyAsync(clean + at, d_clean + at, n,
                          cudaMemcpyDefault, own));
  }
  // s[0] waits for the others, so that its event is the last.
  for (int k = 1; k < streams; ++k) {
    CHECK(cudaEventRecord(done[k], s[k]));
    CHECK(cudaStreamWaitEvent(s[0], done[k]));
  }
  CHECK(cudaEventRecord(done[0], s[0]));
  CHECK(cudaEventSynchronize(done[0]));

  float ms;
  CHECK(cudaEventElapsedTime(&ms, start, done[0]));
  printf("%d chunks in %d streams: %.3f ms\n", chunks, streams,
         ms);
  int wrong = 0;
  for (int i = 0; i < all; ++i) {
    wrong += clean[i] != mended(film, i);
  }

  for (int k = 0; k < streams; ++k) {
    CHECK(cudaStreamDestroy(s[k]));
    CHECK(cudaEventDestroy(done[k]));
  }
  CHECK(cudaEventDestroy(start));
  CHECK(cudaFree(d_film));
  CHECK(cudaFree(d_clean));
  CHECK(cudaFreeHost(film));
  CHECK(cudaFreeHost(clean));
  printf(wrong == 0 ? "PASS\n" : "FAIL: %d pixels are wrong\n", wrong);
  return wrong != 0;
}
