// The menu of a panel: copies what it shows, or saves it.
#pragma once

#include "gui/exhibits/exhibit.hpp"

namespace warpbook::gui {

inline constexpr float kMenuWidth = 34;  ///< that a header leaves free for it at its right end

/// The three dots with their right end at `right`; opens the menu below. Nothing stale is copied or saved, and nothing of a draft.
void panel_menu(const Ui& ui, float right, float middle, const lab::Exhibit& exhibit, bool stale);

}  // namespace warpbook::gui
