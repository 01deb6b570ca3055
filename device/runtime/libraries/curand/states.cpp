#include "device/runtime/libraries/curand/states.hpp"

#include <array>
#include <cstddef>

namespace warpbook::device::libraries::curand {
namespace {

// A step of XORWOW's shift register is linear over the field of two elements. So many steps are one matrix: for each bit of the
// register, what becomes of it.
constexpr std::size_t kWords = 5, kWordBits = 32;
using Register = std::array<std::uint32_t, kWords>;
using Steps = std::array<Register, kWords * kWordBits>;

Register step(Register v) {
  const std::uint32_t t = v[0] ^ (v[0] >> 2);
  return {v[1], v[2], v[3], v[4], (v[4] ^ (v[4] << 4)) ^ (t ^ (t << 1))};
}

Register after(const Steps& steps, const Register& before) {
  Register sum{};
  for (std::size_t bit = 0; bit < steps.size(); ++bit) {
    if ((before[bit / kWordBits] >> (bit % kWordBits) & 1) == 0) continue;
    for (std::size_t word = 0; word < kWords; ++word) sum[word] ^= steps[bit][word];
  }
  return sum;
}

Steps one_step() {
  Steps steps;
  for (std::size_t bit = 0; bit < steps.size(); ++bit) {
    Register only{};
    only[bit / kWordBits] = 1u << (bit % kWordBits);
    steps[bit] = step(only);
  }
  return steps;
}

Steps twice(const Steps& steps) {
  Steps both;
  for (std::size_t bit = 0; bit < steps.size(); ++bit) both[bit] = after(steps, steps[bit]);
  return both;
}

/// 2^67 steps: from one sequence to the next.
const Steps& next_sequence() {
  constexpr int kDoublings = 67;
  static const Steps steps = [] {
    Steps all = one_step();
    for (int i = 0; i < kDoublings; ++i) all = twice(all);
    return all;
  }();
  return steps;
}

Register skipped(Register state, std::uint64_t count) {
  for (Steps steps = one_step(); count != 0; count /= 2, steps = twice(steps))
    if (count % 2 != 0) state = after(steps, state);
  return state;
}

constexpr std::uint32_t kCounterStep = 362437;

// MRG32k3a, in the same way: three numbers to a modulus, and a matrix of 3 x 3.
using Vector = std::array<std::uint64_t, 3>;
using Matrix = std::array<Vector, 3>;
__extension__ using Wide = unsigned __int128;

Vector after(const Matrix& steps, const Vector& before, std::uint64_t modulus) {
  Vector sum{};
  for (std::size_t i = 0; i < 3; ++i) {
    Wide all = 0;
    for (std::size_t j = 0; j < 3; ++j) all += static_cast<Wide>(steps[i][j]) * before[j];
    sum[i] = static_cast<std::uint64_t>(all % modulus);
  }
  return sum;
}

Matrix twice(const Matrix& steps, std::uint64_t modulus) {
  Matrix both{};
  for (std::size_t j = 0; j < 3; ++j) {
    const Vector column = after(steps, Vector{steps[0][j], steps[1][j], steps[2][j]}, modulus);
    for (std::size_t i = 0; i < 3; ++i) both[i][j] = column[i];
  }
  return both;
}

/// A recurrence of MRG32k3a.
struct Recurrence {
  Matrix step;
  std::uint64_t modulus;
};
constexpr Recurrence kOfA{{{{0, 1, 0}, {0, 0, 1}, {kA13, kA12, 0}}}, kModulusA};
constexpr Recurrence kOfB{{{{0, 1, 0}, {0, 0, 1}, {kB23, 0, kB21}}}, kModulusB};

/// 2^76 steps: from one sequence to the next.
Matrix next_sequence(const Recurrence& recurrence) {
  constexpr int kDoublings = 76;
  Matrix all = recurrence.step;
  for (int i = 0; i < kDoublings; ++i) all = twice(all, recurrence.modulus);
  return all;
}

Vector skipped(const Recurrence& recurrence, Vector state, std::uint64_t count) {
  for (Matrix steps = recurrence.step; count != 0;
       count /= 2, steps = twice(steps, recurrence.modulus))
    if (count % 2 != 0) state = after(steps, state, recurrence.modulus);
  return state;
}

void store(const Vector& from, unsigned (&to)[3]) {
  for (std::size_t i = 0; i < 3; ++i) to[i] = static_cast<unsigned>(from[i]);
}

}  // namespace

std::vector<Xorwow> xorwow_states(std::uint64_t seed, int sequences, std::uint64_t rows,
                                  int ahead) {
  const auto low = static_cast<std::uint32_t>(seed) ^ 0xaad26b49u;
  const auto high = static_cast<std::uint32_t>(seed >> 32) ^ 0xf7dcefddu;
  const std::uint32_t t0 = 1099087573u * low, t1 = 2591861531u * high;
  Register v{123456789u + t0, 362436069u ^ t0, 521288629u + t1, 88675123u ^ t1, 5783321u + t0};
  v = skipped(v, rows);
  const std::uint32_t d = 6615241u + t1 + t0 + kCounterStep * static_cast<std::uint32_t>(rows);
  std::vector<Xorwow> states;
  for (int sequence = 0; sequence < sequences; ++sequence) {
    const bool more = sequence < ahead;
    const Register at = more ? step(v) : v;
    states.push_back({{at[0], at[1], at[2], at[3], at[4]}, more ? d + kCounterStep : d});
    v = after(next_sequence(), v);
  }
  return states;
}

std::vector<Mrg32k3a> mrg32k3a_states(std::uint64_t seed, int sequences, std::uint64_t rows,
                                      int ahead) {
  constexpr std::uint64_t kBegin = 12345;
  Vector a{kBegin, kBegin, kBegin}, b = a;
  if (seed != 0) {
    const std::uint64_t x1 = static_cast<std::uint32_t>(seed) ^ 0x55555555u;
    const std::uint64_t x2 = static_cast<std::uint32_t>(seed >> 32) ^ 0xaaaaaaaau;
    a = {x1 * kBegin % kModulusA, x2 * kBegin % kModulusA, x1 * kBegin % kModulusA};
    b = {x2 * kBegin % kModulusB, x1 * kBegin % kModulusB, x2 * kBegin % kModulusB};
  }
  a = skipped(kOfA, a, rows);
  b = skipped(kOfB, b, rows);
  const Matrix next_a = next_sequence(kOfA), next_b = next_sequence(kOfB);
  std::vector<Mrg32k3a> states(static_cast<std::size_t>(sequences));
  for (int sequence = 0; sequence < sequences; ++sequence) {
    Mrg32k3a& state = states[static_cast<std::size_t>(sequence)];
    const bool more = sequence < ahead;
    store(more ? after(kOfA.step, a, kModulusA) : a, state.a);
    store(more ? after(kOfB.step, b, kModulusB) : b, state.b);
    a = after(next_a, a, kModulusA);
    b = after(next_b, b, kModulusB);
  }
  return states;
}

}  // namespace warpbook::device::libraries::curand
