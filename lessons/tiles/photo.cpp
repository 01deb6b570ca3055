#include "lessons/tiles/photo.hpp"

#include <algorithm>
#include <cmath>

namespace warpbook::lessons::tiles {
namespace {

/// The same value for the same pixel in every run, from -`most` to `most`, and no pattern that one sees.
std::int64_t noise(std::int64_t pixel, std::int64_t most) {
  auto bits = static_cast<std::uint64_t>(pixel + 1) * 0x9E3779B97F4A7C15u;
  bits = (bits ^ (bits >> 29)) * 0xBF58476D1CE4E5B9u;
  bits ^= bits >> 32;
  return static_cast<std::int64_t>(bits % static_cast<std::uint64_t>(2 * most + 1)) - most;
}

}  // namespace

Photo night_photo(std::int64_t rows, std::int64_t columns) {
  constexpr std::int64_t kNoise = 40, kNight = 48, kLight = 160;
  Photo photo{rows, columns, {}};
  photo.pixels.reserve(static_cast<std::size_t>(rows * columns));
  const std::int64_t lamp_row = rows / 3, lamp_column = columns / 3,
                     reach = std::max<std::int64_t>(1, rows * rows / 4);
  for (std::int64_t row = 0; row < rows; ++row) {
    for (std::int64_t column = 0; column < columns; ++column) {
      const std::int64_t down = row - lamp_row, across = column - lamp_column,
                         light = kLight * reach / (reach + 4 * (down * down + across * across));
      const std::int64_t value = kNight + light + noise(row * columns + column, kNoise);
      photo.pixels.push_back(static_cast<float>(std::clamp<std::int64_t>(value, 0, 255)));
    }
  }
  return photo;
}

std::vector<float> smoothed(const Photo& photo, std::int64_t radius) {
  const auto side = static_cast<float>((2 * radius + 1) * (2 * radius + 1));
  std::vector<float> out;
  out.reserve(photo.pixels.size());
  for (std::int64_t row = 0; row < photo.rows; ++row) {
    for (std::int64_t column = 0; column < photo.columns; ++column) {
      float sum = 0;
      for (std::int64_t u = row - radius; u <= row + radius; ++u) {
        for (std::int64_t v = column - radius; v <= column + radius; ++v)
          sum += photo.at(std::clamp<std::int64_t>(u, 0, photo.rows - 1),
                          std::clamp<std::int64_t>(v, 0, photo.columns - 1));
      }
      out.push_back(sum / side);
    }
  }
  return out;
}

std::vector<float> softened(const Photo& photo, std::int64_t steps) {
  std::vector<float> now = photo.pixels;
  const auto columns = static_cast<std::size_t>(photo.columns);
  for (std::int64_t step = 0; step < steps; ++step) {
    const std::vector<float> before = now;
    for (std::size_t i = 0; i < now.size(); ++i) {
      const std::size_t column = i % columns;
      if (column != 0 && column != columns - 1)
        now[i] = (before[i - 1] + 2 * before[i] + before[i + 1]) / 4;
    }
  }
  return now;
}

std::vector<float> transposed(const Photo& photo) {
  std::vector<float> out;
  out.reserve(photo.pixels.size());
  for (std::int64_t column = 0; column < photo.columns; ++column) {
    for (std::int64_t row = 0; row < photo.rows; ++row) out.push_back(photo.at(row, column));
  }
  return out;
}

std::vector<float> nearest(const Photo& photo, const std::vector<float>& palette) {
  std::vector<float> out;
  out.reserve(photo.pixels.size());
  for (const float pixel : photo.pixels) {
    const auto distance = [&](float grey) { return std::abs(grey - pixel); };
    out.push_back(*std::ranges::min_element(palette, {}, distance));
  }
  return out;
}

}  // namespace warpbook::lessons::tiles
