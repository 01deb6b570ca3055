// The kernels of Warpbook's cuFFT: the program's array is packed, every dimension is transformed step by step between two buffers, and
// the result goes to where the program wants it.
#include "device/runtime/libraries/cufft/arguments.hpp"

namespace {

using namespace warpbook::device::libraries::cufft;

template <class C>
__device__ C sum(C a, C b) {
  return {a.x + b.x, a.y + b.y};
}
template <class C>
__device__ C difference(C a, C b) {
  return {a.x - b.x, a.y - b.y};
}
template <class C>
__device__ C product(C a, C b) {
  return {a.x * b.x - a.y * b.y, a.x * b.y + a.y * b.x};
}

__device__ long long element() {
  return static_cast<long long>(blockIdx.x) * blockDim.x + threadIdx.x;
}

/// The indices of an element of the packed array.
struct Place {
  long long batch;
  int at[kMostDimensions];
};
__device__ Place place_of(const Sizes& sizes, long long packed) {
  Place place;
  place.batch = packed / sizes.each;
  long long rest = packed % sizes.each;
  for (int d = kMostDimensions - 1; d >= 0; --d) {
    place.at[d] = static_cast<int>(rest % sizes.n[d]);
    rest /= sizes.n[d];
  }
  return place;
}
__device__ long long index_in(const Layout& layout, const Place& place) {
  long long index = 0;
  for (int d = 0; d < kMostDimensions; ++d) index = index * layout.embedded[d] + place.at[d];
  return place.batch * layout.batch + index * layout.step;
}

template <class C>
__device__ void pack(const Sizes& sizes, const Layout& layout, const void* from, void* to) {
  const long long i = element();
  if (i < sizes.total)
    static_cast<C*>(to)[i] = static_cast<const C*>(from)[index_in(layout, place_of(sizes, i))];
}

template <class T, class C>
__device__ void pack_real(const Sizes& sizes, const Layout& layout, const void* from, void* to) {
  const long long i = element();
  if (i < sizes.total)
    static_cast<C*>(to)[i] = {static_cast<const T*>(from)[index_in(layout, place_of(sizes, i))], 0};
}

/// Of a spectrum of real numbers only one half is there; each element of the other half is the conjugate of the one at the
/// opposite place.
template <class C>
__device__ void pack_half(const Sizes& sizes, const Layout& layout, const void* from, void* to) {
  const long long i = element();
  if (i >= sizes.total) return;
  Place place = place_of(sizes, i);
  const int last = kMostDimensions - 1;
  const bool mirrored = place.at[last] > sizes.n[last] / 2;
  for (int d = 0; mirrored && d < kMostDimensions; ++d)
    place.at[d] = place.at[d] == 0 ? 0 : sizes.n[d] - place.at[d];
  const C value = static_cast<const C*>(from)[index_in(layout, place)];
  static_cast<C*>(to)[i] = {value.x, mirrored ? -value.y : value.y};
}

template <class C>
__device__ void unpack(const Sizes& sizes, const Layout& layout, const void* from, void* to) {
  const long long i = element();
  if (i < sizes.total)
    static_cast<C*>(to)[index_in(layout, place_of(sizes, i))] = static_cast<const C*>(from)[i];
}

template <class T, class C>
__device__ void unpack_real(const Sizes& sizes, const Layout& layout, const void* from, void* to) {
  const long long i = element();
  if (i < sizes.total)
    static_cast<T*>(to)[index_in(layout, place_of(sizes, i))] = static_cast<const C*>(from)[i].x;
}

template <class C>
__device__ void unpack_half(const Sizes& sizes, const Layout& layout, const void* from, void* to) {
  const long long i = element();
  if (i >= sizes.total) return;
  const Place place = place_of(sizes, i);
  const int last = kMostDimensions - 1;
  if (place.at[last] <= sizes.n[last] / 2)
    static_cast<C*>(to)[index_in(layout, place)] = static_cast<const C*>(from)[i];
}

// A step of Stockham's algorithm. The n elements of a line hold n / before transforms, the elements of which are neighbours: of the
// elements i, i + n / radix, i + 2 n / radix, ... for i = j * before + k come the elements (j * radix + r) * before + k. So the
// result is in order at the end, without a permutation.

/// The root of unity for a part of the whole turn, in the transform's direction.
template <class C>
__device__ C root(const Pass& pass, long long part) {
  const C forward = static_cast<const C*>(pass.roots)[part];
  return {forward.x, pass.inverse ? -forward.y : forward.y};
}

/// exp(-+ 2 pi i / 4) times the number
template <class C>
__device__ C quarter_turn(const Pass& pass, C a) {
  return pass.inverse ? C{-a.y, a.x} : C{a.y, -a.x};
}

/// The discrete Fourier transform of so few elements.
template <int kRadix, class C>
__device__ void transform(const Pass& pass, C (&x)[kRadix]) {
  if (kRadix == 2) {
    const C a = x[0], b = x[1];
    x[0] = sum(a, b);
    x[1] = difference(a, b);
  } else if (kRadix == 4) {
    const C a = sum(x[0], x[2]), b = difference(x[0], x[2]);
    const C c = sum(x[1], x[3]), d = quarter_turn(pass, difference(x[1], x[3]));
    x[0] = sum(a, c);
    x[1] = sum(b, d);
    x[2] = difference(a, c);
    x[3] = difference(b, d);
  } else {
    C roots[kRadix], before[kRadix];
#pragma unroll
    for (int q = 0; q < kRadix; ++q) {
      roots[q] = root<C>(pass, static_cast<long long>(q) * (pass.n / kRadix));
      before[q] = x[q];
    }
#pragma unroll
    for (int r = 0; r < kRadix; ++r) {
      x[r] = before[0];
#pragma unroll
      for (int q = 1; q < kRadix; ++q) x[r] = sum(x[r], product(before[q], roots[q * r % kRadix]));
    }
  }
}

/// A thread makes `kRadix` elements.
template <int kRadix, class C>
__device__ void step(const Pass& pass) {
  const long long thread = element();
  if (thread >= pass.total / kRadix) return;
  const int apart = pass.n / kRadix;
  const long long inner = thread % pass.inner, line = thread / pass.inner;
  const int i = static_cast<int>(line % apart);
  const int k = i % pass.before, j = i / pass.before;
  const long long first = line / apart * pass.n * pass.inner + inner;
  const long long turn = pass.n / (static_cast<long long>(pass.before) * kRadix);
  const C* const from = static_cast<const C*>(pass.from) + first;
  C* const to = static_cast<C*>(pass.to) + first;
  C x[kRadix];
#pragma unroll
  for (int q = 0; q < kRadix; ++q) {
    x[q] = from[(i + static_cast<long long>(q) * apart) * pass.inner];
    if (q > 0) x[q] = product(x[q], root<C>(pass, q * k * turn));
  }
  transform(pass, x);
#pragma unroll
  for (int r = 0; r < kRadix; ++r)
    to[((static_cast<long long>(j) * kRadix + r) * pass.before + k) * pass.inner] = x[r];
}

/// A thread makes one element, for any radix: the sum over all that it comes from.
template <class C>
__device__ void step_any(const Pass& pass) {
  const long long thread = element();
  if (thread >= pass.total) return;
  const int apart = pass.n / pass.radix;
  const long long inner = thread % pass.inner, line = thread / pass.inner;
  const int at = static_cast<int>(line % pass.n);
  const long long whole = static_cast<long long>(pass.before) * pass.radix;
  const int k = at % pass.before, r = at / pass.before % pass.radix,
            j = static_cast<int>(at / whole);
  const long long first = line / pass.n * pass.n * pass.inner + inner;
  const C* const from = static_cast<const C*>(pass.from) + first;
  const long long i = static_cast<long long>(j) * pass.before + k;
  const long long part = k + static_cast<long long>(r) * pass.before;
  C result = from[i * pass.inner];
  long long turned = 0;
  for (int q = 1; q < pass.radix; ++q) {
    turned += part;
    if (turned >= whole) turned -= whole;
    result = sum(result, product(from[(i + static_cast<long long>(q) * apart) * pass.inner],
                                 root<C>(pass, turned * (pass.n / whole))));
  }
  static_cast<C*>(pass.to)[first + at * pass.inner] = result;
}

}  // namespace

#define MOVE(name, letter, ...)                                                                  \
  __global__ void cufft_##letter##name(Sizes sizes, Layout layout, const void* from, void* to) { \
    __VA_ARGS__(sizes, layout, from, to);                                                        \
  }
#define STEP(radix, letter, C) \
  __global__ void cufft_##letter##radix_##radix(Pass pass) { step<radix, C>(pass); }
#define OF_TYPE(letter, T, C)                  \
  MOVE(pack, letter, pack<C>)                  \
  MOVE(pack_real, letter, pack_real<T, C>)     \
  MOVE(pack_half, letter, pack_half<C>)        \
  MOVE(unpack, letter, unpack<C>)              \
  MOVE(unpack_real, letter, unpack_real<T, C>) \
  MOVE(unpack_half, letter, unpack_half<C>)    \
  STEP(2, letter, C)                           \
  STEP(3, letter, C)                           \
  STEP(4, letter, C)                           \
  STEP(5, letter, C)                           \
  STEP(7, letter, C)                           \
  __global__ void cufft_##letter##radix_any(Pass pass) { step_any<C>(pass); }

extern "C" {
OF_TYPE(c_, float, float2)
OF_TYPE(z_, double, double2)
}
