#include "gui/document/glossary_view.hpp"

#include <algorithm>

#include <imgui_internal.h>
#include <catch2/catch_test_macros.hpp>

#include "tests/gui/made_up.hpp"
#include "tests/gui/words_on_stage.hpp"

namespace warpbook::gui::glossary_view_test {
namespace {
GlossaryView& glossary(Stage& stage) { return stage.shell().glossary(); }

/// The made-up chapter with a link to a term in its first paragraph.
void open_with_link(Stage& stage) {
  lab::Document document = made_up::document(stage.book().language());
  std::get<lab::Paragraph>(document.nodes[1]).spans = {
      {lab::Span::Kind::text, "Threads go in ", "", false, false},
      {lab::Span::Kind::link, "a warp", "#warp", false, false}};
  stage.book().open(made_up::lesson(), std::move(document));
  stage.settle();
}

bool card_is_shown() {
  const ImGuiWindow* card = ImGui::FindWindowByName("##Tooltip_00");
  return card && card->WasActive;
}
}  // namespace

TEST_CASE("the glossary opens and closes by its keys and holds every term of every chapter") {
  for (const std::string language : {"en", "zh"}) {
    Stage stage(1440, 900, language);
    stage.open_made_up();
    const auto toggle = [&] {
      stage.act(
          [](ImGuiTestContext& t) { t.KeyPress(ImGuiMod_Ctrl | ImGuiMod_Shift | ImGuiKey_G); });
      stage.settle();
    };
    toggle();
    REQUIRE(glossary(stage).is_open());
    std::size_t terms = 0;
    for (const ChapterEntry& chapter : stage.book().chapters()) {
      const auto document =
          lab::load_document(WARPBOOK_SOURCE_DIR, chapter.slug, stage.book().language());
      REQUIRE(document);
      for (const lab::DocumentNode& block : document->nodes) {
        const auto* term = std::get_if<lab::TermDirective>(&block);
        if (!term) continue;
        ++terms;
        CHECK(std::ranges::count(glossary(stage).shown(), term->id) == 1);
      }
    }
    CHECK(glossary(stage).shown().size() == terms);
    const std::uint64_t layouts = glossary(stage).layouts();
    stage.act([](ImGuiTestContext& t) { t.Yield(5); });
    CHECK(glossary(stage).layouts() == layouts);
    CHECK(Stage::vertices() < 40'000);
    toggle();
    CHECK_FALSE(glossary(stage).is_open());
  }
}

TEST_CASE("terms are found as one types, and Escape closes") {
  Stage stage;
  stage.open_made_up();
  stage.act([](ImGuiTestContext& t) {
    t.KeyPress(ImGuiMod_Ctrl | ImGuiMod_Shift | ImGuiKey_G);
    t.Yield(2);
    t.KeyChars("sub-gr");
  });
  stage.settle();
  CHECK(glossary(stage).shown() == std::vector<std::string>{"warp", "shuffle", "vote"});
  CHECK(glossary(stage).layouts() <= 7);  // all of them, and one a key
  stage.act([](ImGuiTestContext& t) { t.KeyChars("xyz"); });
  CHECK(glossary(stage).shown().empty());
  stage.act([](ImGuiTestContext& t) { t.KeyPress(ImGuiKey_Escape); });
  stage.settle();
  CHECK_FALSE(glossary(stage).is_open());
  CHECK_FALSE(ImGui::GetIO().WantTextInput);
}

TEST_CASE("a link to a term shows its card while it is pointed at and opens it by a click") {
  Stage stage;
  open_with_link(stage);
  CHECK_FALSE(card_is_shown());
  const ImVec2 link = where(stage, "a warp", 3);
  bool card = false;
  stage.act([&](ImGuiTestContext& t) {
    t.MouseMoveToPos(link);
    t.SleepNoSkip(0.5f, 1.0f / 60);
    card = card_is_shown();
    t.MouseClick(0);
  });
  CHECK(card);
  stage.frame();
  REQUIRE(glossary(stage).is_open());
  CHECK(std::ranges::count(glossary(stage).shown(), "warp") == 1);
}

TEST_CASE("a link to a term is reached by the keyboard: focus shows its card, Enter opens it") {
  Stage stage;
  open_with_link(stage);
  bool card = false;
  stage.act([&](ImGuiTestContext& t) {
    t.NavMoveTo("**/link");
    t.SleepNoSkip(0.5f, 1.0f / 60);
    card = card_is_shown();
    t.KeyPress(ImGuiKey_Enter);
  });
  stage.frame();
  CHECK(card);
  CHECK(glossary(stage).is_open());
}

TEST_CASE("an entry leads to the place where its chapter explains it") {
  Stage stage;
  stage.open_made_up();
  glossary(stage).open_at("sector");
  stage.settle();
  const auto& shown = glossary(stage).paragraphs();
  const auto entry = std::ranges::find_if(
      shown, [](const SetParagraph& set) { return set.paragraph->text() == "sector"; });
  REQUIRE(entry != shown.end());
  const std::vector<SetParagraph> below(entry, shown.end());
  const ImVec2 link = where(stage, below, "Grids", 2);
  stage.act([&](ImGuiTestContext& t) {
    t.MouseMoveToPos(link);
    t.MouseClick(0);
  });
  stage.settle();
  CHECK(stage.book().lesson()->slug == "grids");
  const auto& paragraphs = stage.shell().document().paragraphs();
  CHECK(std::ranges::any_of(paragraphs, [](const SetParagraph& set) {
    return set.paragraph->text().starts_with("sector") && set.corner.y > 90 && set.corner.y < 400;
  }));
}

TEST_CASE("a link to a word that no chapter explains shows no card, and the glossary as it is") {
  Stage stage;
  stage.open_made_up();
  glossary(stage).open_at("voodoo");
  stage.settle();
  CHECK(glossary(stage).is_open());
  CHECK_FALSE(glossary(stage).settling());
  CHECK(glossary(stage).shown().size() == stage.book().glossary().entries().size());
}

TEST_CASE("the glossary stands in every width and theme, and follows the language") {
  for (const float width : {800.0f, 1024.0f, 1920.0f}) {
    for (const char* theme : {"dark", "light", "contrast"}) {
      Stage stage(width, 700, "en", theme);
      stage.open_made_up();
      stage.act(
          [](ImGuiTestContext& t) { t.KeyPress(ImGuiMod_Ctrl | ImGuiMod_Shift | ImGuiKey_G); });
      stage.settle();
      CAPTURE(width, theme);
      REQUIRE(glossary(stage).is_open());
      CHECK_FALSE(glossary(stage).shown().empty());
      const auto english = glossary(stage).shown();
      stage.book().set_language("zh");
      stage.context().fonts().set_han_marks(true);
      stage.settle();
      CHECK(glossary(stage).shown().size() == english.size());
      CHECK(glossary(stage).shown() != english);
    }
  }
}

}  // namespace warpbook::gui::glossary_view_test
