// A formula as pixels.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "gui/draw/formula/layout.hpp"

namespace warpbook::gui {

/// How much of each pixel is ink, 0 to 255, row by row.
struct FormulaPixels {
  int width = 0, height = 0;
  int left = 0,
      top = 0;  ///< of the first pixel's corner from the baseline's left end; top: upwards
  std::vector<std::uint8_t> ink;
};

/// The mathematical font's outlines.
class MathOutlines {
 public:
  /// Nothing is drawn where the file cannot be read.
  explicit MathOutlines(const std::string& file);
  ~MathOutlines();
  MathOutlines(const MathOutlines&) = delete;
  MathOutlines& operator=(const MathOutlines&) = delete;

  /// With `em` pixels to an em. No pixels where nothing has ink.
  [[nodiscard]] FormulaPixels draw(const FormulaLayout& layout, float em) const;

 private:
  struct Face;
  std::unique_ptr<Face> face_;
};

}  // namespace warpbook::gui
