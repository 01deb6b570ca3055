#include "gui/exhibits/tensor/closer_look.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include "gui/controls/point.hpp"
#include "gui/controls/widgets.hpp"

namespace warpbook::gui {
namespace {

constexpr float kLookClick = 4;  ///< points that a hand may move during a click
constexpr lab::Point kMiddle{0.5, 0.5};

int as_choice(std::int64_t number) {
  return static_cast<int>(std::clamp<std::int64_t>(number, -1, std::numeric_limits<int>::max()));
}

}  // namespace

CloserLook::CloserLook(const Ui& ui, const std::string& id, const lab::TensorPlanes& planes)
    : ui_(ui), id_(id), planes_(planes), most_(lab::most_steps(planes)) {
  look_.steps = static_cast<std::uint64_t>(std::max(0, ui.book.choice(id + "/closer")));
  look_.steps = std::min(look_.steps, most_);
  look_.row = ui.book.choice(id + "/row");
  look_.column = ui.book.choice(id + "/column");
  if (const int plane = ui.book.choice(id + "/plane"); plane >= 0)
    look_.plane = static_cast<std::uint64_t>(plane);
  region_ = region_of(look_, planes_);
}

FigureInputs CloserLook::inputs() const {
  FigureInputs inputs(region_.row, region_.column, region_.rows, region_.columns);
  inputs.add(region_.plane);
  return inputs;
}

void CloserLook::keep_look(const lab::TensorLook& look) const {
  if (look == look_) return;
  ui_.post([id = id_, look](Book& book) {
    book.choose(id + "/closer", as_choice(static_cast<std::int64_t>(look.steps)));
    book.choose(id + "/row", as_choice(look.row));
    book.choose(id + "/column", as_choice(look.column));
    book.choose(id + "/plane", look.plane ? as_choice(static_cast<std::int64_t>(*look.plane)) : -1);
  });
}

bool CloserLook::take_input(bool pressed, const std::optional<lab::Point>& about,
                            const lab::Point& each) const {
  const ImGuiIO& io = ImGui::GetIO();
  if (ImGui::IsItemFocused() && io.NavVisible) take_keys();
  if (ImGui::IsItemActive()) drag(each);
  if (ImGui::IsItemHovered() && about && io.KeyCtrl && io.MouseWheel != 0)
    keep_look(closer(look_, planes_, io.MouseWheel > 0 ? 1 : -1, *about));
  return pressed && io.MouseDragMaxDistanceSqr[ImGuiMouseButton_Left] < kLookClick * kLookClick;
}

void CloserLook::take_keys() const {
  constexpr std::array kKeys{ImGuiKey_Equal, ImGuiKey_Minus, ImGuiKey_0, ImGuiKey_PageUp,
                             ImGuiKey_PageDown};
  if (ImGui::GetIO().KeyCtrl) return;  // with Ctrl they make the whole window larger or smaller
  own_keys(kKeys);
  if (ImGui::IsKeyPressed(kKeys[0])) keep_look(closer(look_, planes_, 1, kMiddle));
  if (ImGui::IsKeyPressed(kKeys[1])) keep_look(closer(look_, planes_, -1, kMiddle));
  if (ImGui::IsKeyPressed(kKeys[2])) keep_look({});
  if (planes_.planes < 2) return;
  if (ImGui::IsKeyPressed(kKeys[3])) keep_look(at_next_plane(look_, planes_, -1));
  if (ImGui::IsKeyPressed(kKeys[4])) keep_look(at_next_plane(look_, planes_, 1));
}

/// From where it was when the button went down, so that parts of an element add up.
void CloserLook::drag(const lab::Point& each) const {
  if (ImGui::IsItemActivated()) {
    keep("drag row", region_.row);
    keep("drag column", region_.column);
  }
  if (!ImGui::IsMouseDragging(ImGuiMouseButton_Left, kLookClick)) return;
  const ImVec2 by = ImGui::GetMouseDragDelta(ImGuiMouseButton_Left, kLookClick);
  const auto from = [](const char* key, float points, double size) {
    return static_cast<std::int64_t>(kept(key, 0)) -
           std::llround(static_cast<double>(points) / std::max(1e-3, size));
  };
  keep_look(
      moved_to(look_, planes_, from("drag row", by.y, each.y), from("drag column", by.x, each.x)));
}

void CloserLook::show(std::uint64_t element) const { keep_look(showing(look_, planes_, element)); }

float CloserLook::draw_controls(float right, float top, const std::string& plane) const {
  constexpr float kSquare = measure::kCardButton, kBetween = 4, kGroups = 12;
  const ButtonLook quiet{ButtonKind::quiet, kSquare};
  float x = right;
  const auto placed = [&](float wide) {
    x -= wide + kBetween;
    return ImVec2{x, top};
  };
  const auto press = [&](const char* id, const std::string& label, bool disabled) {
    ButtonLook own = quiet;
    own.disabled = disabled;
    return button(ui_, id, placed(button_width(ui_, label, own)), label, own) && !disabled;
  };
  if (most_ > 0) {
    if (press("look closer", "+", look_.steps >= most_))
      keep_look(closer(look_, planes_, 1, kMiddle));
    tip(ui_, ui_.tr("gui.look.closer"));
    if (press("look farther", "−", look_.steps == 0))
      keep_look(closer(look_, planes_, -1, kMiddle));
    tip(ui_, ui_.tr("gui.look.farther"));
  }
  if (planes_.planes > 1) {
    if (most_ > 0) x -= kGroups;
    if (icon_button(ui_, "plane after", placed(kSquare), Icon::chevron_right,
                    ui_.tr("gui.look.plane-after"), kSquare))
      keep_look(at_next_plane(look_, planes_, 1));
    const std::string says = region_.plane ? plane : ui_.tr("gui.look.all-planes");
    const float wide = ui_.ink().width(ui_.note(), says);
    ui_.ink().text_middle(placed(wide).x, top + kSquare / 2, ui_.note(), says);
    if (icon_button(ui_, "plane before", placed(kSquare), Icon::chevron_left,
                    ui_.tr("gui.look.plane-before"), kSquare))
      keep_look(at_next_plane(look_, planes_, -1));
  }
  return x;
}

}  // namespace warpbook::gui
