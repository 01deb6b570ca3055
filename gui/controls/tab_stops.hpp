// Tab goes on to what lies out of sight too. What is out of sight is not drawn, though, and only an item that is drawn can take the
// focus: so in the frame in which Tab looks for its next stop, everything is.
#pragma once

#include <imgui.h>

namespace warpbook::gui {

/// To be drawn in this frame: it can be seen, or Tab is looking for where to go, which is then scrolled to.
bool is_wanted(ImVec2 min, ImVec2 max);
/// Tab is looking, in this frame.
bool tab_is_looking();

/// The item that is drawn next gets the keyboard, and is scrolled to, whatever had it before. As of ImGui, but for an item that has the
/// focus and is drawn later: that would take it back to its own window.
void focus_next_item();
/// Begins to look, as Tab does, for the item that is drawn next, in the current window or one in it.
void look_for_next_item();
/// Ends that, in the same frame: the item gets the focus where it is, without being scrolled to or pressed. `ring`: it is seen, and
/// the keys go to it; else they still scroll the text, and only Tab goes on from there. Nothing changes where no item was drawn.
void focus_found_item(bool ring);

}  // namespace warpbook::gui
