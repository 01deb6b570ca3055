//@ idea: four elements a load, where the addresses allow it
//@ block: 256
//@ defines: BLOCKS=1056
//@ grid: max(1, min(ceil_div(n, 4 * block), BLOCKS)) * min(n, 1)
//@ needs: 75
//@ registers: 48
//@ bytes: 8 * n
//@ flops: 0

#ifndef BLOCKS
#define BLOCKS 1056
#endif

// x, out: [n]
//
// A float4 is loaded by one instruction: a warp asks for 512 bytes at once instead of 128. The bytes are the same, the
// instructions a quarter, and each thread has four times as much on its way to it. By Little's law that is what counts:
// 4.8 TB/s x 600 ns = 2.9 MB must be in flight, 22 KB on each of 132 multiprocessors; 2,048 threads with one float each have 8 KB.
//
// A load of 16 bytes needs an address that is a multiple of 16. cudaMalloc gives 256, but a pointer into the middle of
// an array may be anything: so the first few elements are copied one by one, up to the first such address. Where x and out
// are not aligned alike there is none, and all of them are.
__global__ void copy(const float* x, float* out, int n) {
  constexpr int kVector = 4;
  const int thread = blockIdx.x * blockDim.x + threadIdx.x;
  const int grid_threads = gridDim.x * blockDim.x;

  const unsigned long long x_float = reinterpret_cast<unsigned long long>(x) / sizeof(float);
  const unsigned long long out_float = reinterpret_cast<unsigned long long>(out) / sizeof(float);
  const bool alike = (x_float - out_float) % kVector == 0;
  const int head = alike ? min(n, static_cast<int>((kVector - x_float % kVector) % kVector)) : n;
  const int vectors = (n - head) / kVector;
  const int tail = head + vectors * kVector;

  const float4* x4 = reinterpret_cast<const float4*>(x + head);
  float4* out4 = reinterpret_cast<float4*>(out + head);
  for (int v = thread; v < vectors; v += grid_threads) out4[v] = x4[v];

  for (int i = thread; i < head; i += grid_threads) out[i] = x[i];
  for (int i = tail + thread; i < n; i += grid_threads) out[i] = x[i];
}
