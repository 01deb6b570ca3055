// The picture of a pipeline under mouse and keyboard, and the shown piece of work in words.
#include <algorithm>
#include <array>
#include <optional>

#include "gui/controls/point.hpp"
#include "gui/exhibits/drawn.hpp"
#include "gui/exhibits/panels.hpp"
#include "lab/exhibits/pipeline/pipeline_picture.hpp"

namespace warpbook::gui {
namespace {

constexpr float kPipelineWords = 44;

using Pipeline = lab::PipelineExhibit;
using ShownSpan = std::optional<std::size_t>;

/// The span that was chosen last: a choice of the view's own, kept by ImGui.
ShownSpan kept_span(const Pipeline& pipeline) {
  const std::size_t number = kept("span", pipeline.spans.size());
  return number < pipeline.spans.size() ? ShownSpan(number) : std::nullopt;
}

void step_by_keys(const Pipeline& pipeline) {
  constexpr std::array kKeys{ImGuiKey_LeftArrow, ImGuiKey_RightArrow};
  own_keys(kKeys);
  const ShownSpan now = kept_span(pipeline);
  if (ImGui::IsKeyPressed(kKeys[0]) && now.value_or(0) > 0) keep("span", *now - 1);
  if (ImGui::IsKeyPressed(kKeys[1]))
    keep("span", now ? std::min(*now + 1, pipeline.spans.size() - 1) : 0);
}

/// Hovering shows the box under the mouse, a press keeps it; the arrow keys go from one to the next.
ShownSpan shown_span(const FigureArea& area, const Pipeline& pipeline,
                     const lab::PipelinePlane& plane) {
  const bool pressed = item_over("pipeline", area.corner, plane.strips());
  if (ImGui::IsItemFocused()) step_by_keys(pipeline);
  if (!ImGui::IsItemHovered()) return kept_span(pipeline);
  const ShownSpan over = plane.span_at(pipeline, mouse_in(area.corner));
  if (over && pressed) keep("span", *over);
  return over ? over : kept_span(pipeline);
}

}  // namespace

float figure_of(const FigureArea& area, const Pipeline& pipeline, const std::string& /*id*/) {
  const Ui& ui = area.ui;
  if (pipeline.spans.empty()) return words(area, ui.tr("pipeline.nothing"), ui.caption_style());
  const lab::Canvas canvas = canvas_for(area);
  const auto* beside = beside_as<Pipeline>(area);
  const auto& plane = kept_layout<lab::PipelinePlane>(
      area, &pipeline, [&] { return lab::PipelinePlane(pipeline, beside, canvas); });
  const auto below = static_cast<float>(plane.height());
  if (!area.draw) return below + kPipelineWords;
  const ShownSpan shown = shown_span(area, pipeline, plane);
  draw_kept(area, &pipeline, FigureInputs(shown.value_or(pipeline.spans.size())),
            [&] { return drawing_of(pipeline, plane, shown, canvas); });
  words({ui, {area.corner.x, area.corner.y + below + 4}, area.width, true},
        shown ? lab::span_text(pipeline, *shown, ui.book.strings()) : ui.tr("gui.pipeline.how"),
        ui.caption_style());
  return below + kPipelineWords;
}

}  // namespace warpbook::gui
