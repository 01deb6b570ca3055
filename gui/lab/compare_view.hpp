// Two runs in the lab, side by side or, where there is no room, one above the other, and the relation between them.
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
  bool relation_first = false;   ///< above the pairs, because there are many
  bool covered = false;          ///< open questions cover what answers them
};

/// Heights of the row that compare_header() draws, and of compare_names().
inline constexpr float kCompareHeader = 40, kCompareNames = 44;

/// From this width on a pair is side by side.
inline constexpr float kSideBySide = 600;

/// The side whose list of runs is to be opened in this frame: true for B, false for A; nothing for neither.
using SideWanted = std::optional<bool>;

/// A row with the comparison's title, and buttons that end it, swap its sides and choose them. Gives back its height.
float compare_header(const Ui& ui, ImVec2 corner, float width, const SideWanted& wanted = {});
/// The names of A and B, above the columns of a pair that is side by side.
void compare_names(const Ui& ui, ImVec2 corner, float width, const Compared& compared);
// Each gives back its height; without `draw` it only measures.
/// One run's exhibits, without its name.
float compare_run(const Ui& ui, ImVec2 corner, float width, const Compared& compared,
                  const CompareLook& look, bool of_b, bool draw = true);
float compare_relation(const Ui& ui, ImVec2 corner, float width, const Compared& compared,
                       const CompareLook& look, bool draw = true);
/// The pairs and the relation, and the names if the pairs are not side by side.
float compare_pair(const Ui& ui, ImVec2 corner, float width, const Compared& compared,
                   const CompareLook& look, bool draw = true);

}  // namespace warpbook::gui
