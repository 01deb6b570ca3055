// The formulae of a window: each is set once, drawn into the fonts' texture once for each size, and from then on one
// rectangle a frame.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <imgui.h>

#include "gui/draw/formula/layout.hpp"
#include "gui/draw/formula/raster.hpp"
#include "gui/draw/theme.hpp"

namespace warpbook::gui {

class Formulae {
 public:
  /// Looks for the mathematical font in `folders`; without it, or without MicroTeX, no formula is set.
  explicit Formulae(const std::vector<std::string>& folders);

  /// How a formula is set; null where it is not, and its text stands for it. Stays where it is.
  const FormulaLayout* find(const std::string& latex, bool displayed);
  /// Draws one that find() gave, with its baseline's left end at `origin` and `em` points to an em.
  void draw(ImDrawList& list, const FormulaLayout& layout, ImVec2 origin, float em, Colour colour);

 private:
  /// In the fonts' texture.
  struct Picture {
    ImFontAtlasRectId id = ImFontAtlasRectId_Invalid;
    int left = 0, top = 0;  ///< as FormulaPixels has them
    int used = 0;           ///< the frame
  };
  using PictureKey = std::pair<const FormulaLayout*, float>;  ///< the other: pixels to an em

  const Picture* picture_of(const FormulaLayout& layout, float em);
  void forget_old();

  std::optional<MathFont> font_;
  std::unique_ptr<MathOutlines> outlines_;
  std::map<std::pair<std::string, bool>, std::optional<FormulaLayout>, std::less<>> layouts_;
  std::map<PictureKey, Picture> pictures_;
};

}  // namespace warpbook::gui
