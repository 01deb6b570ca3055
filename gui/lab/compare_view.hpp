// Two runs in the lab: side by side, or one above the other where there is no room, and the relation between them.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "gui/controls/ui.hpp"

namespace warpbook::gui {

/// Which exhibits of the pair are shown, and how.
struct CompareLook {
  std::vector<std::string> ids;  ///< of exhibits, in order
  bool beside = true;            ///< side by side
  bool relation_first = false;   ///< above the pairs, where these are many
  bool covered = false;          ///< open questions cover what answers them
};

/// Heights of the row that compare_header() draws, and of compare_names().
inline constexpr float kCompareHeader = 40, kCompareNames = 44;

/// From this width on a pair stands side by side.
inline constexpr float kSideBySide = 600;

/// Of which side the list of runs is to be opened in this frame: B where true; none where there is nothing.
using SideWanted = std::optional<bool>;

/// A row: its title, and the buttons that end it, swap its sides or choose what they are. Gives back its height.
float compare_header(const Ui& ui, ImVec2 corner, float width, const SideWanted& wanted = {});
/// What A and B are called, over the columns of a pair that stands side by side.
void compare_names(const Ui& ui, ImVec2 corner, float width, const Compared& compared);
// Each measures alone where `draw` is false, and gives back the height.
/// One run's exhibits, without its name.
float compare_run(const Ui& ui, ImVec2 corner, float width, const Compared& compared,
                  const CompareLook& look, bool of_b, bool draw = true);
float compare_relation(const Ui& ui, ImVec2 corner, float width, const Compared& compared,
                       const CompareLook& look, bool draw = true);
/// Pairs and relation; names, too, where the pairs do not stand side by side.
float compare_pair(const Ui& ui, ImVec2 corner, float width, const Compared& compared,
                   const CompareLook& look, bool draw = true);

}  // namespace warpbook::gui
