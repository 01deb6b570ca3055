//@ idea: four elements a load, where the addresses allow it
//@ block: 256
//@ defines: BLOCKS=1056
//@ grid: max(1, min(ceil_div(n, 4 * block), BLOCKS)) * min(n, 1)
//@ needs: 75
//@ registers: 48
//@ bytes: 12 * n
//@ flops: n

#ifndef BLOCKS
#define BLOCKS 1056
#endif

// out[i] = x[i] + y[i]      x, y, out: [n]
//
// 12 bytes for one addition: on a GPU that moves 4.8 TB/s and adds 30 T/s, the additions take a hundredth of the time. So nothing
// about the addition matters, only how many bytes are on their way. An int4 brings 16 bytes by one instruction.
//
// It needs addresses that are multiples of 16. Arrays that begin elsewhere, all alike, get there after a few elements, which are
// added one by one; where the three do not agree, all are.
__global__ void add(const int* x, const int* y, int* out, int n) {
  constexpr int kVector = 4;
  const int thread = blockIdx.x * blockDim.x + threadIdx.x;
  const int grid_threads = gridDim.x * blockDim.x;

  const unsigned long long x_word = reinterpret_cast<unsigned long long>(x) / sizeof(int);
  const unsigned long long y_word = reinterpret_cast<unsigned long long>(y) / sizeof(int);
  const unsigned long long out_word = reinterpret_cast<unsigned long long>(out) / sizeof(int);
  const bool alike = (x_word - out_word) % kVector == 0 && (y_word - out_word) % kVector == 0;
  const int head = alike ? min(n, static_cast<int>((kVector - x_word % kVector) % kVector)) : n;
  const int vectors = (n - head) / kVector;
  const int tail = head + vectors * kVector;

  const int4* x4 = reinterpret_cast<const int4*>(x + head);
  const int4* y4 = reinterpret_cast<const int4*>(y + head);
  int4* out4 = reinterpret_cast<int4*>(out + head);
  for (int v = thread; v < vectors; v += grid_threads) {
    const int4 a = x4[v], b = y4[v];
    out4[v] = make_int4(a.x + b.x, a.y + b.y, a.z + b.z, a.w + b.w);
  }

  for (int i = thread; i < head; i += grid_threads) out[i] = x[i] + y[i];
  for (int i = tail + thread; i < n; i += grid_threads) out[i] = x[i] + y[i];
}
