// Constants and constant expressions (PTX ISA 9.0, 4.5): 64-bit integers, signed or not, and
// doubles.
#pragma once

#include <cstdint>

#include "device/simulator/ptx/scanner.hpp"

namespace warpbook::device::ptx {

struct Constant {
  enum class Kind : std::uint8_t { signed_integer, unsigned_integer, real };
  Kind kind = Kind::signed_integer;
  std::uint64_t bits = 0;  ///< of a double, for a real
  [[nodiscard]] bool is_real() const { return kind == Kind::real; }
};

/// True where a constant expression may begin with `c`; names other than WARP_SZ are the caller's.
bool begins_constant(char c);

/// True where the next token is WARP_SZ, the only name that is a constant.
bool warp_size_here(const Scanner& scanner);

/// Takes a constant expression; fails with what was expected. Division and remainder by zero fail
/// too. Expressions may nest 64 deep.
Constant read_constant(Scanner& scanner);

/// Takes an integer constant expression; fails on a real, saying that `what` must be an integer.
Constant read_integer(Scanner& scanner, std::string_view what);

/// Takes an integer constant expression of 0 to `limit`; fails outside.
std::uint64_t read_count(Scanner& scanner, std::string_view what, std::uint64_t limit);

/// The same of a number by itself: 12, 0xc, 014 or 0b1100.
std::uint64_t read_plain_count(Scanner& scanner, std::string_view what, std::uint64_t limit);

}  // namespace warpbook::device::ptx
