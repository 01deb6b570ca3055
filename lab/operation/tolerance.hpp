// How far an output may be from the float64 truth, and how far it is.
//
// A tolerance is a text in operation.toml or in a `//@` block:
//     bitwise                   the truth rounded to the output's type, bit for bit (any NaN stands for any NaN)
//     sum                       |error| <= 2 eps (depth + 2) sum |terms|, each element (the rung states its depth)
//     products                  relative L2 <= 6e-8 (4 + 0.7 sqrt K): FP32 sums of K products
//     tf32                      relative L2 <= 1e-3: factors of TF32's 11 significant bits
//     winograd, strassen        relative L2 <= 1e-5: they add before they multiply
//     relative R [floor F]      |error| <= R max(|truth|, F), each element
//     absolute A                |error| <= A, each element
//     ulp N [floor F]           |error| <= N times the spacing of FP32 at max(|truth|, F), each element
// Whatever the tolerance, an element that is NaN or infinite is right only where the truth is the same.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "lab/exhibits/exhibit.hpp"

namespace warpbook::lab {

/// What an output should be, in float64.
struct Truth {
  std::vector<double> values;      ///< by element
  std::vector<double> magnitudes;  ///< sum of |terms| of each element; for the tolerance "sum"
  std::uint64_t products = 0;  ///< K, products summed in one element; for the tolerance "products"
};

struct Tolerance {
  enum class Kind : std::uint8_t {
    bitwise,
    sum,
    products,
    relative_l2,
    relative,
    absolute,
    ulp
  } kind = Kind::bitwise;
  double value = 0, floor = 0;
  std::string text;  ///< as it was written
};
/// Nothing where it is none of the forms.
std::optional<Tolerance> parse_tolerance(std::string_view text);
/// The forms, for an error.
device::Message tolerance_forms();

/// An output held against the truth.
struct Deviation {
  std::string name;
  std::string tolerance;
  std::uint64_t elements = 0;
  std::uint64_t bad =
      0;  ///< elements beyond the bound; with a bound on the L2 norm, those not finite as the truth is
  double relative_l2 = 0;
  double allowed_l2 = -1;   ///< below 0: no bound on it
  std::uint64_t worst = 0;  ///< index of the largest error over its bound
  double worst_error = 0;   ///< absolute
  struct Element {
    std::uint64_t index = 0;
    double got = 0, expected = 0;
  };
  std::vector<Element> first;  ///< five: of the bad, else of the worst where the norm is too large
  [[nodiscard]] bool passed() const;
};
/// `depth`: additions in a row, of the tolerance "sum".
Deviation deviation(const TensorExhibit& got, const Truth& truth, const Tolerance& tolerance,
                    std::int64_t depth);

}  // namespace warpbook::lab
