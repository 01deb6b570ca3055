#include "gui/lab/drawings.hpp"

#include <algorithm>
#include <fstream>
#include <span>
#include <string>
#include <system_error>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "gui/draw/png.hpp"
#include "lab/report/binary.hpp"

namespace warpbook::gui {
namespace {
namespace fs = std::filesystem;

constexpr std::uint64_t kPixelsAPoint = 8;
constexpr std::size_t kMostDrawings = 200;
constexpr std::string_view kEnding = ".png";

Pixels pixels_of(const lab::Picture& picture) {
  Pixels pixels;
  pixels.width = static_cast<int>(picture.width);
  pixels.height = static_cast<int>(picture.height);
  for (const std::uint8_t grey : picture.pixels) pixels.rgb.insert(pixels.rgb.end(), 3, grey);
  return pixels;
}
}  // namespace

device::Expected<KeptDrawing> keep_drawing(const fs::path& folder, const lab::Sketch& sketch) {
  const lab::Picture picture = picture_of(sketch, kPixelsAPoint);
  const std::uint64_t name = lab::checksum(std::as_bytes(std::span(picture.pixels)));
  const fs::path file = folder / fmt::format("{:016x}{}", name, kEnding);
  std::error_code failed;
  fs::create_directories(folder, failed);
  const bool is_new = !fs::exists(file, failed);
  // No write_file_atomically(): that waits for the disk, while the mouse moves on. Nobody knows the name before the file is whole.
  std::ofstream(file, std::ios::binary) << png_of(pixels_of(picture));
  if (const auto good = lab::check_picture(file); !good)
    return device::failure(device::ErrorCode::file_unwritable, good.error().arguments);
  return KeptDrawing{file, is_new};
}

void forget_old_drawings(const fs::path& folder) {
  std::vector<std::pair<fs::file_time_type, fs::path>> drawings;
  std::error_code failed;
  for (const fs::directory_entry& entry : fs::directory_iterator(folder, failed)) {
    if (entry.path().extension() == kEnding)
      drawings.emplace_back(entry.last_write_time(failed), entry.path());
  }
  if (drawings.size() <= kMostDrawings) return;
  std::ranges::sort(drawings, std::ranges::greater());
  for (const auto& [when, file] : std::span(drawings).subspan(kMostDrawings))
    fs::remove(file, failed);
}

}  // namespace warpbook::gui
