// A small card beside what it explains.
#pragma once

#include <string>
#include <vector>

#include "gui/controls/ui.hpp"

namespace warpbook::gui {

/// What a card says, from its name down: each piece a paragraph.
struct CardLine {
  Runs runs;
  ParagraphStyle style;
};

/// The styles of a card's name, of what it means, and of a note below.
ParagraphStyle card_name(const Ui& ui);
ParagraphStyle card_meaning(const Ui& ui);
ParagraphStyle card_note(const Ui& ui);

/// Under what stands at [min, max], or over it where there is no room.
void card(const Ui& ui, const std::vector<CardLine>& lines, ImVec2 min, ImVec2 max);

/// The same of plain words; an empty meaning or note is left out.
void word_card(const Ui& ui, const std::string& name, const std::string& meaning,
               const std::string& note, ImVec2 min, ImVec2 max);

}  // namespace warpbook::gui
