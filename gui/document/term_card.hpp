// A word's explanation beside the link that leads to it.
#pragma once

#include <string>
#include <string_view>

#include "gui/controls/ui.hpp"
#include "lab/document/glossary.hpp"

namespace warpbook::gui {

/// A small card under the link at [min, max], or over it where there is no room; nothing where no chapter explains `id`.
void term_card(const Ui& ui, std::string_view id, ImVec2 min, ImVec2 max);

/// "2  First kernel": the chapter that explains a word first, as the list of chapters has it.
std::string chapter_of(const Ui& ui, const lab::GlossaryEntry& entry);

}  // namespace warpbook::gui
