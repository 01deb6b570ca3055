// Tab goes on to what lies out of sight too. What is out of sight is not drawn, though, and only an item that is drawn can take the
// focus: so in the frame in which Tab looks for its next stop, everything is.
#pragma once

#include <imgui.h>

namespace warpbook::gui {

/// To be drawn in this frame: it can be seen, or Tab is looking for where to go, which is then scrolled to.
bool is_wanted(ImVec2 min, ImVec2 max);
/// Tab is looking, in this frame.
bool tab_is_looking();

}  // namespace warpbook::gui
