#include "gui/shell/compare_view.hpp"

#include <algorithm>

#include "gui/exhibits/exhibit.hpp"
#include "gui/shell/widgets.hpp"
#include "lab/phrases.hpp"

namespace warpbook::gui {
namespace {
constexpr float kHeader = 40, kCompareViewName = 44, kLetter = 24;

void draw_letter(const Ui& ui, ImVec2 corner, const char* letter) {
  const Ink ink = ui.ink();
  ink.fill(corner, {corner.x + kLetter, corner.y + kLetter}, ui.theme.s4, measure::kControlRadius);
  ink.text_middle(corner.x + kLetter / 2, corner.y + kLetter / 2, ui.label_bold(), letter,
                  Align::centre);
}

/// A letter on its tile, and what the run is called; its whole name is shown where the mouse is.
void draw_name(const Ui& ui, ImVec2 corner, float width, const char* letter,
               const std::string& name, bool stale) {
  const ImVec2 max{corner.x + width, corner.y + kCompareViewName};
  ground(ui, corner, max, ui.theme.s2);
  const Ink ink = ui.ink();
  const float middle = corner.y + kCompareViewName / 2, left = corner.x + 10;
  draw_letter(ui, {left, middle - kLetter / 2}, letter);
  const std::string note = stale ? ui.tr("gui.stale") : std::string();
  const float noted = stale ? ink.width(ui.note(), note) + 12 : 0;
  const float room = width - kLetter - 32 - noted;
  const std::string shown = ink.fitted(ui.label(), name, room);
  ink.text_middle(left + kLetter + 12, middle, ui.label(), shown);
  if (stale) ink.text_middle(max.x - 12, middle, ui.note(), note, Align::right);
  if (shown != name && ImGui::IsWindowHovered() && ImGui::IsMouseHoveringRect(corner, max))
    ImGui::SetTooltip("%s", name.c_str());
}

/// In place of an exhibit that a run does not have, or not yet.
float absent(const Frame& frame, bool awaited) {
  const Ui& ui = frame.ui;
  const std::string says = ui.tr(awaited ? "gui.exhibit.waiting" : "gui.exhibit.missing");
  const float inner = frame.width - 2 * measure::kPadding;
  const ImVec2 at{frame.corner.x + measure::kPadding, frame.corner.y + 14};
  const float height = words({ui, at, inner, false}, says, ui.caption_style()) + 28;
  if (frame.draw) {
    ground(ui, frame.corner, {frame.corner.x + frame.width, frame.corner.y + height}, ui.theme.s2);
    words({ui, at, inner, true}, says, ui.caption_style());
  }
  return height;
}

/// Whether lines of code would be broken in a column of that width.
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
    if (look_.beside) {
      names(0);
      y_ += kCompareViewName + measure::kGap;
    } else if (look_.relation_first) {
      for (const int side : {1, 2}) {
        names(side);
        y_ += kCompareViewName + measure::kGap;
      }
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

  /// Of both (0), of A alone (1) or of B alone (2).
  void names(int only) const {
    if (!draw_) return;
    for (const bool of_b : {false, true}) {
      if (only != 0 && of_b != (only == 2)) continue;
      draw_name(ui_, at(of_b), column_, of_b ? "B" : "A",
                of_b ? compared_.name_b : compared_.name_a,
                of_b ? compared_.stale_b : compared_.stale_a);
    }
  }

  /// One of a pair; both have the same axes.
  float panel(bool of_b, const std::string& id) { return panel(of_b, id, at(of_b), column_); }
  float panel(bool of_b, const std::string& id, ImVec2 corner, float width) {
    const lab::Exhibit *shown = exhibit_of(of_b, id), *other = exhibit_of(!of_b, id);
    const Frame frame{ui_, corner, width, draw_, other};
    if (!shown) return absent(frame, run_of(of_b) == nullptr);
    const bool stale = of_b ? compared_.stale_b : compared_.stale_a;
    if (draw_) ImGui::PushID(of_b ? "B" : "A");
    const float height = exhibit_panel_under(
        frame, *shown, stale, look_.covered ? ui_.book.veil(run_of(of_b)->inputs, id) : nullptr);
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
    names(of_b ? 2 : 1);
    y_ += kCompareViewName + measure::kGap;
    for (const std::string& id : look_.ids) y_ += panel(of_b, id) + measure::kGap;
    y_ += measure::kGap;
  }

  /// An open question on either side may be answered by what the runs have in common.
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
    const Frame frame{ui_, {corner_.x, corner_.y + y_}, width_, draw_};
    const float height = compared_.relation ? exhibit_panel_under(frame, *compared_.relation,
                                                                  compared_.stale_relation, cover())
                                            : absent(frame, true);
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

/// What A is, where there is a choice: the kept runs and the original.
void draw_choice(const Ui& ui, float right, float middle) {
  const Book& book = ui.book;
  static constexpr Icon kMore = Icon::chevron_down;
  const std::string label = ui.tr("gui.compare.choose");
  const ButtonLook look{ButtonKind::quiet, measure::kCardButton, &kMore};
  const float wide = button_width(ui, label, look);
  if (button(ui, "choose A", {right - wide, middle - measure::kCardButton / 2}, label, look))
    ImGui::OpenPopup("kept runs");
  constexpr float kRow = 32, kPadding = 6, kWide = 360;
  const std::size_t rows = book.kept_runs().size() + (book.inputs().sources.empty() ? 0 : 1);
  ImGui::SetNextWindowPos({right - kWide, middle + measure::kCardButton / 2 + 4});
  ImGui::SetNextWindowSize({kWide, kRow * static_cast<float>(rows) + 2 * kPadding});
  if (!ImGui::BeginPopup("kept runs", ImGuiWindowFlags_NoMove)) return;
  const ImVec2 at = ImGui::GetWindowPos();
  float y = at.y + kPadding;
  const auto row = [&](const char* id, const std::string& name, bool chosen,
                       const std::function<void(Book&)>& act) {
    const ImVec2 min{at.x + kPadding, y}, max{at.x + kWide - kPadding, y + kRow};
    const bool pressed = item(id, min, max);
    const Ink ink = ui.ink();
    if (ImGui::IsItemHovered() || ImGui::IsItemFocused())
      ink.fill(min, max, ui.theme.s4, measure::kControlRadius);
    if (chosen) ink.icon(Icon::check, {min.x + 14, y + kRow / 2}, ui.theme.accent, 14);
    ink.text_middle(min.x + 30, y + kRow / 2, ui.label(),
                    ink.fitted(ui.label(), name, kWide - 2 * kPadding - 40));
    if (pressed) {
      ui.post(act);
      ImGui::CloseCurrentPopup();
    }
    y += kRow;
  };
  for (std::size_t i = 0; i < book.kept_runs().size(); ++i) {
    const std::string id = "kept " + std::to_string(i);
    row(id.c_str(), book.run_name(book.kept_runs()[i].inputs),
        book.against() == Book::Against::kept && book.against_kept() == i,
        [i](Book& changed) { changed.compare_with_kept(i); });
  }
  if (!book.inputs().sources.empty()) {
    row("the original", ui.tr("gui.compare.original"), book.against() == Book::Against::original,
        [](Book& changed) { changed.compare_with_original(); });
  }
  ImGui::EndPopup();
}
}  // namespace

float compare_header(const Ui& ui, ImVec2 corner, float width) {
  const Ink ink = ui.ink();
  const float middle = corner.y + kHeader / 2;
  ink.text_middle(corner.x, middle, {Face::bold, 17, ui.theme.t1}, ui.tr("gui.compare.title"));
  ImGui::PushID("compare");
  float right = corner.x + width;
  static constexpr Icon kEnd = Icon::cross;
  const ButtonLook look{ButtonKind::quiet, measure::kCardButton, &kEnd};
  const std::string end = ui.tr("gui.compare.end");
  right -= button_width(ui, end, look);
  if (button(ui, "end", {right, middle - measure::kCardButton / 2}, end, look))
    ui.post([](Book& book) { book.end_comparison(); });
  if (ui.book.against() != Book::Against::nothing) {
    right -= 4;
    if (ui.book.against() == Book::Against::kept) {
      const ButtonLook forget{ButtonKind::quiet, measure::kCardButton};
      const std::string label = ui.tr("gui.compare.forget");
      right -= button_width(ui, label, forget);
      if (button(ui, "forget", {right, middle - measure::kCardButton / 2}, label, forget)) {
        ui.post([](Book& book) { book.forget_run(book.against_kept()); });
      }
      right -= 4;
    }
    const std::size_t choices =
        ui.book.kept_runs().size() + (ui.book.inputs().sources.empty() ? 0 : 1);
    if (choices > 1) draw_choice(ui, right, middle);
  }
  ImGui::PopID();
  return kHeader;
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
