// What C++ and CUDA offer beyond loops and arrays.
#include <cooperative_groups.h>
#include <cuda_fp16.h>

namespace cg = cooperative_groups;

struct Shape {
  __device__ virtual float area() const = 0;
  __device__ virtual ~Shape() {}
};
struct Square : Shape {
  float side;
  __device__ Square(float s) : side(s) {}
  __device__ float area() const override { return side * side; }
};
struct Box : Shape {
  float a, b;
  __device__ Box(float w, float h) : a(w), b(h) {}
  __device__ float area() const override { return a * b; }
};
__global__ void areas(float* out) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  Shape* shape = i % 3 == 0 ? static_cast<Shape*>(new Square(i)) : static_cast<Shape*>(new Box(i, 0.5f));
  out[i] = shape->area();
  delete shape;
}

__device__ int add(int a, int b) { return a + b; }
__device__ int take(int a, int b) { return a - b; }
__device__ int times(int a, int b) { return a * b; }
__device__ int (*const chosen[3])(int, int) = {add, take, times};
__global__ void call_chosen(int* out, int by) { out[threadIdx.x] = chosen[threadIdx.x % 3](threadIdx.x, by); }

__device__ int ackermann(int m, int n) {
  return m == 0 ? n + 1 : n == 0 ? ackermann(m - 1, 1) : ackermann(m - 1, ackermann(m, n - 1));
}
__global__ void recurse(int* out) { out[threadIdx.x] = ackermann(threadIdx.x % 3, threadIdx.x / 3); }

__global__ void jump(int* out, int n) {
  const int i = threadIdx.x;
  int r = 0;
  switch ((i * 7 + n) % 11) {
    case 0: r = i * 3; break;
    case 1: r = i ^ 55;
    case 2: r += i / 3; break;
    case 3: r = i % 5; break;
    case 4: r = i << 3; break;
    case 5: r = -i; break;
    case 6: r = i * i;
    case 7: r = ~r; break;
    case 8: r = i + 1000; break;
    default: r = -1;
  }
  out[i] = r;
}

// Lists on the device's heap: each thread builds one, sums it and gives it back.
struct Node {
  int value;
  Node* next;
};
__global__ void lists(int* out, int most) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  Node* head = nullptr;
  for (int k = 0; k < i % most; ++k) head = new Node{k, head};
  int sum = 0;
  while (head) {
    sum += head->value;
    Node* next = head->next;
    delete head;
    head = next;
  }
  out[i] = sum;
}

__global__ void wide(unsigned long long* out, unsigned long long a, long long b) {
  const int i = threadIdx.x;
  const unsigned __int128 x = static_cast<unsigned __int128>(a) * (a - i) + i;
  const unsigned long long by = 1000000007ull * (i + 1);
  const unsigned __int128 quotient = x / by;
  out[6 * i] = static_cast<unsigned long long>(quotient >> 64);
  out[6 * i + 1] = static_cast<unsigned long long>(quotient);
  out[6 * i + 2] = static_cast<unsigned long long>(x % by);
  out[6 * i + 3] = static_cast<unsigned long long>(x << i >> 70);
  out[6 * i + 4] = static_cast<unsigned long long>(b * (i + 1) / (i - 100));
  out[6 * i + 5] = static_cast<unsigned long long>(b * (i + 1) % (i - 100));
}

struct Particle {
  char kind;
  double mass;
  float at[3];
};
template <class T, int kTimes>
__global__ void by_value(Particle p, T* out, bool twice) {
  T sum = 0;
  for (int k = 0; k < kTimes; ++k) sum += static_cast<T>(p.mass * p.at[k % 3]) + p.kind;
  out[0] = twice ? 2 * sum : sum;
}
template __global__ void by_value<float, 5>(Particle, float*, bool);
template __global__ void by_value<long long, 2>(Particle, long long*, bool);

// Which warp intrinsic gives what, with lanes missing and out of step.
__global__ void warp_words(unsigned* out, unsigned mask) {
  const unsigned lane = threadIdx.x;
  unsigned* o = out + 8 * lane;
  if (!(mask >> lane & 1)) return;
  if (lane % 2) o[0] = 1;  // out of step for a moment
  o[0] = __ballot_sync(mask, lane % 3 == 0);
  o[1] = __all_sync(mask, lane < 40) * 2 + __any_sync(mask, lane == 5);
  o[2] = __match_any_sync(mask, lane / 4);
  o[3] = __reduce_add_sync(mask, lane);
  o[4] = __shfl_sync(mask, lane * 10, __ffs(mask) - 1);
  o[5] = __activemask();
  int all;
  o[6] = __match_all_sync(mask, 7, &all) + all;
  o[7] = __reduce_max_sync(mask, lane ^ 5u);
}

// Sums in tiles of three sizes, and how many lanes happen to be together.
template <int kSize>
__device__ int tile_sum(const cg::thread_block& block) {
  const auto tile = cg::tiled_partition<kSize>(block);
  int v = static_cast<int>(block.thread_rank());
  for (int d = tile.size() / 2; d > 0; d /= 2) v += tile.shfl_xor(v, d);
  return v;
}
__global__ void tiles(int* out) {
  const cg::thread_block block = cg::this_thread_block();
  const int rank = static_cast<int>(block.thread_rank());
  out[4 * rank] = tile_sum<4>(block);
  out[4 * rank + 1] = tile_sum<16>(block);
  out[4 * rank + 2] = tile_sum<32>(block);
  out[4 * rank + 3] = 0;
  if (rank % 5 == 0) out[4 * rank + 3] = static_cast<int>(cg::coalesced_threads().size());
}

// Neighbours change places round by round; only a barrier of the whole grid keeps the rounds apart.
__global__ void shift_rounds(int* cells, int n, int rounds) {
  const cg::grid_group grid = cg::this_grid();
  for (int r = 0; r < rounds; ++r) {
    for (int i = static_cast<int>(grid.thread_rank()); i < n; i += static_cast<int>(grid.size()))
      cells[(r + 1) % 2 * n + i] = cells[r % 2 * n + (i + 7) % n] + 1;
    grid.sync();
  }
}

__global__ void print_all() {
  if (threadIdx.x != 1) return;
  printf("%d %i %u %x %X %o %c %s|%5d|%-5d|%05d|%+d|", -5, 5, 7u, 255, 255, 8, 'c', "str", 3, 3, 3, 3);
  printf("%ld %lld %lu %llu %zu|%f %e %g %.3f %10.2f|%% %p|%*d %.*f\n", -1L, -1LL, 1ul, 1ull, sizeof(int), 1.5f, 2.5,
         3.5e-10, 3.14159, 2.718, reinterpret_cast<void*>(0x1234), 6, 42, 2, 3.14159);
}

__global__ void halves(const __half* x, const __half* y, __half* out, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (2 * i >= n) return;
  const __half2 a = reinterpret_cast<const __half2*>(x)[i], b = reinterpret_cast<const __half2*>(y)[i];
  reinterpret_cast<__half2*>(out)[i] = __hfma2(a, b, __hmul2(a, a));
}

// Atomics of every kind on one word each, from every thread, in global and in shared memory.
__global__ void atomics(unsigned* global, float* floats, double* doubles, unsigned long long* longs) {
  __shared__ unsigned shared[8];
  if (threadIdx.x < 8) shared[threadIdx.x] = threadIdx.x == 3 || threadIdx.x == 5 ? 0xffffffffu : 0;
  __syncthreads();
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  auto all = [&](unsigned* p) {
    atomicAdd(p, i);
    atomicSub(p + 1, i);
    atomicMax(p + 2, i * 2654435761u);
    atomicMin(p + 3, i * 2654435761u);
    atomicOr(p + 4, 1u << i % 32);
    atomicAnd(p + 5, ~(1u << i % 29));
    atomicXor(p + 6, i * 40503u);
    atomicInc(p + 7, 10);
  };
  all(global);
  all(shared);
  atomicAdd(floats, 0.5f);
  atomicAdd(doubles, 0.25);
  atomicMax(longs, static_cast<unsigned long long>(i) << 33);
  atomicAdd(longs + 1, 0x100000001ull);
  unsigned long long seen = longs[2], expected;  // a product by compare and swap
  do {
    expected = seen;
    seen = atomicCAS(longs + 2, expected, expected * (2 * i + 1));
  } while (seen != expected);
  __syncthreads();
  if (threadIdx.x < 8 && threadIdx.x != 7) atomicAdd(global + 8 + threadIdx.x, shared[threadIdx.x]);
}
