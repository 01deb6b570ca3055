// Rasterises a formula.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "gui/draw/formula/layout.hpp"

namespace warpbook::gui {

/// The ink of each pixel, 0 to 255, row by row.
struct FormulaPixels {
  int width = 0, height = 0;
  int left = 0, top = 0;  ///< the first pixel's corner, right of and above the baseline's left end
  std::vector<std::uint8_t> ink;
};

/// The mathematical font's outlines.
class MathOutlines {
 public:
  /// If the file cannot be read, draw() gives no pixels.
  explicit MathOutlines(const std::string& file);
  ~MathOutlines();
  MathOutlines(const MathOutlines&) = delete;
  MathOutlines& operator=(const MathOutlines&) = delete;

  /// Draws with `em` pixels per em. No pixels if nothing has ink.
  [[nodiscard]] FormulaPixels draw(const FormulaLayout& layout, float em) const;

 private:
  struct Face;
  std::unique_ptr<Face> face_;
};

}  // namespace warpbook::gui
