// The panel of parameters: what a reader may change, and what follows from it.
#include <algorithm>
#include <cmath>
#include <vector>

#include <imgui.h>
#include <imgui_stdlib.h>

#include "gui/exhibits/exhibit.hpp"
#include "gui/shell/exports.hpp"
#include "gui/shell/lab_view.hpp"
#include "gui/shell/widgets.hpp"

namespace warpbook::gui {
namespace {
constexpr float kParametersRow = 34, kParametersName = 86, kParametersBox = 66, kUnit = 82,
                kBelowProblem = 4;

float share_of(const lab::Parameter& p, double value) {
  if (p.logarithmic && p.minimum > 0) {
    return static_cast<float>(std::log(std::max(value, p.minimum) / p.minimum) /
                              std::log(p.maximum / p.minimum));
  }
  return static_cast<float>((value - p.minimum) / std::max(1e-12, p.maximum - p.minimum));
}

double value_at(const lab::Parameter& p, float share) {
  const double s = std::clamp(static_cast<double>(share), 0.0, 1.0);
  const double raw = p.logarithmic && p.minimum > 0 ? p.minimum * std::pow(p.maximum / p.minimum, s)
                                                    : p.minimum + s * (p.maximum - p.minimum);
  const double stepped = p.minimum + std::round((raw - p.minimum) / p.step) * p.step;
  return std::clamp(stepped, p.minimum, p.maximum);
}

lab::Value typed_value(const lab::Parameter& p, double value) {
  if (p.type == lab::Parameter::Type::integer)
    return static_cast<std::int64_t>(std::llround(value));
  return value;
}

double number_of(const lab::Value& value) {
  if (const auto* integer = std::get_if<std::int64_t>(&value)) return static_cast<double>(*integer);
  if (const auto* real = std::get_if<double>(&value)) return *real;
  return 0;
}

void slider(const Ui& ui, const lab::Parameter& p, ImVec2 corner, float width, double value) {
  const Ink ink = ui.ink();
  const float middle = corner.y + kParametersRow / 2, knob = 8;
  ImGui::SetCursorScreenPos({corner.x, middle - 11});
  ImGui::InvisibleButton("slider", {width, 22}, ImGuiButtonFlags_EnableNav);
  const float left = corner.x + knob, room = width - 2 * knob;
  if (ImGui::IsItemActive() && ImGui::IsMouseDown(ImGuiMouseButton_Left)) {
    const double now = value_at(p, (ImGui::GetMousePos().x - left) / room);
    if (now != value)
      ui.post([name = p.name, v = typed_value(p, now)](Book& book) { book.set_value(name, v); });
  }
  if (ImGui::IsItemFocused()) {
    const int step = (ImGui::IsKeyPressed(ImGuiKey_RightArrow) ? 1 : 0) -
                     (ImGui::IsKeyPressed(ImGuiKey_LeftArrow) ? 1 : 0);
    if (step != 0) {
      const double now = std::clamp(value + step * p.step, p.minimum, p.maximum);
      ui.post([name = p.name, v = typed_value(p, now)](Book& book) { book.set_value(name, v); });
    }
    ImGui::SetItemKeyOwner(ImGuiKey_LeftArrow);
    ImGui::SetItemKeyOwner(ImGuiKey_RightArrow);
  }
  const float x = left + std::clamp(share_of(p, value), 0.0f, 1.0f) * room;
  ink.fill({corner.x, middle - 2}, {corner.x + width, middle + 2}, ui.theme.s4, 2);
  ink.fill({corner.x, middle - 2}, {x, middle + 2}, ui.theme.accent, 2);
  const bool hot = ImGui::IsItemHovered() || ImGui::IsItemActive();
  ink.list()->AddCircleFilled({x, middle}, hot ? knob + 1 : knob,
                              ui.theme.dark ? ui.theme.t1 : ui.theme.accent);
}

/// The choices' buttons in rows of `width`, each at place(choice, x, y), measured from the first; gives back the rows' height.
template <class Place>
float lay_segments(const Ui& ui, const lab::Parameter& p, float width, Place place) {
  float x = 0, y = 0;
  for (const std::string& choice : p.choices) {
    const float own = button_width(ui, choice, {ButtonKind::plain, measure::kCardButton}) + 2;
    if (x > 0 && x + own > width) {
      x = 0;
      y += measure::kCardButton + 2;
    }
    place(choice, x, y);
    x += own;
  }
  return y + kParametersRow;
}

void segments(const Ui& ui, const lab::Parameter& p, ImVec2 corner, float width,
              const std::string& chosen) {
  lay_segments(ui, p, width, [&](const std::string& choice, float x, float y) {
    const ButtonLook look{ButtonKind::plain, measure::kCardButton, nullptr, 0, {}, false,
                          choice == chosen};
    if (button(ui, choice.c_str(), {corner.x + x, corner.y + y + 4}, choice, look)) {
      ui.post([name = p.name, choice](Book& book) { book.set_value(name, lab::Value(choice)); });
    }
  });
}

/// What a parameter takes in a column of `width`.
float height_of(const Ui& ui, const lab::Parameter& p, float width) {
  if (p.type != lab::Parameter::Type::choice) return kParametersRow;
  return lay_segments(ui, p, width - kParametersName - (p.unit.empty() ? 0 : kUnit),
                      [](const std::string&, float, float) {});
}

bool shows(const lab::Values& values, const lab::Preset& preset,
           std::span<const lab::Parameter> parameters) {
  return std::ranges::all_of(parameters, [&](const lab::Parameter& parameter) {
    const lab::Value* value = preset.values.find(parameter.name);
    // A picture of the reader's own goes with every preset that does not speak of it.
    if (!value && parameter.type == lab::Parameter::Type::picture) return true;
    const lab::Value* now = values.find(parameter.name);
    return now && *now == (value ? *value : parameter.initial);
  });
}
}  // namespace

void LabView::take(const Ui& ui, const lab::Parameter& parameter) {
  Typed& typed = typed_[parameter.name];
  const auto parsed = lab::parse(parameter, typed.text);
  typed.problem = parsed ? std::string() : ui.tr(parsed.error());
  if (parsed)
    ui.post([name = parameter.name, v = *parsed](Book& book) { book.set_value(name, v); });
}

std::string LabView::problem_of(const Ui& ui, const lab::Parameter& parameter) const {
  const auto typed = typed_.find(parameter.name);
  if (typed != typed_.end() && !typed->second.problem.empty()) return typed->second.problem;
  const device::Error* error = ui.book.picture_error(parameter);
  return error ? ui.tr(*error) : std::string();
}

void LabView::draw_picture(const Ui& ui, const lab::Parameter& parameter, ImVec2 corner,
                           float width, const std::string& value) {
  const std::string choose = ui.tr("gui.picture.choose");
  const ButtonLook look{ButtonKind::plain, measure::kCardButton};
  const float wide = button_width(ui, choose, look);
  draw_typed(ui, parameter, corner, width - wide - 6, value);
  if (button(ui, "choose", {corner.x + width - wide, corner.y}, choose, look))
    chooser_.open(nearest_folder(value.empty() ? pictures_folder() : std::filesystem::path(value)));
  if (const auto file = chooser_.draw(ui)) {
    typed_[parameter.name].text = file->string();
    take(ui, parameter);
  }
}

void LabView::draw_typed(const Ui& ui, const lab::Parameter& parameter, ImVec2 corner, float width,
                         const std::string& value) {
  Typed& typed = typed_[parameter.name];
  if (typed.seen != value) {
    typed.seen = value;
    typed.problem.clear();
  }
  if (!typed.active && typed.problem.empty()) typed.text = value;
  ImGui::SetCursorScreenPos(corner);
  ImGui::SetNextItemWidth(width);
  ImGui::PushFont(ui.fonts.face(Face::mono), 14);
  ImGui::PushStyleVar(ImGuiStyleVar_FramePadding, ImVec2(8, 6.5f));
  if (wanted_parameter_ == parameter.name) {
    ImGui::SetKeyboardFocusHere();
    wanted_parameter_.clear();
  }
  const bool picture = parameter.type == lab::Parameter::Type::picture;
  const std::string hint = picture ? ui.tr("gui.picture.drop") : std::string();
  ImGui::InputTextWithHint("##value", hint.c_str(), &typed.text, ImGuiInputTextFlags_AutoSelectAll);
  ImGui::PopStyleVar();
  ImGui::PopFont();
  typed.active = ImGui::IsItemActive();
  // A path is no path until it is whole.
  const bool done = ImGui::IsItemDeactivatedAfterEdit() || (!picture && ImGui::IsItemEdited());
  if (done) take(ui, parameter);
  if (!problem_of(ui, parameter).empty()) {
    ui.ink().outline(corner, {corner.x + width, corner.y + 26}, ui.theme.bad,
                     measure::kControlRadius, 1.5f);
  }
}

void LabView::draw_parameter(const Ui& ui, const lab::Parameter& parameter, ImVec2 corner,
                             float width) {
  const Ink ink = ui.ink();
  const lab::Value* value = ui.book.inputs().values.find(parameter.name);
  if (!value) return;
  ImGui::PushID(parameter.name.c_str());
  const float middle = corner.y + kParametersRow / 2;
  ink.text_middle(corner.x, middle, ui.code(ui.theme.t1), parameter.name);
  if (ImGui::IsWindowHovered() &&
      ImGui::IsMouseHoveringRect({corner.x, corner.y},
                                 {corner.x + kParametersName, corner.y + kParametersRow})) {
    const std::string label = ui.tr(parameter.label);
    if (!label.empty()) ImGui::SetTooltip("%s", label.c_str());
  }
  const float left = corner.x + kParametersName, unit_x = corner.x + width - kUnit + 10;
  switch (parameter.type) {
    case lab::Parameter::Type::integer:
    case lab::Parameter::Type::real: {
      const float box_x = unit_x - 10 - kParametersBox;
      slider(ui, parameter, {left, corner.y}, box_x - left - 14, number_of(*value));
      draw_typed(ui, parameter, {box_x, middle - 13}, kParametersBox, lab::to_text(*value));
      break;
    }
    case lab::Parameter::Type::toggle: {
      const bool on = std::get<bool>(*value);
      if (toggle(ui, "toggle", {left, corner.y + 1}, "", on)) {
        ui.post([name = parameter.name, on](Book& book) { book.set_value(name, lab::Value(!on)); });
      }
      break;
    }
    case lab::Parameter::Type::choice:
      segments(ui, parameter, {left, corner.y},
               width - kParametersName - (parameter.unit.empty() ? 0 : kUnit),
               std::get<std::string>(*value));
      break;
    case lab::Parameter::Type::picture:
      draw_picture(ui, parameter, {left, middle - 13},
                   width - kParametersName - (parameter.unit.empty() ? 0 : kUnit),
                   lab::to_text(*value));
      break;
  }
  ink.text_middle(unit_x, middle, ui.caption(),
                  ink.fitted(ui.caption(), ui.tr(parameter.unit), kUnit - 10));
  ImGui::PopID();
}

float LabView::draw_parameters(const Ui& ui, ImVec2 corner, float width) {
  const lab::Lesson* lesson = ui.book.lesson();
  if (!lesson || lesson->parameters.empty()) return 0;
  const auto report = ui.book.report();
  const lab::GeometryExhibit* geometry = nullptr;
  if (report) {
    for (const lab::Exhibit& exhibit : report->exhibits) {
      if (const auto* found = std::get_if<lab::GeometryExhibit>(&exhibit.value);
          found && !ui.book.veil(exhibit.id)) {
        geometry = found;
      }
    }
  }
  constexpr float kPreset = 24, kPresetGap = 4, kReset = 26, kPresetRow = 30;
  const auto look_of = [&](const lab::Preset& preset) {
    return ButtonLook{ButtonKind::plain,
                      kPreset,
                      nullptr,
                      0,
                      {},
                      false,
                      shows(ui.book.inputs().values, preset, lesson->parameters)};
  };
  float presets = 0;
  for (const lab::Preset& preset : lesson->presets)
    presets += button_width(ui, ui.tr(preset.label), look_of(preset)) + kPresetGap;
  const std::string title = ui.tr("gui.parameters.title");
  // Beside the title where there is room, else in a row of their own.
  const bool beside = measure::kPadding + ui.ink().width(ui.label_bold(), title) + 16 + presets +
                          8 + 2 * kReset + 2 + 10 <=
                      width;
  // By preset: where it stands in the rows below the title.
  std::vector<ImVec2> places;
  float preset_x = 0, preset_row = 0;
  for (const lab::Preset& preset : lesson->presets) {
    const float wide = button_width(ui, ui.tr(preset.label), look_of(preset));
    if (preset_x > 0 && preset_x + wide > width - 2 * measure::kPadding) {
      preset_x = 0;
      preset_row += kPresetRow;
    }
    places.push_back({preset_x, preset_row});
    preset_x += wide + kPresetGap;
  }
  const float extra = beside ? 0 : preset_row + kPresetRow;
  const float left = corner.x + measure::kPadding, inner = width - 2 * measure::kPadding;
  const ParagraphStyle problem_style{14, 20, Face::sans, Face::bold, ui.theme.bad, 0};
  const auto say = [&](const std::string& problem, float y, bool draw) {
    return words({ui, {left + kParametersName + 22, y}, inner - kParametersName - 24, draw},
                 problem, problem_style);
  };
  float rows = 0;
  for (const lab::Parameter& parameter : lesson->parameters) {
    rows += height_of(ui, parameter, inner);
    if (const std::string problem = problem_of(ui, parameter); !problem.empty())
      rows += say(problem, 0, false) + kBelowProblem;
  }
  const float height = measure::kPanelHeader + extra + rows + 34;
  panel(ui, corner, width, height, {title, {}, false, nullptr});
  ImGui::PushID("parameters");
  const float middle = corner.y + measure::kPanelHeader / 2;
  const float reset = corner.x + width - 10 - kReset;
  const float keep = reset - kReset - 2;
  if (icon_button(ui, "keep run", {keep, middle - 13}, Icon::pin,
                  ui.tr("gui.compare.keep") + " (Ctrl+K)", kReset))
    ui.post([](Book& book) { book.keep_run(); });
  if (icon_button(ui, "reset", {reset, middle - 13}, Icon::reset, ui.tr("gui.parameters.reset"),
                  kReset)) {
    ui.post([](Book& book) { book.reset_values(); });
    typed_.clear();
  }
  float x = keep - 8 - presets + kPresetGap;
  const float preset_top = beside ? middle - kPreset / 2 : corner.y + measure::kPanelHeader;
  for (std::size_t i = 0; i < lesson->presets.size(); ++i) {
    const lab::Preset& preset = lesson->presets[i];
    const std::string label = ui.tr(preset.label);
    const ImVec2 at =
        beside ? ImVec2{x, preset_top} : ImVec2{left + places[i].x, preset_top + places[i].y};
    if (button(ui, preset.name.c_str(), at, label, look_of(preset))) {
      ui.post([chosen = preset](Book& book) { book.choose_preset(chosen); });
      typed_.clear();
    }
    x += button_width(ui, label, look_of(preset)) + kPresetGap;
  }
  float y = corner.y + measure::kPanelHeader + extra;
  const Ink ink = ui.ink();
  for (const lab::Parameter& parameter : lesson->parameters) {
    draw_parameter(ui, parameter, {left, y}, inner);
    y += height_of(ui, parameter, inner);
    if (const std::string problem = problem_of(ui, parameter); !problem.empty()) {
      ink.icon(Icon::cross, {left + kParametersName + 8, y + 10}, ui.theme.bad, 14, ui.theme.s2);
      y += say(problem, y, true) + kBelowProblem;
    }
  }
  std::string follows;
  if (geometry && !ui.book.stale()) {
    follows = ui.tr("gui.parameters.follows",
                    {{"count", lab::grouped(geometry->grid.count())},
                     {"blocks", lab::grouped(geometry->grid.count())},
                     {"threads", lab::grouped(geometry->threads)},
                     {"idle", geometry->idle_known ? lab::grouped(geometry->idle) : "?"}});
  }
  ink.text_middle(left + kParametersName, y + 13, ui.figures(ui.theme.t2), follows);
  ImGui::PopID();
  return height;
}

}  // namespace warpbook::gui
