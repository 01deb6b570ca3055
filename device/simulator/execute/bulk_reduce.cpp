#include "device/simulator/execute/bulk_reduce.hpp"

#include <bit>
#include <cmath>
#include <cstring>
#include <limits>
#include <type_traits>

namespace warpbook::device {
namespace {

#include "device/narrow.inc"

using ptx::Type;
using ptx::Word;

/// The unsigned integer of a value's size, which memory is accessed as.
template <std::size_t Size>
struct Raw;
template <>
struct Raw<2> {
  using type = std::uint16_t;
};
template <>
struct Raw<4> {
  using type = std::uint32_t;
};
template <>
struct Raw<8> {
  using type = std::uint64_t;
};

template <class V, class F>
void each(std::byte* to, const std::byte* from, std::uint32_t bytes, F&& apply) {
  using R = typename Raw<sizeof(V)>::type;
  for (std::uint32_t k = 0; k < bytes; k += sizeof(V)) {
    auto* word = reinterpret_cast<R*>(to + k);
    R operand;
    std::memcpy(&operand, from + k, sizeof operand);
    R old = __atomic_load_n(word, __ATOMIC_RELAXED);
    while (!__atomic_compare_exchange_n(
        word, &old, std::bit_cast<R>(apply(std::bit_cast<V>(old), std::bit_cast<V>(operand))), true,
        __ATOMIC_RELAXED, __ATOMIC_RELAXED)) {
    }
  }
}

template <class V>
void integers(Word operation, std::byte* to, const std::byte* from, std::uint32_t bytes) {
  using U = std::make_unsigned_t<V>;
  each<V>(to, from, bytes, [&](V a, V b) -> V {
    switch (operation) {
      case Word::add: return static_cast<V>(static_cast<U>(a) + static_cast<U>(b));
      case Word::min: return b < a ? b : a;
      case Word::max: return a < b ? b : a;
      case Word::inc: return a >= b ? V{0} : static_cast<V>(a + 1);
      case Word::dec: return a == 0 || a > b ? b : static_cast<V>(a - 1);
      case Word::and_: return static_cast<V>(a & b);
      case Word::or_: return static_cast<V>(a | b);
      default: return static_cast<V>(a ^ b);
    }
  });
}

/// Halves as min and max order them: -0 below +0, and a number before a NaN.
template <class F>
void halves(Word operation, std::byte* to, const std::byte* from, std::uint32_t bytes) {
  each<std::uint16_t>(to, from, bytes, [&](std::uint16_t a, std::uint16_t b) -> std::uint16_t {
    const double x = F::to_double(a), y = F::to_double(b);
    if (operation == Word::add) return narrowed<F>(x + y);
    if (std::isnan(x)) return std::isnan(y) ? std::uint16_t{F::kNan} : b;
    if (std::isnan(y)) return a;
    const bool less = x < y || (x == y && std::signbit(x) && !std::signbit(y));
    return (operation == Word::min) == less ? a : b;
  });
}

template <class V>
V canonical(V v) {
  if constexpr (sizeof(V) == 4)
    return std::isnan(v) ? std::bit_cast<V>(std::uint32_t{0x7fffffff}) : v;
  else
    return v;
}

}  // namespace

void reduce_bytes(Word operation, Type type, std::byte* to, const std::byte* from,
                  std::uint32_t bytes) {
  switch (type) {
    case Type::s32: return integers<std::int32_t>(operation, to, from, bytes);
    case Type::s64: return integers<std::int64_t>(operation, to, from, bytes);
    case Type::u64:
    case Type::b64: return integers<std::uint64_t>(operation, to, from, bytes);
    case Type::f16: return halves<Half>(operation, to, from, bytes);
    case Type::bf16: return halves<Brain>(operation, to, from, bytes);
    case Type::f32:
      return each<float>(to, from, bytes, [](float a, float b) { return canonical(a + b); });
    case Type::f64:
      return each<double>(to, from, bytes, [](double a, double b) { return canonical(a + b); });
    default: return integers<std::uint32_t>(operation, to, from, bytes);
  }
}

}  // namespace warpbook::device
