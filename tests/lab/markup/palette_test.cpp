// The palette: a row for each role, which style sheets take their colours from.
#include "lab/markup/palette.hpp"

#include <fmt/format.h>
#include <catch2/catch_test_macros.hpp>

#include "lab/markup/html_parts.hpp"
#include "tests/lab/text/texts.hpp"

namespace warpbook::lab::palette_test {

TEST_CASE("Palette: every role has its own row and name") {
  for (std::size_t i = 0; i < kRoles; ++i) {
    CAPTURE(i);
    CHECK(static_cast<std::size_t>(kPalette[i].role) == i);
    for (std::size_t k = 0; k < i; ++k) CHECK(kPalette[k].name != kPalette[i].name);
  }
  CHECK(category(0) == Role::category_0);
  CHECK(category(kCategories + 1) == Role::category_1);
}

TEST_CASE("Palette: a page's style sheet has every role in the colour of its theme") {
  const std::string dark = html_style(PageTheme::dark), light = html_style(PageTheme::light),
                    both = html_style(PageTheme::automatic);
  for (const RoleColours& role : kPalette) {
    const auto variable = [&](PaletteTheme theme) {
      return fmt::format("--{}: #{:06x};", role.name, colour_in(theme, role.role));
    };
    CAPTURE(role.name);
    CHECK(tests::count_of(dark, variable(PaletteTheme::dark)) == 1);
    CHECK(tests::count_of(light, variable(PaletteTheme::light)) == 1);
    CHECK(tests::holds(both, variable(PaletteTheme::dark)));
    CHECK(tests::holds(both, variable(PaletteTheme::light)));
  }
}

TEST_CASE("Palette: a style sheet uses no variable that the palette has not") {
  const std::string style = html_style(PageTheme::dark);
  for (std::size_t at = style.find("var(--"); at != std::string::npos;
       at = style.find("var(--", at + 1)) {
    const std::string name = style.substr(at + 6, style.find(')', at) - at - 6);
    CAPTURE(name);
    CHECK(tests::holds(style, "--" + name + ": #"));
  }
}

TEST_CASE("Palette: colours of values go from dark to bright, and their ink is read on them") {
  CHECK(sequence_colour(0) == 0x440154);
  CHECK(sequence_colour(1) == 0xFDE725);
  CHECK(sequence_colour(-3) == sequence_colour(0));
  CHECK(grey(0) == 0x000000);
  CHECK(grey(1) == 0xFFFFFF);
  CHECK(ink_on(sequence_colour(0)) == 0xFFFFFF);
  CHECK(ink_on(sequence_colour(1)) != 0xFFFFFF);
  CHECK(mixed(0x000000, 0xFFFFFF, 0) == 0x000000);
  CHECK(mixed(0x000000, 0xFF8000, 1) == 0xFF8000);
}

}  // namespace warpbook::lab::palette_test
