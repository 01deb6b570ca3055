#include "gui/draw/theme.hpp"

#include <algorithm>
#include <cmath>

#include <catch2/catch_test_macros.hpp>

namespace warpbook::gui::theme_test {
namespace {
/// Relative luminance (WCAG 2).
double luminance(Colour colour) {
  const auto part = [&](int shift) {
    const double value = (colour >> shift & 0xFF) / 255.0;
    return value <= 0.04045 ? value / 12.92 : std::pow((value + 0.055) / 1.055, 2.4);
  };
  return 0.2126 * part(0) + 0.7152 * part(8) + 0.0722 * part(16);
}
double contrast(Colour a, Colour b) {
  const double first = luminance(a), second = luminance(b);
  return (std::max(first, second) + 0.05) / (std::min(first, second) + 0.05);
}
/// A colour with alpha laid on a ground.
Colour on(Colour ground, Colour over) {
  return mix(ground, over | 0xFF000000u, static_cast<float>(over >> 24) / 255);
}
}  // namespace

TEST_CASE("text that is selected or found is read as well as before, in every theme") {
  for (const Theme* theme : {&dark_theme(), &light_theme(), &contrast_theme()}) {
    for (const Colour surface : {theme->s1, theme->s2}) {
      for (const Colour mark : {theme->selected(), theme->found(false), theme->found(true)}) {
        CAPTURE(theme->name);
        const Colour ground = on(surface, mark);
        CHECK(contrast(theme->t1, ground) > 7);
        CHECK(contrast(theme->t2, ground) > 4.3);
        CHECK(contrast(theme->t3, ground) > 2.8);
        CHECK(contrast(ground, surface) > 1.15);  // and is seen to be marked
      }
      CHECK(contrast(theme->warn, surface) > 3);
    }
  }
}

}  // namespace warpbook::gui::theme_test
