// Formulae in the text: on its lines, selected and copied with it, and found in it.
#include <algorithm>
#include <cmath>

#include <catch2/catch_test_macros.hpp>
#include <catch2/generators/catch_generators.hpp>

#include "tests/gui/made_up.hpp"
#include "tests/gui/open_frame.hpp"
#include "tests/gui/words_on_stage.hpp"

namespace warpbook::gui::formula_test {
namespace {

void skip_without_microtex() {
#ifndef WARPBOOK_MICROTEX
  SKIP("this build has no MicroTeX");
#endif
}

Run formula(std::string text, std::string latex, bool displayed = false) {
  Run run;
  run.kind = Run::Kind::formula;
  run.text = std::move(text);
  run.target = std::move(latex);
  run.displayed = displayed;
  return run;
}

ParagraphStyle white() {
  ParagraphStyle style;
  style.colour = IM_COL32_WHITE;  // nothing is drawn in no colour
  return style;
}

/// The made-up chapter with two paragraphs that hold formulae, the second one by itself.
void open_with_formulae(Stage& stage) {
  const auto document = lab::parse_document(
      "# Made up\n\nA side of $n$ pixels gives $\\frac{n - k}{s} + 1$ outputs, as it says.\n\n"
      "$$o = \\left\\lfloor \\frac{n + 2p - k}{s} \\right\\rfloor + 1$$\n\nThe end.\n",
      "en.md", "en");
  REQUIRE(document);
  stage.book().open(made_up::lesson(), *document);
  stage.settle();
}

std::string selected(Stage& stage) { return stage.shell().document().selected_text(); }

const SetParagraph& paragraph_with(Stage& stage, std::string_view words) {
  const auto& set = stage.shell().document().paragraphs();
  const auto found = std::ranges::find_if(set, [&](const SetParagraph& one) {
    return one.paragraph->text().find(words) != std::string::npos;
  });
  REQUIRE(found != set.end());
  return *found;
}

const std::string kInline = "(n − k)/s + 1", kDisplayed = "o = ⌊(n + 2p − k)/s⌋ + 1";

}  // namespace

TEST_CASE("a formula is never parted, nor from the comma after it, and keeps to the width") {
  skip_without_microtex();
  OpenFrame page;
  const Ink ink = page.ink();
  Runs runs = plain_runs("The side of an output is ");
  runs.push_back(formula("(n − k)/s + 1", "\\frac{n - k}{s} + 1"));
  runs.push_back(plain_runs(", which all of these words are about, and more of them.").front());
  for (int points = 90; points < 600; points += 9) {
    CAPTURE(points);
    const auto width = static_cast<float>(points);
    const Paragraph paragraph(runs, {}, width, ink);
    REQUIRE(paragraph.units().size() == 1);
    const auto [from, to] = paragraph.units()[0];
    CHECK(paragraph.text().substr(from, to - from) == "(n − k)/s + 1");
    CHECK(paragraph.place_of(from, ink).y == paragraph.place_of(to, ink).y);
    CHECK(paragraph.widest() <= width + 0.5f);
    // Hit-testing gives its two ends and nothing between them.
    const ImVec2 place = paragraph.place_of(from, ink);
    for (int column = 0; column < points; column += 3) {
      const auto x = static_cast<float>(column);
      const std::size_t offset = paragraph.at({x, place.y + 5}, ink).offset;
      CHECK((offset <= from || offset >= to));
    }
  }
}

TEST_CASE("a formula that needs it makes its line higher, and only that one") {
  skip_without_microtex();
  OpenFrame page;
  const Ink ink = page.ink();
  const ParagraphStyle style;
  Runs low = plain_runs("With ");
  low.push_back(formula("n", "n"));
  CHECK(Paragraph(low, style, 400, ink).height() == style.line);
  Runs runs = plain_runs("One line\n");
  runs.push_back(formula("a/b", "\\frac{\\frac{a}{b}}{c}"));
  runs.push_back(plain_runs("\nand a third").front());
  const Paragraph paragraph(runs, style, 400, ink);
  REQUIRE(paragraph.lines() == 3);
  CHECK(paragraph.line_height_at(1) == style.line);
  CHECK(paragraph.line_height_at(style.line + 1) > style.line + 4);
  CHECK(paragraph.line_height_at(paragraph.height() - 1) == style.line);
  CHECK(paragraph.height() == 2 * style.line + paragraph.line_height_at(style.line + 1));
}

TEST_CASE("a displayed formula stands in the middle, and shrinks where it has no room") {
  skip_without_microtex();
  OpenFrame page;
  const Ink ink = page.ink();
  const Runs runs{
      formula(kDisplayed, "o = \\left\\lfloor \\frac{n + 2p - k}{s} \\right\\rfloor + 1", true)};
  const Paragraph wide(runs, {}, 600, ink);
  const float left = wide.place_of(0, ink).x, right = wide.place_of(wide.text().size(), ink).x;
  CHECK(left > 100);
  CHECK(std::abs(left - (600 - right)) < 2);
  const Paragraph narrow(runs, {}, 120, ink);
  CHECK(narrow.widest() <= 120.5f);
  CHECK(narrow.lines() == 1);
  CHECK(narrow.height() < wide.height());
}

TEST_CASE("a formula costs four vertices and no draw call, and is rasterised once") {
  skip_without_microtex();
  OpenFrame page;
  const Ink ink = page.ink();
  const Paragraph paragraph({formula("a/b", "\\frac{a}{b}")}, white(), 400, ink);
  const ImVec2 corner = ImGui::GetCursorScreenPos();
  ink.text(corner.x, corner.y + 20, {Face::sans, 17, IM_COL32_WHITE}, "a");
  const auto vertices = [&] { return ink.list()->VtxBuffer.Size; };
  const int before = vertices(), calls = ink.list()->CmdBuffer.Size;
  paragraph.draw(ink, corner, {});
  CHECK(vertices() == before + 4);
  paragraph.draw(ink, corner, {});
  CHECK(vertices() == before + 8);
  CHECK(ink.list()->CmdBuffer.Size == calls);
  const ImDrawVert* first = ink.list()->VtxBuffer.end() - 8;
  CHECK(first[0].uv.x == first[4].uv.x);
  CHECK(first[0].uv.y == first[4].uv.y);
}

TEST_CASE("a formula's pixels are the screen's pixels at every scale") {
  skip_without_microtex();
  const float scale = GENERATE(1.0f, 1.5f, 2.0f);
  CAPTURE(scale);
  Stage stage;
  stage.context().set_display(1440, 900, scale);
  stage.frame();
  ImGui::NewFrame();
  ImGui::Begin("page");
  const Ink ink(stage.context().fonts(), ImGui::GetWindowDrawList());
  const Paragraph paragraph({formula("a/b", "\\frac{a}{b}")}, white(), 400, ink);
  const ImVec2 corner = ImGui::GetCursorScreenPos();
  paragraph.draw(ink, {corner.x + 0.3f, corner.y + 0.2f}, {});
  const ImDrawVert* last = ink.list()->VtxBuffer.end() - 4;
  const ImTextureData& texture = *ImGui::GetIO().Fonts->TexData;
  const float across = (last[2].pos.x - last[0].pos.x) * scale,
              texels = (last[2].uv.x - last[0].uv.x) * static_cast<float>(texture.Width);
  CHECK(std::abs(across - texels) < 0.01f);
  CHECK(std::abs(last[0].pos.x * scale - std::round(last[0].pos.x * scale)) < 0.01f);
  CHECK(std::abs(last[0].pos.y * scale - std::round(last[0].pos.y * scale)) < 0.01f);
  ImGui::End();
  ImGui::Render();
}

TEST_CASE("a formula is selected whole and copied as its line of text") {
  skip_without_microtex();
  Stage stage;
  open_with_formulae(stage);
  drag(stage, where(stage, "gives"), behind(stage, "outputs"));
  CHECK(copied(stage) == "gives " + kInline + " outputs");
  const SetParagraph& set = paragraph_with(stage, kInline);
  const std::size_t begin = set.paragraph->text().find(kInline);
  const ImVec2 from = set.paragraph->place_of(begin, {stage.context().fonts(), nullptr}),
               to = set.paragraph->place_of(begin + kInline.size(),
                                            {stage.context().fonts(), nullptr});
  const auto inside = [&](float share) {
    return ImVec2{set.corner.x + from.x + (to.x - from.x) * share,
                  set.corner.y + from.y + set.paragraph->line_height_at(from.y) / 2};
  };
  // A drag that ends in its first half leaves it out, one in its second takes it.
  const ImVec2 word = where(stage, "gives");
  drag(stage, word, inside(0.3f));
  CHECK(selected(stage) == "gives ");
  drag(stage, word, inside(0.7f));
  CHECK(selected(stage) == "gives " + kInline);
  stage.act([&](ImGuiTestContext& t) {
    t.MouseMoveToPos(inside(0.3f));
    t.MouseClickMulti(0, 2);
  });
  CHECK(selected(stage) == kInline);
}

TEST_CASE("Shift and an arrow go over a formula in one step") {
  skip_without_microtex();
  Stage stage;
  open_with_formulae(stage);
  drag(stage, where(stage, "gives"), behind(stage, "gives"));
  const auto press = [&](ImGuiKey key) {
    stage.act([key](ImGuiTestContext& t) { t.KeyPress(ImGuiMod_Shift | key); });
  };
  press(ImGuiKey_RightArrow);
  CHECK(selected(stage) == "gives ");
  press(ImGuiKey_RightArrow);
  CHECK(selected(stage) == "gives " + kInline);
  press(ImGuiKey_LeftArrow);
  CHECK(selected(stage) == "gives ");
}

TEST_CASE("what a formula says is found in it, with the keyboard's own signs") {
  Stage stage;
  open_with_formulae(stage);
  const PageText& text = stage.shell().document().text();
  CHECK(text.find("n + 2p").size() == 1);
  CHECK(text.find("n - k").size() == 1);
  CHECK(text.find("- k)/s").size() == 2);
  CHECK(text.find("⌊").size() == 1);
  stage.shell().document().select_all();
  CHECK(selected(stage) == "Made up\n\nA side of n pixels gives " + kInline +
                               " outputs, as it says.\n\n" + kDisplayed + "\n\nThe end.");
}

TEST_CASE("without the mathematical font a formula is drawn as its text") {
  OpenFrame page;
  Fonts fonts;
  fonts.load({"/nowhere"});
  const Ink ink(fonts, ImGui::GetWindowDrawList());
  Runs runs = plain_runs("gives ");
  runs.push_back(formula(kInline, "\\frac{n - k}{s} + 1"));
  const Paragraph paragraph(runs, {}, 400, ink);
  CHECK(paragraph.text() == "gives " + kInline);
  CHECK(paragraph.units().empty());
  const ParagraphStyle style;
  CHECK(paragraph.height() == style.line);
  CHECK(paragraph.widest() > ink.width({Face::sans, style.size, 0}, "gives " + kInline) - 1);
}

TEST_CASE("every formula of the chapters is typeset, in both languages") {
  skip_without_microtex();
  const auto language = GENERATE(as<std::string>{}, "en", "zh");
  OpenFrame page(language);
  Formulae& formulae = page.stage.context().fonts().formulae();
  int seen = 0;
  for (const ChapterEntry& chapter : page.stage.book().chapters()) {
    const auto document = lab::load_document(WARPBOOK_SOURCE_DIR, chapter.slug, language);
    REQUIRE(document);
    for (const lab::DocumentNode& block : document->nodes) {
      if (const auto* alone = std::get_if<lab::FormulaBlock>(&block)) {
        CAPTURE(chapter.slug, alone->latex);
        CHECK(formulae.find(alone->latex, true));
        ++seen;
      }
      const auto* paragraph = std::get_if<lab::Paragraph>(&block);
      if (!paragraph) continue;
      for (const lab::Span& span : paragraph->spans) {
        if (span.kind != lab::Span::Kind::formula) continue;
        CAPTURE(chapter.slug, span.target);
        CHECK(formulae.find(span.target, false));
        ++seen;
      }
    }
  }
  CHECK(seen >= 20);
}

}  // namespace warpbook::gui::formula_test
