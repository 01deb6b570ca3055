// The card that explains a term, beside the link to it.
#pragma once

#include <string>
#include <string_view>

#include "gui/controls/ui.hpp"
#include "lab/document/glossary.hpp"

namespace warpbook::gui {

/// Draws the card below the link at [min, max], or above it if there is no room below. Nothing if no chapter explains `id`.
void term_card(const Ui& ui, std::string_view id, ImVec2 min, ImVec2 max);

/// "2  First kernel": the first chapter that explains the term, numbered as in the list of chapters.
std::string chapter_of(const Ui& ui, const lab::GlossaryEntry& entry);

}  // namespace warpbook::gui
