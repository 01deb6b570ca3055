#include "gui/lab/parameter_controls.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>
#include <optional>

#include <imgui_internal.h>

#include "gui/controls/choice_menu.hpp"
#include "gui/controls/point.hpp"
#include "gui/controls/tab_stops.hpp"
#include "gui/controls/widgets.hpp"

namespace warpbook::gui {
namespace {
constexpr float kBoxHeight = measure::kCardButton, kAboveBox = (kParameterRow - kBoxHeight) / 2,
                kLeastSlider = 28, kStepButton = 24, kMostSteps = 8, kSegmentPadding = 9;

float share_of(const lab::Parameter& p, double value) {
  if (p.logarithmic && p.minimum > 0) {
    return static_cast<float>(std::log(std::max(value, p.minimum) / p.minimum) /
                              std::log(p.maximum / p.minimum));
  }
  return static_cast<float>((value - p.minimum) / std::max(1e-12, p.maximum - p.minimum));
}

bool is_number(const lab::Parameter& p) {
  return p.type == lab::Parameter::Type::integer || p.type == lab::Parameter::Type::real;
}

double number_of(const lab::Value& value) {
  if (const auto* integer = std::get_if<std::int64_t>(&value)) return static_cast<double>(*integer);
  if (const auto* real = std::get_if<double>(&value)) return *real;
  return 0;
}

lab::Value typed_number(const lab::Parameter& p, double value) {
  const bool whole = p.type == lab::Parameter::Type::integer;
  return whole ? lab::Value(static_cast<std::int64_t>(std::llround(value))) : lab::Value(value);
}

void set_number(const Ui& ui, const lab::Parameter& p, double value) {
  ui.post([name = p.name, to = typed_number(p, value)](Book& book) { book.set_value(name, to); });
}

void drag_number(const Ui& ui, const lab::Parameter& p, double value) {
  ui.post([name = p.name, to = typed_number(p, value)](Book& book) { book.drag_value(name, to); });
}

/// Moves a value by `by` steps, within its range.
void step_number(const Ui& ui, const lab::Parameter& p, double value, int by) {
  const double now = std::clamp(value + by * p.step, p.minimum, p.maximum);
  if (now != value) set_number(ui, p, now);
}

/// Whether there are so few values that step buttons reach them all.
bool has_few_steps(const lab::Parameter& p) {
  return (p.maximum - p.minimum) / p.step <= kMostSteps;
}

/// Where Up and Down move the value while the box drawn last is typed in. Elsewhere they lead from item to item.
std::optional<double> moved_in_box(const lab::Parameter& p, double value) {
  if (!ImGui::IsItemActive()) return std::nullopt;
  own_keys(std::array{ImGuiKey_UpArrow, ImGuiKey_DownArrow});
  const int by = (ImGui::IsKeyPressed(ImGuiKey_UpArrow) ? 1 : 0) -
                 (ImGui::IsKeyPressed(ImGuiKey_DownArrow) ? 1 : 0);
  const double moved = std::clamp(value + by * p.step, p.minimum, p.maximum);
  return moved != value ? std::optional(moved) : std::nullopt;
}

/// Where a key or the wheel moves the value of the slider drawn last: by a step, by a tenth of the track, to an end.
std::optional<double> moved_by_keys(const lab::Parameter& p, double value) {
  const auto by_steps = [&](double steps) {
    return std::clamp(value + steps * p.step, p.minimum, p.maximum);
  };
  const auto along = [&](float share) {
    const double there = value_at(p, share_of(p, value) + share);
    return there == value ? by_steps(share > 0 ? 1 : -1) : there;
  };
  constexpr std::array kKeys{ImGuiKey_LeftArrow, ImGuiKey_RightArrow, ImGuiKey_Home,
                             ImGuiKey_End,       ImGuiKey_PageUp,     ImGuiKey_PageDown};
  const auto pressed = [](ImGuiKey key) { return ImGui::IsKeyPressed(key); };
  std::optional<double> moved;
  if (ImGui::IsItemFocused()) {
    own_keys(kKeys);
    if (pressed(ImGuiKey_RightArrow)) moved = by_steps(1);
    if (pressed(ImGuiKey_LeftArrow)) moved = by_steps(-1);
    if (pressed(ImGuiKey_PageUp)) moved = along(0.1f);
    if (pressed(ImGuiKey_PageDown)) moved = along(-0.1f);
    if (pressed(ImGuiKey_Home)) moved = p.minimum;
    if (pressed(ImGuiKey_End)) moved = p.maximum;
  }
  // Elsewhere the wheel scrolls: a reader who passes a slider does not mean to change it.
  if (ImGui::IsItemHovered() && ImGui::IsItemFocused()) {
    ImGui::SetItemKeyOwner(ImGuiKey_MouseWheelY);
    if (const float wheel = ImGui::GetIO().MouseWheel; wheel != 0)
      moved = by_steps(wheel > 0 ? 1 : -1);
  }
  return moved != value ? moved : std::nullopt;
}

void slider(const Ui& ui, const lab::Parameter& p, ImVec2 corner, float width, double value) {
  const Ink ink = ui.ink();
  const float middle = corner.y + kParameterRow / 2, knob = 7;
  ImGui::SetCursorScreenPos({corner.x, middle - 11});
  ImGui::InvisibleButton("slider", {width, 22}, ImGuiButtonFlags_EnableNav);
  const float left = corner.x + knob, room = width - 2 * knob;
  if (ImGui::IsItemActive() && ImGui::IsMouseDown(ImGuiMouseButton_Left)) {
    const double now = value_at(p, (ImGui::GetMousePos().x - left) / room);
    if (now != value) drag_number(ui, p, now);
  }
  if (ImGui::IsItemDeactivated()) ui.post([](Book& book) { book.end_drag(); });
  if (const auto moved = moved_by_keys(p, value)) set_number(ui, p, *moved);
  const float x = left + std::clamp(share_of(p, value), 0.0f, 1.0f) * room;
  ink.fill({corner.x, middle - 2}, {corner.x + width, middle + 2}, ui.theme.s4, 2);
  ink.fill({corner.x, middle - 2}, {x, middle + 2}, ui.theme.accent, 2);
  const bool hot = ImGui::IsItemHovered() || ImGui::IsItemActive();
  ink.list()->AddCircleFilled({x, middle}, hot ? knob + 1 : knob,
                              ui.theme.dark ? ui.theme.t1 : ui.theme.accent);
}

/// A square button that takes a step down or up, and does nothing at the end of the range.
void step_button(const Ui& ui, const lab::Parameter& p, ImVec2 corner, double value, int by) {
  const ImVec2 end{corner.x + kStepButton, corner.y + kBoxHeight};
  const bool at_end = by < 0 ? value <= p.minimum : p.maximum <= value;
  ImGui::BeginDisabled(at_end);
  if (item(by < 0 ? "less" : "more", corner, end)) step_number(ui, p, value, by);
  const bool hovered = ImGui::IsItemHovered();
  ImGui::EndDisabled();
  const Ink ink = ui.ink();
  ink.fill(corner, end, hovered && !at_end ? ui.theme.s4 : ui.theme.s3, measure::kControlRadius);
  ink.text_middle((corner.x + end.x) / 2, (corner.y + end.y) / 2,
                  {Face::sans, 16, at_end ? ui.theme.t4 : ui.theme.t1}, by < 0 ? "−" : "+",
                  Align::centre);
}

Type segment_type(const Ui& ui) { return {Face::sans, 14, ui.theme.t1}; }

float segment_width(const Ui& ui, const std::string& choice) {
  return std::ceil(ui.ink().width(segment_type(ui), choice)) + 2 * kSegmentPadding;
}

float segments_width(const Ui& ui, const lab::Parameter& p) {
  return std::accumulate(
      p.choices.begin(), p.choices.end(), 0.0f,
      [&](float wide, const std::string& choice) { return wide + segment_width(ui, choice); });
}

/// All choices, side by side on one ground.
void segments(const Ui& ui, const lab::Parameter& p, ImVec2 corner, const std::string& chosen) {
  const Ink ink = ui.ink();
  const float bottom = corner.y + kBoxHeight;
  ink.fill(corner, {corner.x + segments_width(ui, p), bottom}, ui.theme.s3,
           measure::kControlRadius);
  float x = corner.x;
  for (const std::string& choice : p.choices) {
    const float end = x + segment_width(ui, choice);
    if (item(choice.c_str(), {x, corner.y}, {end, bottom})) {
      ui.post([name = p.name, choice](Book& book) { book.set_value(name, lab::Value(choice)); });
    }
    Type type = segment_type(ui);
    if (choice == chosen) {
      ink.fill({x, corner.y}, {end, bottom}, ui.theme.accent_tint, measure::kControlRadius);
      type.colour = ui.theme.accent_text;
    } else if (ImGui::IsItemHovered()) {
      ink.fill({x, corner.y}, {end, bottom}, ui.theme.s4, measure::kControlRadius);
    }
    ink.text_middle((x + end) / 2, corner.y + kBoxHeight / 2, type, choice, Align::centre);
    x = end;
  }
}
}  // namespace

bool has_slider(const lab::Parameter& p) { return is_number(p) && !has_few_steps(p); }

double value_at(const lab::Parameter& p, float share) {
  const double s = std::clamp(static_cast<double>(share), 0.0, 1.0);
  const double raw = p.logarithmic && p.minimum > 0 ? p.minimum * std::pow(p.maximum / p.minimum, s)
                                                    : p.minimum + s * (p.maximum - p.minimum);
  const double stepped = p.minimum + std::round((raw - p.minimum) / p.step) * p.step;
  return std::clamp(stepped, p.minimum, p.maximum);
}

float compact_width(const Ui& ui, const lab::Parameter& p) {
  constexpr float kWholePath = 400;
  switch (p.type) {
    case lab::Parameter::Type::picture:
    case lab::Parameter::Type::text: return kWholePath;
    case lab::Parameter::Type::choice: return segments_width(ui, p);
    default: return 0;
  }
}

void ParameterControls::take(const Ui& ui, const lab::Parameter& parameter) {
  Typed& typed = typed_[parameter.name];
  const auto parsed = lab::parse(parameter, typed.text);
  typed.problem = parsed ? std::string() : ui.tr(parsed.error());
  if (parsed)
    ui.post([name = parameter.name, v = *parsed](Book& book) { book.set_value(name, v); });
}

std::string ParameterControls::problem_of(const Ui& ui, const lab::Parameter& parameter) const {
  const auto typed = typed_.find(parameter.name);
  if (typed != typed_.end() && !typed->second.problem.empty()) return typed->second.problem;
  const device::Error* error = ui.book.picture_error(parameter);
  return error ? ui.tr(*error) : std::string();
}

void ParameterControls::focus_next(const lab::Parameter& parameter) {
  if (wanted_ != parameter.name) return;
  focus_next_item();
  ImGui::SetNavCursorVisible(true);
  wanted_.clear();
}

void ParameterControls::draw_picture(const Ui& ui, const lab::Parameter& parameter, ImVec2 corner,
                                     float width, const std::string& value) {
  constexpr float kGap = 6;
  const std::string choose = ui.tr("gui.picture.choose"), draw = ui.tr("gui.picture.draw");
  const ButtonLook look{ButtonKind::plain, measure::kCardButton};
  const float chooses = corner.x + width - button_width(ui, choose, look),
              draws = chooses - kGap - button_width(ui, draw, look);
  draw_typed(ui, parameter, corner, draws - kGap - corner.x, value);
  if (button(ui, "draw", {draws, corner.y}, draw, look)) pad_.open(value);
  pad_.draw(ui, parameter);
  if (button(ui, "choose", {chooses, corner.y}, choose, look))
    chooser_.open(nearest_folder(value.empty() ? pictures_folder() : std::filesystem::path(value)));
  if (const auto file = chooser_.draw(ui)) {
    typed_[parameter.name].text = file->string();
    take(ui, parameter);
  }
}

void ParameterControls::draw_typed(const Ui& ui, const lab::Parameter& parameter, ImVec2 corner,
                                   float width, const std::string& value) {
  Typed& typed = typed_[parameter.name];
  if (typed.seen != value) {
    typed.seen = value;
    typed.problem.clear();
  }
  if (!typed.active && typed.problem.empty()) typed.text = value;
  focus_next(parameter);
  const bool picture = parameter.type == lab::Parameter::Type::picture;
  const bool words = parameter.type == lab::Parameter::Type::text;
  const std::string hint = picture ? ui.tr("gui.picture.drop")
                           : words ? ui.tr(parameter.label)
                                   : std::string();
  text_box(ui.fonts, "##value", corner, width, {Face::mono, 14, {8, 6}}, hint, typed.text,
           ImGuiInputTextFlags_AutoSelectAll);
  typed.active = ImGui::IsItemActive();
  const lab::Value* now = ui.book.inputs().values.find(parameter.name);
  if (const auto moved =
          is_number(parameter) && now ? moved_in_box(parameter, number_of(*now)) : std::nullopt) {
    typed.text = lab::to_text(typed_number(parameter, *moved));
    if (ImGuiInputTextState* state = ImGui::GetInputTextState(ImGui::GetItemID()))
      state->ReloadUserBufAndSelectAll();
    take(ui, parameter);
  }
  // A path is only taken when it is complete.
  const bool done = ImGui::IsItemDeactivatedAfterEdit() || (!picture && ImGui::IsItemEdited());
  if (done) take(ui, parameter);
  if (!problem_of(ui, parameter).empty()) {
    ui.ink().outline(corner, {corner.x + width, corner.y + kBoxHeight}, ui.theme.bad,
                     measure::kControlRadius, 1.5f);
  }
}

void ParameterControls::draw_choice(const Ui& ui, const lab::Parameter& parameter, ImVec2 corner,
                                    float width, const std::string& chosen) {
  focus_next(parameter);
  if (segments_width(ui, parameter) <= width) {
    segments(ui, parameter, corner, chosen);
    return;
  }
  std::vector<MenuRow> rows;
  for (const std::string& choice : parameter.choices) {
    MenuRow row{choice, choice};
    row.chosen = choice == chosen;
    rows.push_back(std::move(row));
  }
  const float wide = std::min(width, choice_box_width(ui, rows));
  if (const auto press = choice_box(ui, "choices", corner, wide, chosen, rows)) {
    ui.post([name = parameter.name, choice = parameter.choices[press->row]](Book& book) {
      book.set_value(name, lab::Value(choice));
    });
  }
}

void ParameterControls::draw_number(const Ui& ui, const lab::Parameter& parameter, ImVec2 corner,
                                    float width, const ParameterMeasures& measures,
                                    const lab::Value& value) {
  const double now = number_of(value);
  const float unit = measures.unit > 0 ? measures.unit + kBesideBox : 0,
              right = corner.x + width - unit, top = corner.y + kAboveBox;
  if (!has_slider(parameter)) {
    constexpr float kStep = kStepButton + 2;
    const float wide = std::min(measures.box, right - corner.x - 2 * kStep),
                box = right - kStep - wide;
    step_button(ui, parameter, {box - kStep, top}, now, -1);
    draw_typed(ui, parameter, {box, top}, wide, lab::to_text(value));
    step_button(ui, parameter, {right - kStepButton, top}, now, 1);
  } else {
    const float box = right - measures.box, room = box - kBesideBox - corner.x;
    if (room >= kLeastSlider) slider(ui, parameter, corner, room, now);
    draw_typed(ui, parameter, {box, top}, measures.box, lab::to_text(value));
  }
  if (measures.unit > 0) {
    ui.ink().text_middle(corner.x + width - measures.unit, corner.y + kParameterRow / 2,
                         ui.caption(), ui.tr(parameter.unit));
  }
}

void ParameterControls::draw(const Ui& ui, const lab::Parameter& parameter, ImVec2 corner,
                             float width, const ParameterMeasures& measures) {
  const lab::Value* value = ui.book.inputs().values.find(parameter.name);
  if (!value) return;
  ImGui::PushID(parameter.name.c_str());
  const ImVec2 box{corner.x, corner.y + kAboveBox};
  switch (parameter.type) {
    case lab::Parameter::Type::integer:
    case lab::Parameter::Type::real:
      draw_number(ui, parameter, corner, width, measures, *value);
      break;
    case lab::Parameter::Type::toggle: {
      focus_next(parameter);
      const bool on = std::get<bool>(*value);
      if (toggle(ui, "toggle", {corner.x - 12, corner.y}, "", on)) {
        ui.post([name = parameter.name, on](Book& book) { book.set_value(name, lab::Value(!on)); });
      }
      break;
    }
    case lab::Parameter::Type::choice:
      draw_choice(ui, parameter, box, width, std::get<std::string>(*value));
      break;
    case lab::Parameter::Type::text:
      draw_typed(ui, parameter, box, width, std::get<std::string>(*value));
      break;
    case lab::Parameter::Type::picture:
      draw_picture(ui, parameter, box, width, lab::to_text(*value));
      break;
  }
  ImGui::PopID();
}

}  // namespace warpbook::gui
