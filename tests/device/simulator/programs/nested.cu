// Kernels that launch kernels, in every way that run/device_runtime_test.cpp tries.
#include <cstdio>

/// Each thread of each grid launches a grid, `levels` deep.
__global__ void tree(int levels, int parent) {
  printf("level %d of %d.%d\n", levels, parent, threadIdx.x);
  if (levels > 0) tree<<<1, 2>>>(levels - 1, 10 * parent + threadIdx.x);
}

__device__ int visits;
/// Calls itself until CUDA refuses; the depth that was reached and the error go to `out`.
__global__ void descend(int depth, int* out) {
  ++visits;
  out[0] = depth;
  descend<<<1, 1>>>(depth + 1, out);
  const cudaError_t error = cudaGetLastError();
  if (error != cudaSuccess) {
    out[1] = error;
    out[2] = cudaGetLastError();
  }
}

__global__ void say(int number) { printf("%d ", number); }
__global__ void say_and_launch(int number) {
  printf("%d ", number);
  say<<<1, 1, 0, cudaStreamTailLaunch>>>(number + 2);
  say<<<1, 1>>>(number + 1);
}
__global__ void order() {
  cudaStream_t stream;
  cudaEvent_t event;
  cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking);
  cudaEventCreateWithFlags(&event, cudaEventDisableTiming);
  say<<<1, 1, 0, cudaStreamTailLaunch>>>(100);
  say_and_launch<<<1, 1, 0, cudaStreamTailLaunch>>>(200);
  say_and_launch<<<1, 1, 0, stream>>>(10);
  cudaEventRecord(event, stream);
  cudaStreamWaitEvent(0, event, 0);
  say<<<1, 1>>>(20);
  say<<<1, 1, 0, cudaStreamFireAndForget>>>(30);
  cudaEventDestroy(event);
  cudaStreamDestroy(stream);
  printf("0 ");
}

__global__ void double_all(int* values, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) values[i] *= 2;
}
/// Fills, doubles, copies: one stream, in order.
__global__ void fill_and_copy(int* a, int* b, int n) {
  a[0] = 77;
  cudaMemsetAsync(a + 1, 1, (n - 1) * sizeof(int), 0);
  double_all<<<(n + 31) / 32, 32>>>(a, n);
  cudaMemcpyAsync(b, a, n * sizeof(int), cudaMemcpyDeviceToDevice, 0);
  cudaMemcpy2DAsync(a, 4 * sizeof(int), b, 2 * sizeof(int), sizeof(int), 2, cudaMemcpyDefault, 0);
}

__global__ void read_first(const int* from, int* out) { *out = from[0]; }
__global__ void pass_shared(int* out) {
  __shared__ int mine[2];
  mine[0] = 5;
  read_first<<<1, 1>>>(mine, out);
}
__global__ void pass_local(int* out, int n) {
  int mine[8] = {};
  mine[n] = n;
  read_first<<<1, 1>>>(mine, out);
  out[1] = mine[n / 2];
}

/// A launch that CUDA refuses, which nobody notices.
__global__ void careless() { say<<<1, 2048>>>(1); }
__global__ void careful(int* out) {
  say<<<1, 2048>>>(1);
  out[0] = cudaPeekAtLastError();
  out[1] = cudaGetLastError();
  out[2] = cudaGetLastError();
  printf("%s: %s\n", cudaGetErrorName(cudaErrorInvalidConfiguration),
         cudaGetErrorString(cudaErrorInvalidConfiguration));
}

__global__ void launch_many(int n, int* out) {
  for (int i = 0; i < n; ++i) {
    double_all<<<1, 1>>>(out + 1, 1);
    if (const cudaError_t error = cudaGetLastError(); error != cudaSuccess) {
      out[0] = error;
      break;
    }
  }
}

/// What the device says of itself.
__global__ void ask(int* out) {
  int* heap = nullptr;
  out[0] = cudaMalloc(&heap, 16);
  heap[3] = 4;
  out[1] = heap[3];
  out[2] = cudaFree(heap);
  cudaGetDevice(&out[3]);
  cudaGetDeviceCount(&out[4]);
  cudaDeviceGetAttribute(&out[5], cudaDevAttrMultiProcessorCount, 0);
  out[6] = cudaDeviceGetAttribute(&out[7], cudaDevAttrMultiProcessorCount, 1);
  cudaOccupancyMaxActiveBlocksPerMultiprocessor(&out[8], double_all, 1024, 0);
  cudaFuncAttributes attributes;
  out[9] = cudaFuncGetAttributes(&attributes, pass_shared);
  out[10] = static_cast<int>(attributes.sharedSizeBytes);
  out[11] = attributes.maxThreadsPerBlock;
  size_t limit = 0;
  cudaDeviceGetLimit(&limit, cudaLimitDevRuntimePendingLaunchCount);
  out[12] = static_cast<int>(limit);
}

/// The child and the grid behind it read what their parent wrote, and write again.
__global__ void add_one(int* values) { values[threadIdx.x] += 1; }
__global__ void add_around(int* values) {
  values[threadIdx.x] = threadIdx.x;
  __syncthreads();
  if (threadIdx.x == 0) {
    add_one<<<1, 64>>>(values);
    add_one<<<1, 64>>>(values);
  }
}

__global__ void out_of_bounds(int* values) { values[threadIdx.x] = 1; }
__global__ void launch_out_of_bounds(int* values) { out_of_bounds<<<1, 8>>>(values); }
__global__ void copy_out_of_bounds(int* values) {
  cudaMemsetAsync(values, 0, 1000, 0);
  say<<<1, 1>>>(1);
}

__global__ void endless(int* n) {
  *n += 1;
  endless<<<1, 32, 0, cudaStreamTailLaunch>>>(n);
  endless<<<1, 32>>>(n);
}
