// A picture of the reader's own, PNG or JPEG, as numbers that a kernel can take.
#pragma once

#include <cstdint>
#include <filesystem>
#include <vector>

#include "device/error.hpp"

namespace warpbook::lab {

enum class PictureColours : std::uint8_t { grey = 1, rgb = 3 };

struct Picture {
  std::uint64_t width = 0, height = 0;            ///< as it is here
  std::uint64_t full_width = 0, full_height = 0;  ///< as it is in the file
  std::uint64_t step = 1;  ///< a pixel is the mean of step x step of the file's
  PictureColours colours = PictureColours::grey;
  std::vector<std::uint8_t> pixels;  ///< row by row, the colours of a pixel beside each other
};

/// What of a file is read at all.
struct PictureLimits {
  std::uint64_t file_bytes = 64u << 20;
  std::uint64_t pixels = 64u << 20;
};

/// Whether there is a picture in the file that would be read, as its first bytes say. Error: file_unreadable.
device::Expected<void> check_picture(const std::filesystem::path& file,
                                     const PictureLimits& limits = {});

/// Scaled down so far that neither side has more than `most_side` pixels; never up. Grey is the luminance of Rec. 601, as
/// most programs take it; what is transparent is as it lies in the file. Error: file_unreadable, which says what to do.
device::Expected<Picture> read_picture(const std::filesystem::path& file, PictureColours colours,
                                       std::uint64_t most_side, const PictureLimits& limits = {});

}  // namespace warpbook::lab
