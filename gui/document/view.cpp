#include "gui/document/view.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "gui/document/topics.hpp"

namespace warpbook::gui {
namespace {
constexpr float kViewTitle = 56, kTitleLine = 40, kBottom = 96;

void set_title(Flow& flow) {
  const Ui& ui = flow.ui();
  const auto& chapters = ui.book.chapters();
  const auto chapter = std::ranges::find(chapters, ui.book.lesson() ? ui.book.lesson()->slug : "",
                                         &ChapterEntry::slug);
  float indent = 0;
  if (chapter != chapters.end()) {
    const std::string number = std::to_string(chapter - chapters.begin() + 1);
    const Type type{Face::sans, 32, ui.theme.t3};
    if (flow.drawing()) ui.ink().text_middle(flow.left(), flow.y() + kTitleLine / 2, type, number);
    indent = ui.ink().width(type, number) + 14;
  }
  flow.paragraph(plain_runs(ui.book.document().title),
                 {32, kTitleLine, Face::bold, Face::bold, ui.theme.t1, 0}, indent);
}

/// At most 72 Latin or 38 Chinese characters a line.
float widest_measure(const Ui& ui) { return ui.chinese() ? 38 * 17.0f : 72 * 8.1f; }
}  // namespace

std::uint64_t DocumentView::stamp(const Ui& ui, float width) const {
  std::uint64_t value =
      ui.book.document_version() * 0x9E3779B97F4A7C15ull + static_cast<std::uint64_t>(width * 8);
  const auto add = [&](std::uint64_t part) { value = (value ^ part) * 0x100000001B3ull; };
  add(ui.book.edits());
  add(ui.book.news());
  add(ui.book.choices_made());
  add(ui.book.side_runs_done());
  add(static_cast<std::uint64_t>(ui.book.language()));
  add(beside_lab_ ? 1 : 0);
  for (const lab::DocumentNode& node : ui.book.document().nodes) {
    const auto* exercise = std::get_if<lab::ExerciseDirective>(&node);
    const ExerciseAttempt* attempt = exercise ? ui.book.attempt(exercise->id) : nullptr;
    if (!attempt) continue;
    add(static_cast<std::uint64_t>(attempt->tiers_shown()) + (attempt->solution() ? 64u : 0u) +
        (attempt->progress().running ? 128u : 0u) + (attempt->stale() ? 256u : 0u));
  }
  return value;
}

NodeContext DocumentView::context_of(const Ui& ui, std::size_t node) const {
  NodeContext context{ui.book.document(), 0, 0, keyed_, node, beside_lab_};
  for (std::size_t i = 0; i < ui.book.document().nodes.size(); ++i) {
    if (!std::holds_alternative<lab::PredictDirective>(ui.book.document().nodes[i])) continue;
    ++context.predicts;
    if (i <= node) context.predict = context.predicts;
  }
  return context;
}

void DocumentView::measure(const Ui& ui, float width) {
  const auto& nodes = ui.book.document().nodes;
  heights_.assign(nodes.size(), 0);
  text_.clear();
  ++text_version_;
  const auto keep = [&] {
    for (SetParagraph& set : shared_.set)
      text_.add(
          {set.node, set.part, set.paragraph->text(), std::move(set.lead), set.paragraph->units()});
    shared_.set.clear();
  };
  shared_.set.clear();
  Flow title(ui, Flow::Pass::measure, {0, 0}, width, 0, shared_);
  set_title(title);
  title_height_ = std::max(kViewTitle, title.used() + kNodeGap);
  keep();
  for (std::size_t i = 0; i < nodes.size(); ++i) {
    Flow flow(ui, Flow::Pass::measure, {0, 0}, width, i + 1, shared_);
    set_node(flow, nodes[i], context_of(ui, i));
    heights_[i] = flow.used();
    keep();
  }
}

void DocumentView::find_place(const Ui& ui) {
  // The reading line lies a third down: what stands there is being read.
  const float line = scroll_ + ImGui::GetWindowHeight() / 3;
  current_step_ = 0;
  for (std::size_t s = 0; s < steps_.size(); ++s) {
    if (steps_[s].top <= line) current_step_ = s;
  }
  if (scroll_ > 0 && scroll_ >= ImGui::GetScrollMaxY() - 1 && !steps_.empty() &&
      steps_.back().top < scroll_ + ImGui::GetWindowHeight() * 0.7f) {
    current_step_ = steps_.size() - 1;
  }
  exercise_in_view_.clear();
  keyed_.clear();
  const auto& nodes = ui.book.document().nodes;
  for (std::size_t i = 0; i < nodes.size(); ++i) {
    const bool seen =
        tops_[i] + std::min(heights_[i], 160.0f) < scroll_ + ImGui::GetWindowHeight() &&
        tops_[i] + heights_[i] > scroll_ + 40;
    if (const auto* predict = std::get_if<lab::PredictDirective>(&nodes[i])) {
      if (seen && keyed_.empty() && !ui.book.answered(predict->id)) keyed_ = predict->id;
    } else if (const auto* exercise = std::get_if<lab::ExerciseDirective>(&nodes[i])) {
      const float middle = scroll_ + ImGui::GetWindowHeight() / 2;
      if (tops_[i] <= middle && tops_[i] + heights_[i] > scroll_ + 120)
        exercise_in_view_ = exercise->id;
    }
  }
}

void DocumentView::find_comparison(const Ui& ui) {
  const auto& nodes = ui.book.document().nodes;
  const float height = ImGui::GetWindowHeight(), begin = scroll_ + 24;
  // Below the text's end nothing comes that could be read in its place.
  const bool at_end = scroll_ > 0 && scroll_ >= ImGui::GetScrollMaxY() - 1;
  const float line = scroll_ + (at_end ? height : height / 2);
  std::optional<std::size_t> found;
  for (std::size_t i = 0; i < nodes.size(); ++i) {
    if (!std::holds_alternative<lab::CompareDirective>(nodes[i])) continue;
    const bool seen = tops_[i] + heights_[i] > begin && tops_[i] < scroll_ + height * 0.95f;
    // The one that is shown stays as long as it is seen, so that text that moves does not put it away and back.
    if (seen && (tops_[i] < line || compare_in_view_ == i)) found = i;
  }
  compare_in_view_ = found;
}

std::size_t DocumentView::anchor(const Ui& ui) const {
  if (compare_in_view_ && *compare_in_view_ < tops_.size()) return *compare_in_view_;
  const float line = scroll_ + ImGui::GetWindowHeight() / 3;
  std::size_t at = 0;
  for (std::size_t i = 0; i < ui.book.document().nodes.size(); ++i) {
    if (tops_[i] <= line) at = i;
  }
  return at;
}

void DocumentView::find_connected(const Ui& ui, ImVec2 corner, float width) {
  connected_.reset();
  if (!ui.book.lesson()) return;
  const auto& nodes = ui.book.document().nodes;
  const float height = ImGui::GetWindowHeight(), line = scroll_ + height / 3;
  for (std::size_t i = 0; i < nodes.size(); ++i) {
    if (tops_[i] + heights_[i] < scroll_ + 24 || heights_[i] == 0) continue;
    // What stands at the reading line or was the last above it; else the first that comes below.
    if (tops_[i] > (connected_ ? line : scroll_ + height * 0.7f)) break;
    // The lab holds one exercise at a time.
    const auto* exercise = std::get_if<lab::ExerciseDirective>(&nodes[i]);
    if (exercise && exercise->id != exercise_in_view_) continue;
    auto topics = topics_of(nodes[i], *ui.book.lesson());
    if (topics.empty()) continue;
    const float top = corner.y + tops_[i];
    connected_ = ConnectedPiece{
        i, {corner.x, top}, {corner.x + width, top + heights_[i]}, std::move(topics)};
  }
}

void DocumentView::find_named(const Ui& ui) {
  const NamedOf now{document_version_, language_, current_step_,
                    connected_ ? std::optional(connected_->node) : std::nullopt};
  if (std::exchange(named_of_, now) == now) return;
  const auto& nodes = ui.book.document().nodes;
  std::vector<const lab::DocumentNode*> read;
  if (connected_) read.push_back(&nodes[connected_->node]);
  std::size_t begun = 0;  // what stands above the first step is read with it
  for (const lab::DocumentNode& node : nodes) {
    if (std::holds_alternative<lab::StepDirective>(node)) ++begun;
    if (std::max<std::size_t>(begun, 1) == current_step_ + 1) read.push_back(&node);
  }
  named_ = parameters_named(read);
}

void DocumentView::draw_nodes(const Ui& ui, ImVec2 corner, float width) {
  const auto& nodes = ui.book.document().nodes;
  const float begin = scroll_ - 240, end = scroll_ + ImGui::GetWindowHeight() +
                                           240;  // a margin, so that Tab finds what comes
  nodes_drawn_ = 0;
  shared_.set.clear();
  shared_.from = selection_.from();
  shared_.to = selection_.to();
  shared_.found = find_.found();
  shared_.found_now = find_.now();
  if (begin < kTop + title_height_) {
    Flow title(ui, Flow::Pass::draw, {corner.x, corner.y + kTop}, width, 0, shared_);
    set_title(title);
  }
  for (std::size_t i = 0; i < nodes.size(); ++i) {
    if (tops_[i] + heights_[i] < begin || tops_[i] > end) continue;
    ++nodes_drawn_;
    ImGui::PushID(static_cast<int>(i));
    Flow flow(ui, Flow::Pass::draw, {corner.x, corner.y + tops_[i]}, width, i + 1, shared_);
    set_node(flow, nodes[i], context_of(ui, i));
    ImGui::PopID();
  }
}

void DocumentView::go_to_step(std::size_t step) {
  if (step < steps_.size()) wanted_step_ = steps_[step].name;
}
void DocumentView::go_to_step(std::string_view name) { wanted_step_ = name; }

float DocumentView::scroll_of(const Step& step) const {
  return &step == &steps_.front() ? 0 : std::round(step.top - 8);
}

std::optional<float> DocumentView::scroll_to_shown() const {
  const auto found = std::ranges::find(steps_, step_shown_, &Step::name);
  if (step_shown_.empty() || found == steps_.end()) return std::nullopt;
  const float scroll = scroll_of(*found);
  // A comparison that left the view would give its room back, and come into view again.
  const float lowest = scroll + ImGui::GetWindowHeight() * 0.8f;
  if (compare_in_view_ && *compare_in_view_ < tops_.size() && tops_[*compare_in_view_] > lowest)
    return std::nullopt;
  return scroll;
}

void DocumentView::draw(const Ui& ui, bool beside_lab) {
  beside_lab_ = beside_lab;
  const float available = ImGui::GetContentRegionAvail().x - 2 * measure::kDocumentMargin - 6;
  const float width = std::floor(std::min(available, widest_measure(ui)));
  const auto& document = ui.book.document();
  const bool same_text =
      document_version_ == ui.book.document_version() && language_ == ui.book.language();
  // Where it is read and how far that is below the view's top; or that it is the end.
  std::optional<std::pair<std::size_t, float>> held;
  const bool at_end = scroll_ > 0 && scroll_ >= total_ - ImGui::GetWindowHeight() - 1;
  if (std::fabs(ImGui::GetScrollY() - step_scroll_) > 1) step_shown_.clear();  // the reader went on
  if (same_text && width_ > 0 && width != width_ && tops_.size() == document.nodes.size() &&
      !document.nodes.empty()) {
    const std::size_t at = anchor(ui);
    held = {at, tops_[at] - scroll_};
  }
  width_ = width;
  if (!same_text) {
    document_version_ = ui.book.document_version();
    language_ = ui.book.language();
    selection_.clear();
  }
  if (const std::uint64_t now = stamp(ui, width);
      now != stamp_ || heights_.size() != document.nodes.size()) {
    stamp_ = now;
    measure(ui, width);
  }
  tops_.resize(document.nodes.size());
  steps_.clear();
  float y = kTop + title_height_;
  for (std::size_t i = 0; i < document.nodes.size(); ++i) {
    tops_[i] = y;
    if (const auto* step = std::get_if<lab::StepDirective>(&document.nodes[i]))
      steps_.push_back({step->name, y});
    y += heights_[i] + (heights_[i] > 0 ? kNodeGap : 0);
  }
  total_ = y + kBottom;

  if (wanted_scroll_ >= 0 || !wanted_question_.empty() || !wanted_term_.empty())
    step_shown_.clear();
  if (!wanted_step_.empty()) {
    const auto found = std::ranges::find(steps_, wanted_step_, &Step::name);
    if (found != steps_.end()) wanted_scroll_ = scroll_of(*found);
    step_shown_ = std::exchange(wanted_step_, {});
  }
  if (!wanted_question_.empty()) {
    for (std::size_t i = 0; i < document.nodes.size(); ++i) {
      const auto* predict = std::get_if<lab::PredictDirective>(&document.nodes[i]);
      if (predict && predict->id == wanted_question_) wanted_scroll_ = tops_[i] - 80;
    }
    wanted_question_.clear();
  }
  if (!wanted_term_.empty()) {
    for (std::size_t i = 0; i < document.nodes.size(); ++i) {
      const auto* term = std::get_if<lab::TermDirective>(&document.nodes[i]);
      if (term && term->id == wanted_term_) wanted_scroll_ = tops_[i] - 80;
    }
    wanted_term_.clear();
  }
  find_.update(text_, text_version_);
  if (const auto place = find_.take_wanted()) {
    step_shown_.clear();
    reveal(ui, *place, width);
  }
  if (held && wanted_scroll_ < 0 && scroll_ > 0) {
    const auto heading = scroll_to_shown();
    wanted_scroll_ = heading  ? *heading
                     : at_end ? total_
                              : std::max(0.0f, std::round(tops_[held->first] - held->second));
  }
  const bool moved = wanted_scroll_ >= 0;
  if (moved) {
    const float most = std::max(0.0f, total_ - ImGui::GetWindowHeight());
    wanted_scroll_ = std::min(wanted_scroll_, most);
    ImGui::SetScrollY(wanted_scroll_);
    step_scroll_ = wanted_scroll_;
  }
  // ImGui scrolls in the next frame. Text that is set anew must not jump until then.
  scroll_ = held && moved ? wanted_scroll_ : ImGui::GetScrollY();
  wanted_scroll_ = -1;
  const ImVec2 begin = ImGui::GetCursorScreenPos();
  const ImVec2 corner{begin.x + measure::kDocumentMargin + std::floor((available - width) / 2),
                      begin.y + ImGui::GetScrollY() - scroll_};

  find_place(ui);
  find_comparison(ui);
  find_connected(ui, corner, width);
  find_named(ui);
  draw_nodes(ui, corner, width);
  handle_selection(ui, width);
  ImGui::SetCursorScreenPos({begin.x, begin.y + total_ - 1});
  ImGui::Dummy({1, 1});
}

}  // namespace warpbook::gui
