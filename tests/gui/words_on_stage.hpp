// Finds words of the document on the screen, for the mouse to go to.
#pragma once

#include <string_view>

#include "tests/gui/stage.hpp"

namespace warpbook::gui {

/// Between the characters before and at `offset` of the first place in view that holds `words`, halfway up its line; fails
/// the test where there is none.
ImVec2 where(Stage& stage, std::string_view words, std::size_t offset = 0);
/// The same among paragraphs that are not the document's.
ImVec2 where(Stage& stage, const std::vector<SetParagraph>& paragraphs, std::string_view words,
             std::size_t offset = 0);
/// Behind the last of the words.
inline ImVec2 behind(Stage& stage, std::string_view words) {
  return where(stage, words, words.size());
}

/// A drag of the mouse from one point to another.
void drag(Stage& stage, ImVec2 from, ImVec2 to);
/// What a chord leaves in the clipboard.
std::string copied(Stage& stage, ImGuiKeyChord chord = ImGuiMod_Ctrl | ImGuiKey_C);

}  // namespace warpbook::gui
