#include "tests/gui/words_on_stage.hpp"

#include <catch2/catch_test_macros.hpp>

namespace warpbook::gui {

ImVec2 where(Stage& stage, std::string_view words, std::size_t offset) {
  return where(stage, stage.shell().document().paragraphs(), words, offset);
}

ImVec2 where(Stage& stage, const std::vector<SetParagraph>& paragraphs, std::string_view words,
             std::size_t offset) {
  const Ink ink(stage.context().fonts(), nullptr);
  for (const SetParagraph& set : paragraphs) {
    const std::size_t at = set.paragraph->text().find(words);
    if (at == std::string::npos) continue;
    const ImVec2 inside = set.paragraph->place_of(at + offset, ink);
    return {set.corner.x + inside.x,
            set.corner.y + inside.y + set.paragraph->line_height_at(inside.y) / 2};
  }
  CAPTURE(words);
  FAIL("the words are not in view");
  return {};
}

void drag(Stage& stage, ImVec2 from, ImVec2 to) {
  stage.act([&](ImGuiTestContext& t) {
    t.MouseMoveToPos(from);
    t.MouseDown(0);
    t.MouseMoveToPos({(from.x + to.x) / 2, (from.y + to.y) / 2});
    t.MouseMoveToPos(to);
    t.MouseUp(0);
  });
}

std::string copied(Stage& stage, ImGuiKeyChord chord) {
  std::string text;  // while the Test Engine acts, the clipboard is its own
  stage.act([&](ImGuiTestContext& t) {
    ImGui::SetClipboardText("");
    t.KeyPress(chord);
    if (const char* held = ImGui::GetClipboardText()) text = held;
  });
  return text;
}

}  // namespace warpbook::gui
