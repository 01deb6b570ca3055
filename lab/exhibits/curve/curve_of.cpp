// A curve made of a kernel's arrays; of many elements those are kept that make up the picture.
#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include "lab/exhibits/curve/curve_summary.hpp"
#include "lab/exhibits/tensor/tensor.hpp"

namespace warpbook::lab {
namespace {

constexpr std::uint64_t kKeptWhole = 4096;  ///< elements of which none is left out
constexpr std::uint64_t kNone = ~0ull;

/// Elements of one piece of the x axis that are to be kept.
struct Bucket {
  struct Of {
    std::uint64_t least = kNone, greatest = kNone, nan = kNone, above = kNone, below = kNone;
  };
  std::uint64_t first = kNone, last = kNone;
  std::vector<Of> series;
};

using Series = CurveExhibit::Series;

class Thinning {
 public:
  Thinning(const TensorExhibit& x, const std::vector<Series>& series, std::uint64_t elements)
      : x_(x), series_(series), elements_(elements) {}

  std::vector<std::uint64_t> kept() {
    // The room for what stands outside of all pieces: x infinite or NaN, and the chosen element.
    const std::uint64_t pieces =
        std::max<std::uint64_t>(1, (kMostCurvePoints / 4) / (2 + 5 * series_.size()));
    find_range();
    buckets_.assign(std::min<std::uint64_t>(pieces, 1024), Bucket{});
    for (Bucket& bucket : buckets_) bucket.series.resize(series_.size());
    for (std::uint64_t e = 0; e < elements_; ++e) put(e);
    return collected();
  }

 private:
  void find_range() {
    low_ = std::numeric_limits<double>::infinity();
    high_ = -low_;
    for (std::uint64_t e = 0; e < elements_; ++e) {
      const double x = element(x_, e);
      if (!std::isfinite(x)) continue;
      low_ = std::min(low_, x);
      high_ = std::max(high_, x);
    }
  }

  void put(std::uint64_t e) {
    const double x = element(x_, e);
    if (!std::isfinite(x)) {
      std::uint64_t& outside = outside_[std::isnan(x) ? 0 : x > 0 ? 1 : 2];
      if (outside == kNone) outside = e;
      return;
    }
    const double share = std::clamp(share_of(x, low_, high_), 0.0, 1.0);
    Bucket& bucket =
        buckets_[std::min(buckets_.size() - 1,
                          static_cast<std::size_t>(share * static_cast<double>(buckets_.size())))];
    if (bucket.first == kNone || x < element(x_, bucket.first)) bucket.first = e;
    if (bucket.last == kNone || x > element(x_, bucket.last)) bucket.last = e;
    for (std::size_t s = 0; s < series_.size(); ++s) put(e, s, bucket.series[s]);
  }

  void put(std::uint64_t e, std::size_t s, Bucket::Of& of) const {
    const TensorExhibit& values = series_[s].values;
    const double y = element(values, e);
    if (!std::isfinite(y)) {
      std::uint64_t& first = std::isnan(y) ? of.nan : y > 0 ? of.above : of.below;
      if (first == kNone) first = e;
      return;
    }
    if (of.least == kNone || y < element(values, of.least)) of.least = e;
    if (of.greatest == kNone || y > element(values, of.greatest)) of.greatest = e;
  }

  [[nodiscard]] std::vector<std::uint64_t> collected() const {
    std::vector<std::uint64_t> kept(std::begin(outside_), std::end(outside_));
    for (const Bucket& bucket : buckets_) {
      kept.push_back(bucket.first);
      kept.push_back(bucket.last);
      for (const Bucket::Of& of : bucket.series) {
        for (const std::uint64_t e : {of.least, of.greatest, of.nan, of.above, of.below})
          kept.push_back(e);
      }
    }
    std::erase(kept, kNone);
    return kept;
  }

  const TensorExhibit& x_;
  const std::vector<Series>& series_;
  std::uint64_t elements_;
  double low_ = 0, high_ = 0;
  std::vector<Bucket> buckets_;
  std::uint64_t outside_[3] = {kNone, kNone, kNone};
};

/// NaN comes last, so that every pair has an order.
bool comes_before(double a, double b) {
  if (std::isnan(a)) return false;
  return std::isnan(b) || a < b;
}

TensorExhibit picked(const TensorExhibit& from, const std::vector<std::uint64_t>& elements) {
  TensorExhibit made;
  made.name = from.name;
  made.type = from.type;
  made.shape = {elements.size()};
  const std::size_t size = device::size_of(from.type);
  made.data.reserve(elements.size() * size);
  for (const std::uint64_t e : elements) {
    const auto at = from.data.begin() + static_cast<std::ptrdiff_t>(e * size);
    made.data.insert(made.data.end(), at, at + static_cast<std::ptrdiff_t>(size));
  }
  return made;
}

}  // namespace

CurveExhibit curve_of(Message variable, const TensorExhibit& x, std::vector<Series> series,
                      std::uint64_t chosen) {
  CurveExhibit made;
  made.variable = std::move(variable);
  made.elements = held(x);
  for (const Series& one : series) made.elements = std::min(made.elements, held(one.values));
  std::vector<std::uint64_t>& kept = made.element;
  if (made.elements <= kKeptWhole) {
    kept.resize(made.elements);
    std::iota(kept.begin(), kept.end(), 0);
  } else {
    kept = Thinning(x, series, made.elements).kept();
    if (chosen < made.elements) kept.push_back(chosen);
    std::ranges::sort(kept);
    kept.erase(std::ranges::unique(kept).begin(), kept.end());
  }
  std::ranges::stable_sort(kept, comes_before, [&](std::uint64_t e) { return element(x, e); });
  made.chosen = static_cast<std::uint64_t>(std::ranges::find(kept, chosen) - kept.begin());
  for (Series& one : series) {
    for (std::uint64_t e = 0; e < made.elements; ++e) {
      const double y = element(one.values, e);
      if (std::isfinite(y) || !std::isfinite(element(x, e))) continue;
      ++(std::isnan(y) ? one.nans : one.infinities);
    }
    one.values = picked(one.values, kept);
  }
  made.x = picked(x, kept);
  made.series = std::move(series);
  return made;
}

}  // namespace warpbook::lab
