#include "gui/document/view.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "gui/controls/tab_stops.hpp"
#include "gui/document/topics.hpp"
#include "lab/document/terms.hpp"

namespace warpbook::gui {
namespace {
constexpr float kTitle = 56, kTitleLine = 40, kBottom = 96;
constexpr float kAbove = 80;      // room above what the reader went to
constexpr float kLeastSeen = 40;  // of what counts as in view

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

float widest_measure(const Ui& ui) { return ui.book.strings().language().measure; }

constexpr std::size_t kMostWords = 80;  // bytes; the find bar does not take a longer selection

const SetParagraph* paragraph_at(const std::vector<SetParagraph>& set, ImVec2 point) {
  for (const SetParagraph& one : set) {
    if (point.x >= one.corner.x && point.x < one.corner.x + one.width && point.y >= one.corner.y &&
        point.y < one.corner.y + one.paragraph->height())
      return &one;
  }
  return nullptr;
}
}  // namespace

// ---- One frame ----------------------------------------------------------------------------------

void DocumentView::draw(const Ui& ui, bool beside_lab) {
  beside_lab_ = beside_lab;
  view_height_ = ImGui::GetWindowHeight();
  const float available = ImGui::GetContentRegionAvail().x - 2 * measure::kDocumentMargin - 6;
  const float width = std::floor(std::min(available, widest_measure(ui)));
  if (std::fabs(ImGui::GetScrollY() - step_scroll_) > 1) {  // the reader went on
    step_shown_.clear();
    if (restored_) restoring_.reset();
  }
  const std::uint64_t now = stamp(ui, width);
  laid_out_again_ = std::exchange(stamp_, now) != now;
  const std::optional<Held> held = hold_place(ui, width, laid_out_again_);
  follow_reader(ui);
  take_text(ui);
  moved_ = std::fabs(ImGui::GetScrollY() - left_at_) > 1 || settling();
  if (laid_out_again_) measure(ui, width);
  place_nodes(ui.book.document());
  find_wanted(ui, width);
  if (held) keep_place(*held);
  const bool moved = scroll_to_wanted();
  left_at_ = moved ? step_scroll_ : ImGui::GetScrollY();
  // ImGui scrolls in the next frame. Text that was laid out again must not jump until then.
  scroll_ = held && moved ? step_scroll_ : ImGui::GetScrollY();

  const ImVec2 begin = ImGui::GetCursorScreenPos();
  const ImVec2 corner{begin.x + measure::kDocumentMargin + std::floor((available - width) / 2),
                      begin.y + ImGui::GetScrollY() - scroll_};
  follow_answer();
  find_place(ui);
  find_comparison(ui);
  find_connected(ui, corner, width);
  draw_nodes(ui, corner, width);
  handle_selection(ui, width);
  ImGui::SetCursorScreenPos({begin.x, begin.y + total_ - 1});
  ImGui::Dummy({1, 1});
}

std::optional<DocumentView::Held> DocumentView::hold_place(const Ui& ui, float width,
                                                           bool laid_out_again) {
  const bool narrower_or_wider = width_ > 0 && width != width_;
  width_ = width;
  if ((!narrower_or_wider && !laid_out_again) || !shows_text_of(ui.book) || tops_.empty())
    return std::nullopt;
  if (!narrower_or_wider) return held_place();
  const std::size_t at = anchor(ui);
  return Held{{at, tops_[at] - scroll_},
              scroll_ > 0 && scroll_ >= total_ - ImGui::GetWindowHeight() - 1};
}

DocumentView::Place DocumentView::place() const {
  std::size_t first = 0;
  while (first + 1 < tops_.size() && tops_[first] + heights_[first] <= scroll_) ++first;
  return {first, tops_.empty() ? 0 : tops_[first] - scroll_};
}

std::size_t DocumentView::first_in_view() const {
  std::size_t first = 0;
  while (first + 1 < tops_.size() && tops_[first] + heights_[first] <= scroll_ + kLeastSeen)
    ++first;
  return first;
}

DocumentView::Held DocumentView::held_place() const {
  const Place first = place();
  const float pivot = pivots_[first.node], at = first.below_top + pivot;
  const bool seen = pivot > 0 && at > 0 && at < view_height_;
  if (first.below_top >= 0 || !seen) return {first};
  return {{first.node, at}, false, true};
}

float DocumentView::scroll_of(const Place& place) const {
  return std::max(0.0f,
                  std::round(tops_[std::min(place.node, tops_.size() - 1)] - place.below_top));
}

bool DocumentView::shows_text_of(const Book& book) const {
  return document_version_ == book.document_version() && language_ == book.language();
}

void DocumentView::take_text(const Ui& ui) {
  if (shows_text_of(ui.book)) return;
  document_version_ = ui.book.document_version();
  language_ = ui.book.language();
  selection_.clear();
  const std::string chapter = ui.book.lesson() ? ui.book.lesson()->slug : std::string();
  if (std::exchange(chapter_, chapter) == chapter) return;
  at_text_ = true;
  if (restored_) restoring_.reset();  // that place is of the chapter before
  // A chapter opens at its start, unless the reader comes back to where they were, or for something in it.
  if (!restoring_ && wanted_step_.empty() && wanted_question_.empty() && wanted_term_.empty())
    wanted_scroll_ = 0;
}

void DocumentView::place_nodes(const lab::Document& document) {
  tops_.resize(document.nodes.size());
  steps_.clear();
  float y = kTop + title_height_;
  for (std::size_t i = 0; i < document.nodes.size(); ++i) {
    tops_[i] = y;
    if (const auto* step = std::get_if<lab::StepDirective>(&document.nodes[i]))
      steps_.push_back({step->name, y, i});
    y += heights_[i] + (heights_[i] > 0 ? kNodeGap : 0);
  }
  total_ = y + kBottom;
}

void DocumentView::scroll_to_question(const lab::Document& document) {
  const std::string id = std::exchange(wanted_question_, {});
  if (id.empty()) return;
  for (std::size_t i = 0; i < document.nodes.size(); ++i) {
    const auto* question = std::get_if<lab::PredictDirective>(&document.nodes[i]);
    if (question && question->id == id) wanted_scroll_ = tops_[i] - kAbove;
  }
  at_text_ = true;
}

void DocumentView::scroll_to_term(const lab::Document& document) {
  if (wanted_term_.empty()) return;
  const auto node = lab::node_of_term(document, std::exchange(wanted_term_, {}));
  if (node) wanted_scroll_ = tops_[*node] - kAbove;
}

/// Runs that bring their results later change heights above the place, so it is found again until the reader moves on.
void DocumentView::scroll_to_restored() {
  if (!restoring_ || tops_.empty() || (restored_ && !laid_out_again_)) return;
  wanted_scroll_ = scroll_of(*restoring_);
  restored_ = true;
}

void DocumentView::find_wanted(const Ui& ui, float width) {
  if (wanted_scroll_ >= 0 || !wanted_question_.empty() || !wanted_term_.empty())
    step_shown_.clear();
  if (wanted_scroll_ >= 0 || !wanted_step_.empty() || !wanted_question_.empty() ||
      !wanted_term_.empty())
    restoring_.reset();
  scroll_to_restored();
  if (!wanted_step_.empty()) {
    const auto found = std::ranges::find(steps_, wanted_step_, &Step::name);
    if (found != steps_.end()) wanted_scroll_ = scroll_of(*found);
    step_shown_ = std::exchange(wanted_step_, {});
    at_text_ = true;
  }
  scroll_to_question(ui.book.document());
  scroll_to_term(ui.book.document());
  if (!settling()) show_explanation(ui);
  find_.update(text_, text_version_);
  if (const auto place = find_.take_wanted()) {
    step_shown_.clear();
    restoring_.reset();
    reveal(ui, *place, width);
  }
}

void DocumentView::keep_place(const Held& held) {
  if (wanted_scroll_ >= 0 || scroll_ <= 0) return;
  const auto heading = scroll_to_shown();
  const float pivot = held.at_pivot ? pivots_[held.place.node] : 0;
  const float kept = heading       ? *heading
                     : held.at_end ? total_
                                   : scroll_of({held.place.node, held.place.below_top - pivot});
  if (std::fabs(kept - scroll_) >= 1) wanted_scroll_ = kept;
}

bool DocumentView::scroll_to_wanted() {
  if (wanted_scroll_ < 0) return false;
  const float most = std::max(0.0f, total_ - ImGui::GetWindowHeight());
  step_scroll_ = std::min(std::exchange(wanted_scroll_, -1.0f), most);
  ImGui::SetScrollY(step_scroll_);
  return true;
}

// ---- Laying out ---------------------------------------------------------------------------------

std::uint64_t DocumentView::stamp(const Ui& ui, float width) const {
  std::uint64_t value =
      ui.book.document_version() * 0x9E3779B97F4A7C15ull + static_cast<std::uint64_t>(width * 8);
  const auto add = [&](std::uint64_t part) { value = (value ^ part) * 0x100000001B3ull; };
  add(ui.book.edits());
  add(ui.book.news());
  add(ui.book.choices_made());
  add(ui.book.side_runs_done());
  add(std::uint64_t{std::hash<std::string>{}(ui.book.language())});
  add(beside_lab_ ? 1 : 0);
  add(ui.in_words ? 1 : 0);
  add(part_ ? part_->first * 4096 + part_->last + 1 : 0);
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
  NodeContext context{ui.book.document(), 0, 0, keyed_, node, beside_lab_, part_.has_value()};
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
  pivots_.assign(nodes.size(), 0);
  text_.clear();
  ++text_version_;
  const auto keep = [&] {
    for (SetParagraph& set : shared_.set)
      text_.add(
          {set.node, set.part, set.paragraph->text(), std::move(set.lead), set.paragraph->units()});
    shared_.set.clear();
  };
  shared_.set.clear();
  title_height_ = 0;
  if (shown(0)) {
    Flow title(ui, Flow::Pass::measure, {0, 0}, width, 0, shared_);
    set_title(title);
    title_height_ = std::max(kTitle, title.used() + kNodeGap);
    keep();
  }
  for (std::size_t i = 0; i < nodes.size(); ++i) {
    if (!shown(i)) continue;
    Flow flow(ui, Flow::Pass::measure, {0, 0}, width, i + 1, shared_);
    shared_.pivot = 0;
    set_node(flow, nodes[i], context_of(ui, i));
    heights_[i] = flow.used();
    pivots_[i] = shared_.pivot;
    keep();
  }
}

void DocumentView::draw_nodes(const Ui& ui, ImVec2 corner, float width) {
  const auto& nodes = ui.book.document().nodes;
  constexpr float kMargin = 240;  // so that the arrow keys find what comes
  const float begin = scroll_ - kMargin, end = scroll_ + ImGui::GetWindowHeight() + kMargin;
  const std::optional<Focus> focus = std::exchange(wanted_focus_, std::nullopt);
  shared_.choosing = focus && focus->choices ? focus->node + 1 : 0;
  bool looking = false;
  const bool all = tab_is_looking() || focus;  // the item may be out of sight
  nodes_drawn_ = 0;
  shared_.set.clear();
  shared_.from = selection_.from();
  shared_.to = selection_.to();
  shared_.found = find_.found();
  shared_.found_now = find_.now();
  if (shown(0) && (all || begin < kTop + title_height_)) {
    Flow title(ui, Flow::Pass::draw, {corner.x, corner.y + kTop}, width, 0, shared_);
    set_title(title);
  }
  for (std::size_t i = 0; i < nodes.size(); ++i) {
    const bool near = tops_[i] + heights_[i] >= begin && tops_[i] <= end;
    if (!shown(i) || (!near && !all)) continue;
    ++nodes_drawn_;
    if (focus && !looking && i >= focus->node) {
      looking = true;
      if (!focus->choices) look_for_next_item();
    }
    ImGui::PushID(static_cast<int>(i));
    Flow flow(ui, Flow::Pass::draw, {corner.x, corner.y + tops_[i]}, width, i + 1, shared_);
    set_node(flow, nodes[i], context_of(ui, i));
    ImGui::PopID();
  }
  if (looking && shared_.choosing == 0) focus_found_item(focus->choices);
}

void DocumentView::follow_answer() {
  const std::size_t node = std::exchange(shared_.answered, 0);
  if (node == 0) return;
  focus(node - 1);
  explaining_ = node - 1;
}

void DocumentView::show_explanation(const Ui& ui) {
  constexpr float kBelow = 16, kAboveCard = 24;
  const auto& nodes = ui.book.document().nodes;
  if (!explaining_) return;
  const bool here = *explaining_ < nodes.size() && !part_ && ImGui::GetIO().MouseWheel == 0 &&
                    tops_[*explaining_] < scroll_ + view_height_ &&
                    tops_[*explaining_] + heights_[*explaining_] > scroll_;
  const auto* question = here ? std::get_if<lab::PredictDirective>(&nodes[*explaining_]) : nullptr;
  if (question && ui.book.answered(question->id) && !ui.book.right_value(*question)) return;
  const std::size_t node = *std::exchange(explaining_, {});
  if (!question) return;
  const float lowest = tops_[node] + heights_[node] + kBelow - view_height_,
              top = tops_[node] - kAboveCard;
  if (lowest > scroll_) wanted_scroll_ = top > scroll_ ? std::min(lowest, top) : lowest;
}

std::vector<SetParagraph> DocumentView::laid_out(const Ui& ui, std::size_t node, float width) {
  if (node == 0 || node > ui.book.document().nodes.size()) return {};
  FlowShared alone;
  Flow flow(ui, Flow::Pass::measure, {0, tops_[node - 1]}, width, node, alone);
  set_node(flow, ui.book.document().nodes[node - 1], context_of(ui, node - 1));
  return std::move(alone.set);
}

// ---- Going to places ----------------------------------------------------------------------------

void DocumentView::go_to_step(std::size_t step) {
  if (step < steps_.size()) wanted_step_ = steps_[step].name;
}
void DocumentView::go_to_step(std::string_view name) { wanted_step_ = name; }

void DocumentView::show_part(std::optional<Part> part) {
  if (part == part_) return;
  part_ = part;
  selection_.clear();
  if (part) wanted_scroll_ = 0;
}

bool DocumentView::turn_page(int by) {
  constexpr float kKept = 80;  // of the view, so that the eye finds where it was
  const float most = std::max(0.0f, total_ - kBottom - view_height_);
  if (by > 0 ? scroll_ >= most - 4 : scroll_ <= 4) return false;
  scroll_on(static_cast<float>(by) * (view_height_ - kKept));
  return true;
}

void DocumentView::scroll_on(float by) {
  wanted_scroll_ = std::clamp(scroll_ + by, 0.0f, std::max(0.0f, total_ - view_height_));
}

float DocumentView::scroll_of(const Step& step) const {
  return &step == &steps_.front() ? 0 : std::round(step.top - 8);
}

std::optional<float> DocumentView::scroll_to_shown() const {
  const auto found = std::ranges::find(steps_, step_shown_, &Step::name);
  if (step_shown_.empty() || found == steps_.end()) return std::nullopt;
  const float scroll = scroll_of(*found);
  // Scrolling there must not move the comparison out of view: it would give its room back, so that the text moves and
  // the comparison comes into view again.
  const float lowest = scroll + ImGui::GetWindowHeight() * 0.8f;
  if (compare_in_view_ && *compare_in_view_ < tops_.size() && tops_[*compare_in_view_] > lowest)
    return std::nullopt;
  return scroll;
}

void DocumentView::reveal(const Ui& ui, const TextPlace& place, float width) {
  constexpr float kMargin = 48;
  float top = 0, line = 0;
  for (const SetParagraph& set : laid_out(ui, place.node, width)) {
    if (set.part != place.part) continue;
    top = set.corner.y + set.paragraph->place_of(place.offset, ui.ink()).y;
    line = set.paragraph->line_height_at(set.paragraph->place_of(place.offset, ui.ink()).y);
  }
  const float scroll = ImGui::GetScrollY(), height = ImGui::GetWindowHeight();
  if (top >= scroll + kMargin && top + line <= scroll + height - kMargin) return;
  wanted_scroll_ = std::max(0.0f, std::round(top - height / 3));
}

void DocumentView::open_find() {
  std::string words = selection_.empty() ? std::string() : selected_text();
  if (words.size() > kMostWords || words.find('\n') != std::string::npos) words.clear();
  // The search begins at the top of the view, because the reader wants to go on, not back.
  TextPlace from = selection_.from();
  if (selection_.empty()) {
    for (std::size_t i = 0; i < tops_.size(); ++i) {
      if (tops_[i] + heights_[i] >= scroll_) {
        from = {i + 1, 0, 0};
        break;
      }
    }
  }
  find_.open(std::move(words), from);
}

// ---- What is being read -------------------------------------------------------------------------

void DocumentView::follow_reader(const Ui& ui) {
  const ImGuiIO& io = ImGui::GetIO();
  const bool pressed = ImGui::IsMouseClicked(ImGuiMouseButton_Left);
  if (pressed || io.MouseWheel != 0) {
    const bool here = ImGui::IsWindowHovered(ImGuiHoveredFlags_AllowWhenBlockedByActiveItem);
    at_text_ = here || (at_text_ && !pressed);
  }
  // The words of the find bar are about the text. A box that is left has the keyboard for a frame or two more.
  const bool typed_before = std::exchange(typing_, ui.typing);
  if (ui.typing && !typed_before && !find_.is_open()) at_text_ = false;
}

void DocumentView::find_place(const Ui& ui) {
  // The reader is taken to read at a third of the view's height.
  const float line = scroll_ + ImGui::GetWindowHeight() / 3;
  current_step_ = 0;
  for (std::size_t s = 0; s < steps_.size(); ++s) {
    if (steps_[s].top <= line) current_step_ = s;
  }
  if (scroll_ > 0 && scroll_ >= ImGui::GetScrollMaxY() - 1 && !steps_.empty() &&
      steps_.back().top < scroll_ + ImGui::GetWindowHeight() * 0.7f) {
    current_step_ = steps_.size() - 1;
  }
  const std::string shown_before = std::exchange(exercise_in_view_, {});
  bool stays = false;
  keyed_.clear();
  const auto& nodes = ui.book.document().nodes;
  for (std::size_t i = 0; i < nodes.size(); ++i) {
    const bool seen =
        shown(i) && tops_[i] + std::min(heights_[i], 160.0f) < scroll_ + ImGui::GetWindowHeight() &&
        tops_[i] + heights_[i] > scroll_ + kLeastSeen;
    if (const auto* predict = std::get_if<lab::PredictDirective>(&nodes[i])) {
      if (seen && !part_ && at_text_ && keyed_.empty() && !ui.book.answered(predict->id))
        keyed_ = predict->id;
    } else if (const auto* exercise = std::get_if<lab::ExerciseDirective>(&nodes[i])) {
      const float middle = scroll_ + ImGui::GetWindowHeight() / 2, bottom = tops_[i] + heights_[i];
      if (shown(i) && tops_[i] <= middle && bottom > scroll_ + 120)
        exercise_in_view_ = exercise->id;
      stays |= !moved_ && exercise->id == shown_before && shown(i) &&
               tops_[i] < scroll_ + ImGui::GetWindowHeight() && bottom > scroll_;
    }
  }
  // Only the reader goes to another exercise: heights that change do not, as long as this one is in view.
  if (stays) exercise_in_view_ = shown_before;
}

void DocumentView::find_comparison(const Ui& ui) {
  const auto& nodes = ui.book.document().nodes;
  const float height = ImGui::GetWindowHeight(), begin = scroll_ + 24;
  // At the text's end the reader cannot scroll on, so everything in view counts as read.
  const bool at_end = scroll_ > 0 && scroll_ >= ImGui::GetScrollMaxY() - 1;
  const float line = scroll_ + (at_end ? height : height / 2);
  std::optional<std::size_t> found;
  for (std::size_t i = 0; i < nodes.size(); ++i) {
    if (!shown(i) || !std::holds_alternative<lab::CompareDirective>(nodes[i])) continue;
    const bool seen = tops_[i] + heights_[i] > begin && tops_[i] < scroll_ + height * 0.95f;
    // The comparison that is shown stays as long as it is in view: making room for it moves the text, which must not end
    // it and bring it back.
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
    // The piece at the reading line, else the last one above it, else the first one below it.
    if (tops_[i] > (connected_ ? line : scroll_ + height * 0.7f)) break;
    // The lab shows one exercise at a time.
    const auto* exercise = std::get_if<lab::ExerciseDirective>(&nodes[i]);
    if (exercise && exercise->id != exercise_in_view_) continue;
    auto topics = topics_of(nodes[i], *ui.book.lesson());
    if (topics.empty()) continue;
    const float top = corner.y + tops_[i];
    connected_ = ConnectedPiece{
        i, {corner.x, top}, {corner.x + width, top + heights_[i]}, std::move(topics)};
  }
}

// ---- Selecting text -----------------------------------------------------------------------------

void DocumentView::handle_selection(const Ui& ui, float width) {
  select_by_mouse(ui);
  select_by_keys(ui, width);
}

void DocumentView::select_by_mouse(const Ui& ui) {
  constexpr float kEdge = 24, kPace = 9;  // points a second for each point beyond the edge
  const ImVec2 mouse = ImGui::GetMousePos();
  const SetParagraph* under = paragraph_at(shared_.set, mouse);
  // Links and choices are items, but their text can be selected, too.
  const bool over = ImGui::IsWindowHovered(ImGuiHoveredFlags_AllowWhenBlockedByActiveItem) &&
                    (under || !ImGui::IsAnyItemHovered());
  if (over && under && !ImGui::IsAnyItemHovered())
    ImGui::SetMouseCursor(ImGuiMouseCursor_TextInput);
  if (over && ImGui::IsMouseClicked(ImGuiMouseButton_Left)) {
    const bool extend = ImGui::GetIO().KeyShift && !selection_.empty();
    selection_.press(text_, place_at(ui, mouse), ImGui::GetMouseClickedCount(0), extend);
    selecting_ = true;
    shared_.grabbed = !selection_.empty();
    goal_x_ = -1;
  }
  scrolls_by_drag_ = false;
  if (!selecting_) return;
  if (!ImGui::IsMouseDown(ImGuiMouseButton_Left)) {
    selecting_ = shared_.grabbed = false;
    return;
  }
  if (!ImGui::IsMouseDragging(ImGuiMouseButton_Left)) return;
  shared_.grabbed = true;
  const float top = ImGui::GetWindowPos().y + kEdge,
              bottom = top + ImGui::GetWindowHeight() - 2 * kEdge;
  selection_.drag(text_, place_at(ui, {mouse.x, std::clamp(mouse.y, top, bottom)}));
  const float beyond = mouse.y < top ? mouse.y - top : std::max(0.0f, mouse.y - bottom);
  scrolls_by_drag_ = beyond != 0;
  if (scrolls_by_drag_) ImGui::SetScrollY(scroll_ + beyond * kPace * ImGui::GetIO().DeltaTime);
}

void DocumentView::select_by_keys(const Ui& ui, float width) {
  if (selection_.empty() || ui.typing) return;
  constexpr ImGuiInputFlags kKeys = ImGuiInputFlags_RouteGlobal | ImGuiInputFlags_Repeat;
  const auto pressed = [](ImGuiKey key) { return ImGui::Shortcut(ImGuiMod_Shift | key, kKeys); };
  const TextPlace at = selection_.focus();
  TextPlace to = at;
  if (pressed(ImGuiKey_RightArrow)) to = text_.after(at);
  if (pressed(ImGuiKey_LeftArrow)) to = text_.before(at);
  if (to != at) goal_x_ = -1;
  if (pressed(ImGuiKey_DownArrow)) to = next_line(ui, at, 1, width);
  if (pressed(ImGuiKey_UpArrow)) to = next_line(ui, at, -1, width);
  if (to == at) return;
  selection_.extend_to(to);
  reveal(ui, to, width);
}

TextPlace DocumentView::place_at(const Ui& ui, ImVec2 point) const {
  const SetParagraph* nearest = nullptr;
  float best = FLT_MAX;
  for (const SetParagraph& set : shared_.set) {
    const float over = set.corner.y - point.y,
                under = point.y - (set.corner.y + set.paragraph->height());
    const float distance = std::max({0.0f, over, under});
    if (distance < best) {
      best = distance;
      nearest = &set;
    }
  }
  if (!nearest) return {};
  const ImVec2 inside{point.x - nearest->corner.x, std::clamp(point.y - nearest->corner.y, 0.0f,
                                                              nearest->paragraph->height() - 1)};
  return {nearest->node, nearest->part, nearest->paragraph->at(inside, ui.ink()).offset};
}

TextPlace DocumentView::next_line(const Ui& ui, const TextPlace& place, int by, float width) {
  const auto set_of = [&](const std::vector<SetParagraph>& set, std::size_t part) {
    const auto found = std::ranges::find(set, part, &SetParagraph::part);
    return found == set.end() ? nullptr : &*found;
  };
  const auto here = laid_out(ui, place.node, width);
  const SetParagraph* set = set_of(here, place.part);
  float y = -1, x = 0;
  if (set) {
    const ImVec2 caret = set->paragraph->place_of(place.offset, ui.ink());
    x = goal_x_ >= 0 ? goal_x_ : set->corner.x + caret.x;
    y = by > 0 ? caret.y + set->paragraph->line_height_at(caret.y) + 1 : caret.y - 1;
    goal_x_ = x;
    if (y >= 0 && y < set->paragraph->height())
      return {place.node, place.part, set->paragraph->at({x - set->corner.x, y}, ui.ink()).offset};
  }
  const TextPart* part = text_.neighbour(place, by);
  if (!part) return by > 0 ? text_.end() : text_.begin();
  const auto there = laid_out(ui, part->node, width);
  const SetParagraph* next = set_of(there, part->part);
  if (!next) return {part->node, part->part, by > 0 ? part->text.size() : 0};
  const float line = by > 0 ? 1 : next->paragraph->height() - 1;
  return {part->node, part->part, next->paragraph->at({x - next->corner.x, line}, ui.ink()).offset};
}

}  // namespace warpbook::gui
