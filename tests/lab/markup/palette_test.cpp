// The palette: a row for each role, which style sheets take their colours from.
#include "lab/markup/palette.hpp"

#include <array>

#include <fmt/format.h>
#include <catch2/catch_test_macros.hpp>

#include "lab/markup/contrast.hpp"
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
  for (int step = 0; step <= 100; ++step) {
    CAPTURE(step);
    const Rgb fill = sequence_colour(step / 100.0);
    CHECK(contrast(ink_on(fill), fill) > 4.3);
  }
  CHECK(mixed(0x000000, 0xFFFFFF, 0) == 0x000000);
  CHECK(mixed(0x000000, 0xFF8000, 1) == 0xFF8000);
}

TEST_CASE("Palette: text is read on every surface and tint, in every theme, as WCAG asks") {
  using enum Role;
  constexpr std::array kTheme{PaletteTheme::dark, PaletteTheme::light, PaletteTheme::contrast};
  for (const PaletteTheme theme : kTheme) {
    const auto ratio = [&](Role text, Role ground) {
      return contrast(colour_in(theme, text), colour_in(theme, ground));
    };
    const bool most = theme == PaletteTheme::contrast;
    for (const Role text : {t1, t2, t3, accent, accent_text, ok, warn, bad, code_keyword, code_type,
                            code_cuda, code_number, code_string, code_comment, code_directive}) {
      CAPTURE(name_of(text), static_cast<int>(theme));
      for (const Role ground : {s0, s1, s2}) CHECK(ratio(text, ground) > (most ? 7 : 4.5));
    }
    for (const Role text : {t1, t2, t3}) {
      CAPTURE(name_of(text), static_cast<int>(theme));
      for (const Role ground : {s3, accent_tint, ok_tint, warn_tint, bad_tint})
        CHECK(ratio(text, ground) > 4.5);
    }
    // Badges and buttons: their words on their own ground.
    CHECK(ratio(on_accent, accent) > 4.5);
    CHECK(ratio(t1, s4) > 4.5);
    CHECK(ratio(theme == PaletteTheme::light ? s2 : on_accent, t2) > 4.5);
    CHECK(ratio(accent_text, accent_tint) > 4.5);
  }
}

TEST_CASE(
    "Palette: categories are seen on their ground, best in strong contrast, and numbers in them "
    "are read") {
  for (std::size_t i = 0; i < kCategories; ++i) {
    CAPTURE(i);
    for (const PaletteTheme theme :
         {PaletteTheme::dark, PaletteTheme::light, PaletteTheme::contrast}) {
      const Rgb colour = colour_in(theme, category(i));
      CHECK(contrast(ink_on(colour), colour) > 4.5);
      // On white no yellow is seen well: there, a label or a pattern stands beside every category.
      if (theme == PaletteTheme::light) continue;
      CHECK(contrast(colour, colour_in(theme, Role::s2)) >
            (theme == PaletteTheme::contrast ? 4.5 : 3));
    }
  }
}

TEST_CASE("Palette: a page is in strong contrast for whoever asks the browser for it") {
  const std::string both = html_style(PageTheme::automatic);
  const std::size_t at = both.find("@media (prefers-contrast: more)");
  REQUIRE(at != std::string::npos);
  const std::string strong = both.substr(at, both.find("}\n}", at) - at);
  for (const RoleColours& role : kPalette)
    CHECK(tests::holds(strong, fmt::format("--{}: #{:06x};", role.name,
                                           colour_in(PaletteTheme::contrast, role.role))));
}

}  // namespace warpbook::lab::palette_test
