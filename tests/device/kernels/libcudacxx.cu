// What students take from libcu++, in one kernel each.
#include <cuda/atomic>
#include <cuda/cmath>
#include <cuda/functional>
#include <cuda/std/array>
#include <cuda/std/atomic>
#include <cuda/std/bit>
#include <cuda/std/chrono>
#include <cuda/std/cmath>
#include <cuda/std/complex>
#include <cuda/std/limits>
#include <cuda/std/mdspan>
#include <cuda/std/numeric>
#include <cuda/std/optional>
#include <cuda/std/span>
#include <cuda/std/tuple>
#include <cuda/std/type_traits>
#include <cuda/std/utility>
#include <cuda/std/variant>
#include <cuda/latch>
#include <cuda/semaphore>

namespace std_ = cuda::std;

struct Twice {
  template <class T> __device__ int operator()(T v) const { return static_cast<int>(v * 2); }
};
__global__ void containers(const int* x, int* y, int n) {
  const int i = threadIdx.x;
  std_::array<int, 5> a{};
  for (int k = 0; k < 5; ++k) a[k] = x[(i + k) % n] * (k + 1);
  const int least = std_::min(a[i % 5], a[(i + 1) % 5]), most = std_::max({a[0], a[1], a[4]});
  const std_::tuple<int, char, long long> t = std_::make_tuple(a[2], char('a' + i % 26), 1ll << i);
  const auto [first, letter, power] = t;
  const std_::span<const int> all(x, n), part = all.subspan(i % n, std_::min(3, n - i % n));
  std_::optional<int> found;
  for (const int v : part)
    if (v % 2) found = v;
  std_::variant<int, float> either = i % 2 ? std_::variant<int, float>(i) : std_::variant<int, float>(0.5f * i);
  std_::pair<int, int> p{i, -i};
  std_::swap(p.first, p.second);
  for (int k = 1; k < 5; ++k)
    for (int j = k; j > 0 && a[j] < a[j - 1]; --j) std_::swap(a[j], a[j - 1]);
  int* o = y + 12 * i;
  o[0] = least;
  o[1] = most;
  o[2] = first + letter;
  o[3] = static_cast<int>(power % 1000003);
  o[4] = static_cast<int>(part.size());
  o[5] = found.value_or(-7);
  o[6] = std_::visit(Twice(), either);
  o[7] = p.first;
  o[8] = std_::accumulate(a.begin(), a.end(), 3);
  o[9] = a[0];
  o[10] = std_::get<1>(std_::tie(a[0], a[3]));
  o[11] = std_::gcd(12 * i + 12, 18) + std_::lcm(i + 1, 4);
}

__global__ void bits(const unsigned* x, unsigned* y, int n) {
  const int i = threadIdx.x;
  if (i >= n) return;
  const unsigned v = x[i];
  unsigned* o = y + 9 * i;
  o[0] = std_::popcount(v);
  o[1] = std_::countl_zero(v);
  o[2] = std_::countr_one(v);
  o[3] = std_::rotl(v, 7);
  o[4] = std_::has_single_bit(v);
  o[5] = std_::bit_floor(v);
  o[6] = std_::bit_ceil(v >> 1);
  o[7] = std_::bit_cast<unsigned>(std_::bit_cast<float>(v & 0x7f7fffffu));
  o[8] = std_::numeric_limits<int>::max() - std_::bit_width(v);
}

template <class T>
__global__ void complex_numbers(const T* x, T* y, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  using C = std_::complex<T>;
  const C a(x[i], x[(i + 1) % n]), b(x[(i + 2) % n], x[(i + 3) % n]);
  const C results[8] = {a + b, a * b, a / b, std_::exp(a), std_::log(a), std_::sqrt(a), std_::pow(a, b), std_::conj(a) * std_::polar(T(2), x[i])};
  for (int k = 0; k < 8; ++k) {
    y[18 * i + 2 * k] = results[k].real();
    y[18 * i + 2 * k + 1] = results[k].imag();
  }
  y[18 * i + 16] = std_::abs(a);
  y[18 * i + 17] = std_::arg(a);
}
template __global__ void complex_numbers<float>(const float*, float*, int);
template __global__ void complex_numbers<double>(const double*, double*, int);

__global__ void matrices(const float* x, float* y, int rows, int columns) {
  using Extents = std_::dextents<int, 2>;
  const std_::mdspan<const float, Extents> in(x, rows, columns);
  const std_::mdspan<float, Extents, std_::layout_left> out(y, rows, columns);
  for (int r = threadIdx.y; r < in.extent(0); r += blockDim.y)
    for (int c = threadIdx.x; c < in.extent(1); c += blockDim.x) out(r, c) = in(r, c) * 2 + std_::hypot(float(r), float(c));
}

// Atomics of every order, a latch, and a lock made of a semaphore.
__global__ void atomics(int* counts, float* sum, unsigned long long* ticks) {
  using Latch = cuda::latch<cuda::thread_scope_block>;
  using Semaphore = cuda::binary_semaphore<cuda::thread_scope_block>;
  __shared__ alignas(Latch) unsigned char latch_bytes[sizeof(Latch)];
  __shared__ alignas(Semaphore) unsigned char lock_bytes[sizeof(Semaphore)];
  __shared__ int guarded;
  Latch& all_here = *reinterpret_cast<Latch*>(latch_bytes);
  Semaphore& lock = *reinterpret_cast<Semaphore*>(lock_bytes);
  if (threadIdx.x == 0) {
    new (&all_here) Latch(blockDim.x);
    new (&lock) Semaphore(1);
    guarded = 0;
  }
  __syncthreads();
  cuda::atomic_ref<int, cuda::thread_scope_device> a(counts[0]), b(counts[1]), c(counts[2]);
  a.fetch_add(threadIdx.x, cuda::memory_order_relaxed);
  b.fetch_max(threadIdx.x * 7 % 50, cuda::memory_order_acq_rel);
  int seen = c.load(cuda::memory_order_acquire);
  while (!c.compare_exchange_weak(seen, seen + 3, cuda::memory_order_release)) {}
  cuda::atomic_ref<float, cuda::thread_scope_device>(*sum).fetch_add(0.5f);
  all_here.arrive_and_wait();
  lock.acquire();
  guarded = guarded + 1;
  lock.release();
  __syncthreads();
  if (threadIdx.x == 0) {
    atomicAdd(&counts[3], guarded);
    const auto now = std_::chrono::high_resolution_clock::now();
    *ticks = std_::chrono::duration_cast<std_::chrono::nanoseconds>(now.time_since_epoch()).count() > 0;
  }
}
