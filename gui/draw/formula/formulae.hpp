// The formulae of a window. Each is laid out once and drawn into the fonts' texture once per size; from then on it costs one
// rectangle per frame.
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
  /// Looks for the mathematical font in `folders`. Without it, or without MicroTeX, find() never finds a layout.
  explicit Formulae(const std::vector<std::string>& folders);

  /// The layout of a formula, whose address never changes; null if there is none, and then its text is drawn instead.
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
  using PictureKey = std::pair<const FormulaLayout*, float>;  ///< and the pixels per em

  const Picture* picture_of(const FormulaLayout& layout, float em);
  void forget_old();

  std::optional<MathFont> font_;
  std::unique_ptr<MathOutlines> outlines_;
  std::map<std::pair<std::string, bool>, std::optional<FormulaLayout>, std::less<>> layouts_;
  std::map<PictureKey, Picture> pictures_;
};

}  // namespace warpbook::gui
