// A training: three kernels in a loop, one step recorded as
// a CUDA graph and launched 100 times. The losses are held
// against the formula for one linear layer and one sample.
// nvcc -o training training.cu && ./training
#include <cmath>
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

const int inputs = 10, steps = 100;
const float rate = 0.01f, target = 1;

// *y = the sum of x[i] * w[i], and the bias. One warp.
__global__ void forward(const float* x, const float* w,
                        const float* bias, float* y) {
  float sum = 0;
  for (int i = threadIdx.x; i < inputs; i += 32)
    sum += x[i] * w[i];
  for (int distance = 16; distance > 0; distance /= 2)
    sum += __shfl_xor_sync(~0u, sum, distance);
  if (threadIdx.x == 0) *y = sum + *bias;
}

// The loss (y - target)^2 of this step, and the gradients
// of weights and bias. The device counts the steps, since
// a graph launches with the same arguments every time.
__global__ void backward(const float* x, const float* y,
                         float* dw, float* dbias,
                         float* loss, int* step) {
  float dy = 2 * (*y - target);
  int i = threadIdx.x;
  if (i < inputs) dw[i] = dy * x[i];
  if (i == 0) {
    *dbias = dy;
    loss[*step] = dy * dy / 4;
    ++*step;
  }
}

__global__ void update(float* w, float* bias,
                       const float* dw, const float* dbias) {
  int i = threadIdx.x;
  if (i < inputs) w[i] -= rate * dw[i];
  if (i == 0) *bias -= rate * *dbias;
}

int main() {
  float x[inputs], w[inputs], loss[steps];
  double squares = 0;
  for (int i = 0; i < inputs; ++i) {
    x[i] = float(i * 7 % 10) / 10 - 0.45f;
    w[i] = float(i * 3 % 10) / 20 - 0.2f;
    squares += double(x[i]) * x[i];
  }

  float *d_x, *d_w, *d_bias, *d_y, *d_dw, *d_dbias, *d_loss;
  int* d_step;
  CHECK(cudaMalloc(&d_x, sizeof x));
  CHECK(cudaMalloc(&d_w, sizeof w));
  CHECK(cudaMalloc(&d_dw, sizeof w));
  CHECK(cudaMalloc(&d_bias, sizeof(float)));
  CHECK(cudaMalloc(&d_dbias, sizeof(float)));
  CHECK(cudaMalloc(&d_y, sizeof(float)));
  CHECK(cudaMalloc(&d_loss, sizeof loss));
  CHECK(cudaMalloc(&d_step, sizeof(int)));
  CHECK(cudaMemcpy(d_x, x, sizeof x, cudaMemcpyDefault));
  CHECK(cudaMemcpy(d_w, w, sizeof w, cudaMemcpyDefault));
  CHECK(cudaMemset(d_bias, 0, sizeof(float)));
  CHECK(cudaMemset(d_step, 0, sizeof(int)));

  // One step, recorded and not carried out.
  cudaStream_t s;
  cudaGraph_t graph;
  cudaGraphExec_t ready;
  CHECK(cudaStreamCreate(&s));
  CHECK(cudaStreamBeginCapture(
      s, cudaStreamCaptureModeGlobal));
  forward<<<1, 32, 0, s>>>(d_x, d_w, d_bias, d_y);
  backward<<<1, 32, 0, s>>>(d_x, d_y, d_dw, d_dbias, d_loss,
                            d_step);
  update<<<1, 32, 0, s>>>(d_w, d_bias, d_dw, d_dbias);
  CHECK(cudaStreamEndCapture(s, &graph));
  CHECK(cudaGraphInstantiate(&ready, graph, 0));

  // The training.
  for (int step = 0; step < steps; ++step)
    CHECK(cudaGraphLaunch(ready, s));
  CHECK(cudaStreamSynchronize(s));
  CHECK(cudaMemcpy(loss, d_loss, sizeof loss,
                   cudaMemcpyDefault));

  // What is missing to the target shrinks by the same factor
  // in each step, and the loss by its square.
  const double shrinks = 2 * rate * (squares + 1);
  bool right = true;
  for (int step = 0; step < steps; step += 10) {
    const double formula =
        loss[0] * pow(1 - shrinks, 2 * step);
    printf("step %2d: loss %.4g, formula %.4g\n", step,
           loss[step], formula);
    right &= fabs(loss[step] - formula) <
             1e-3 * formula + 1e-6 * sqrt(formula);
  }

  CHECK(cudaGraphExecDestroy(ready));
  CHECK(cudaGraphDestroy(graph));
  CHECK(cudaStreamDestroy(s));
  for (float* each :
       {d_x, d_w, d_bias, d_y, d_dw, d_dbias, d_loss})
    CHECK(cudaFree(each));
  CHECK(cudaFree(d_step));
  printf(right ? "PASS\n" : "FAIL\n");
  return right ? EXIT_SUCCESS : EXIT_FAILURE;
}
