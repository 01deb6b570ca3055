// A small card that explains a word, beside that word.
#pragma once

#include <string>
#include <vector>

#include "gui/controls/ui.hpp"

namespace warpbook::gui {

/// A paragraph of a card.
struct CardLine {
  Runs runs;
  ParagraphStyle style;
};

/// The styles of a card's name, of the meaning below it, and of a note at its end.
ParagraphStyle card_name(const Ui& ui);
ParagraphStyle card_meaning(const Ui& ui);
ParagraphStyle card_note(const Ui& ui);

/// Draws a card below the rectangle [min, max], or above it if there is no room below.
void card(const Ui& ui, const std::vector<CardLine>& lines, ImVec2 min, ImVec2 max);

/// A card of plain words, without the meaning or the note if that is empty.
void word_card(const Ui& ui, const std::string& name, const std::string& meaning,
               const std::string& note, ImVec2 min, ImVec2 max);

}  // namespace warpbook::gui
