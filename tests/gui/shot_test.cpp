// Pictures, drawn with no display. They are written to the build's folder for eyes; here they are
// held to be pictures.
#include <cstdint>
#include <filesystem>
#include <set>

#include <catch2/catch_test_macros.hpp>
#define STB_IMAGE_IMPLEMENTATION
#define STBI_ONLY_PNG
#include <stb/stb_image.h>

#include "gui/app.hpp"

namespace warpbook::gui::shot_test {
namespace {
struct Picture {
  int width = 0, height = 0;
  std::set<std::uint32_t> colours;
  std::uint32_t corner = 0;
};

Picture look(const std::string& path) {
  Picture picture;
  int channels = 0;
  unsigned char* data = stbi_load(path.c_str(), &picture.width, &picture.height, &channels, 3);
  REQUIRE(data);
  const auto pixel = [&](std::size_t i) {
    return static_cast<std::uint32_t>(data[i * 3] << 16 | data[i * 3 + 1] << 8 | data[i * 3 + 2]);
  };
  for (std::size_t i = 0;
       i < static_cast<std::size_t>(picture.width) * static_cast<std::size_t>(picture.height);
       ++i) {
    picture.colours.insert(pixel(i));
  }
  picture.corner = pixel(0);
  stbi_image_free(data);
  return picture;
}
}  // namespace

TEST_CASE("a shot is drawn in both languages, both themes, and at every size and scale", "[ci]") {
  const std::filesystem::path folder = std::filesystem::current_path() / "shots";
  std::filesystem::create_directories(folder);
  struct Case {
    int width, height;
    float scale;
  };
  for (const std::string language : {"en", "zh"}) {
    for (const char* theme : {"dark", "light"}) {
      for (const Case size : {Case{1440, 900, 1}, Case{1024, 768, 1}, Case{1280, 800, 2}}) {
        ShotOptions options;
        options.chapter = "first-kernel";
        options.root = WARPBOOK_SOURCE_DIR;
        options.language = language;
        options.theme = theme;
        options.width = size.width;
        options.height = size.height;
        options.scale = size.scale;
        options.answers["what-is-out"] = "6 8 10 12";
        options.out =
            (folder / (language + "-" + theme + "-" + std::to_string(size.width) + ".png"))
                .string();
        CAPTURE(options.out);
        REQUIRE(shot(options) == 0);
        const Picture picture = look(options.out);
        CHECK(picture.width == static_cast<int>(static_cast<float>(size.width) * size.scale));
        CHECK(picture.height == static_cast<int>(static_cast<float>(size.height) * size.scale));
        CHECK(picture.colours.size() > 200);
        CHECK(picture.corner == (std::string(theme) == "dark" ? 0x141518u : 0xECECE8u));
      }
    }
  }
}

TEST_CASE("a narrow shot shows the text, or the lab where that is asked for", "[ci]") {
  ShotOptions options;
  options.chapter = "first-kernel";
  options.root = WARPBOOK_SOURCE_DIR;
  options.width = 800;
  options.height = 900;
  options.answers["what-is-out"] = "6 8 10 12";
  std::set<std::uint32_t> text, lab;
  for (const bool alone : {false, true}) {
    options.lab_alone = alone;
    options.out =
        (std::filesystem::current_path() / (alone ? "narrow-lab.png" : "narrow-text.png")).string();
    REQUIRE(shot(options) == 0);
    (alone ? lab : text) = look(options.out).colours;
    std::filesystem::remove(options.out);
  }
  constexpr std::uint32_t kWarmest = 0xFDE725;  // beside the line that most threads ran
  CHECK(lab.contains(kWarmest));
  CHECK_FALSE(text.contains(kWarmest));
}

TEST_CASE("a shot of a chapter that is not there is bad usage", "[ci]") {
  ShotOptions options;
  options.chapter = "no-such-chapter";
  options.root = WARPBOOK_SOURCE_DIR;
  options.out = (std::filesystem::temp_directory_path() / "warpbook-none.png").string();
  CHECK(shot(options) == 2);
  CHECK_FALSE(std::filesystem::exists(options.out));
}

TEST_CASE("a shot of a screen is that screen, and one that the lecture does not have is bad usage",
          "[ci]") {
  ShotOptions options;
  options.chapter = "first-kernel";
  options.root = WARPBOOK_SOURCE_DIR;
  options.out = (std::filesystem::current_path() / "screen.png").string();
  for (const std::size_t none : {0, 99}) {
    options.screen = none;
    CHECK(shot(options) == 2);
    CHECK_FALSE(std::filesystem::exists(options.out));
  }
  // A prepared lecture of one screen, which an exhibit fills.
  lab::DemoScreen filled;
  filled.exhibit = "geometry";
  options.demo = lab::Demo{"monday.toml", "first-kernel", 1, {filled}};
  options.screen = 2;
  CHECK(shot(options) == 2);
  options.screen = 1;
  REQUIRE(shot(options) == 0);
  const Picture prepared = look(options.out);
  options.demo.reset();
  REQUIRE(shot(options) == 0);
  CHECK(look(options.out).colours != prepared.colours);
  std::filesystem::remove(options.out);
}

TEST_CASE("a shot of a program whose file is not there is bad usage", "[ci]") {
  ShotOptions options;
  options.chapter = "first-kernel";
  options.root = WARPBOOK_SOURCE_DIR;
  options.program = "/no/such/program.cu";
  options.out = (std::filesystem::temp_directory_path() / "warpbook-none.png").string();
  CHECK(shot(options) == 2);
  CHECK_FALSE(std::filesystem::exists(options.out));
}

}  // namespace warpbook::gui::shot_test
