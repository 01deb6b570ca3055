// The picture of two memories under mouse and keyboard, and the shown transfer in words.
#include <algorithm>
#include <array>
#include <optional>

#include "gui/controls/point.hpp"
#include "gui/exhibits/drawn.hpp"
#include "gui/exhibits/panels.hpp"
#include "lab/exhibits/memories/memories_picture.hpp"

namespace warpbook::gui {
namespace {
constexpr float kWords = 44;

using Memories = lab::MemoriesExhibit;
using ShownTransfer = std::optional<std::size_t>;

/// The transfer that was chosen last: a choice of the view's own, kept by ImGui.
ShownTransfer kept_transfer(const Memories& memories) {
  const std::size_t number = kept("transfer", memories.transfers.size());
  return number < memories.transfers.size() ? ShownTransfer(number) : std::nullopt;
}

void step_by_keys(const Memories& memories) {
  constexpr std::array kKeys{ImGuiKey_LeftArrow, ImGuiKey_RightArrow};
  own_keys(kKeys);
  if (memories.transfers.empty()) return;
  const ShownTransfer now = kept_transfer(memories);
  if (ImGui::IsKeyPressed(kKeys[0]) && now.value_or(0) > 0) keep("transfer", *now - 1);
  if (ImGui::IsKeyPressed(kKeys[1]))
    keep("transfer", now ? std::min(*now + 1, memories.transfers.size() - 1) : 0);
}

/// Hovering shows the arrow under the mouse, a press keeps it; the arrow keys go from one to the next.
ShownTransfer shown_transfer(const FigureArea& area, const Memories& memories,
                             const lab::MemoriesPlane& plane) {
  const bool pressed =
      item_over("memories", area.corner, {0, 0, static_cast<double>(area.width), plane.height()});
  if (ImGui::IsItemFocused()) step_by_keys(memories);
  if (!ImGui::IsItemHovered()) return kept_transfer(memories);
  const ShownTransfer over = plane.transfer_at(mouse_in(area.corner));
  if (over && pressed) keep("transfer", *over);
  return over ? over : kept_transfer(memories);
}
}  // namespace

float figure_of(const FigureArea& area, const Memories& memories, const std::string& /*id*/) {
  const Ui& ui = area.ui;
  if (memories.arrays.empty()) return words(area, ui.tr("memories.nothing"), ui.caption_style());
  const lab::Canvas canvas = canvas_for(area);
  const auto& plane = kept_layout<lab::MemoriesPlane>(area, &memories, [&] {
    return lab::MemoriesPlane(memories, static_cast<double>(area.width));
  });
  const auto below = static_cast<float>(plane.height());
  if (!area.draw) return below + kWords;
  const ShownTransfer shown = shown_transfer(area, memories, plane);
  draw_kept(area, &memories, FigureInputs(shown),
            [&] { return drawing_of(memories, plane, shown, canvas); });
  const ParagraphStyle style{13, 20, Face::sans, Face::bold, ui.theme.t2, 0};
  words({ui, {area.corner.x, area.corner.y + below + 4}, area.width, true},
        shown ? lab::transfer_text(memories, *shown, ui.book.strings()) : ui.tr("gui.memories.how"),
        style);
  return below + kWords;
}

}  // namespace warpbook::gui
