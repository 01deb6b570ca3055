// The positions of the glyphs and bars of a formula, as MicroTeX lays them out.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace warpbook::gui {

/// Lengths are in ems of the surrounding text, from the left end of the baseline; y grows downwards.
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
/// Both files from the first of `folders` that has them; nothing where none has.
std::optional<MathFont> find_math_font(const std::vector<std::string>& folders);

/// Lays out `latex`, which lab::parse_formula accepts, for a line of text or, if `displayed`, for a line of its own. Nothing
/// if MicroTeX is not built or rejects it. The first font that is given is used for all formulae of the process.
std::optional<FormulaLayout> lay_out_formula(const std::string& latex, bool displayed,
                                             const MathFont& font);

}  // namespace warpbook::gui
