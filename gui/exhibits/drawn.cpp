#include "gui/exhibits/drawn.hpp"

#include <functional>
#include <string>

#include "gui/controls/widgets.hpp"
#include "gui/draw/drawing_pen.hpp"

namespace warpbook::gui {
namespace {
constexpr std::uint64_t kDrawingPart = 1ull << 35;  ///< under which the cache keeps it
}  // namespace

lab::Canvas canvas_for(const FigureArea& area) {
  return canvas_for(area.ui.ink(), area.ui.book.strings(), area.width);
}

FigureInputs inputs_of(const FigureArea& area) {
  return FigureInputs(area.width, static_cast<const void*>(area.beside),
                      std::uint64_t{std::hash<std::string>{}(area.ui.book.language())});
}

const lab::Drawing& kept_drawing(const FigureArea& area, const void* of, const FigureInputs& inputs,
                                 const std::function<lab::Drawing()>& make) {
  FigureInputs all = inputs_of(area);
  all.add(inputs.all());
  return area.ui.cache.latest<lab::Drawing>(of, kDrawingPart, all, make);
}

const lab::Drawing& draw_kept(const FigureArea& area, const void* of, const FigureInputs& inputs,
                              const std::function<lab::Drawing()>& make) {
  const lab::Drawing& drawing = kept_drawing(area, of, inputs, make);
  draw(area.ui.ink(), area.ui.theme, drawing, area.corner);
  return drawing;
}

bool item_over(const char* id, ImVec2 corner, const lab::Area& area) {
  const ImVec2 min{corner.x + static_cast<float>(area.x), corner.y + static_cast<float>(area.y)};
  return item(id, min,
              {min.x + static_cast<float>(area.width), min.y + static_cast<float>(area.height)});
}

lab::Point mouse_in(ImVec2 corner) {
  const ImVec2 mouse = ImGui::GetMousePos();
  return {static_cast<double>(mouse.x - corner.x), static_cast<double>(mouse.y - corner.y)};
}

}  // namespace warpbook::gui
