#include "gui/draw/formula/formulae.hpp"

#include <cmath>

namespace warpbook::gui {
namespace {

constexpr int kKept = 600;  // frames for which a picture is kept without being drawn

void copy_into_texture(const FormulaPixels& pixels, const ImFontAtlasRect& place) {
  ImTextureData& texture = *ImGui::GetIO().Fonts->TexData;
  const std::uint8_t* ink = pixels.ink.data();
  for (int y = 0; y < pixels.height; ++y) {
    auto* row = static_cast<std::uint8_t*>(texture.GetPixelsAt(place.x, place.y + y));
    for (int x = 0; x < pixels.width; ++x, ++ink) {
      if (texture.Format == ImTextureFormat_RGBA32) {
        for (const std::uint8_t channel : {std::uint8_t{255}, std::uint8_t{255}, std::uint8_t{255}})
          *row++ = channel;
      }
      *row++ = *ink;
    }
  }
}

}  // namespace

Formulae::Formulae(const std::vector<std::string>& folders) : font_(find_math_font(folders)) {
  if (font_) outlines_ = std::make_unique<MathOutlines>(font_->outlines);
}

const FormulaLayout* Formulae::find(const std::string& latex, bool displayed) {
  if (!font_) return nullptr;
  auto [at, is_new] = layouts_.try_emplace({latex, displayed});
  if (is_new) at->second = lay_out_formula(latex, displayed, *font_);
  return at->second ? &*at->second : nullptr;
}

const Formulae::Picture* Formulae::picture_of(const FormulaLayout& layout, float em) {
  ImFontAtlas& atlas = *ImGui::GetIO().Fonts;
  const auto found = pictures_.find({&layout, em});
  if (found != pictures_.end() && atlas.GetCustomRect(found->second.id, nullptr)) {
    found->second.used = ImGui::GetFrameCount();
    return &found->second;
  }
  forget_old();
  const FormulaPixels pixels = outlines_->draw(layout, em);
  if (pixels.ink.empty()) return nullptr;
  Picture picture{ImFontAtlasRectId_Invalid, pixels.left, pixels.top, ImGui::GetFrameCount()};
  ImFontAtlasRect place;
  picture.id = atlas.AddCustomRect(pixels.width, pixels.height, &place);
  if (picture.id == ImFontAtlasRectId_Invalid) return nullptr;
  copy_into_texture(pixels, place);
  return &pictures_.insert_or_assign({&layout, em}, picture).first->second;
}

void Formulae::forget_old() {
  const int now = ImGui::GetFrameCount();
  std::erase_if(pictures_, [now](const auto& entry) {
    const bool old = now - entry.second.used > kKept;
    if (old) ImGui::GetIO().Fonts->RemoveCustomRect(entry.second.id);
    return old;
  });
}

void Formulae::draw(ImDrawList& list, const FormulaLayout& layout, ImVec2 origin, float em,
                    Colour colour) {
  const float density = ImGui::GetIO().DisplayFramebufferScale.x;
  const Picture* picture = picture_of(layout, em * density);
  ImFontAtlasRect place;
  ImFontAtlas& atlas = *ImGui::GetIO().Fonts;
  if (!picture || !atlas.GetCustomRect(picture->id, &place)) return;
  // Rounded, so that the picture's pixels coincide with the screen's.
  const ImVec2 min{(std::round(origin.x * density) + static_cast<float>(picture->left)) / density,
                   (std::round(origin.y * density) - static_cast<float>(picture->top)) / density};
  const ImVec2 max{min.x + static_cast<float>(place.w) / density,
                   min.y + static_cast<float>(place.h) / density};
  list.AddImage(atlas.TexRef, min, max, place.uv0, place.uv1, colour);
}

}  // namespace warpbook::gui
