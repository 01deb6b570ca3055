#include "gui/lab/parameter_strip.hpp"

#include <algorithm>
#include <cmath>
#include <set>

#include "gui/controls/choice_menu.hpp"
#include "gui/controls/widgets.hpp"
#include "gui/exhibits/exhibit.hpp"

namespace warpbook::gui {
namespace {
constexpr float kStripHead = 36, kStripFoot = 6, kFollows = 24, kColumnGap = 24, kAfterName = 10,
                kLeastBox = 42, kMostBox = 84, kControl = 52, kTightControl = 38,
                kControlWithUnit = 90, kStripIcon = 26, kPresetHeight = 24, kPresetGap = 4,
                kBeforeButtons = 12, kStripProblem = 22;
constexpr std::size_t kMostColumns = 3;

float widest_name(const Ui& ui, const std::vector<lab::Parameter>& all) {
  float wide = 0;
  for (const lab::Parameter& p : all) wide = std::max(wide, ui.ink().width(ui.code(0), p.name));
  return std::ceil(wide);
}

ParameterMeasures measures_of(const Ui& ui, const std::vector<lab::Parameter>& all) {
  constexpr float kBoxInsets = 18;
  ParameterMeasures measures{kLeastBox, 0};
  const auto take = [&](const lab::Value& value) {
    const float wide = ui.ink().width(ui.figures(0), lab::to_text(value)) + kBoxInsets;
    measures.box = std::clamp(wide, measures.box, kMostBox);
  };
  for (const lab::Parameter& p : all) {
    const bool whole = p.type == lab::Parameter::Type::integer;
    if (!whole && p.type != lab::Parameter::Type::real) continue;
    for (const double end : {p.minimum, p.maximum})
      take(whole ? lab::Value(std::llround(end)) : lab::Value(end));
    measures.unit = std::max(measures.unit, ui.ink().width(ui.caption(), ui.tr(p.unit)));
  }
  return measures;
}

bool shows(const lab::Values& values, const lab::Preset& preset,
           const std::vector<lab::Parameter>& parameters) {
  return std::ranges::all_of(parameters, [&](const lab::Parameter& parameter) {
    const lab::Value* value = preset.values.find(parameter.name);
    // A preset that does not set the picture matches whatever picture the reader chose.
    if (!value && parameter.type == lab::Parameter::Type::picture) return true;
    const lab::Value* now = values.find(parameter.name);
    return now && *now == (value ? *value : parameter.initial);
  });
}

ButtonLook preset_look(const Ui& ui, const lab::Lesson& lesson, const lab::Preset& preset) {
  ButtonLook look{ButtonKind::plain, kPresetHeight};
  look.chosen = shows(ui.book.inputs().values, preset, lesson.parameters);
  return look;
}

float presets_width(const Ui& ui, const lab::Lesson& lesson) {
  float wide = -kPresetGap;
  for (const lab::Preset& preset : lesson.presets)
    wide += button_width(ui, ui.tr(preset.label), preset_look(ui, lesson, preset)) + kPresetGap;
  return std::max(0.0f, wide);
}

/// Blocks and threads of the last launch that no question covers; empty where there is none.
std::string launch_says(const Ui& ui) {
  const lab::GeometryExhibit* geometry = nullptr;
  if (const auto report = ui.book.report()) {
    for (const lab::Exhibit& exhibit : report->exhibits) {
      const auto* found = std::get_if<lab::GeometryExhibit>(&exhibit.value);
      if (found && !ui.book.veil(exhibit.id)) geometry = found;
    }
  }
  if (!geometry) return {};
  return ui.tr("gui.parameters.follows",
               {{"count", lab::grouped(geometry->grid.count())},
                {"blocks", lab::grouped(geometry->grid.count())},
                {"threads", lab::grouped(geometry->threads)},
                {"idle", geometry->idle_known ? lab::grouped(geometry->idle) : "?"}});
}

void say_name(const Ui& ui, const lab::Parameter& parameter, ImVec2 corner, float width) {
  const Ink ink = ui.ink();
  ink.text_middle(corner.x, corner.y + kParameterRow / 2, ui.code(ui.theme.t1),
                  ink.fitted(ui.code(ui.theme.t1), parameter.name, width));
  if (!ImGui::IsWindowHovered() ||
      !ImGui::IsMouseHoveringRect(corner, {corner.x + width, corner.y + kParameterRow}))
    return;
  const std::string label = ui.tr(parameter.label), unit = ui.tr(parameter.unit);
  const std::string says = label + (label.empty() || unit.empty() ? "" : " · ") + unit;
  if (!says.empty()) ImGui::SetTooltip("%s", says.c_str());
}
}  // namespace

std::vector<const lab::Parameter*> parameters_shown(const std::vector<lab::Parameter>& all,
                                                    const std::vector<std::string>& named,
                                                    std::size_t most) {
  std::set<const lab::Parameter*> chosen;
  const auto choose = [&](const lab::Parameter& parameter) {
    if (chosen.size() < most) chosen.insert(&parameter);
  };
  for (const std::string& name : named) {
    const auto found = std::ranges::find(all, name, &lab::Parameter::name);
    if (found != all.end()) choose(*found);
  }
  std::ranges::for_each(all, choose);
  std::vector<const lab::Parameter*> shown;
  for (const lab::Parameter& parameter : all) {
    if (chosen.contains(&parameter)) shown.push_back(&parameter);
  }
  return shown;
}

void ParameterStrip::focus(const std::string& name) {
  wanted_ = name;
  controls_.focus(name);
}

void ParameterStrip::forget() {
  unfolded_ = false;
  named_.clear();
  wanted_.clear();
  controls_.forget();
}

float ParameterStrip::measure(const Ui& ui, float width, float lab_height,
                              const std::vector<std::string>& named) {
  const lab::Lesson* lesson = ui.book.lesson();
  plan_ = {};
  if (!lesson || lesson->parameters.empty()) return 0;
  // While a control is being used, it must not fold away.
  const bool at_work =
      ImGui::IsAnyItemActive() ||
      ImGui::IsPopupOpen("", ImGuiPopupFlags_AnyPopupId | ImGuiPopupFlags_AnyPopupLevel);
  if (!at_work && named != named_) {
    named_ = named;
    wanted_.clear();
  }
  plan_.width = width;
  lay_columns(ui, lesson->parameters);
  lay_rows(ui, lesson->parameters, lab_height);
  lay_presets(ui, *lesson);
  plan_.height = kStripHead + static_cast<float>(plan_.rows) * kParameterRow + kStripFoot +
                 (plan_.follows_shown ? kFollows : 0);
  for (std::size_t row = 0; row < plan_.rows; ++row) plan_.height += problems(ui, row, {}, false);
  return plan_.height;
}

void ParameterStrip::set_columns(std::size_t columns) {
  const float inner = plan_.width - 2 * measure::kPadding, count = static_cast<float>(columns);
  plan_.columns = columns;
  plan_.column = std::floor((inner - (count - 1) * kColumnGap) / count);
}

void ParameterStrip::lay_columns(const Ui& ui, const std::vector<lab::Parameter>& all) {
  plan_.name = widest_name(ui, all);
  plan_.measures = measures_of(ui, all);
  const auto least = [&](std::size_t columns) {
    return plan_.name + kAfterName + plan_.measures.box + (columns > 2 ? kControl : kTightControl);
  };
  std::size_t columns = std::min(kMostColumns, all.size());
  for (set_columns(columns); columns > 1 && plan_.column < least(columns);) set_columns(--columns);
}

void ParameterStrip::lay_rows(const Ui& ui, const std::vector<lab::Parameter>& all,
                              float lab_height) {
  plan_.follows = launch_says(ui);
  const std::size_t total = (all.size() + plan_.columns - 1) / plan_.columns;
  const auto room = [&](float below) {
    const float left = lab_height * kStripShare - kStripHead - kStripFoot - below;
    return static_cast<std::size_t>(std::max(1.0f, left / kParameterRow));
  };
  std::size_t most = room(plan_.follows.empty() ? 0 : kFollows);
  plan_.follows_shown = !plan_.follows.empty();
  if (most < std::min<std::size_t>(total, 2)) {  // parameters go before what follows from them
    plan_.follows_shown = false;
    most = room(0);
  }
  plan_.foldable = most < total;
  std::size_t shown = all.size();
  if (plan_.foldable && !unfolded_) {
    shown = most * plan_.columns;
  } else {
    plan_.follows_shown = !plan_.follows.empty();
  }
  std::vector<std::string> named = named_;
  named.insert(named.begin(), wanted_);
  plan_.shown = parameters_shown(all, named, shown);
  plan_.rows = (plan_.shown.size() + plan_.columns - 1) / plan_.columns;
  set_columns((plan_.shown.size() + plan_.rows - 1) / plan_.rows);
  const float bare = plan_.name + kAfterName + plan_.measures.box + kControlWithUnit;
  if (plan_.column < bare + plan_.measures.unit) plan_.measures.unit = 0;
}

std::string ParameterStrip::folding_says(const Ui& ui) const {
  if (unfolded_) return ui.tr("gui.parameters.fewer");
  const std::size_t hidden = ui.book.lesson()->parameters.size() - plan_.shown.size();
  return ui.tr("gui.parameters.more", {{"count", std::to_string(hidden)}});
}

void ParameterStrip::lay_presets(const Ui& ui, const lab::Lesson& lesson) {
  static constexpr Icon kMore = Icon::chevron_down;
  const ButtonLook look{ButtonKind::quiet, measure::kCardButton, &kMore};
  const float folding = plan_.foldable ? button_width(ui, folding_says(ui), look) + 2 : 0;
  const float title = ui.ink().width(ui.label_bold(), ui.tr("gui.parameters.title")) + 16;
  const float room =
      plan_.width - measure::kPadding - 10 - 2 * kStripIcon - 2 - folding - kBeforeButtons;
  const float wide = presets_width(ui, lesson);
  plan_.chips = wide <= room;
  plan_.titled = !plan_.chips || wide + title <= room;
}

float ParameterStrip::draw_buttons(const Ui& ui, float right, float middle) {
  const float reset = right - kStripIcon, keep = reset - kStripIcon - 2, top = middle - 13;
  float left = keep;
  if (plan_.foldable) {
    static constexpr Icon kMore = Icon::chevron_down, kFewer = Icon::chevron_up;
    const ButtonLook look{ButtonKind::quiet, measure::kCardButton, unfolded_ ? &kFewer : &kMore};
    const std::string says = folding_says(ui);
    left -= button_width(ui, says, look) + 2;
    if (button(ui, "fold", {left, top}, says, look)) unfolded_ = !unfolded_;
  }
  if (icon_button(ui, "keep run", {keep, top}, Icon::pin,
                  ui.with_keys(ui.tr("gui.compare.keep"), "keep-run"), kStripIcon))
    ui.post([](Book& book) { book.keep_run(); });
  if (icon_button(ui, "reset", {reset, top}, Icon::reset, ui.tr("gui.parameters.reset"),
                  kStripIcon)) {
    ui.post([](Book& book) { book.reset_values(); });
    controls_.forget();
  }
  return left;
}

void ParameterStrip::draw_presets(const Ui& ui, const lab::Lesson& lesson, float left, float right,
                                  float middle) {
  if (lesson.presets.empty()) return;
  const auto choose = [&](const lab::Preset& preset) {
    ui.post([chosen = preset](Book& book) { book.choose_preset(chosen); });
    controls_.forget();
  };
  if (plan_.chips) {
    float x = plan_.titled ? right - presets_width(ui, lesson) : left;
    for (const lab::Preset& preset : lesson.presets) {
      const std::string label = ui.tr(preset.label);
      const ButtonLook look = preset_look(ui, lesson, preset);
      if (button(ui, preset.name.c_str(), {x, middle - kPresetHeight / 2}, label, look))
        choose(preset);
      x += button_width(ui, label, look) + kPresetGap;
    }
    return;
  }
  std::vector<MenuRow> rows;
  std::string shown = ui.tr("gui.parameters.presets");
  for (const lab::Preset& preset : lesson.presets) {
    MenuRow row{preset.name, ui.tr(preset.label)};
    row.chosen = shows(ui.book.inputs().values, preset, lesson.parameters);
    if (row.chosen) shown = row.label;
    rows.push_back(std::move(row));
  }
  const float wide = std::min(right - left, choice_box_width(ui, rows));
  const ImVec2 corner{right - wide, middle - measure::kCardButton / 2};
  if (const auto press = choice_box(ui, "presets", corner, wide, shown, rows))
    choose(lesson.presets[press->row]);
}

void ParameterStrip::draw_head(const Ui& ui, const lab::Lesson& lesson, ImVec2 corner) {
  const float middle = corner.y + kStripHead / 2, left = corner.x + measure::kPadding;
  const float buttons = draw_buttons(ui, corner.x + plan_.width - 10, middle);
  float after = left;
  if (plan_.titled) {
    const std::string title = ui.tr("gui.parameters.title");
    ui.ink().text_middle(left, middle, ui.label_bold(), title);
    after += ui.ink().width(ui.label_bold(), title) + 16;
  }
  draw_presets(ui, lesson, after, buttons - kBeforeButtons, middle);
}

void ParameterStrip::draw_cell(const Ui& ui, const lab::Parameter& parameter, ImVec2 corner) {
  say_name(ui, parameter, corner, plan_.name);
  const float aside = plan_.name + kAfterName;
  controls_.draw(ui, parameter, {corner.x + aside, corner.y}, plan_.column - aside, plan_.measures);
}

float ParameterStrip::problems(const Ui& ui, std::size_t row, ImVec2 corner, bool draw) const {
  const ParagraphStyle style{14, 20, Face::sans, Face::bold, ui.theme.bad, 0};
  const float inner = plan_.width - 2 * measure::kPadding - kStripProblem;
  float below = 0;
  for (std::size_t i = row; i < plan_.shown.size(); i += plan_.rows) {
    const std::string problem = controls_.problem_of(ui, *plan_.shown[i]);
    if (problem.empty()) continue;
    const ImVec2 at{corner.x + kStripProblem, corner.y + below};
    if (draw) ui.ink().icon(Icon::cross, {corner.x + 8, at.y + 10}, ui.theme.bad, 14, ui.theme.s2);
    below += words({ui, at, inner, draw}, problem, style) + 4;
  }
  return below;
}

void ParameterStrip::draw(const Ui& ui, ImVec2 corner) {
  const lab::Lesson* lesson = ui.book.lesson();
  if (!lesson || plan_.shown.empty()) return;
  ground(ui, corner, {corner.x + plan_.width, corner.y + plan_.height}, ui.theme.s2);
  ImGui::PushID("parameters");
  draw_head(ui, *lesson, corner);
  const float left = corner.x + measure::kPadding;
  // Column by column, so that Tab goes down each column.
  std::vector<float> tops{corner.y + kStripHead};
  for (std::size_t row = 0; row < plan_.rows; ++row) {
    const float below = tops.back() + kParameterRow;
    tops.push_back(below + problems(ui, row, {left, below}, true));
  }
  for (std::size_t i = 0; i < plan_.shown.size(); ++i) {
    const std::size_t column = i / plan_.rows;
    draw_cell(
        ui, *plan_.shown[i],
        {left + static_cast<float>(column) * (plan_.column + kColumnGap), tops[i % plan_.rows]});
  }
  if (plan_.follows_shown && !ui.book.stale()) {
    ui.ink().text_middle(left, tops.back() + kFollows / 2 - 1, ui.figures(ui.theme.t2),
                         plan_.follows);
  }
  ImGui::PopID();
}

}  // namespace warpbook::gui
