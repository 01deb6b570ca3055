#include "gui/draw/formula/raster.hpp"

#include <algorithm>
#include <cmath>

#include <ft2build.h>
#include FT_FREETYPE_H
#include FT_OUTLINE_H

namespace warpbook::gui {
namespace {

constexpr float kStem =
    0.022f;  // ems; Latin Modern is designed for paper and would look thin beside Roboto

/// A bitmap of ink whose first pixel is at (x, y); y grows downwards.
struct Stamp {
  int x = 0, y = 0, width = 0, height = 0;
  std::vector<std::uint8_t> ink;
};

Stamp stamp_of(const FormulaLayout::Bar& bar, float em) {
  // The bar covers whole pixel rows, because a thin bar between two rows would be grey in both. Its ends overlap what they
  // join.
  Stamp stamp;
  stamp.x = static_cast<int>(std::floor(bar.x * em));
  stamp.y = static_cast<int>(std::lround(bar.y * em));
  stamp.width = std::max(1, static_cast<int>(std::ceil((bar.x + bar.width) * em)) - stamp.x);
  stamp.height = std::max(1, static_cast<int>(std::lround(bar.height * em)));
  stamp.ink.assign(static_cast<std::size_t>(stamp.width) * static_cast<std::size_t>(stamp.height),
                   255);
  return stamp;
}

void press(const Stamp& stamp, FormulaPixels& pixels) {
  const std::uint8_t* from = stamp.ink.data();
  for (int row = 0; row < stamp.height; ++row) {
    const std::ptrdiff_t y = stamp.y + row + pixels.top, x = stamp.x - pixels.left;
    std::uint8_t* to = pixels.ink.data() + y * pixels.width + x;
    for (int i = 0; i < stamp.width; ++i, ++from, ++to)
      *to = static_cast<std::uint8_t>(std::min(*to + *from, 255));
  }
}

}  // namespace

struct MathOutlines::Face {
  FT_Library library = nullptr;
  FT_Face face = nullptr;

  /// A glyph has fractional x but whole y, as in text.
  [[nodiscard]] Stamp stamp_of(const FormulaLayout::Glyph& glyph, float em) const {
    constexpr float kUnit = 64;  // FreeType's units per pixel
    if (FT_Set_Char_Size(face, 0, std::lround(glyph.size * em * kUnit), 72, 72) != 0 ||
        FT_Load_Glyph(face, glyph.index, FT_LOAD_TARGET_LIGHT | FT_LOAD_NO_BITMAP) != 0)
      return {};
    const float x = std::floor(glyph.x * em), stem = kStem * glyph.size * em;
    FT_Outline& outline = face->glyph->outline;
    FT_Outline_EmboldenXY(&outline, std::lround(stem * kUnit), 0);
    FT_Outline_Translate(&outline, std::lround((glyph.x * em - x - stem / 2) * kUnit), 0);
    if (FT_Render_Glyph(face->glyph, FT_RENDER_MODE_NORMAL) != 0) return {};
    const FT_Bitmap& bitmap = face->glyph->bitmap;
    Stamp stamp;
    stamp.x = static_cast<int>(x) + face->glyph->bitmap_left;
    stamp.y = static_cast<int>(std::lround(glyph.y * em)) - face->glyph->bitmap_top;
    stamp.width = static_cast<int>(bitmap.width);
    stamp.height = static_cast<int>(bitmap.rows);
    for (int row = 0; row < stamp.height; ++row) {
      const unsigned char* begin = bitmap.buffer + static_cast<std::ptrdiff_t>(row) * bitmap.pitch;
      stamp.ink.insert(stamp.ink.end(), begin, begin + bitmap.width);
    }
    return stamp;
  }
};

MathOutlines::MathOutlines(const std::string& file) : face_(std::make_unique<Face>()) {
  if (FT_Init_FreeType(&face_->library) != 0) {
    face_->library = nullptr;
  } else if (FT_New_Face(face_->library, file.c_str(), 0, &face_->face) != 0) {
    face_->face = nullptr;
  }
}

MathOutlines::~MathOutlines() {
  if (face_->face) FT_Done_Face(face_->face);
  if (face_->library) FT_Done_FreeType(face_->library);
}

FormulaPixels MathOutlines::draw(const FormulaLayout& layout, float em) const {
  if (!face_->face) return {};
  std::vector<Stamp> stamps;
  for (const auto& glyph : layout.glyphs) stamps.push_back(face_->stamp_of(glyph, em));
  for (const auto& bar : layout.bars) stamps.push_back(stamp_of(bar, em));
  std::erase_if(stamps, [](const Stamp& stamp) { return stamp.ink.empty(); });
  if (stamps.empty()) return {};
  int left = stamps[0].x, right = left, top = stamps[0].y, bottom = top;
  for (const Stamp& stamp : stamps) {
    left = std::min(left, stamp.x);
    top = std::min(top, stamp.y);
    right = std::max(right, stamp.x + stamp.width);
    bottom = std::max(bottom, stamp.y + stamp.height);
  }
  FormulaPixels pixels{right - left, bottom - top, left, -top, {}};
  pixels.ink.resize(static_cast<std::size_t>(pixels.width) *
                    static_cast<std::size_t>(pixels.height));
  for (const Stamp& stamp : stamps) press(stamp, pixels);
  return pixels;
}

}  // namespace warpbook::gui
