// A reader's own picture: what is read, how it is scaled down, and that no file, however broken, does harm.
#include "lab/model/picture.hpp"

#include <fstream>
#include <random>

#define STB_IMAGE_WRITE_IMPLEMENTATION
#define STBI_WRITE_NO_STDIO
#include <stb/stb_image_write.h>
#include <catch2/catch_test_macros.hpp>
#include <catch2/generators/catch_generators.hpp>

#include "tests/keyed.hpp"
#include "tests/lab/text/texts.hpp"
#include "tests/temporary_folder.hpp"

namespace warpbook::lab::picture_test {
namespace {

using tests::holds;

void append(void* to, void* data, int size) {
  static_cast<std::string*>(to)->append(static_cast<const char*>(data),
                                        static_cast<std::size_t>(size));
}
std::string png(int width, int height, int channels, const std::vector<std::uint8_t>& pixels) {
  std::string bytes;
  stbi_write_png_to_func(append, &bytes, width, height, channels, pixels.data(), width * channels);
  return bytes;
}
std::string jpeg(int width, int height, const std::vector<std::uint8_t>& pixels) {
  std::string bytes;
  stbi_write_jpg_to_func(append, &bytes, width, height, 3, pixels.data(), 95);
  return bytes;
}

class Files {
 public:
  std::filesystem::path operator()(const std::string& bytes) {
    const auto file = folder_.path() / "picture";
    std::ofstream(file, std::ios::binary | std::ios::trunc) << bytes;
    return file;
  }
  [[nodiscard]] const std::filesystem::path& folder() const { return folder_.path(); }

 private:
  tests::TemporaryFolder folder_;
};

/// Why a picture was refused, as a key and its arguments.
std::string why(const device::Expected<Picture>& picture) {
  const auto reason = picture ? nullptr : device::argument_of(picture.error().arguments, "why");
  return reason ? tests::keyed(*reason) : std::string();
}

}  // namespace

TEST_CASE("Picture: a PNG comes as grey or in colours, as it is") {
  Files files;
  const auto file = files(png(3, 2, 1, {0, 50, 100, 150, 200, 255}));
  const auto grey = read_picture(file, PictureColours::grey, 64);
  REQUIRE(grey);
  CHECK(grey->width == 3);
  CHECK(grey->height == 2);
  CHECK(grey->step == 1);
  CHECK(grey->pixels == std::vector<std::uint8_t>{0, 50, 100, 150, 200, 255});
  const auto rgb = read_picture(file, PictureColours::rgb, 64);
  REQUIRE(rgb);
  CHECK(rgb->pixels.size() == 18);
  CHECK(rgb->pixels[3] == 50);
  CHECK(rgb->pixels[5] == 50);
  // Luminance: green weighs most, blue least.
  const auto weighed = read_picture(files(png(3, 1, 3, {255, 0, 0, 0, 255, 0, 0, 0, 255})),
                                    PictureColours::grey, 64);
  REQUIRE(weighed);
  CHECK(weighed->pixels[1] > weighed->pixels[0]);
  CHECK(weighed->pixels[0] > weighed->pixels[2]);
}

TEST_CASE("Picture: a JPEG comes near what was put into it") {
  Files files;
  const std::vector<std::uint8_t> red = [] {
    std::vector<std::uint8_t> pixels;
    for (int i = 0; i < 16 * 8; ++i) pixels.insert(pixels.end(), {200, 30, 40});
    return pixels;
  }();
  const auto picture = read_picture(files(jpeg(16, 8, red)), PictureColours::rgb, 64);
  REQUIRE(picture);
  CHECK(picture->width == 16);
  CHECK(picture->height == 8);
  CHECK(std::abs(picture->pixels[0] - 200) < 6);
  CHECK(std::abs(picture->pixels[1] - 30) < 6);
}

TEST_CASE("Picture: a large one is scaled down to means, and says so") {
  Files files;
  std::vector<std::uint8_t> pixels;
  for (int y = 0; y < 5; ++y) {
    for (int x = 0; x < 10; ++x) pixels.push_back(static_cast<std::uint8_t>(x < 5 ? 10 : 20));
  }
  const auto file = files(png(10, 5, 1, pixels));
  const auto half = read_picture(file, PictureColours::grey, 5);
  REQUIRE(half);
  CHECK(half->step == 2);
  CHECK(half->width == 5);
  CHECK(half->height == 3);
  CHECK(half->full_width == 10);
  CHECK(half->pixels[0] == 10);
  CHECK(half->pixels[2] == 15);  // both halves lie in it
  CHECK(half->pixels[14] == 20);
  const auto one = read_picture(file, PictureColours::grey, 1);
  REQUIRE(one);
  CHECK(one->pixels == std::vector<std::uint8_t>{15});
  CHECK(read_picture(file, PictureColours::grey, 0).has_value());
}

TEST_CASE("Picture: what cannot be read says why, and what to do") {
  Files files;
  CHECK(why(read_picture(files.folder() / "none", PictureColours::grey, 64)) ==
        "phrase.why.no-such-file");
  CHECK(why(read_picture(files.folder(), PictureColours::grey, 64)) == "phrase.why.a-folder");
  CHECK(why(read_picture(files(""), PictureColours::grey, 64)) == "phrase.why.no-picture");
  CHECK(why(read_picture(files("GIF89a..."), PictureColours::grey, 64)) == "phrase.why.no-picture");
  const std::string whole = png(20, 20, 3, std::vector<std::uint8_t>(1200, 9));
  CHECK(why(read_picture(files(whole.substr(0, whole.size() - 30)), PictureColours::grey, 64))
            .starts_with("phrase.why.damaged-picture"));
  PictureLimits few;
  few.pixels = 399;
  CHECK(holds(why(read_picture(files(whole), PictureColours::grey, 64, few)),
              "phrase.why.large-picture(height=20, width=20)"));
  few = {};
  few.file_bytes = 20;
  CHECK(holds(why(read_picture(files(whole), PictureColours::grey, 64, few)),
              "phrase.why.larger(bytes=20)"));
}

TEST_CASE("Picture: thousands of broken files are refused or read, and do no harm") {
  Files files;
  std::vector<std::uint8_t> pixels(24 * 24 * 3);
  for (std::size_t i = 0; i < pixels.size(); ++i) pixels[i] = static_cast<std::uint8_t>(i * 37);
  const bool as_jpeg = GENERATE(false, true);
  const std::string whole = as_jpeg ? jpeg(24, 24, pixels) : png(24, 24, 3, pixels);
  std::mt19937 random(as_jpeg ? 1 : 2);
  const auto below = [&](std::size_t n) { return static_cast<std::size_t>(random() % n); };
  PictureLimits limits;
  limits.pixels = 1 << 16;
  for (int i = 0; i < 1500; ++i) {
    std::string broken = whole;
    for (std::size_t changes = 1 + below(8); changes > 0; --changes)
      broken[below(broken.size())] = static_cast<char>(random());
    if (below(4) == 0) broken.resize(below(broken.size()));
    const auto picture = read_picture(files(broken), PictureColours::rgb, 16, limits);
    if (!picture) {
      CHECK(picture.error().code == device::ErrorCode::file_unreadable);
    } else {
      CHECK(picture->pixels.size() == picture->width * picture->height * 3);
      CHECK(picture->width <= 16);
      CHECK(picture->height <= 16);
    }
  }
}

TEST_CASE("Picture: a JPEG with more codes than there are bytes is refused before it is decoded") {
  Files files;
  for (const std::string start :
       {"\xff\xd8", "\xff\xff\xd8"}) {  // fill bytes may stand before a marker
    std::string jpeg = start + "\xff\xc4";
    jpeg += std::string("\x01\x20\x00", 3) + std::string(16, '\xff') + std::string(300, 'x');
    const auto picture = read_picture(files(jpeg), PictureColours::rgb, 16);
    REQUIRE_FALSE(picture);
    CHECK(picture.error().code == device::ErrorCode::file_unreadable);
    CHECK(picture.error().english().find("Huffman table") != std::string::npos);
  }
}

}  // namespace warpbook::lab::picture_test
