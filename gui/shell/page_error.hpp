// A banner above the last good page, which says what is wrong with the chapter's file on the disk.
#pragma once

#include "gui/controls/ui.hpp"

namespace warpbook::gui {

/// Draws the banner at the top of the document's region and gives back its height; 0 where nothing is wrong. A press copies
/// the error.
float page_error(const Ui& ui, ImVec2 corner, float width);

}  // namespace warpbook::gui
