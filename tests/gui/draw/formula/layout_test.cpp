#include "gui/draw/formula/layout.hpp"

#include <algorithm>
#include <cmath>

#include <catch2/catch_test_macros.hpp>

#include "gui/draw/fonts.hpp"
#include "gui/draw/formula/raster.hpp"
#include "lab/document/formula.hpp"
#include "lab/document/formula_commands.hpp"
#include "lab/text/unicode.hpp"

namespace warpbook::gui::layout_test {
namespace {

#ifdef WARPBOOK_MICROTEX
constexpr bool kTypeset = true;
#else
constexpr bool kTypeset = false;
#endif

MathFont font() {
  if (!kTypeset) SKIP("this build has no MicroTeX");
  const auto found = find_math_font(font_folders());
  REQUIRE(found);
  return *found;
}

FormulaLayout layout_of(const std::string& latex, bool displayed = false) {
  CAPTURE(latex);
  auto layout = lay_out_formula(latex, displayed, font());
  REQUIRE(layout);
  return std::move(*layout);
}

std::size_t letters(std::string_view text) {
  std::size_t count = 0;
  for (; !text.empty(); ++count) lab::take_code_point(text);
  return count;
}

}  // namespace

TEST_CASE("every command of a formula is drawn as what it stands for") {
  font();
  for (const lab::FormulaCommand& command : lab::formula_symbols()) {
    // MicroTeX writes the name of a command that it does not know.
    const auto layout = layout_of("a\\" + std::string(command.name) + " b");
    CAPTURE(command.name, layout.glyphs.size());
    const bool space = command.kind == lab::FormulaNode::Kind::space;
    const bool dots = command.text == "…";
    const std::size_t own = space ? 0 : letters(command.text);
    CHECK((layout.glyphs.size() == 2 + own || (dots && layout.glyphs.size() == 2 + 3)));
  }
  for (const std::string& command : lab::formula_commands()) {
    CAPTURE(command);
    CHECK(lay_out_formula("a" + command, true, font()));
  }
}

TEST_CASE("a fraction has its bar between numerator and denominator, above the baseline") {
  const FormulaLayout layout = layout_of("\\frac{a}{b}", true);
  REQUIRE(layout.glyphs.size() == 2);
  REQUIRE(layout.bars.size() == 1);
  const auto& bar = layout.bars[0];
  CHECK(layout.glyphs[0].y < bar.y);
  CHECK(bar.y + bar.height < 0);
  CHECK(layout.glyphs[1].y > bar.y + bar.height);
  CHECK(bar.width >= 0.4f);
  CHECK(layout.ascent > 1);
  CHECK(layout.descent > 0.5f);
}

TEST_CASE("a fraction has space at its sides, and a stroke none") {
  const FormulaLayout fraction = layout_of("\\frac{a}{b}");
  REQUIRE(fraction.bars.size() == 1);
  CHECK(fraction.bars[0].x > 0.1f);
  CHECK(fraction.bars[0].x + fraction.bars[0].width < fraction.width - 0.1f);
  CHECK(layout_of("a/b").width < layout_of("a+b").width - 0.6f);
}

TEST_CASE("scripts are smaller than what they belong to, and stand higher or lower") {
  const FormulaLayout layout = layout_of("x_i^2");
  REQUIRE(layout.glyphs.size() == 3);
  const auto base = std::ranges::find(layout.glyphs, 1.0f, &FormulaLayout::Glyph::size);
  REQUIRE(base != layout.glyphs.end());
  CHECK(std::abs(base->y) < 0.002f);
  CHECK(std::ranges::count_if(layout.glyphs,
                              [](const auto& g) { return g.size < 0.8f && g.y > 0; }) == 1);
  CHECK(std::ranges::count_if(layout.glyphs,
                              [](const auto& g) { return g.size < 0.8f && g.y < 0; }) == 1);
}

TEST_CASE("a formula by itself is set larger than one in a line") {
  const std::string latex = "\\sum_{k=0}^{7} \\frac{c_k}{2}";
  const FormulaLayout in_line = layout_of(latex), alone = layout_of(latex, true);
  CHECK(alone.ascent + alone.descent > 1.3f * (in_line.ascent + in_line.descent));
}

TEST_CASE("without its font, or with a broken one, a formula is not set") {
  CHECK_FALSE(find_math_font({"/nowhere", "/tmp"}));
  CHECK(MathOutlines("/nowhere/font.otf").draw({{{1, 0, 0, 1}}, {}, 1, 1, 0}, 20).ink.empty());
}

TEST_CASE("the ink of a letter stands on the baseline, at every size") {
  const MathOutlines outlines(font().outlines);
  const FormulaLayout layout = layout_of("x");
  for (int em = 12; em <= 60; em += 3) {
    CAPTURE(em);
    const FormulaPixels pixels = outlines.draw(layout, static_cast<float>(em));
    CHECK(pixels.ink.size() ==
          static_cast<std::size_t>(pixels.width) * static_cast<std::size_t>(pixels.height));
    CHECK(std::abs(pixels.top - pixels.height) <= 1);
    const auto share = static_cast<float>(pixels.height) / static_cast<float>(em);
    CHECK(share > 0.38f);
    CHECK(share < 0.56f);
    CHECK(std::ranges::max(pixels.ink) > 150);
  }
}

TEST_CASE("a fraction's bar is never grey") {
  const MathOutlines outlines(font().outlines);
  const FormulaLayout layout = layout_of("\\frac{a}{b}");
  for (int em = 12; em <= 60; em += 3) {
    CAPTURE(em);
    const FormulaPixels pixels = outlines.draw(layout, static_cast<float>(em));
    int full = 0;
    for (int y = 0; y < pixels.height; ++y) {
      const auto row = pixels.ink.begin() + static_cast<std::ptrdiff_t>(y) * pixels.width;
      if (std::all_of(row + 1, row + pixels.width - 1, [](std::uint8_t ink) { return ink == 255; }))
        ++full;
    }
    CHECK(full >= 1);
    CHECK(full <= 1 + em / 20);
  }
}

}  // namespace warpbook::gui::layout_test
