#include "lab/operation/tolerance.hpp"

#include <algorithm>
#include <bit>
#include <charconv>
#include <cmath>
#include <limits>
#include <stdexcept>

#include "lab/text/toml_value.hpp"

namespace warpbook::lab {
namespace {

constexpr double kEpsilon = 1.0 / (1 << 24);  // half the spacing of FP32 at 1: one rounding's share
constexpr std::size_t kShown = 5;

std::vector<std::string_view> words_of(std::string_view text) {
  std::vector<std::string_view> words;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find(' '), text.size());
    if (end > 0) words.push_back(text.substr(0, end));
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return words;
}

bool read_real(std::string_view text, double& value) {
  const auto [end, failed] = std::from_chars(text.data(), text.data() + text.size(), value);
  return failed == std::errc{} && end == text.data() + text.size() && value > 0;
}

/// Distance between neighbouring FP32 numbers at `value`.
double spacing(double value) {
  const double least = std::numeric_limits<float>::min();
  return std::exp2(std::logb(std::max(std::abs(value), least)) - 23);
}

/// The truth as the output's type holds it.
double rounded(double value, device::ElementType type) {
  switch (type) {
    case device::ElementType::f32: return static_cast<double>(static_cast<float>(value));
    case device::ElementType::f64: return value;
    case device::ElementType::f16:
    case device::ElementType::bf16:
      throw std::logic_error("outputs of 16-bit floating point have no bitwise truth");
    default: return value;  // an integer's truth is an integer
  }
}

bool same_bits(double a, double b) {
  if (std::isnan(a) || std::isnan(b)) return std::isnan(a) && std::isnan(b);
  return std::bit_cast<std::uint64_t>(a) == std::bit_cast<std::uint64_t>(b);
}

/// The error that element `i` may have; below 0: its bits must be the truth's.
double bound_of(const Truth& truth, const Tolerance& tolerance, std::int64_t depth, std::size_t i) {
  const double floored = std::max(std::abs(truth.values[i]), tolerance.floor);
  switch (tolerance.kind) {
    case Tolerance::Kind::bitwise: return -1;
    case Tolerance::Kind::sum:
      return 2 * kEpsilon * static_cast<double>(depth + 2) * truth.magnitudes.at(i);
    case Tolerance::Kind::relative: return tolerance.value * floored;
    case Tolerance::Kind::absolute: return tolerance.value;
    case Tolerance::Kind::ulp: return tolerance.value * spacing(floored);
    case Tolerance::Kind::products:
    case Tolerance::Kind::relative_l2: break;
  }
  return std::numeric_limits<double>::infinity();  // the norm decides
}

double allowed_norm(const Truth& truth, const Tolerance& tolerance) {
  if (tolerance.kind == Tolerance::Kind::relative_l2) return tolerance.value;
  if (tolerance.kind == Tolerance::Kind::products)
    return 6e-8 * (4 + 0.7 * std::sqrt(static_cast<double>(truth.products)));
  return -1;
}

/// The elements with the largest errors, for a norm that is too large though no element is bad.
std::vector<Deviation::Element> worst_of(const TensorExhibit& got, const Truth& truth) {
  std::vector<std::uint64_t> order(truth.values.size());
  for (std::size_t i = 0; i < order.size(); ++i) order[i] = i;
  const auto error = [&](std::uint64_t i) { return std::abs(element(got, i) - truth.values[i]); };
  const std::size_t shown = std::min(order.size(), kShown);
  std::partial_sort(order.begin(), order.begin() + static_cast<std::ptrdiff_t>(shown), order.end(),
                    [&](std::uint64_t a, std::uint64_t b) { return error(a) > error(b); });
  std::vector<Deviation::Element> worst;
  for (std::size_t i = 0; i < shown; ++i)
    worst.push_back({order[i], element(got, order[i]), truth.values[order[i]]});
  return worst;
}

}  // namespace

std::optional<Tolerance> parse_tolerance(std::string_view text) {
  using Kind = Tolerance::Kind;
  const auto words = words_of(text);
  if (words.empty()) return std::nullopt;
  Tolerance tolerance{Kind::bitwise, 0, 0, std::string(text)};
  if (words.size() == 1) {
    if (words[0] == "bitwise") return tolerance;
    if (words[0] == "sum") tolerance.kind = Kind::sum;
    if (words[0] == "products") tolerance.kind = Kind::products;
    if (words[0] == "tf32" || words[0] == "winograd" || words[0] == "strassen") {
      tolerance.kind = Kind::relative_l2;
      tolerance.value = words[0] == "tf32" ? 1e-3 : 1e-5;
    }
    return tolerance.kind == Kind::bitwise ? std::nullopt : std::optional(tolerance);
  }
  if (words[0] == "relative") {
    tolerance.kind = Kind::relative;
  } else if (words[0] == "absolute") {
    tolerance.kind = Kind::absolute;
  } else if (words[0] == "ulp") {
    tolerance.kind = Kind::ulp;
  } else {
    return std::nullopt;
  }
  if (!read_real(words[1], tolerance.value)) return std::nullopt;
  if (words.size() == 2) return tolerance;
  if (words.size() != 4 || words[2] != "floor" || tolerance.kind == Kind::absolute ||
      !read_real(words[3], tolerance.floor)) {
    return std::nullopt;
  }
  return tolerance;
}

device::Message tolerance_forms() {
  return toml_phrase(
      "one-of", {{"known", listed({"bitwise", "sum", "products", "tf32", "winograd", "strassen",
                                   "\"relative R\"", "\"relative R floor F\"", "\"absolute A\"",
                                   "\"ulp N\"", "\"ulp N floor F\""})}});
}

bool Deviation::passed() const {
  // Written so that NaN never passes.
  const bool norm_holds = allowed_l2 < 0 || relative_l2 <= allowed_l2;
  return bad == 0 && norm_holds;
}

Deviation deviation(const TensorExhibit& got, const Truth& truth, const Tolerance& tolerance,
                    std::int64_t depth) {
  Deviation result;
  result.name = got.name;
  result.tolerance = tolerance.text;
  result.elements = count(got);
  result.allowed_l2 = allowed_norm(truth, tolerance);
  if (truth.values.size() != result.elements)
    throw std::logic_error("the truth of " + got.name + " has another number of elements");
  double errors = 0, squares = 0, worst_ratio = -1;
  for (std::uint64_t i = 0; i < result.elements; ++i) {
    const double value = element(got, i), expected = truth.values[i];
    const double bound = bound_of(truth, tolerance, depth, i);
    const bool finite = std::isfinite(value) && std::isfinite(expected);
    const double error = std::abs(value - expected);
    bool good = false;
    if (bound < 0) {
      good = same_bits(value, rounded(expected, got.type));
    } else if (finite) {
      good = error <= bound;
    } else {
      // What rounds to infinity is infinity; NaN is right where the truth is NaN.
      good = std::isnan(value) ? std::isnan(expected)
                               : value == static_cast<double>(static_cast<float>(expected));
    }
    if (finite) {
      errors += error * error;
      squares += expected * expected;
    }
    const double ratio = good && !finite ? 0
                         : !finite       ? std::numeric_limits<double>::infinity()
                         : bound > 0 && std::isfinite(bound) ? error / bound
                                                             : error;
    if (ratio > worst_ratio) {
      worst_ratio = ratio;
      result.worst = i;
      result.worst_error = good && !finite ? 0 : error;
    }
    if (good) continue;
    if (result.bad++ < kShown) result.first.push_back({i, value, expected});
  }
  result.relative_l2 = errors == 0 ? 0 : std::sqrt(errors / squares);
  if (!result.passed() && result.bad == 0) result.first = worst_of(got, truth);
  return result;
}

}  // namespace warpbook::lab
