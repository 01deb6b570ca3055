#include "gui/lab/compare_view.hpp"

#include <algorithm>
#include <utility>
#include <vector>

#include "gui/controls/choice_menu.hpp"
#include "gui/controls/widgets.hpp"
#include "gui/exhibits/exhibit.hpp"
#include "lab/markup/phrases.hpp"

namespace warpbook::gui {
namespace {
constexpr float kLetter = 24;

void draw_letter(const Ui& ui, ImVec2 corner, const char* letter) {
  const Ink ink = ui.ink();
  ink.fill(corner, {corner.x + kLetter, corner.y + kLetter}, ui.theme.s4, measure::kControlRadius);
  ink.text_middle(corner.x + kLetter / 2, corner.y + kLetter / 2, ui.label_bold(), letter,
                  Align::centre);
}

/// One run's parameters that differ from the other's, without those that `name` contains: "n = 10, block = 4".
std::string set_differently(const Ui& ui, const Compared& compared, bool of_b,
                            const std::string& name) {
  if (!compared.relation || !ui.book.lesson()) return {};
  const auto* comparison = std::get_if<lab::ComparisonExhibit>(&compared.relation->value);
  const auto& parameters = ui.book.lesson()->parameters;
  std::vector<std::pair<std::string, std::string>> settings;
  for (const auto& setting : comparison->settings) {
    const std::pair<std::string, std::string> one{setting.name, of_b ? setting.b : setting.a};
    if (std::ranges::find(parameters, setting.name, &lab::Parameter::name) == parameters.end() ||
        name.find(lab::settings_text({&one, 1})) != std::string::npos)
      continue;
    settings.push_back(one);
  }
  return lab::settings_text(settings);
}

/// A letter on its tile, the run's name, and the parameters that differ. A tip shows all of it.
void draw_name(const Ui& ui, ImVec2 corner, float width, const Compared& compared, bool of_b) {
  const std::string& name = of_b ? compared.name_b : compared.name_a;
  const bool stale = of_b ? compared.stale_b : compared.stale_a;
  const ImVec2 max{corner.x + width, corner.y + kCompareNames};
  ground(ui, corner, max, ui.theme.s2);
  const Ink ink = ui.ink();
  const float middle = corner.y + kCompareNames / 2, left = corner.x + 10;
  draw_letter(ui, {left, middle - kLetter / 2}, of_b ? "B" : "A");
  const std::string set = set_differently(ui, compared, of_b, name);
  const Type type = stale ? ui.note() : ui.figures(ui.theme.t2);
  const float room = width - kLetter - 32;
  const float beside = std::max(room / 2, room - ink.width(ui.label(), name) - 16);
  const std::string note = ink.fitted(type, stale ? ui.book.stale_reason() : set, beside);
  const float noted = note.empty() ? 0 : ink.width(type, note) + 16;
  const std::string shown = ink.fitted(ui.label(), name, room - noted);
  ink.text_middle(left + kLetter + 12, middle, ui.label(), shown);
  ink.text_middle(max.x - 12, middle, type, note, Align::right);
  if ((shown != name || note != set) && ImGui::IsWindowHovered() &&
      ImGui::IsMouseHoveringRect(corner, max))
    show_tip(ui, name + (set.empty() ? "" : "\n" + set));
}

/// Takes the place of an exhibit that a run does not have, or not yet.
float absent(const FigureArea& area, bool awaited) {
  const Ui& ui = area.ui;
  const std::string says = ui.tr(awaited ? "gui.exhibit.waiting" : "gui.exhibit.missing");
  const float inner = area.width - 2 * measure::kPadding;
  const ImVec2 at{area.corner.x + measure::kPadding, area.corner.y + 14};
  const float height = words({ui, at, inner, false}, says, ui.caption_style()) + 28;
  if (area.draw) {
    ground(ui, area.corner, {area.corner.x + area.width, area.corner.y + height}, ui.theme.s2);
    words({ui, at, inner, true}, says, ui.caption_style());
  }
  return height;
}

/// Whether a column of that width would break lines of code.
bool needs_more(const Ui& ui, const lab::Exhibit* exhibit, float column) {
  const auto* text = exhibit ? std::get_if<lab::TextExhibit>(&exhibit->value) : nullptr;
  if (!text || !text->code) return false;
  constexpr float kInsets = 64;
  const std::string words = ui.tr(text->text);
  for (const std::string_view line : lab::lines_of(words)) {
    if (ui.ink().width(ui.figures(0), line) > column - kInsets) return true;
  }
  return false;
}

class Pair {
 public:
  Pair(const Ui& ui, ImVec2 corner, float width, const Compared& compared, const CompareLook& look,
       bool draw)
      : ui_(ui),
        corner_(corner),
        width_(width),
        compared_(compared),
        look_(look),
        draw_(draw),
        column_(look.beside ? (width - measure::kGap) / 2 : width) {}

  float run() {
    if (!look_.beside && look_.relation_first) {
      for (const bool of_b : {false, true}) name(of_b);
    }
    if (look_.relation_first) relation();
    if (look_.beside) {
      for (const std::string& id : look_.ids) row(id);
    } else {
      for (const bool of_b : {false, true}) column(of_b);
    }
    if (!look_.relation_first) relation();
    return std::max(0.0f, y_ - measure::kGap);
  }
  float run_alone(bool of_b) {
    for (const std::string& id : look_.ids) y_ += panel(of_b, id) + measure::kGap;
    return std::max(0.0f, y_ - measure::kGap);
  }
  float relation_alone() {
    relation();
    return y_ - measure::kGap;
  }

 private:
  [[nodiscard]] ImVec2 at(bool of_b) const {
    const float aside = look_.beside && of_b ? column_ + measure::kGap : 0;
    return {corner_.x + aside, corner_.y + y_};
  }
  [[nodiscard]] const lab::Report* run_of(bool of_b) const {
    return (of_b ? compared_.b : compared_.a).get();
  }
  [[nodiscard]] const lab::Exhibit* exhibit_of(bool of_b, const std::string& id) const {
    const lab::Report* run = run_of(of_b);
    return run ? run->find(id) : nullptr;
  }

  void name(bool of_b) {
    if (draw_) draw_name(ui_, at(of_b), column_, compared_, of_b);
    y_ += kCompareNames + measure::kGap;
  }

  [[nodiscard]] const lab::PredictDirective* veil_of(bool of_b, const std::string& id) const {
    const lab::Report* run = run_of(of_b);
    return look_.covered && run ? ui_.book.veil(run->inputs, id) : nullptr;
  }

  /// One of a pair; both have the same axes.
  float panel(bool of_b, const std::string& id) { return panel(of_b, id, at(of_b), column_); }
  float panel(bool of_b, const std::string& id, ImVec2 corner, float width) {
    const lab::Exhibit* shown = exhibit_of(of_b, id);
    // Axes are not shared with a covered exhibit, because they would give it away.
    const lab::Exhibit* other = veil_of(!of_b, id) ? nullptr : exhibit_of(!of_b, id);
    const FigureArea area{ui_, corner, width, draw_, other};
    if (!shown) return absent(area, run_of(of_b) == nullptr);
    const bool stale = of_b ? compared_.stale_b : compared_.stale_a;
    if (draw_) ImGui::PushID(of_b ? "B" : "A");
    const float height = exhibit_panel_under(area, *shown, stale, veil_of(of_b, id));
    if (draw_) ImGui::PopID();
    return height;
  }

  void row(const std::string& id) {
    if (!exhibit_of(false, id) && !exhibit_of(true, id) && run_of(false) && run_of(true)) return;
    if (needs_more(ui_, exhibit_of(false, id), column_) ||
        needs_more(ui_, exhibit_of(true, id), column_)) {
      across(id);
      return;
    }
    const float a = panel(false, id), b = panel(true, id);
    y_ += std::max(a, b) + measure::kGap;
  }

  /// One above the other, each behind its letter.
  void across(const std::string& id) {
    constexpr float kAside = kLetter + 8;
    for (const bool of_b : {false, true}) {
      const ImVec2 left{corner_.x, corner_.y + y_};
      if (draw_) draw_letter(ui_, {left.x, left.y + 6}, of_b ? "B" : "A");
      y_ += panel(of_b, id, {left.x + kAside, left.y}, width_ - kAside) + measure::kGap;
    }
  }

  void column(bool of_b) {
    name(of_b);
    for (const std::string& id : look_.ids) y_ += panel(of_b, id) + measure::kGap;
    y_ += measure::kGap;
  }

  /// The relation of the runs may answer a question that is open for either of them.
  [[nodiscard]] const lab::PredictDirective* cover() const {
    if (!look_.covered) return nullptr;
    for (const bool of_b : {false, true}) {
      const lab::Report* run = run_of(of_b);
      if (const auto* question = run ? ui_.book.open_question(run->inputs) : nullptr)
        return question;
    }
    return nullptr;
  }

  void relation() {
    const FigureArea area{ui_, {corner_.x, corner_.y + y_}, width_, draw_};
    const float height = compared_.relation ? exhibit_panel_under(area, *compared_.relation,
                                                                  compared_.stale_relation, cover())
                                            : absent(area, true);
    y_ += height + measure::kGap;
  }

  const Ui& ui_;
  ImVec2 corner_;
  float width_;
  const Compared& compared_;
  const CompareLook& look_;
  bool draw_;
  float column_;
  float y_ = 0;
};

struct SideRow {
  MenuRow row;
  CompareSide side;
};

/// The runs that a side may show: the live one, the kept ones and, if something is edited, the original.
std::vector<SideRow> rows_for(const Ui& ui, bool of_b) {
  const Book& book = ui.book;
  std::vector<SideRow> rows;
  const auto add = [&](MenuRow row, CompareSide side, const std::string& gpu) {
    const device::Properties* known = device::find_gpu(gpu);
    row.note = known ? known->name : gpu;
    row.chosen = book.side(of_b) == side;
    rows.push_back({std::move(row), side});
  };
  const lab::Inputs& live = book.inputs();
  add({"live", ui.tr("gui.compare.live", {{"run", book.run_name(live)}})}, {}, live.gpu);
  for (std::size_t i = 0; i < book.kept_runs().size(); ++i) {
    const lab::Inputs& kept = book.kept_runs()[i].inputs;
    MenuRow row{"kept " + std::to_string(i), book.run_name(kept)};
    row.removal = ui.tr("gui.compare.forget");
    add(std::move(row), {CompareSide::Kind::kept, i}, kept.gpu);
  }
  if (!live.sources.empty())
    add({"the original", ui.tr("gui.compare.original")}, {CompareSide::Kind::original}, live.gpu);
  return rows;
}

/// A button that opens the list of runs for side A or B; gives back its left end.
float draw_choice(const Ui& ui, float right, float middle, bool of_b, bool open) {
  static constexpr Icon kMore = Icon::chevron_down;
  const ButtonLook look{ButtonKind::quiet, measure::kCardButton, &kMore};
  const std::string label = ui.tr(of_b ? "gui.compare.choose-b" : "gui.compare.choose-a");
  const ImVec2 at{right - button_width(ui, label, look), middle - measure::kCardButton / 2};
  const char* list = of_b ? "runs for B" : "runs for A";
  if (button(ui, of_b ? "choose B" : "choose A", at, label, look) || open) ImGui::OpenPopup(list);
  if (!ImGui::IsPopupOpen(list)) return at.x;
  const std::vector<SideRow> rows = rows_for(ui, of_b);
  std::vector<MenuRow> shown;
  for (const SideRow& row : rows) shown.push_back(row.row);
  if (const auto press = choice_menu(ui, list, {at.x, at.y + measure::kCardButton + 4}, shown)) {
    ui.post([of_b, side = rows[press->row].side, removed = press->removed](Book& book) {
      removed ? book.forget_run(side.kept) : book.choose_side(of_b, side);
    });
  }
  return at.x;
}
}  // namespace

float compare_header(const Ui& ui, ImVec2 corner, float width, const SideWanted& wanted) {
  const Ink ink = ui.ink();
  const float middle = corner.y + kCompareHeader / 2, top = middle - measure::kCardButton / 2;
  ink.text_middle(corner.x, middle, {Face::bold, 17, ui.theme.t1}, ui.tr("gui.compare.title"));
  ImGui::PushID("compare");
  static constexpr Icon kEnd = Icon::cross, kSwap = Icon::swap;
  float right = corner.x + width;
  const auto quiet = [&](const char* id, const char* key, const Icon& icon) {
    const ButtonLook look{ButtonKind::quiet, measure::kCardButton, &icon};
    const std::string label = ui.tr(key);
    right -= button_width(ui, label, look);
    const bool pressed = button(ui, id, {right, top}, label, look);
    right -= 4;
    return pressed;
  };
  if (quiet("end", "gui.compare.end", kEnd)) ui.post([](Book& book) { book.end_comparison(); });
  if (quiet("swap", "gui.compare.swap", kSwap)) ui.post([](Book& book) { book.swap_sides(); });
  tip(ui, ui.with_keys(ui.tr("gui.action.compare-swap"), "compare-swap"));
  if (ui.book.comparing()) {
    for (const bool of_b : {true, false})
      right = draw_choice(ui, right, middle, of_b, wanted == of_b) - 4;
  }
  ImGui::PopID();
  return kCompareHeader;
}

void compare_names(const Ui& ui, ImVec2 corner, float width, const Compared& compared) {
  const float column = (width - measure::kGap) / 2;
  for (const bool of_b : {false, true})
    draw_name(ui, {corner.x + (of_b ? column + measure::kGap : 0), corner.y}, column, compared,
              of_b);
}

float compare_run(const Ui& ui, ImVec2 corner, float width, const Compared& compared,
                  const CompareLook& look, bool of_b, bool draw) {
  return Pair(ui, corner, width, compared, look, draw).run_alone(of_b);
}

float compare_relation(const Ui& ui, ImVec2 corner, float width, const Compared& compared,
                       const CompareLook& look, bool draw) {
  return Pair(ui, corner, width, compared, look, draw).relation_alone();
}

float compare_pair(const Ui& ui, ImVec2 corner, float width, const Compared& compared,
                   const CompareLook& look, bool draw) {
  return Pair(ui, corner, width, compared, look, draw).run();
}

}  // namespace warpbook::gui
