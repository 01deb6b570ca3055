#include "tests/gui/golden.hpp"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <fstream>

#include <stb/stb_image.h>

namespace warpbook::gui::golden {
namespace {
namespace fs = std::filesystem;
constexpr int kSquare = 4, kNear = 8;

fs::path file_of(const std::string& name) {
  return fs::path(WARPBOOK_SOURCE_DIR) / "tests/gui/golden" / (name + ".png");
}

void write(const fs::path& path, const Pixels& picture) {
  fs::create_directories(path.parent_path());
  std::ofstream(path, std::ios::binary) << png_of(picture);
}

/// The picture with every square of four pixels made one.
Pixels averaged(const Pixels& picture) {
  Pixels made{picture.width / kSquare, picture.height / kSquare, {}};
  made.rgb.reserve(static_cast<std::size_t>(made.width * made.height) * 3);
  for (int y = 0; y < made.height; ++y) {
    for (int x = 0; x < made.width; ++x) {
      for (int channel = 0; channel < 3; ++channel) {
        int sum = 0;
        for (int i = 0; i < kSquare * kSquare; ++i) {
          const int px = x * kSquare + i % kSquare, py = y * kSquare + i / kSquare;
          sum += picture.rgb[static_cast<std::size_t>((py * picture.width + px) * 3 + channel)];
        }
        made.rgb.push_back(static_cast<std::uint8_t>(sum / (kSquare * kSquare)));
      }
    }
  }
  return made;
}

int distance(const Pixels& a, const Pixels& b, int x, int y) {
  const auto at = static_cast<std::size_t>((y * a.width + x) * 3);
  int most = 0;
  for (std::size_t channel = 0; channel < 3; ++channel)
    most = std::max(most, std::abs(a.rgb[at + channel] - b.rgb[at + channel]));
  return most;
}

Pixels difference_of(const Pixels& picture, const Pixels& other) {
  Pixels made{std::min(picture.width, other.width), std::min(picture.height, other.height), {}};
  for (int y = 0; y < made.height; ++y) {
    for (int x = 0; x < made.width * 3; ++x) {
      const auto a = picture.rgb[static_cast<std::size_t>(y * picture.width * 3 + x)];
      const auto b = other.rgb[static_cast<std::size_t>(y * other.width * 3 + x)];
      made.rgb.push_back(static_cast<std::uint8_t>(std::min(255, 4 * std::abs(a - b))));
    }
  }
  return made;
}
}  // namespace

Difference compare(const Pixels& picture, const Pixels& other) {
  Difference difference;
  difference.same_size = picture.width == other.width && picture.height == other.height;
  if (!difference.same_size || picture.rgb.empty()) return difference;
  const Pixels a = averaged(picture), b = averaged(other);
  std::vector<int> far(static_cast<std::size_t>(a.width * a.height));
  int differing = 0;
  for (int y = 0; y < a.height; ++y) {
    for (int x = 0; x < a.width; ++x) {
      const int by = distance(a, b, x, y);
      differing += by > 16 ? 1 : 0;
      far[static_cast<std::size_t>(y * a.width + x)] = by > 24 ? 1 : 0;
    }
  }
  difference.share = static_cast<double>(differing) / static_cast<double>(far.size());
  for (int top = 0; top < a.height; top += kNear / 2) {
    for (int left = 0; left < a.width; left += kNear / 2) {
      int nearby = 0;
      for (int y = top; y < std::min(top + kNear, a.height); ++y) {
        for (int x = left; x < std::min(left + kNear, a.width); ++x)
          nearby += far[static_cast<std::size_t>(y * a.width + x)];
      }
      difference.most_nearby = std::max(difference.most_nearby, nearby);
    }
  }
  return difference;
}

Pixels stored(const std::string& name) {
  Pixels picture;
  int channels = 0;
  unsigned char* data =
      stbi_load(file_of(name).c_str(), &picture.width, &picture.height, &channels, 3);
  if (!data) return {};
  picture.rgb.assign(data, data + static_cast<std::size_t>(picture.width * picture.height) * 3);
  stbi_image_free(data);
  return picture;
}

Difference check(const Pixels& picture, const std::string& name) {
  const char* mode = std::getenv("WARPBOOK_GOLDEN");
  if (mode && std::string(mode) == "write") write(file_of(name), picture);
  const Pixels kept = stored(name);
  const Difference difference = compare(picture, kept);
  if (!difference.small()) {
    write(fs::current_path() / "golden" / (name + ".png"), picture);
    if (!kept.rgb.empty())
      write(fs::current_path() / "golden" / (name + "-difference.png"),
            difference_of(picture, kept));
  }
  return difference;
}

Pixels crop(const Pixels& picture, int x, int y, int width, int height) {
  x = std::clamp(x, 0, picture.width);
  y = std::clamp(y, 0, picture.height);
  Pixels made{std::min(width, picture.width - x), std::min(height, picture.height - y), {}};
  for (int row = 0; row < made.height; ++row) {
    const auto from = picture.rgb.begin() + ((y + row) * picture.width + x) * 3;
    made.rgb.insert(made.rgb.end(), from, from + made.width * 3);
  }
  return made;
}

}  // namespace warpbook::gui::golden
