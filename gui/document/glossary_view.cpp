#include "gui/document/glossary_view.hpp"

#include <algorithm>

#include "gui/controls/spans.hpp"
#include "gui/document/term_card.hpp"

namespace warpbook::gui {
namespace {
constexpr float kHead = 112, kWidest = 640;
}

void GlossaryView::open(std::string typed) {
  if (!open_) before_.remember();
  open_ = true;
  box_.text = std::move(typed);
  chosen_.clear();
  to_top_ = true;
  box_.focus();
}

void GlossaryView::open_at(std::string id) {
  if (!open_) before_.remember();
  open_ = true;
  box_.text.clear();
  wanted_ = chosen_ = std::move(id);
}

void GlossaryView::close() {
  if (!open_) return;
  open_ = false;
  wanted_.clear();
  before_.give_back();
}

void GlossaryView::set_entry(Flow& flow, const lab::GlossaryEntry& entry) const {
  const Ui& ui = flow.ui();
  const bool chosen = entry.term.id == chosen_;
  flow.card({ui.theme.s2, chosen ? ui.theme.accent : Colour{0}, measure::kPadding, 12, 12},
            [&](Flow& inside) {
              const ParagraphStyle note{14, 22, Face::sans, Face::bold, ui.theme.t3, 0};
              inside.paragraph(runs_alone(entry.term.name),
                               {17, 28, Face::bold, Face::bold, ui.theme.t1, 0});
              inside.paragraph(runs_alone(entry.term.meaning),
                               {15, ui.leading(23), Face::sans, Face::bold, ui.theme.t2, 0});
              inside.gap(4);
              if (!entry.term.opencl.empty()) {
                inside.paragraph(
                    plain_runs(ui.tr("gui.term.opencl", {{"name", entry.term.opencl}})), note);
              }
              Runs where = plain_runs(ui.tr("gui.glossary.first", {{"chapter", ""}}));
              Run chapter;
              chapter.kind = Run::Kind::link;
              chapter.text = chapter_of(ui, entry);
              chapter.target = entry.chapter + "#" + entry.term.id;
              where.push_back(std::move(chapter));
              inside.paragraph(where, note);
              if (entry.used_in.empty()) return;
              Runs also = plain_runs(ui.tr("document.used-in", {{"chapters", ""}}));
              for (const auto& [slug, title] : entry.used_in) {
                if (&slug != &entry.used_in.front().first) {
                  Runs comma = plain_runs(ui.tr("document.comma"));
                  also.insert(also.end(), comma.begin(), comma.end());
                }
                Run other;
                other.kind = Run::Kind::link;
                other.text = title;
                other.target = slug + "#" + entry.term.id;
                also.push_back(std::move(other));
              }
              inside.paragraph(also, note);
            });
}

void GlossaryView::take_links() {
  const std::string target = std::exchange(shared_.follow, {});
  const std::size_t mark = target.find('#');
  if (mark == std::string::npos) return;
  if (mark == 0) {
    open_at(target.substr(1));
  } else {
    followed_ = {target.substr(0, mark), target.substr(mark + 1)};
  }
}

std::vector<std::string> GlossaryView::shown() const {
  std::vector<std::string> ids;
  for (const Row& row : rows_) ids.push_back(row.entry->term.id);
  return ids;
}

void GlossaryView::lay_out(const Ui& ui, float width) {
  LaidOut now{box_.text, width, ui.book.news()};
  if (laid_out_ == now) return;
  laid_out_ = std::move(now);
  ++layouts_;
  rows_.clear();
  float y = 0;
  for (const lab::GlossaryEntry* entry : ui.book.glossary().matching(box_.text)) {
    FlowShared unused;
    Flow trial(ui, Flow::Pass::measure, {0, 0}, width, rows_.size() + 1, unused);
    set_entry(trial, *entry);
    rows_.push_back({entry, y, trial.used()});
    y += trial.used() + measure::kGap;
  }
}

void GlossaryView::draw_entries(const Ui& ui, float width) {
  const ImVec2 begin = ImGui::GetCursorScreenPos();
  const float height = ImGui::GetWindowHeight();
  if (std::exchange(to_top_, false)) ImGui::SetScrollY(0);
  const float scroll = ImGui::GetScrollY();
  lay_out(ui, width);
  shared_.set.clear();
  for (std::size_t i = 0; i < rows_.size(); ++i) {
    const auto& [entry, top, high] = rows_[i];
    if (entry->term.id == wanted_) {
      ImGui::SetScrollY(std::max(0.0f, top - height / 4));
      wanted_.clear();
    }
    if (top + high < scroll - height || top > scroll + 2 * height) continue;
    ImGui::PushID(entry->term.id.c_str());
    Flow flow(ui, Flow::Pass::draw, {begin.x, begin.y + top}, width, i + 1, shared_);
    set_entry(flow, *entry);
    ImGui::PopID();
  }
  wanted_.clear();  // also if no chapter explains the term
  float y = rows_.empty() ? 0 : rows_.back().top + rows_.back().height + measure::kGap;
  if (rows_.empty()) {
    const Runs says = plain_runs(ui.tr("gui.glossary.none", {{"words", box_.text}}));
    Flow flow(ui, Flow::Pass::draw, begin, width, 1, shared_);
    flow.paragraph(says, ui.caption_style());
    y = flow.used();
  }
  ImGui::SetCursorScreenPos({begin.x, begin.y + y + measure::kLabMargin});
  ImGui::Dummy({1, 1});
  take_links();
}

void GlossaryView::draw(const Ui& ui) {
  const Ink ink = ui.ink();
  const ImVec2 at = ImGui::GetWindowPos(), size = ImGui::GetWindowSize();
  const float left = at.x + measure::kLabMargin,
              width = std::min(size.x - 2 * measure::kLabMargin, kWidest);
  const float middle = at.y + 28;
  const std::string title = ui.tr("gui.glossary.title");
  ink.text_middle(left, middle, ui.section(), title);
  ink.text_middle(left + ink.width(ui.section(), title) + 12, middle, ui.note(),
                  ui.tr("gui.glossary.count",
                        {{"count", std::to_string(ui.book.glossary().entries().size())}}));
  if (icon_button(ui, "glossary close", {left + width - 32, middle - 16}, Icon::cross,
                  ui.tr("gui.glossary.close") + " (Esc)", 32)) {
    close();
    return;
  }
  const Typed typed =
      box_.draw(ui, "##glossary", {left, at.y + 60}, width, ui.tr("gui.glossary.hint"));
  if (typed == Typed::escape) {
    close();
    return;
  }
  if (typed == Typed::changed) {
    to_top_ = true;
    chosen_.clear();
  }
  ImGui::SetCursorScreenPos({left, at.y + kHead});
  if (ImGui::BeginChild("entries", {width + measure::kLabMargin, size.y - kHead},
                        ImGuiChildFlags_NavFlattened,
                        ImGuiWindowFlags_NoMove | ImGuiWindowFlags_NoSavedSettings))
    draw_entries(ui, width);
  ImGui::EndChild();
}

}  // namespace warpbook::gui
