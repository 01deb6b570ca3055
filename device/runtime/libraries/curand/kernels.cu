// The kernels of Warpbook's cuRAND. Bits become numbers as NVIDIA's curand_kernel.h has it, so that both give the same ones.
#include "device/runtime/libraries/curand/arguments.hpp"

namespace {

using namespace warpbook::device::libraries::curand;

constexpr float kFloatStep = 2.3283064e-10f;            // 2^-32
constexpr double kDoubleStep = 1.1102230246251565e-16;  // 2^-53
constexpr float kTwoPi = 6.2831855f;
constexpr unsigned kQuadSequences = 65536;

// Generators

__device__ unsigned next(Xorwow& s) {
  const unsigned t = s.v[0] ^ (s.v[0] >> 2);
  for (int i = 0; i < 4; ++i) s.v[i] = s.v[i + 1];
  s.v[4] = (s.v[4] ^ (s.v[4] << 4)) ^ (t ^ (t << 1));
  s.d += 362437;
  return s.v[4] + s.d;
}

/// Between 1 and the first modulus.
__device__ double next_number(Mrg32k3a& s) {
  const unsigned a = static_cast<unsigned>((kA12 * s.a[1] + kA13 * s.a[0] % kModulusA) % kModulusA);
  s.a[0] = s.a[1];
  s.a[1] = s.a[2];
  s.a[2] = a;
  const unsigned b = static_cast<unsigned>((kB21 * s.b[2] + kB23 * s.b[0] % kModulusB) % kModulusB);
  s.b[0] = s.b[1];
  s.b[1] = s.b[2];
  s.b[2] = b;
  return a <= b ? static_cast<double>(a) - b + kModulusA : static_cast<double>(a) - b;
}
constexpr double kMrgStep = 2.3283065498378288e-10;  // maps the numbers to (0, 1]

__device__ unsigned next(Mrg32k3a& s) {
  return static_cast<unsigned>(next_number(s) * 1.000000048662);  // to all 32-bit numbers
}

/// Philox 4x32-10 (J. K. Salmon and others, "Parallel random numbers: as easy as 1, 2, 3").
__device__ uint4 philox(unsigned long long seed, unsigned long long sequence,
                        unsigned long long place) {
  uint4 c = {static_cast<unsigned>(place), static_cast<unsigned>(place >> 32),
             static_cast<unsigned>(sequence), static_cast<unsigned>(sequence >> 32)};
  unsigned k0 = static_cast<unsigned>(seed), k1 = static_cast<unsigned>(seed >> 32);
#pragma unroll
  for (int round = 0; round < 10; ++round) {
    const unsigned long long p0 = 0xD2511F53ull * c.x, p1 = 0xCD9E8D57ull * c.z;
    c = {static_cast<unsigned>(p1 >> 32) ^ c.y ^ k0, static_cast<unsigned>(p1),
         static_cast<unsigned>(p0 >> 32) ^ c.w ^ k1, static_cast<unsigned>(p0)};
    k0 += 0x9E3779B9;
    k1 += 0xBB67AE85;
  }
  return c;
}

// Distributions

__device__ float uniform(unsigned x) { return x * kFloatStep + kFloatStep / 2; }
__device__ double uniform_double(unsigned x, unsigned y) {
  const unsigned long long z = x ^ (static_cast<unsigned long long>(y) << 21);
  return z * kDoubleStep + kDoubleStep / 2;
}

/// Two normal numbers by the method of Box and Muller: from one in (0, 1] and an angle.
__device__ float2 normal_pair(float u, float angle) {
  const float radius = sqrtf(-2.0f * logf(u));
  float2 pair;
  __sincosf(angle, &pair.x, &pair.y);
  return {pair.x * radius, pair.y * radius};
}
/// @param turn  the angle as a part of half a turn
__device__ double2 normal_pair(double u, double turn) {
  const double radius = sqrt(-2.0 * log(u));
  double2 pair;
  sincospi(turn, &pair.x, &pair.y);
  return {pair.x * radius, pair.y * radius};
}
__device__ float2 normal_of_bits(unsigned x, unsigned y) {
  return normal_pair(uniform(x), y * (kFloatStep * kTwoPi) + kFloatStep * kTwoPi / 2);
}
__device__ double2 normal_of_bits(unsigned x0, unsigned x1, unsigned y0, unsigned y1) {
  const unsigned long long z = y0 ^ (static_cast<unsigned long long>(y1) << 21);
  return normal_pair(uniform_double(x0, x1), z * (kDoubleStep * 2) + kDoubleStep);
}

__device__ float shaped(float x, const Shape& shape) {
  const float mean = static_cast<float>(shape.mean),
              deviation = static_cast<float>(shape.deviation);
  const float scaled = mean + deviation * x;
  return shape.exponential ? expf(scaled) : scaled;
}
__device__ double shaped(double x, const Shape& shape) {
  const double scaled = shape.mean + shape.deviation * x;
  return shape.exponential ? exp(scaled) : scaled;
}

/// The least number up to which the probabilities add up to more than the uniform one.
__device__ unsigned poisson(unsigned bits, const Shape& shape) {
  const double u = (bits + 0.5) * (1.0 / 4294967296.0);
  int low = 0, high = shape.count - 1;
  while (low < high) {
    const int middle = (low + high) / 2;
    if (shape.sums[middle] > u)
      high = middle;
    else
      low = middle + 1;
  }
  return shape.least + low;
}

// What a sequence draws for its turn

template <class State>
struct Bits {
  using Result = unsigned;
  static __device__ void draw(State& s, Result* out, const Shape&) { *out = next(s); }
};
template <class State>
struct Poisson {
  using Result = unsigned;
  static __device__ void draw(State& s, Result* out, const Shape& shape) {
    *out = poisson(next(s), shape);
  }
};

__device__ float draw_uniform(Xorwow& s) { return uniform(next(s)); }
__device__ float draw_uniform(Mrg32k3a& s) { return static_cast<float>(next_number(s) * kMrgStep); }
__device__ double draw_uniform_double(Xorwow& s) {
  const unsigned x = next(s), y = next(s);
  return uniform_double(x, y);
}
__device__ double draw_uniform_double(Mrg32k3a& s) { return next_number(s) * kMrgStep; }
__device__ float2 draw_normal(Xorwow& s) {
  const unsigned x = next(s), y = next(s);
  return normal_of_bits(x, y);
}
__device__ float2 draw_normal(Mrg32k3a& s) {
  const float u = draw_uniform(s), turn = draw_uniform(s);
  return normal_pair(u, turn * kTwoPi);
}
__device__ double2 draw_normal_double(Xorwow& s) {
  const unsigned x0 = next(s), x1 = next(s), y0 = next(s), y1 = next(s);
  return normal_of_bits(x0, x1, y0, y1);
}
__device__ double2 draw_normal_double(Mrg32k3a& s) {
  const double u = draw_uniform_double(s), turn = draw_uniform_double(s);
  return normal_pair(u, turn * 2.0);
}

template <class State>
struct Uniform {
  using Result = float;
  static __device__ void draw(State& s, Result* out, const Shape&) { *out = draw_uniform(s); }
};
template <class State>
struct UniformDouble {
  using Result = double;
  static __device__ void draw(State& s, Result* out, const Shape&) {
    *out = draw_uniform_double(s);
  }
};
/// A pair a turn.
template <class State>
struct Normal {
  using Result = float2;
  static __device__ void draw(State& s, Result* out, const Shape& shape) {
    const float2 pair = draw_normal(s);
    out->x = shaped(pair.x, shape);
    out->y = shaped(pair.y, shape);
  }
};
template <class State>
struct NormalDouble {
  using Result = double2;
  static __device__ void draw(State& s, Result* out, const Shape& shape) {
    const double2 pair = draw_normal_double(s);
    out->x = shaped(pair.x, shape);
    out->y = shaped(pair.y, shape);
  }
};

/// A thread for each sequence that has a turn.
template <class State, class Draw>
__device__ void take_turns(const Turns& turns, void* out, const Shape& shape) {
  const int thread = blockIdx.x * blockDim.x + threadIdx.x;
  if (thread >= turns.sequences || thread >= turns.turns) return;
  State& kept = static_cast<State*>(turns.states)[(turns.first + thread) % turns.sequences];
  State state = kept;
  for (long long turn = thread; turn < turns.turns; turn += turns.sequences)
    Draw::draw(state, static_cast<typename Draw::Result*>(out) + turn, shape);
  kept = state;
}

// Philox

/// Four results from four words.
struct QuadOfBits {
  using Result = unsigned;
  static __device__ void make(const uint4& x, Result (&r)[4], const Shape&) {
    r[0] = x.x, r[1] = x.y, r[2] = x.z, r[3] = x.w;
  }
};
struct QuadOfPoisson {
  using Result = unsigned;
  static __device__ void make(const uint4& x, Result (&r)[4], const Shape& shape) {
    r[0] = poisson(x.x, shape), r[1] = poisson(x.y, shape);
    r[2] = poisson(x.z, shape), r[3] = poisson(x.w, shape);
  }
};
struct QuadOfUniform {
  using Result = float;
  static __device__ void make(const uint4& x, Result (&r)[4], const Shape&) {
    r[0] = uniform(x.x), r[1] = uniform(x.y), r[2] = uniform(x.z), r[3] = uniform(x.w);
  }
};
struct QuadOfNormal {
  using Result = float;
  static __device__ void make(const uint4& x, Result (&r)[4], const Shape& shape) {
    const float2 a = normal_of_bits(x.x, x.y), b = normal_of_bits(x.z, x.w);
    r[0] = shaped(a.x, shape), r[1] = shaped(a.y, shape);
    r[2] = shaped(b.x, shape), r[3] = shaped(b.y, shape);
  }
};
/// Two results from four words.
struct HalfOfUniform {
  static __device__ double2 make(const uint4& x, const Shape&) {
    return {uniform_double(x.x, x.y), uniform_double(x.z, x.w)};
  }
};
struct HalfOfNormal {
  static __device__ double2 make(const uint4& x, const Shape& shape) {
    const double2 pair = normal_of_bits(x.x, x.y, x.z, x.w);
    return {shaped(pair.x, shape), shaped(pair.y, shape)};
  }
};

/// Writes those of a quad's results that were asked for.
template <class T>
__device__ void write(const Places& places, unsigned long long quad, const T (&results)[4],
                      void* out) {
  for (int i = 0; i < 4; ++i) {
    const unsigned long long place = quad * 4 + i;
    if (place >= places.first && place - places.first < places.results)
      static_cast<T*>(out)[place - places.first] = results[i];
  }
}

__device__ unsigned long long quad_of_thread(const Places& places) {
  return places.first / 4 + static_cast<unsigned long long>(blockIdx.x) * blockDim.x + threadIdx.x;
}
/// How many rows of all sequences lie between the first quad and this one.
__device__ unsigned long long rows_since(const Places& places, unsigned long long quad) {
  return quad / kQuadSequences - places.first / 4 / kQuadSequences;
}

template <class Make>
__device__ void quads(const Places& places, void* out, const Shape& shape) {
  const unsigned long long quad = quad_of_thread(places);
  if (quad * 4 >= places.first + places.results) return;
  typename Make::Result results[4];
  Make::make(philox(places.seed, quad % kQuadSequences, places.counter + rows_since(places, quad)),
             results, shape);
  write(places, quad, results, out);
}

template <class Make>
__device__ void quads_of_doubles(const Places& places, void* out, const Shape& shape) {
  const unsigned long long quad = quad_of_thread(places);
  if (quad * 4 >= places.first + places.results) return;
  const unsigned long long counter = places.counter + 2 * rows_since(places, quad);
  const double2 a = Make::make(philox(places.seed, quad % kQuadSequences, counter), shape);
  const double2 b = Make::make(philox(places.seed, quad % kQuadSequences, counter + 1), shape);
  const double results[4] = {a.x, a.y, b.x, b.y};
  write(places, quad, results, out);
}

}  // namespace

#define DRAW(generator, State, name, Draw)                                           \
  __global__ void curand_##generator##_##name(Turns turns, void* out, Shape shape) { \
    take_turns<State, Draw<State>>(turns, out, shape);                               \
  }
#define GENERATOR(generator, State)                     \
  DRAW(generator, State, bits, Bits)                    \
  DRAW(generator, State, poisson, Poisson)              \
  DRAW(generator, State, uniform, Uniform)              \
  DRAW(generator, State, uniform_double, UniformDouble) \
  DRAW(generator, State, normal, Normal)                \
  DRAW(generator, State, normal_double, NormalDouble)
#define QUADS(name, of, Make)                                                   \
  __global__ void curand_philox_##name(Places places, void* out, Shape shape) { \
    of<Make>(places, out, shape);                                               \
  }

extern "C" {
GENERATOR(xorwow, Xorwow)
GENERATOR(mrg32k3a, Mrg32k3a)
QUADS(bits, quads, QuadOfBits)
QUADS(poisson, quads, QuadOfPoisson)
QUADS(uniform, quads, QuadOfUniform)
QUADS(normal, quads, QuadOfNormal)
QUADS(uniform_double, quads_of_doubles, HalfOfUniform)
QUADS(normal_double, quads_of_doubles, HalfOfNormal)
}
