// Arrays held against each other, element by element.
#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>

#include "lab/exhibits/comparison/comparison.hpp"
#include "lab/exhibits/tensor/tensor.hpp"

namespace warpbook::lab {
namespace {

using Output = ComparisonExhibit::Output;

constexpr std::uint64_t kPiece = 4096;  // elements that are held against each other as bytes first

class Elements {
 public:
  Elements(const TensorExhibit& a, const TensorExhibit& b) : a_(a), b_(b) {}

  Output run() {
    Output output;
    output.name = b_.name;
    output.shape_a = shape_text(a_);
    output.shape_b = shape_text(b_);
    if (output.shape_a != output.shape_b || held(a_) != held(b_)) return output;
    output.compared = held(a_);
    for (std::uint64_t from = 0; from < output.compared; from += kPiece) {
      const std::uint64_t to = std::min(output.compared, from + kPiece);
      if (same_bytes(from, to)) continue;
      for (std::uint64_t i = from; i < to; ++i) hold(i, output);
    }
    if (absolute_) output.absolute = element_at(absolute_->index, absolute_->difference);
    if (relative_) output.relative = element_at(relative_->index, relative_->difference);
    return output;
  }

 private:
  struct Greatest {
    std::uint64_t index = 0;
    double difference = 0;
  };

  /// Bytes that are the same are the same elements, NaN or not.
  [[nodiscard]] bool same_bytes(std::uint64_t from, std::uint64_t to) const {
    if (a_.type != b_.type) return false;
    const std::size_t size = device::size_of(a_.type);
    return std::memcmp(a_.data.data() + from * size, b_.data.data() + from * size,
                       (to - from) * size) == 0;
  }

  void hold(std::uint64_t i, Output& output) {
    const long double a = exact_element(a_, i), b = exact_element(b_, i);
    if (a == b || (std::isnan(a) && std::isnan(b))) return;
    ++output.differing;
    if (!std::isfinite(a) || !std::isfinite(b)) {
      if (output.incomparable++ == 0) output.first_incomparable = element_at(i, 0);
      return;
    }
    // A long double holds the difference of any two doubles, and of any two 64-bit integers; a double may not.
    constexpr auto kMost = static_cast<long double>(std::numeric_limits<double>::max());
    const long double apart = std::fabs(a - b), larger = std::max(std::fabs(a), std::fabs(b));
    take(absolute_, i, static_cast<double>(std::min(apart, kMost)));
    take(relative_, i, static_cast<double>(apart / larger));
  }

  static void take(std::optional<Greatest>& greatest, std::uint64_t index, double difference) {
    if (!greatest || difference > greatest->difference) greatest = Greatest{index, difference};
  }

  [[nodiscard]] Output::Element element_at(std::uint64_t index, double difference) const {
    return {index, element_text(a_, index), element_text(b_, index), difference};
  }

  const TensorExhibit& a_;
  const TensorExhibit& b_;
  std::optional<Greatest> absolute_, relative_;
};

}  // namespace

ComparisonExhibit::Output output_of(const TensorExhibit& a, const TensorExhibit& b) {
  return Elements(a, b).run();
}

}  // namespace warpbook::lab
