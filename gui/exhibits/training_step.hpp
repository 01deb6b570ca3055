// The step of a training that the reader looks at: its curve and its pictures show the same one.
#pragma once

#include <cstdint>
#include <optional>

#include "gui/controls/ui.hpp"

namespace warpbook::gui {

/// Nothing before the reader has chosen one: then each view shows the last.
std::optional<std::uint64_t> chosen_step(const Ui& ui);
void choose_step(const Ui& ui, std::uint64_t step);

}  // namespace warpbook::gui
