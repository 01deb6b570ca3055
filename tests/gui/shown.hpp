// An exhibit of a test's own on the stage, as if the made-up chapter's run had given it.
#pragma once

#include "tests/gui/stage.hpp"

namespace warpbook::gui {

/// Puts the exhibit in the place of all others, in the lab, and draws until nothing moves.
void show(Stage& stage, const lab::Exhibit& exhibit);

}  // namespace warpbook::gui
