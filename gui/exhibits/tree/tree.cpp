// The picture of a tree under mouse and keyboard, and below it what happened in the round that is pointed at.
#include <algorithm>
#include <array>
#include <string>

#include "gui/controls/point.hpp"
#include "gui/exhibits/drawn.hpp"
#include "gui/exhibits/panels.hpp"
#include "lab/exhibits/tree/tree_picture.hpp"

namespace warpbook::gui {
namespace {
using Tree = lab::TreeExhibit;

constexpr float kTreeRoundWords = 46;  ///< of the round that is shown: two lines

/// The round that was chosen last: a choice of the view's own, kept by ImGui. At first the one after the filling.
std::size_t kept_round(const Tree& tree) {
  return std::min<std::size_t>(kept("round", 1), tree.rounds.size() - 1);
}

void step_by_keys(const Tree& tree) {
  constexpr std::array kKeys{ImGuiKey_UpArrow, ImGuiKey_DownArrow};
  own_keys(kKeys);
  const std::size_t now = kept_round(tree);
  if (ImGui::IsKeyPressed(kKeys[0]) && now > 0) keep("round", now - 1);
  if (ImGui::IsKeyPressed(kKeys[1]) && now + 1 < tree.rounds.size()) keep("round", now + 1);
}

/// Hovering shows the round under the mouse, a press keeps it.
std::size_t shown_round(const FigureArea& area, const Tree& tree, const lab::TreePlane& plane) {
  const bool pressed = item_over("rounds", area.corner, plane.rows());
  if (ImGui::IsItemFocused()) step_by_keys(tree);
  if (!ImGui::IsItemHovered()) return kept_round(tree);
  const auto over = plane.round_at(mouse_in(area.corner));
  if (over && pressed) keep("round", *over);
  return over.value_or(kept_round(tree));
}
}  // namespace

float figure_of(const FigureArea& area, const Tree& tree, const std::string& /*id*/) {
  const Ui& ui = area.ui;
  if (tree.rounds.empty()) return 0;
  const lab::TreePlane plane(tree, static_cast<double>(area.width));
  const auto below = static_cast<float>(plane.height());
  const ImVec2 legend{area.corner.x, area.corner.y + below + kTreeRoundWords};
  const float height =
      below + kTreeRoundWords +
      words({ui, legend, area.width, area.draw}, ui.tr("tree.legend"), ui.caption_style());
  if (!area.draw) return height;
  const std::size_t shown = shown_round(area, tree, plane);
  draw_kept(area, &tree, FigureInputs(shown),
            [&] { return drawing_of(tree, plane, shown, canvas_for(area)); });
  words({ui, {area.corner.x, area.corner.y + below + 6}, area.width, true},
        round_text(tree, shown, ui.book.strings()), ui.caption_style());
  return height;
}

}  // namespace warpbook::gui
