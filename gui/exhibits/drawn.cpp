#include <functional>
#include <string>

#include "gui/exhibits/drawn.hpp"

#include "gui/controls/widgets.hpp"
#include "gui/draw/drawing_pen.hpp"

namespace warpbook::gui {
namespace {
constexpr std::uint64_t kDrawingPart = 1ull << 35;  ///< under which the cache keeps it
}  // namespace

lab::Canvas canvas_for(const Frame& frame) {
  return canvas_for(frame.ui.ink(), frame.ui.book.strings(), frame.width);
}

FigureInputs inputs_of(const Frame& frame) {
  return FigureInputs(frame.width, static_cast<const void*>(frame.beside),
                      std::hash<std::string>{}(frame.ui.book.strings().language().code));
}

const lab::Drawing& kept_drawing(const Frame& frame, const void* of, const FigureInputs& inputs,
                                 const std::function<lab::Drawing()>& make) {
  FigureInputs all = inputs_of(frame);
  all.add(inputs.all());
  return frame.ui.cache.latest<lab::Drawing>(of, kDrawingPart, all, make);
}

const lab::Drawing& draw_kept(const Frame& frame, const void* of, const FigureInputs& inputs,
                              const std::function<lab::Drawing()>& make) {
  const lab::Drawing& drawing = kept_drawing(frame, of, inputs, make);
  draw(frame.ui.ink(), frame.ui.theme, drawing, frame.corner);
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
