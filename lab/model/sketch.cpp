#include "lab/model/sketch.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <vector>

namespace warpbook::lab {
namespace {

using Place = Sketch::Place;

constexpr std::uint8_t kInk = 255;

double distance_to_line(const Place& at, const Place& from, const Place& to) {
  const double dx = to.x - from.x, dy = to.y - from.y, square = dx * dx + dy * dy;
  const double along = square == 0 ? 0 : ((at.x - from.x) * dx + (at.y - from.y) * dy) / square;
  const double share = std::clamp(along, 0.0, 1.0);
  return std::hypot(at.x - from.x - share * dx, at.y - from.y - share * dy);
}

std::uint8_t pixel_at(const Picture& picture, std::uint64_t x, std::uint64_t y) {
  return picture.pixels[y * picture.width + x];
}

/// The value in the middle of those along the edge.
std::uint8_t ground_of(const Picture& picture) {
  std::vector<std::uint8_t> edge;
  for (std::uint64_t x = 0; x < picture.width; ++x) {
    edge.push_back(pixel_at(picture, x, 0));
    edge.push_back(pixel_at(picture, x, picture.height - 1));
  }
  for (std::uint64_t y = 0; y < picture.height; ++y) {
    edge.push_back(pixel_at(picture, 0, y));
    edge.push_back(pixel_at(picture, picture.width - 1, y));
  }
  const auto middle = edge.begin() + static_cast<std::ptrdiff_t>(edge.size() / 2);
  std::ranges::nth_element(edge, middle);
  return *middle;
}

/// How far each point of the pad is from the ground: the mean over what of the picture lies there.
std::vector<double> differences_of(const Picture& picture) {
  constexpr std::size_t kSamples = 8;  // along each side of a point
  const double longest = static_cast<double>(std::max(picture.width, picture.height)),
               scale = longest / static_cast<double>(Sketch::kSide),
               left = (static_cast<double>(picture.width) - longest) / 2,
               top = (static_cast<double>(picture.height) - longest) / 2;
  const int ground = ground_of(picture);
  const auto difference_at = [&](double x, double y) -> double {
    if (x < 0 || y < 0) return 0;
    const auto column = static_cast<std::uint64_t>(x), row = static_cast<std::uint64_t>(y);
    if (column >= picture.width || row >= picture.height) return 0;
    return std::abs(pixel_at(picture, column, row) - ground);
  };
  std::vector<double> differences;
  for (std::size_t y = 0; y < Sketch::kSide; ++y) {
    for (std::size_t x = 0; x < Sketch::kSide; ++x) {
      double sum = 0;
      for (std::size_t sample = 0; sample < kSamples * kSamples; ++sample) {
        const auto within = [&](std::size_t i) {
          return (static_cast<double>(i) + 0.5) / kSamples;
        };
        sum += difference_at(left + scale * (static_cast<double>(x) + within(sample % kSamples)),
                             top + scale * (static_cast<double>(y) + within(sample / kSamples)));
      }
      differences.push_back(sum / (kSamples * kSamples));
    }
  }
  return differences;
}

}  // namespace

void Sketch::stroke(const Place& from, const Place& to, double width, bool ink) {
  for (std::size_t y = 0; y < kSide; ++y) {
    for (std::size_t x = 0; x < kSide; ++x) {
      const Place middle{static_cast<double>(x) + 0.5, static_cast<double>(y) + 0.5};
      if (distance_to_line(middle, from, to) <= width / 2) set(x, y, ink);
    }
  }
}

Sketch sketch_of(const Picture& picture) {
  // A difference of a few steps is what compression leaves of an even ground.
  constexpr double kLeastDifference = 24;
  Sketch sketch;
  if (picture.pixels.empty()) return sketch;
  const std::vector<double> differences = differences_of(picture);
  const double largest = std::ranges::max(differences);
  if (largest < kLeastDifference) return sketch;
  for (std::size_t i = 0; i < differences.size(); ++i)
    sketch.set(i % Sketch::kSide, i / Sketch::kSide, differences[i] > largest / 2);
  return sketch;
}

device::Expected<Sketch> read_sketch(const std::filesystem::path& file) {
  const auto picture = read_picture(file, PictureColours::grey, kSketchPictureSide);
  if (!picture) return tl::unexpected(picture.error());
  return sketch_of(*picture);
}

Picture picture_of(const Sketch& sketch, std::uint64_t scale) {
  Picture picture;
  picture.width = picture.height = picture.full_width = picture.full_height = scale * Sketch::kSide;
  for (std::uint64_t y = 0; y < picture.height; ++y) {
    for (std::uint64_t x = 0; x < picture.width; ++x)
      picture.pixels.push_back(sketch.at(x / scale, y / scale) ? kInk : 0);
  }
  return picture;
}

}  // namespace warpbook::lab
