#include "training/data.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>
#include <random>

namespace warpbook::training {
namespace {

/// The standard says what std::mt19937_64 gives, but not what its distributions make of it.
class Random {
 public:
  explicit Random(std::uint64_t seed) : bits_(seed) {}
  /// From `low` to below `high`.
  double between(double low, double high) {
    return low + (high - low) * static_cast<double>(bits_() >> 11) * 0x1p-53;
  }
  std::int64_t below(std::int64_t count) {
    return static_cast<std::int64_t>(bits_() % static_cast<std::uint64_t>(count));
  }
  double normal() {
    const double radius = std::sqrt(-2 * std::log(between(0, 1) + 0x1p-53));
    return radius * std::cos(2 * std::numbers::pi * between(0, 1));
  }

 private:
  std::mt19937_64 bits_;
};

/// 0 to count - 1, shuffled (Fisher and Yates).
std::vector<std::int64_t> shuffled(std::int64_t count, Random& random) {
  std::vector<std::int64_t> order(static_cast<std::size_t>(count));
  for (std::int64_t i = 0; i < count; ++i) order[static_cast<std::size_t>(i)] = i;
  for (std::int64_t i = count - 1; i > 0; --i)
    std::swap(order[static_cast<std::size_t>(i)],
              order[static_cast<std::size_t>(random.below(i + 1))]);
  return order;
}

void put_point(Dataset& data, double x, double y, std::int64_t label) {
  data.samples.push_back(static_cast<float>(x));
  data.samples.push_back(static_cast<float>(y));
  data.labels.push_back(static_cast<std::int32_t>(label));
}

// ---- shapes

using Colour = std::array<double, 3>;

Colour colour(Random& random, const ColourRange& range) {
  Colour made;
  for (double& channel : made) channel = random.between(range.low, range.high);
  return made;
}

/// Whether the shape covers a point, in units of its own size: it reaches from -1 to 1.
bool covers(std::int64_t shape, double x, double y) {
  const double from_centre = std::hypot(x, y), edge = std::max(std::abs(x), std::abs(y));
  const auto stripe = [](double at) { return static_cast<int>(std::floor(at * 2.5)) % 2 == 0; };
  switch (shape) {
    case 0: return from_centre <= 1;
    case 1: return from_centre <= 1 && from_centre >= 0.6;
    case 2: return edge <= 0.9;
    case 3: return edge <= 0.9 && edge >= 0.55;
    case 4: return y <= 0.8 && y >= -0.9 && std::abs(x) <= (y + 0.9) / 1.7;
    case 5: return edge <= 1 && std::min(std::abs(x), std::abs(y)) <= 0.25;
    case 6: return edge <= 0.9 && std::abs(std::abs(x) - std::abs(y)) <= 0.3;
    case 7: return edge <= 1 && stripe(y);
    case 8: return edge <= 1 && stripe(x);
    default: return edge <= 1 && stripe(x) == stripe(y);
  }
}

constexpr double kNoise = 0.1;

/// A bright shape on a dark ground. If either could be the brighter one, a few hundred images would be too few to learn from.
void put_image(Dataset& data, std::int64_t shape, Random& random) {
  const Colour back = colour(random, kGroundColours), front = colour(random, kShapeColours);
  const double size = random.between(8, 13);
  const double room = kImageSide / 2.0 - size;
  const double column = kImageSide / 2.0 + random.between(-room, room);
  const double row = kImageSide / 2.0 + random.between(-room, room);
  for (std::size_t channel = 0; channel < 3; ++channel) {
    for (std::int64_t y = 0; y < kImageSide; ++y) {
      for (std::int64_t x = 0; x < kImageSide; ++x) {
        const bool inside = covers(shape, (static_cast<double>(x) + 0.5 - column) / size,
                                   (static_cast<double>(y) + 0.5 - row) / size);
        const double value = (inside ? front : back)[channel] + kNoise * random.normal();
        data.samples.push_back(static_cast<float>(std::clamp(value, -1.0, 1.0)));
      }
    }
  }
  data.labels.push_back(static_cast<std::int32_t>(shape));
}

}  // namespace

Dataset spiral(std::int64_t points, std::int64_t arms, double noise, std::uint64_t seed) {
  Random random(seed);
  Dataset data{{2}, {}, {}, arms};
  for (const std::int64_t i : shuffled(points, random)) {
    const std::int64_t arm = i % arms;
    const double along = static_cast<double>(i / arms) / (static_cast<double>(points) / static_cast<double>(arms));
    const double angle = 2 * std::numbers::pi *
                             (static_cast<double>(arm) / static_cast<double>(arms) + 0.7 * along) +
                         noise * random.normal();
    put_point(data, along * std::sin(angle), along * std::cos(angle), arm);
  }
  return data;
}

Dataset circles(std::int64_t points, double noise, std::uint64_t seed) {
  Random random(seed);
  Dataset data{{2}, {}, {}, 2};
  for (const std::int64_t i : shuffled(points, random)) {
    const double radius = (i % 2 == 0 ? 1.0 : 0.5) + noise * random.normal();
    const double angle = random.between(0, 2 * std::numbers::pi);
    put_point(data, radius * std::cos(angle), radius * std::sin(angle), i % 2);
  }
  return data;
}

Dataset shapes(std::int64_t images, std::uint64_t seed) {
  return first_shapes(images, images, seed);
}

Dataset first_shapes(std::int64_t count, std::int64_t images, std::uint64_t seed) {
  Random random(seed);
  Dataset data{{3, kImageSide, kImageSide}, {}, {}, kShapes};
  for (const std::int64_t i : shuffled(images, random)) {
    if (data.count() == count) break;
    put_image(data, i % kShapes, random);
  }
  return data;
}

Dataset with_random_labels(Dataset data, std::uint64_t seed) {
  Random random(seed);
  for (std::int32_t& label : data.labels)
    label = static_cast<std::int32_t>(random.below(data.classes));
  return data;
}

}  // namespace warpbook::training
