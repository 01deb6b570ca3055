#include "gui/lab/parameter_strip.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "gui/controls/choice_menu.hpp"
#include "gui/controls/widgets.hpp"
#include "gui/exhibits/exhibit.hpp"

namespace warpbook::gui {
namespace {
constexpr float kStripHead = 36, kStripFoot = 6, kFollows = 24, kColumnGap = 24, kAfterName = 10,
                kLeastBox = 42, kMostBox = 84, kLeastCompact = 120, kStripIcon = 26,
                kPresetHeight = 24, kPresetGap = 4, kBeforeButtons = 12, kStripProblem = 22;
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
  if (const auto report = ui.book.pictures()) {
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
  if (!says.empty()) show_tip(ui, says);
}
}  // namespace

void ParameterStrip::focus(const std::string& name) {
  wanted_ = name;
  controls_.focus(name);
}

void ParameterStrip::forget() {
  unfolded_ = false;
  wanted_.clear();
  controls_.forget();
}

float ParameterStrip::measure(const Ui& ui, float width, float lab_height) {
  const lab::Lesson* lesson = ui.book.lesson();
  plan_ = {};
  if (!lesson || lesson->parameters.empty()) return 0;
  plan_.width = width;
  lay_columns(ui, lesson->parameters);
  lay_rows(ui, lesson->parameters, lab_height);
  lay_presets(ui, *lesson);
  plan_.height = kStripHead + static_cast<float>(plan_.rows) * kParameterRow + kStripFoot +
                 (plan_.follows_shown ? kFollows : 0);
  for (std::size_t row = 0; row < plan_.rows; ++row) plan_.height += problems(ui, row, {}, false);
  return plan_.height;
}

void ParameterStrip::lay_columns(const Ui& ui, const std::vector<lab::Parameter>& all) {
  plan_.name = widest_name(ui, all);
  plan_.measures = measures_of(ui, all);
  const float inner = plan_.width - 2 * measure::kPadding,
              aside = plan_.name + kAfterName + plan_.measures.box + kBesideBox,
              unit = plan_.measures.unit > 0 ? plan_.measures.unit + kBesideBox : 0;
  const auto fits = [&](float least) {
    return static_cast<std::size_t>(
        std::max(0.0f, std::floor((inner + kColumnGap) / (least + kColumnGap))));
  };
  const std::size_t with_sliders = std::min(fits(aside + kLeastTrack), kMostColumns);
  // Where a slider takes the whole width, two controls that are no sliders share a row.
  plan_.columns = std::clamp<std::size_t>(with_sliders, 2, std::max<std::size_t>(2, all.size()));
  const float count = static_cast<float>(plan_.columns);
  plan_.column = std::floor((inner - (count - 1) * kColumnGap) / count);
  const float for_slider = with_sliders < 2 ? inner : plan_.column;
  if (for_slider < aside + kLeastTrack + unit) plan_.measures.unit = 0;
}

std::size_t ParameterStrip::span_of(const Ui& ui, const lab::Parameter& parameter) const {
  const float room = plan_.column - plan_.name - kAfterName;
  const float least = has_slider(parameter) ? kLeastTrack + kBesideBox + plan_.measures.box
                                            : std::max(kLeastCompact, compact_width(ui, parameter));
  return room >= least ? 1 : plan_.columns;
}

void ParameterStrip::lay_rows(const Ui& ui, const std::vector<lab::Parameter>& all,
                              float lab_height) {
  std::size_t row = 0, column = 0;
  for (const lab::Parameter& parameter : all) {
    const std::size_t span = span_of(ui, parameter);
    if (column + span > plan_.columns) {
      ++row;
      column = 0;
    }
    plan_.shown.push_back({&parameter, row, column, span});
    column += span;
  }
  const std::size_t total = row + 1;
  plan_.follows = launch_says(ui);
  plan_.follows_shown = !plan_.follows.empty();
  const float room =
      lab_height * kStripShare - kStripHead - kStripFoot - (plan_.follows_shown ? kFollows : 0);
  const auto most = static_cast<std::size_t>(std::max(1.0f, room / kParameterRow));
  plan_.foldable = most < total;
  const auto wanted = std::ranges::find(plan_.shown, std::exchange(wanted_, {}),
                                        [](const Cell& cell) { return cell.parameter->name; });
  if (wanted != plan_.shown.end() && wanted->row >= most) unfolded_ = true;
  plan_.rows = plan_.foldable && !unfolded_ ? most : total;
  std::erase_if(plan_.shown, [&](const Cell& cell) { return cell.row >= plan_.rows; });
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

void ParameterStrip::draw_cell(const Ui& ui, const Cell& cell, ImVec2 corner) {
  say_name(ui, *cell.parameter, corner, plan_.name);
  const float aside = plan_.name + kAfterName, span = static_cast<float>(cell.span);
  controls_.draw(ui, *cell.parameter, {corner.x + aside, corner.y},
                 span * plan_.column + (span - 1) * kColumnGap - aside, plan_.measures);
}

float ParameterStrip::problems(const Ui& ui, std::size_t row, ImVec2 corner, bool draw) const {
  const ParagraphStyle style{14, 20, Face::sans, Face::bold, ui.theme.bad, 0};
  const float inner = plan_.width - 2 * measure::kPadding - kStripProblem;
  float below = 0;
  for (const Cell& cell : plan_.shown) {
    const std::string problem =
        cell.row == row ? controls_.problem_of(ui, *cell.parameter) : std::string();
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
  std::vector<float> tops{corner.y + kStripHead};
  for (std::size_t row = 0; row < plan_.rows; ++row) {
    const float below = tops.back() + kParameterRow;
    tops.push_back(below + problems(ui, row, {left, below}, true));
  }
  for (const Cell& cell : plan_.shown) {
    const float x = left + static_cast<float>(cell.column) * (plan_.column + kColumnGap);
    draw_cell(ui, cell, {x, tops[cell.row]});
  }
  if (plan_.follows_shown && !ui.book.pictures_stale()) {
    ui.ink().text_middle(left, tops.back() + kFollows / 2 - 1, ui.figures(ui.theme.t2),
                         plan_.follows);
  }
  ImGui::PopID();
}

}  // namespace warpbook::gui
