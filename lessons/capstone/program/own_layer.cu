// The layer conv2 by your kernel and by the chapter's
// direct: how long does each take, and do they agree in
// every output? A number behind the command says how many
// launches are timed.
// nvcc -o own_layer own_layer.cu && ./own_layer 100
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

// As kernels/convolution/01_direct.cu: a thread per output.
__global__ void direct(
    const float* x, const float* weights,
    const float* bias, float* y,
    int n, int c, int h, int w, int k, int r, int s,
    int p, int q, int stride, int pad, int dilation) {
  const int pixel = blockIdx.x * blockDim.x + threadIdx.x;
  const int filter = blockIdx.y, image = blockIdx.z;
  if (pixel >= p * q) return;
  const int out_row = pixel / q, out_column = pixel % q;

  float sum = 0;
  for (int channel = 0; channel < c; ++channel) {
    const float* plane = x + (image * c + channel) * h * w;
    const float* taps =
        weights + (filter * c + channel) * r * s;
    for (int tap_row = 0; tap_row < r; ++tap_row) {
      const int row =
          out_row * stride - pad + tap_row * dilation;
      if (row < 0 || row >= h) continue;
      for (int tap_column = 0; tap_column < s; ++tap_column) {
        const int column =
            out_column * stride - pad + tap_column * dilation;
        if (column < 0 || column >= w) continue;
        sum += plane[row * w + column]
               * taps[tap_row * s + tap_column];
      }
    }
  }
  y[((image * k + filter) * p + out_row) * q + out_column] =
      sum + bias[filter];
}

// Here you can put your own kernel. This one computes two
// filters per thread, as in the chapter.
// x: [n][c][h][w], n images of c channels
// weights: [k][c][r][s], k filters; bias: [k]
// y: [n][k][p][q]
__global__ void convolution(
    const float* x, const float* weights,
    const float* bias, float* y,
    int n, int c, int h, int w, int k, int r, int s,
    int p, int q, int stride, int pad, int dilation) {
  extern __shared__ float part[];  // [2][c][r][s]
  int taps = c * r * s;
  int first = blockIdx.y * 2, image = blockIdx.z;
  for (int t = threadIdx.x; t < 2 * taps;
       t += blockDim.x) {
    int weight = first * taps + t;
    part[t] = weight < k * taps ? weights[weight] : 0;
  }
  __syncthreads();  // all weights are there

  int place = blockIdx.x * blockDim.x + threadIdx.x;
  if (place >= p * q) return;
  int i = place / q, j = place % q;
  float sum[2] = {};
  int t = 0;
  for (int channel = 0; channel < c; ++channel)
    for (int u = 0; u < r; ++u)
      for (int v = 0; v < s; ++v, ++t) {
        int row = i * stride - pad + u * dilation;
        int column = j * stride - pad + v * dilation;
        bool inside = row >= 0 && row < h &&
                      column >= 0 && column < w;
        float pixel =
            inside ? x[((image * c + channel) * h
                        + row) * w + column] : 0;
        sum[0] += pixel * part[t];
        sum[1] += pixel * part[taps + t];
      }

  for (int f = 0; f < 2 && first + f < k; ++f)
    y[((image * k + first + f) * p + i) * q + j] =
        sum[f] + bias[first + f];
}

// Small whole numbers: every order of adding gives the
// same sum, so the two results have to be equal.
std::vector<float> numbers(int count, int step, int values) {
  std::vector<float> made(count);
  for (int i = 0; i < count; ++i)
    made[i] = i * step % values - values / 2;
  return made;
}

float* on_device(const std::vector<float>& values) {
  float* copy;
  size_t bytes = values.size() * sizeof(float);
  CHECK(cudaMalloc(&copy, bytes));
  CHECK(cudaMemcpy(copy, values.data(), bytes,
                   cudaMemcpyHostToDevice));
  return copy;
}

// Calls launch() once to warm up and then so many times by
// the clock, and gives back what the kernel wrote to y.
template <class Launch>
std::vector<float> run(const char* name, Launch launch,
                       int launches, float* y, int outputs) {
  std::vector<float> result(outputs);
  size_t bytes = outputs * sizeof(float);
  cudaEvent_t begin, end;
  CHECK(cudaEventCreate(&begin));
  CHECK(cudaEventCreate(&end));
  CHECK(cudaMemset(y, 0, bytes));
  launch();
  CHECK(cudaGetLastError());
  CHECK(cudaEventRecord(begin));
  for (int i = 0; i < launches; ++i) launch();
  CHECK(cudaEventRecord(end));
  CHECK(cudaEventSynchronize(end));
  float milliseconds;
  CHECK(cudaEventElapsedTime(&milliseconds, begin, end));
  printf("%-7s %.1f microseconds for each of %d launches\n",
         name, 1000 * milliseconds / launches, launches);
  CHECK(cudaMemcpy(result.data(), y, bytes,
                   cudaMemcpyDeviceToHost));
  CHECK(cudaEventDestroy(begin));
  CHECK(cudaEventDestroy(end));
  return result;
}

int ceil_div(int a, int b) { return (a + b - 1) / b; }

int main(int argc, char** argv) {
  const int launches = argc > 1 ? atoi(argv[1]) : 5;
  if (launches < 1) {
    fprintf(stderr, "usage: %s [LAUNCHES]\n", argv[0]);
    return EXIT_FAILURE;
  }
  // The layer, named as in the lines that begin with //@.
  const int n = 10, c = 8, h = 16, w = 16;
  const int k = 16, r = 3, s = 3, p = 16, q = 16;
  const int stride = 1, pad = 1, dilation = 1;
  const int outputs = n * k * p * q;
  float* x = on_device(numbers(n * c * h * w, 7, 15));
  float* weights = on_device(numbers(k * c * r * s, 5, 9));
  float* bias = on_device(numbers(k, 3, 7));
  float* y = on_device(numbers(outputs, 1, 2));

  auto launch_direct = [&] {
    const int block = 256;
    const dim3 grid(ceil_div(p * q, block), k, n);
    direct<<<grid, block>>>(x, weights, bias, y, n, c, h, w,
                            k, r, s, p, q, stride, pad,
                            dilation);
  };
  // Yours: block, grid and shared as its lines with //@ say.
  auto launch_yours = [&] {
    const int block = 256;
    const dim3 grid(ceil_div(p * q, block), ceil_div(k, 2), n);
    const size_t shared = 4 * 2 * c * r * s;
    convolution<<<grid, block, shared>>>(
        x, weights, bias, y, n, c, h, w, k, r, s, p, q,
        stride, pad, dilation);
  };
  const std::vector<float> truth =
      run("direct", launch_direct, launches, y, outputs);
  const std::vector<float> yours =
      run("yours", launch_yours, launches, y, outputs);

  int different = 0;
  for (int i = 0; i < outputs; ++i)
    different += truth[i] != yours[i];
  printf("%d of %d outputs differ\n", different, outputs);
  for (float* array : {x, weights, bias, y})
    CHECK(cudaFree(array));
  printf(different == 0 ? "PASS\n" : "FAIL\n");
  return different == 0 ? 0 : EXIT_FAILURE;
}
