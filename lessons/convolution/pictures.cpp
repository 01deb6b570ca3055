#include "lessons/convolution/pictures.hpp"

#include <algorithm>
#include <array>
#include <utility>

namespace warpbook::lessons::convolution {
namespace {

struct Classic {
  const char* name;
  std::array<float, 9> weights;
};
constexpr std::array kClassics{
    Classic{"blur",
            {1 / 16.0f, 2 / 16.0f, 1 / 16.0f, 2 / 16.0f, 4 / 16.0f, 2 / 16.0f, 1 / 16.0f, 2 / 16.0f,
             1 / 16.0f}},
    Classic{"edge", {-1, -1, -1, -1, 8, -1, -1, -1, -1}},
    Classic{"sharpen", {0, -1, 0, -1, 5, -1, 0, -1, 0}},
    Classic{"emboss", {-2, -1, 0, -1, 1, 1, 0, 1, 2}},
};

}  // namespace

Square shapes() {
  constexpr std::int64_t kDiscRow = 14, kDiscColumn = 14, kRadius = 6;
  constexpr float kGround = 96, kDisc = 224, kBar = 16;
  Square square{kPictureSide, {}};
  for (std::int64_t row = 0; row < kPictureSide; ++row) {
    for (std::int64_t column = 0; column < kPictureSide; ++column) {
      const std::int64_t y = row - kDiscRow, x = column - kDiscColumn;
      float grey = x * x + y * y <= kRadius * kRadius ? kDisc : kGround;
      if (column >= 3 && column < 6 && row >= 6) grey = kBar;
      square.pixels.push_back(grey);
    }
  }
  return square;
}

Square middle_of(const lab::Picture& picture) {
  const std::uint64_t side = std::min(picture.width, picture.height),
                      top = (picture.height - side) / 2, left = (picture.width - side) / 2;
  Square square{static_cast<std::int64_t>(side), {}};
  for (std::uint64_t row = top; row < top + side; ++row) {
    for (std::uint64_t column = left; column < left + side; ++column)
      square.pixels.push_back(picture.pixels[row * picture.width + column]);
  }
  return square;
}

std::vector<std::string> classic_filters() {
  std::vector<std::string> names;
  for (const Classic& classic : kClassics) names.emplace_back(classic.name);
  return names;
}

std::vector<float> classic_weights(const std::string& name) {
  for (const Classic& classic : kClassics) {
    if (name == classic.name) return {classic.weights.begin(), classic.weights.end()};
  }
  return {};
}

}  // namespace warpbook::lessons::convolution
