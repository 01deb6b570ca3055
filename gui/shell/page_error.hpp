// What is wrong with the chapter's file as it stands on the disk, above the last good page.
#pragma once

#include "gui/controls/ui.hpp"

namespace warpbook::gui {

/// Draws it at the top of the document's region; gives back the height taken, 0 where nothing is wrong. Pressed, it
/// copies the sentence.
float page_error(const Ui& ui, ImVec2 corner, float width);

}  // namespace warpbook::gui
