// More of what C++ and CUDA allow, and what PTX alone can say.
#include <cassert>

// Variadic templates, constexpr, lambdas, structured bindings, unions, bit-fields, placement new.
__device__ constexpr int power(int base, int by) { return by == 0 ? 1 : base * power(base, by - 1); }
template <class... T>
__device__ int sum_of(T... v) { return (0 + ... + static_cast<int>(v)); }
template <class F>
__device__ int twice(F f, int v) { return f(f(v)); }
struct Parts {
  unsigned low : 5, middle : 11;
  int high : 16;
};
union Word {
  float f;
  unsigned u;
  unsigned char bytes[4];
};
struct Pair {
  int a;
  float b;
};
struct Counted {
  int* count;
  __device__ explicit Counted(int* c) : count(c) { ++*count; }
  __device__ ~Counted() { *count += 10; }
};
__global__ void words(int* y) {
  const int i = threadIdx.x;
  int* o = y + 10 * i;
  constexpr int kTable[5] = {power(3, 0), power(3, 2), power(3, 4), power(2, 10), power(-2, 5)};
  const auto [a, b] = Pair{i * 3, i * 0.5f};
  int calls = 0;
  const auto add = [&calls, by = a](int v) { ++calls; return v + by; };
  Parts p{};
  p.low = i, p.middle = i * 77, p.high = -i * 100;
  Word w;
  w.f = b;
  alignas(Counted) unsigned char place[sizeof(Counted)];
  int count = 0;
  Counted* made = new (place) Counted(&count);
  made->~Counted();
  int indexed[8];
  for (int k = 0; k < 8; ++k) indexed[(k * 5 + i) % 8] = k * i;
  volatile int again = i;
  o[0] = kTable[i % 5];
  o[1] = sum_of(i, 2.75, 'a', 7ull);
  o[2] = twice(add, i) + calls;
  o[3] = p.low + p.middle * 100 + p.high;
  o[4] = w.bytes[3] * 256 + w.bytes[2];
  o[5] = count;
  o[6] = indexed[(i * i) % 8];
  o[7] = again + again;
  o[8] = static_cast<int>(b * 4);
  int (*const squared)(int) = [](int v) { return v * v; };
  o[9] = squared(i);
}

// Several bases and a virtual one; functions chosen through members and constant memory.
struct Named { __device__ virtual int name() const { return 1; } };
struct Sized : virtual Named { int size = 5; __device__ virtual int measure() const { return size; } };
struct Coloured : virtual Named { int colour = 9; __device__ int name() const override { return colour; } };
struct Both : Sized, Coloured {
  __device__ explicit Both(int s) { size = s; }
  __device__ int measure() const override { return size * 2; }
};
__noinline__ __device__ int ask(const Named* n, const Sized* s) { return n->name() * 100 + s->measure(); }
__device__ int plus_one(int v) { return v + 1; }
__device__ int negated(int v) { return -v; }
typedef int (*Function)(int);
__device__ Function functions[2] = {plus_one, negated};
__global__ void classes(int* y) {
  const int i = threadIdx.x;
  const Both both(i);
  Sized plain;
  int (Sized::*member)() const = &Sized::measure;
  const Sized* chosen = i % 2 ? static_cast<const Sized*>(&both) : &plain;
  y[i] = ask(chosen, chosen) + (chosen->*member)() * 10000 + functions[i % 2](i);
}

// Function-local statics, a parameter that stays in constant memory, warp-aggregated atomics.
struct Settings { int weights[24]; };
__device__ int next_ticket() {
  static __device__ int tickets = 100;
  return atomicAdd(&tickets, 1);
}
__global__ void __launch_bounds__(64, 2) counters(const __grid_constant__ Settings s, int* counter, int* tickets) {
  const int i = threadIdx.x;
  if (i % 3 == 0) {
    const unsigned here = __activemask();
    const int leader = __ffs(here) - 1, lane = i % 32;
    int base = 0;
    if (lane == leader) base = atomicAdd(counter, __popc(here) * s.weights[i % 24]);
    base = __shfl_sync(here, base, leader);
    __builtin_assume(base >= 0);
    tickets[i] = next_ticket();
  } else {
    tickets[i] = 0;
  }
}

// Cached loads and stores of every kind, and inline PTX.
__global__ void caches(const int4* x, int4* y, const double* d, double* e) {
  const int i = threadIdx.x;
  const int4 a = __ldg(&x[i]), b = __ldcg(&x[i]), c = __ldcs(&x[i]), f = __ldca(&x[i]), g = __ldlu(&x[i]), h = __ldcv(&x[i]);
  __stcs(&y[2 * i], make_int4(a.x, b.y, c.z, f.w));
  __stwt(&y[2 * i + 1], make_int4(g.x, h.y, a.z, b.w));
  __stcg(&e[2 * i], __ldg(&d[i]));
  __stwb(&e[2 * i + 1], -__ldcs(&d[i]));
}
__global__ void assembly(unsigned* y) {
  const unsigned i = threadIdx.x;
  unsigned lane, warp, smid, below, carry, high, chosen, mixed;
  unsigned long long wide;
  asm("mov.u32 %0, %%laneid;" : "=r"(lane));
  asm volatile("mov.u32 %0, %%warpid;" : "=r"(warp));
  asm volatile("mov.u32 %0, %%smid;" : "=r"(smid));
  asm("mov.u32 %0, %%lanemask_lt;" : "=r"(below));
  asm("{ .reg .u32 t; add.cc.u32 t, %1, 0xfffffff0; addc.u32 %0, 0, 0; }" : "=r"(carry) : "r"(i));
  asm("mad.hi.u32 %0, %1, %2, %3;" : "=r"(high) : "r"(i << 28), "r"(64u), "r"(i));
  asm("{ .reg .pred p; setp.gt.u32 p, %1, 20; @p bra more; mov.u32 %0, 1; bra done; more: mov.u32 %0, 2; done: }"
      : "=r"(chosen) : "r"(i));
  asm("lop3.b32 %0, %1, %2, %3, 0x96;" : "=r"(mixed) : "r"(i), "r"(i * 5), "r"(0x55u));
  asm("mul.wide.u32 %0, %1, %2;" : "=l"(wide) : "r"(i + 0xffff0000u), "r"(0x10001u));
  unsigned* o = y + 9 * i;
  o[0] = lane, o[1] = warp, o[2] = smid < 1000, o[3] = below, o[4] = carry, o[5] = high, o[6] = chosen, o[7] = mixed;
  o[8] = static_cast<unsigned>(wide >> 32);
}
__global__ void clocks(long long* y) {
  const long long from = clock64();
  unsigned long long started, ended;
  asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(started));
  __nanosleep(100);
  asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(ended));
  y[0] = clock64() - from;
  y[1] = static_cast<long long>(ended - started);
}

__global__ void asserted(const int* x) { assert(x[threadIdx.x] < 5); }
__global__ void trapped(int at) {
  if (threadIdx.x == at) __trap();
}

// One static and two dynamic arrays, that share what is left.
__global__ void dynamic(float* y, int n) {
  extern __shared__ double first[];
  __shared__ float fixed[33];
  float* second = reinterpret_cast<float*>(first + n);
  const int t = threadIdx.x;
  for (int i = t; i < n; i += blockDim.x) first[i] = i * 0.5, second[i] = i;
  if (t < 33) fixed[t] = t;
  __syncthreads();
  for (int i = t; i < n; i += blockDim.x) y[i] = static_cast<float>(first[n - 1 - i]) + second[(i * 7) % n] + fixed[i % 33];
}
