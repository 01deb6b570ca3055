// The kernels of all programs of this folder.
#include <cassert>
#include <cstdio>

extern "C" {

__device__ int counter = 5;
__constant__ int factors[4] = {1, 2, 3, 4};
__managed__ int shared_flag = 7;

__global__ void add_one(int* x, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) x[i] += 1;
}

/// Adds 1 to a pitched region.
__global__ void add_one_pitched(char* x, size_t pitch, int width, int height, int depth) {
  for (int z = 0; z < depth; ++z)
    for (int y = 0; y < height; ++y)
      if (threadIdx.x < width) x[(z * height + y) * pitch + threadIdx.x] += 1;
}

__global__ void scale_by_symbols(int* x) { x[threadIdx.x] = counter * factors[threadIdx.x]; }

__global__ void add_to_managed(int amount) { shared_flag += amount; }

__global__ void write_wild() { *reinterpret_cast<volatile int*>(0x10) = 1; }

__global__ void write_misaligned(char* x) { *reinterpret_cast<int*>(x + 1) = 1; }

__global__ void fail_assertion(int limit) { assert(static_cast<int>(threadIdx.x) < limit); }

__global__ void trap() { __trap(); }

__global__ void print_threads() { printf("thread %d\n", threadIdx.x); }

/// Dynamic shared memory's last word, through which a value goes.
__global__ void through_shared(int* x, int words) {
  extern __shared__ int buffer[];
  buffer[words - 1] = 11;
  *x = buffer[words - 1];
}

__global__ void static_shared(int* x) {
  __shared__ int buffer[1024];
  buffer[threadIdx.x] = threadIdx.x;
  __syncthreads();
  *x = buffer[blockDim.x - 1];
}

__global__ void __launch_bounds__(128) bounded(int* x) { *x = blockDim.x; }

/// Waits for the host, and answers it.
__global__ void wait_for_host(volatile int* flag, volatile int* reply) {
  while (*flag == 0) {
  }
  *reply = *flag + 1;
}

__global__ void spin_for_ever(volatile int* flag) {
  while (*flag == 0) {
  }
}

/// Takes a while: a chain of dependent multiplications.
__global__ void work(float* x, int rounds) {
  float value = threadIdx.x;
  for (int i = 0; i < rounds; ++i) value = value * 1.0001f + 1;
  x[blockIdx.x * blockDim.x + threadIdx.x] = value;
}

/// Each thread appends the value to a list.
__global__ void append(int* list, int* length, int value) { list[atomicAdd(length, 1)] = value; }

/// How many blocks the thread's cluster has.
__global__ void count_cluster(int* x) {
  unsigned blocks = 1;
  asm("mov.u32 %0, %%cluster_nctaid.x;" : "=r"(blocks));
  if (threadIdx.x == 0) x[blockIdx.x] = blocks;
}

__global__ void set_to(int* x, int value) { x[threadIdx.x] = value; }

__global__ void add_to(int* x, int value) { x[threadIdx.x] += value; }

__global__ void multiply_by(int* x, int value) { x[threadIdx.x] *= value; }

/// The texels of a two-dimensional texture, by unnormalised coordinates.
__global__ void sample_2d(cudaTextureObject_t texture, float* out, int width) {
  out[threadIdx.y * width + threadIdx.x] = tex2D<float>(texture, threadIdx.x, threadIdx.y);
}

__global__ void fetch_1d(cudaTextureObject_t texture, float* out) {
  out[threadIdx.x] = tex1Dfetch<float>(texture, threadIdx.x);
}

__global__ void double_surface(cudaSurfaceObject_t surface) {
  float value = 0;
  surf2Dread(&value, surface, threadIdx.x * sizeof(float), threadIdx.y);
  surf2Dwrite(2 * value, surface, threadIdx.x * sizeof(float), threadIdx.y);
}

struct Mixed {
  char first;
  double second;
  short third[3];
};

/// Arguments of several sizes, one of them a structure.
__global__ void take_mixed(double* out, char a, Mixed b, short c, float d) {
  out[0] = a + b.first + b.second + b.third[2] + c + d;
}
}
