// Which monitor shows the lecture to the class, and which one its notes to the lecturer.
#pragma once

#include <cstddef>
#include <optional>
#include <span>

namespace warpbook::gui {

/// Of the desktop, in its units.
struct Rectangle {
  int x = 0, y = 0, width = 0, height = 0;
};

struct LectureMonitors {
  std::size_t audience = 0;          ///< index of a monitor
  std::optional<std::size_t> notes;  ///< nothing where there is one monitor
};

/// The desktop's first monitor is the lecturer's, so the class gets the second one. But where the window has been moved to another
/// monitor than the first, the lecturer wants the class to see it there. `monitors`: at least one.
LectureMonitors lecture_monitors(std::span<const Rectangle> monitors, const Rectangle& window);

}  // namespace warpbook::gui
