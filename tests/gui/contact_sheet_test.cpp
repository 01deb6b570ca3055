// Every step of every chapter, in both languages and themes, drawn small on one sheet: the whole book at a glance, for eyes.
// What can be held to without eyes is held: each step has a picture, and no two steps show the same.
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <set>
#include <string>
#include <vector>

#include <stb/stb_image.h>
#include <catch2/catch_test_macros.hpp>

#include "gui/app.hpp"
#include "gui/draw/png.hpp"
#include "lessons/catalogue.hpp"

namespace warpbook::gui::contact_sheet_test {
namespace {
constexpr int kWidth = 1440, kHeight = 900, kShrink = 4, kGap = 8;
constexpr int kSmallWidth = kWidth / kShrink, kSmallHeight = kHeight / kShrink;

/// The picture, each square of kShrink pixels averaged.
Pixels small(const std::string& path) {
  int width = 0, height = 0, channels = 0;
  unsigned char* data = stbi_load(path.c_str(), &width, &height, &channels, 3);
  REQUIRE(data);
  REQUIRE(width == kWidth);
  REQUIRE(height == kHeight);
  Pixels made{kSmallWidth, kSmallHeight, {}};
  for (int y = 0; y < kSmallHeight; ++y) {
    for (int x = 0; x < kSmallWidth; ++x) {
      for (int channel = 0; channel < 3; ++channel) {
        int sum = 0;
        for (int dy = 0; dy < kShrink; ++dy) {
          for (int dx = 0; dx < kShrink; ++dx)
            sum += data[((y * kShrink + dy) * kWidth + x * kShrink + dx) * 3 + channel];
        }
        made.rgb.push_back(static_cast<std::uint8_t>(sum / (kShrink * kShrink)));
      }
    }
  }
  stbi_image_free(data);
  return made;
}

/// Rows of pictures on one.
Pixels sheet_of(const std::vector<std::vector<Pixels>>& rows) {
  std::size_t columns = 0;
  for (const auto& row : rows) columns = std::max(columns, row.size());
  Pixels sheet{static_cast<int>(columns) * (kSmallWidth + kGap) + kGap,
               static_cast<int>(rows.size()) * (kSmallHeight + kGap) + kGap,
               {}};
  sheet.rgb.assign(
      static_cast<std::size_t>(sheet.width) * static_cast<std::size_t>(sheet.height) * 3, 0x80);
  for (std::size_t r = 0; r < rows.size(); ++r) {
    for (std::size_t c = 0; c < rows[r].size(); ++c) {
      const std::size_t left = kGap + c * (kSmallWidth + kGap),
                        top = kGap + r * (kSmallHeight + kGap);
      for (std::size_t y = 0; y < kSmallHeight; ++y) {
        std::copy_n(rows[r][c].rgb.begin() + static_cast<std::ptrdiff_t>(y * kSmallWidth * 3),
                    kSmallWidth * 3,
                    sheet.rgb.begin() +
                        static_cast<std::ptrdiff_t>(
                            ((top + y) * static_cast<std::size_t>(sheet.width) + left) * 3));
      }
    }
  }
  return sheet;
}

void draw(const std::string& language, const std::string& theme) {
  const std::filesystem::path folder = std::filesystem::current_path() / "contact-sheet";
  std::filesystem::create_directories(folder);
  const std::string name = language + "-" + theme;
  std::vector<std::vector<Pixels>> rows;
  for (const lab::Lesson& lesson : lessons::catalogue()) {
    const auto document = lab::load_document(WARPBOOK_SOURCE_DIR, lesson.slug, language);
    REQUIRE(document);
    ShotOptions options;
    options.chapter = lesson.slug;
    options.root = WARPBOOK_SOURCE_DIR;
    options.language = language;
    options.theme = theme;
    std::vector<std::string> steps;
    for (const lab::DocumentNode& block : document->nodes) {
      if (const auto* step = std::get_if<lab::StepDirective>(&block)) steps.push_back(step->name);
      if (const auto* predict = std::get_if<lab::PredictDirective>(&block))
        options.answers[predict->id] = "";  // shown, so that no picture is covered
    }
    rows.emplace_back();
    std::set<std::vector<std::uint8_t>> seen;
    for (const std::string& step : steps) {
      options.step = step;
      options.out = (folder / (name + "-" + lesson.slug + "-" + step + ".png")).string();
      CAPTURE(options.out);
      REQUIRE(shot(options) == 0);
      rows.back().push_back(small(options.out));
      CHECK(seen.insert(rows.back().back().rgb).second);
    }
  }
  const std::string path = (folder / (name + ".png")).string();
  const std::string png = png_of(sheet_of(rows));
  std::ofstream(path, std::ios::binary).write(png.data(), static_cast<std::streamsize>(png.size()));
  CHECK(std::filesystem::file_size(path) == png.size());
}
}  // namespace

TEST_CASE("the whole book on sheets: every step of every chapter has a picture of its own",
          "[long]") {
  for (const std::string language : {"en", "zh"}) {
    for (const char* theme : {"dark", "light"}) draw(language, theme);
  }
}

}  // namespace warpbook::gui::contact_sheet_test
