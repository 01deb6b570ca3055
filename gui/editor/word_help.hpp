// The card that explains a word of a kernel: a word of CUDA C++, or a term of the book.
#pragma once

#include <string>

#include "gui/controls/ui.hpp"

namespace warpbook::gui {

/// Draws it below the rectangle [min, max], or above it if there is no room below; nothing for a word that nobody explains. Terms of
/// the book are looked for only with `of_glossary`.
void word_help(const Ui& ui, const std::string& word, bool of_glossary, ImVec2 min, ImVec2 max);

}  // namespace warpbook::gui
