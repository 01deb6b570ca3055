#include "gui/present/notes_view.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "gui/controls/region.hpp"
#include "gui/controls/spans.hpp"
#include "gui/present/present_view.hpp"
#include "lab/document/markdown.hpp"

namespace warpbook::gui {
namespace {
constexpr float kInset = 20, kBetween = 14;

ParagraphStyle text_style(const Ui& ui, Colour colour) {
  return {16, ui.leading(23), Face::sans, Face::bold, colour, ui.theme.t1};
}

void set_heading(Flow& flow, const std::string& text) {
  flow.gap(kBetween);
  flow.paragraph(plain_runs(text), {13, 20, Face::bold, Face::bold, flow.ui().theme.t3, 0});
  flow.gap(2);
}

/// What a screen is called in one line: its step, and the question that it asks.
std::string name_of(const Ui& ui, const Screen& screen) {
  std::string name = screen.step.empty() ? std::string() : ui.tr("gui.step." + screen.step);
  for (const lab::DocumentNode& node : ui.book.document().nodes) {
    const auto* question = std::get_if<lab::PredictDirective>(&node);
    if (question && question->id == screen.question)
      name += ui.tr("gui.notes.question", {{"question", lab::plain_text(question->question)}});
  }
  return name;
}

/// "first vote 34 % right, second 71 %": of the votes that `of` knows.
std::string right_shares(const Ui& ui, const std::array<std::optional<EarlierVote>, 2>& of) {
  std::string says;
  for (const std::size_t vote : {0, 1}) {
    if (!of[vote] || of[vote]->hands == 0) continue;
    const auto percent = std::lround(100.0 * of[vote]->right / of[vote]->hands);
    if (!says.empty()) says += ui.tr("list.separator");
    says += ui.tr(vote == 0 ? "gui.notes.earlier-first" : "gui.notes.earlier-second",
                  {{"percent", std::to_string(percent)}});
  }
  return says;
}
}  // namespace

void NotesView::set_clock(Flow& flow, const Presentation& lecture) const {
  const Ui& ui = flow.ui();
  constexpr float kHigh = 44;
  if (flow.drawing()) {
    const Ink ink = ui.ink();
    const float middle = flow.y() + kHigh / 2;
    const Type clock{Face::mono_bold, 34, ui.theme.t1};
    const std::string says = clock_text(std::floor(lecture.seconds(ui.book.now())));
    ink.text_middle(flow.left(), middle, clock, says);
    float right = flow.right();
    if (const auto left = lecture.countdown(ui.book.now())) {
      const Type small{Face::mono_bold, 26, *left > 0 ? ui.theme.accent_text : ui.theme.bad};
      ink.text_middle(right, middle, small, clock_text(*left), Align::right);
      right -= ink.width(small, clock_text(*left)) + 16;
    }
    const std::string covered = lecture.blank()    ? ui.tr("gui.notes.blank")
                                : lecture.frozen() ? ui.tr("gui.present.frozen")
                                                   : std::string();
    ink.text_middle(right, middle, {Face::bold, 16, ui.theme.warn}, covered, Align::right);
  }
  flow.gap(kHigh);
}

void NotesView::set_now(Flow& flow, const Presentation& lecture) {
  const Ui& ui = flow.ui();
  const std::size_t at = lecture.at(), count = lecture.screens().size();
  set_heading(flow, ui.tr("gui.notes.now",
                          {{"number", std::to_string(at + 1)}, {"count", std::to_string(count)}}));
  flow.paragraph(plain_runs(name_of(ui, lecture.screen())), text_style(ui, ui.theme.t1));
  const lab::DemoScreen* prepared = lecture.prepared();
  if (prepared && !prepared->note.empty()) {
    flow.gap(6);
    flow.paragraph(plain_runs(prepared->note), text_style(ui, ui.theme.accent_text));
  }
  if (at + 1 == count) return;
  set_heading(flow, ui.tr("gui.notes.next"));
  flow.paragraph(plain_runs(name_of(ui, lecture.screens()[at + 1])), text_style(ui, ui.theme.t3));
}

void NotesView::set_expected(Flow& flow, const Presentation& lecture) const {
  const Ui& ui = flow.ui();
  if (!lecture.notes()) return;
  const auto found = lecture.notes()->expected.find(lecture.screen().question);
  if (found == lecture.notes()->expected.end()) return;
  set_heading(flow, ui.tr("gui.notes.expected"));
  flow.paragraph(uncovered_runs_of(ui, found->second), text_style(ui, ui.theme.t1));
}

void NotesView::set_votes(Flow& flow, const Presentation& lecture,
                          const std::filesystem::path& votes) {
  const Ui& ui = flow.ui();
  const lab::PredictDirective* asked = lecture.question(ui.book);
  if (!asked) return;
  if (std::exchange(read_for_, lecture.shown()) != lecture.shown())
    earlier_ = earlier_votes(votes, ui.book.lesson()->slug, asked->id, lecture.lecture());
  const Poll* poll = lecture.poll();
  const std::string before = right_shares(ui, earlier_);
  if (!poll && before.empty()) return;
  set_heading(flow, ui.tr("gui.notes.votes"));
  for (const Vote vote : {Vote::first, Vote::second}) {
    if (!poll || poll->total(vote) == 0) continue;
    std::string says = ui.tr(vote == Vote::first ? "gui.vote.first" : "gui.vote.second");
    for (std::size_t i = 0; i < poll->choices(); ++i)
      says += "   " + choice_letter(i) + " " + std::to_string(poll->hands(vote, i));
    flow.paragraph(plain_runs(says), text_style(ui, ui.theme.t1));
  }
  if (!before.empty())
    flow.paragraph(plain_runs(ui.tr("gui.notes.earlier", {{"shares", before}})),
                   text_style(ui, ui.theme.t3));
}

void NotesView::set_plan(Flow& flow, const Presentation& lecture) const {
  const Ui& ui = flow.ui();
  if (!lecture.notes() || lecture.notes()->plans.empty()) return;
  const auto& plans = lecture.notes()->plans;
  const lab::TeachingPlan& plan = plans[plan_ % plans.size()];
  const double minute = lecture.seconds(ui.book.now()) / 60;
  const std::size_t now = lab::item_at(plan, minute);
  set_heading(flow, ui.tr("gui.notes.plan", {{"minutes", std::to_string(plan.minutes)},
                                             {"keys", std::string(ui.keys_of("plan"))}}));
  int end = 0;
  for (std::size_t i = 0; i < plan.items.size(); ++i) {
    constexpr float kMinutes = 40;
    end += plan.items[i].minutes;
    const bool current = i == now && minute < plan.minutes;
    const Colour colour = current ? ui.theme.t1 : i < now ? ui.theme.t4 : ui.theme.t2;
    if (flow.drawing()) {
      ui.ink().text_middle(flow.left() + kMinutes - 12, flow.y() + 12,
                           {Face::mono, 14, current ? ui.theme.accent_text : ui.theme.t3},
                           std::to_string(end), Align::right);
    }
    flow.paragraph(plain_runs(plan.items[i].text), text_style(ui, colour), kMinutes);
    flow.gap(3);
  }
  if (!plan.closing.empty())
    flow.paragraph(plain_runs(plan.closing), text_style(ui, ui.theme.t3), 0);
}

void NotesView::set_section(Flow& flow, const lab::TeachingNotes& notes) const {
  constexpr std::string_view kShow = "What to show";
  bool shown = false;
  for (const lab::DocumentNode& node : notes.document.nodes) {
    if (const auto* heading = std::get_if<lab::Heading>(&node)) {
      shown = lab::plain_text(heading->spans) == kShow;
      if (shown) set_heading(flow, flow.ui().tr("gui.notes.show"));
    } else if (const auto* paragraph = std::get_if<lab::Paragraph>(&node); paragraph && shown) {
      const Ui& ui = flow.ui();
      flow.paragraph(uncovered_runs_of(ui, paragraph->spans), text_style(ui, ui.theme.t2));
      flow.gap(6);
    }
  }
}

void NotesView::draw(const Ui& ui, const Presentation& lecture, const std::filesystem::path& votes,
                     ImVec2 corner, ImVec2 size) {
  region("notes", corner, size, ui.theme.s1, 0, [&] {
    const ImVec2 begin = ImGui::GetCursorScreenPos();
    const float width = ImGui::GetContentRegionAvail().x - 2 * kInset;
    shared_.set.clear();
    Flow flow(ui, Flow::Pass::draw, {begin.x + kInset, begin.y + 8}, width, 0, shared_);
    set_clock(flow, lecture);
    set_now(flow, lecture);
    set_expected(flow, lecture);
    set_votes(flow, lecture, votes);
    set_plan(flow, lecture);
    if (lecture.notes()) set_section(flow, *lecture.notes());
    ImGui::SetCursorScreenPos({begin.x, flow.y() + kInset});
    ImGui::Dummy({1, 1});
  });
}

}  // namespace warpbook::gui
