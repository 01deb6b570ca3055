// Where the glyphs and bars of a formula stand, as MicroTeX sets them: plain figures, which nothing is drawn from yet.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace warpbook::gui {

/// Measures are in ems of the text that the formula stands in, from the left end of its baseline; y grows downwards.
struct FormulaLayout {
  struct Glyph {
    std::uint16_t index = 0;  ///< in the mathematical font
    float x = 0, y = 0;       ///< of its origin
    float size = 1;           ///< its own em
  };
  struct Bar {
    float x = 0, y = 0, width = 0, height = 0;  ///< x, y: its upper left corner
  };
  std::vector<Glyph> glyphs;
  std::vector<Bar> bars;
  float width = 0, ascent = 0, descent = 0;  ///< descent: below the baseline, positive
};

/// The font's outlines and the measures that MicroTeX reads of it.
struct MathFont {
  std::string outlines, measures;  ///< paths of latinmodern-math.otf and .clm1
};
/// The first of `folders` that holds both files; nothing where none does.
std::optional<MathFont> find_math_font(const std::vector<std::string>& folders);

/// Sets `latex`, which lab::parse_formula takes, in a line of text or `displayed` by itself. Nothing where MicroTeX is not
/// built or does not take it. The first font that is given stays for all formulae of the process.
std::optional<FormulaLayout> lay_out_formula(const std::string& latex, bool displayed,
                                             const MathFont& font);

}  // namespace warpbook::gui
