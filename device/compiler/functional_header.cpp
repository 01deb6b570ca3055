#include "device/compiler/functional_header.hpp"

namespace warpbook::device {

const char* const kFunctional = R"(#pragma once
namespace std {
#define WARPBOOK_BINARY(name, Result, expression)                                                    \
  template <class T = void> struct name {                                                            \
    __host__ __device__ constexpr Result operator()(const T& a, const T& b) const { return expression; } \
  };                                                                                                 \
  template <> struct name<void> {                                                                    \
    template <class A, class B>                                                                      \
    __host__ __device__ constexpr auto operator()(const A& a, const B& b) const { return expression; } \
  };
#define WARPBOOK_UNARY(name, Result, expression)                                                     \
  template <class T = void> struct name {                                                            \
    __host__ __device__ constexpr Result operator()(const T& a) const { return expression; }         \
  };                                                                                                 \
  template <> struct name<void> {                                                                    \
    template <class A>                                                                               \
    __host__ __device__ constexpr auto operator()(const A& a) const { return expression; }           \
  };
WARPBOOK_BINARY(plus, T, a + b)
WARPBOOK_BINARY(minus, T, a - b)
WARPBOOK_BINARY(multiplies, T, a * b)
WARPBOOK_BINARY(divides, T, a / b)
WARPBOOK_BINARY(modulus, T, a % b)
WARPBOOK_BINARY(equal_to, bool, a == b)
WARPBOOK_BINARY(not_equal_to, bool, a != b)
WARPBOOK_BINARY(less, bool, a < b)
WARPBOOK_BINARY(less_equal, bool, a <= b)
WARPBOOK_BINARY(greater, bool, a > b)
WARPBOOK_BINARY(greater_equal, bool, a >= b)
WARPBOOK_BINARY(logical_and, bool, a && b)
WARPBOOK_BINARY(logical_or, bool, a || b)
WARPBOOK_BINARY(bit_and, T, a & b)
WARPBOOK_BINARY(bit_or, T, a | b)
WARPBOOK_BINARY(bit_xor, T, a ^ b)
WARPBOOK_UNARY(negate, T, -a)
WARPBOOK_UNARY(logical_not, bool, !a)
WARPBOOK_UNARY(bit_not, T, ~a)
#undef WARPBOOK_BINARY
#undef WARPBOOK_UNARY
}
)";

}  // namespace warpbook::device
