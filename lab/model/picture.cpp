#include "lab/model/picture.hpp"

#include <algorithm>
#include <cstdlib>
#include <limits>
#include <memory>
#include <string>
#include <string_view>

#include <fmt/format.h>

#include "device/platform.hpp"

namespace {

/// A few bytes of PNG may ask for gigabytes: the decoder gets no more than this at a time.
constexpr std::size_t kMostDecoderBytes = std::size_t{512} << 20;
void* bounded_realloc(void* old, std::size_t bytes) {
  return bytes > kMostDecoderBytes ? nullptr : std::realloc(old, bytes);
}

}  // namespace

#define STBI_MALLOC(bytes) bounded_realloc(nullptr, bytes)
#define STBI_REALLOC(old, bytes) bounded_realloc(old, bytes)
#define STBI_FREE(old) std::free(old)
#define STBI_ONLY_PNG
#define STBI_ONLY_JPEG
#define STBI_NO_STDIO
#define STBI_MAX_DIMENSIONS 32768
#define STB_IMAGE_STATIC
#define STB_IMAGE_IMPLEMENTATION
#include <stb/stb_image.h>

namespace warpbook::lab {
namespace {

struct FreePixels {
  void operator()(stbi_uc* pixels) const { stbi_image_free(pixels); }
};

tl::unexpected<device::Error> refused(const std::filesystem::path& file, device::Message why) {
  return device::failure(device::ErrorCode::file_unreadable,
                         {{"file", file.string()}, {"why", std::move(why)}});
}

const stbi_uc* data_of(const std::string& bytes) {
  return reinterpret_cast<const stbi_uc*>(bytes.data());
}
int size_of(const std::string& bytes) {
  return static_cast<int>(std::min<std::size_t>(bytes.size(), std::numeric_limits<int>::max()));
}

/// Whether some table of a JPEG's Huffman codes says that it has more than 256, beyond which stb_image 2.27 writes past its
/// own. Told wherever their marker stands.
bool overfull_codes(std::string_view bytes) {
  constexpr std::size_t kLengths = 16, kMostCodes = 256;
  const auto byte = [&](std::size_t at) -> std::size_t {
    return at < bytes.size() ? static_cast<unsigned char>(bytes[at]) : 0;
  };
  for (std::size_t at = bytes.find("\xff\xc4"); at != std::string_view::npos;
       at = bytes.find("\xff\xc4", at + 1)) {
    const std::size_t end = at + 2 + (byte(at + 2) << 8 | byte(at + 3));
    for (std::size_t table = at + 4; table < end;) {
      std::size_t codes = 0;
      for (std::size_t i = 1; i <= kLengths; ++i) codes += byte(table + i);
      if (codes > kMostCodes) return true;
      table += 1 + kLengths + codes;
    }
  }
  return false;
}

/// The file's bytes, if they begin as a picture that is not too large.
device::Expected<std::string> open_picture(const std::filesystem::path& file,
                                           const PictureLimits& limits) {
  auto bytes = device::read_file(file, limits.file_bytes);
  if (!bytes) return bytes;
  if (bytes->starts_with('\xff') && overfull_codes(*bytes))
    return refused(file, device::Message{"phrase.why.bad-huffman", {}, {}});
  int width = 0, height = 0, held = 0;
  if (stbi_info_from_memory(data_of(*bytes), size_of(*bytes), &width, &height, &held) == 0)
    return refused(file, device::Message{"phrase.why.no-picture", {}, {}});
  if (static_cast<std::uint64_t>(width) * static_cast<std::uint64_t>(height) > limits.pixels) {
    return refused(
        file,
        device::Message{"phrase.why.large-picture", {{"width", width}, {"height", height}}, {}});
  }
  return bytes;
}

/// The mean of the step x step pixels at a place, fewer at the edges.
std::uint8_t mean_of(const stbi_uc* pixels, const Picture& picture, std::uint64_t channels,
                     std::uint64_t x, std::uint64_t y, std::uint64_t channel) {
  const std::uint64_t right = std::min(picture.full_width, (x + 1) * picture.step),
                      below = std::min(picture.full_height, (y + 1) * picture.step);
  std::uint64_t sum = 0, count = 0;
  for (std::uint64_t row = y * picture.step; row < below; ++row) {
    for (std::uint64_t column = x * picture.step; column < right; ++column, ++count)
      sum += pixels[(row * picture.full_width + column) * channels + channel];
  }
  return static_cast<std::uint8_t>((sum + count / 2) / count);
}

}  // namespace

device::Expected<void> check_picture(const std::filesystem::path& file,
                                     const PictureLimits& limits) {
  if (auto opened = open_picture(file, limits); !opened) return tl::unexpected(opened.error());
  return {};
}

device::Expected<Picture> read_picture(const std::filesystem::path& file, PictureColours colours,
                                       std::uint64_t most_side, const PictureLimits& limits) {
  const auto bytes = open_picture(file, limits);
  if (!bytes) return tl::unexpected(bytes.error());
  int width = 0, height = 0, held = 0;
  const auto channels = static_cast<int>(colours);
  const std::unique_ptr<stbi_uc, FreePixels> pixels(
      stbi_load_from_memory(data_of(*bytes), size_of(*bytes), &width, &height, &held, channels));
  if (!pixels) {
    return refused(file, device::Message{
                             "phrase.why.damaged-picture", {{"words", stbi_failure_reason()}}, {}});
  }
  Picture picture;
  picture.colours = colours;
  picture.full_width = static_cast<std::uint64_t>(width);
  picture.full_height = static_cast<std::uint64_t>(height);
  const std::uint64_t longest = std::max(picture.full_width, picture.full_height);
  const std::uint64_t side = std::max<std::uint64_t>(1, most_side);
  picture.step = (longest + side - 1) / side;
  picture.width = (picture.full_width + picture.step - 1) / picture.step;
  picture.height = (picture.full_height + picture.step - 1) / picture.step;
  const auto each = static_cast<std::uint64_t>(channels);
  picture.pixels.reserve(picture.width * picture.height * each);
  for (std::uint64_t y = 0; y < picture.height; ++y) {
    for (std::uint64_t x = 0; x < picture.width; ++x) {
      for (std::uint64_t channel = 0; channel < each; ++channel)
        picture.pixels.push_back(mean_of(pixels.get(), picture, each, x, y, channel));
    }
  }
  return picture;
}

}  // namespace warpbook::lab
