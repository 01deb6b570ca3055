#include "gui/document/view.hpp"

#include <algorithm>
#include <cmath>

#include "gui/document/topics.hpp"

namespace warpbook::gui {
namespace {
constexpr float kTop = 8, kTitle = 56, kBottom = 96;
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
  for (const lab::Block& block : ui.book.document().blocks) {
    const auto* exercise = std::get_if<lab::ExerciseDirective>(&block);
    const ExerciseDesk* desk = exercise ? ui.book.desk(exercise->id) : nullptr;
    if (!desk) continue;
    add(static_cast<std::uint64_t>(desk->tiers_shown()) + (desk->solution() ? 64u : 0u) +
        (desk->progress().running ? 128u : 0u) + (desk->stale() ? 256u : 0u));
  }
  return value;
}

BlockContext DocumentView::context_of(const Ui& ui, std::size_t block) const {
  BlockContext context{ui.book.document(), 0, 0, keyed_};
  for (std::size_t i = 0; i < ui.book.document().blocks.size(); ++i) {
    if (!std::holds_alternative<lab::PredictDirective>(ui.book.document().blocks[i])) continue;
    ++context.predicts;
    if (i <= block) context.predict = context.predicts;
  }
  return context;
}

void DocumentView::measure(const Ui& ui, float width) {
  const auto& blocks = ui.book.document().blocks;
  heights_.assign(blocks.size(), 0);
  for (std::size_t i = 0; i < blocks.size(); ++i) {
    Flow flow(ui, Flow::Pass::measure, {0, 0}, width, i + 1, shared_);
    set_block(flow, blocks[i], context_of(ui, i));
    heights_[i] = flow.used();
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
  const auto& blocks = ui.book.document().blocks;
  for (std::size_t i = 0; i < blocks.size(); ++i) {
    const bool seen =
        tops_[i] + std::min(heights_[i], 160.0f) < scroll_ + ImGui::GetWindowHeight() &&
        tops_[i] + heights_[i] > scroll_ + 40;
    if (const auto* predict = std::get_if<lab::PredictDirective>(&blocks[i])) {
      if (seen && keyed_.empty() && !ui.book.answered(predict->id)) keyed_ = predict->id;
    } else if (const auto* exercise = std::get_if<lab::ExerciseDirective>(&blocks[i])) {
      const float middle = scroll_ + ImGui::GetWindowHeight() / 2;
      if (tops_[i] <= middle && tops_[i] + heights_[i] > scroll_ + 120)
        exercise_in_view_ = exercise->id;
    }
  }
}

void DocumentView::find_joint(const Ui& ui, ImVec2 corner, float width) {
  joint_.reset();
  if (!ui.book.lesson()) return;
  const auto& blocks = ui.book.document().blocks;
  const float height = ImGui::GetWindowHeight(), line = scroll_ + height / 3;
  for (std::size_t i = 0; i < blocks.size(); ++i) {
    if (tops_[i] + heights_[i] < scroll_ + 24 || heights_[i] == 0) continue;
    // What stands at the reading line or was the last above it; else the first that comes below.
    if (tops_[i] > (joint_ ? line : scroll_ + height * 0.7f)) break;
    // The lab holds one exercise at a time.
    const auto* exercise = std::get_if<lab::ExerciseDirective>(&blocks[i]);
    if (exercise && exercise->id != exercise_in_view_) continue;
    auto topics = topics_of(blocks[i], *ui.book.lesson());
    if (topics.empty()) continue;
    const float top = corner.y + tops_[i];
    joint_ = Joint{i, {corner.x, top}, {corner.x + width, top + heights_[i]}, std::move(topics)};
  }
}

void DocumentView::draw_blocks(const Ui& ui, ImVec2 corner, float width) {
  const auto& blocks = ui.book.document().blocks;
  const float begin = scroll_ - 240, end = scroll_ + ImGui::GetWindowHeight() +
                                           240;  // a margin, so that Tab finds what comes
  blocks_drawn_ = 0;
  shared_.drawn.clear();
  for (std::size_t i = 0; i < blocks.size(); ++i) {
    if (tops_[i] + heights_[i] < begin || tops_[i] > end) continue;
    ++blocks_drawn_;
    ImGui::PushID(static_cast<int>(i));
    Flow flow(ui, Flow::Pass::draw, {corner.x, corner.y + tops_[i]}, width, i + 1, shared_);
    set_block(flow, blocks[i], context_of(ui, i));
    ImGui::PopID();
  }
}

void DocumentView::handle_selection(const Ui& ui, float width) {
  const ImVec2 mouse = ImGui::GetMousePos();
  const bool over_text = ImGui::IsWindowHovered() && !ImGui::IsAnyItemHovered();
  const auto place_at = [&]() -> TextPlace {
    const DrawnParagraph* nearest = nullptr;
    float best = FLT_MAX;
    for (const DrawnParagraph& drawn : shared_.drawn) {
      const float above = drawn.corner.y - mouse.y,
                  below = mouse.y - (drawn.corner.y + drawn.paragraph->height());
      const float distance = std::max({0.0f, above, below});
      if (distance < best) {
        best = distance;
        nearest = &drawn;
      }
    }
    if (!nearest) return {};
    const ImVec2 inside{mouse.x - nearest->corner.x, std::clamp(mouse.y - nearest->corner.y, 0.0f,
                                                                nearest->paragraph->height() - 1)};
    return {nearest->block, nearest->part, nearest->paragraph->at(inside, ui.ink()).offset};
  };
  if (over_text) {
    for (const DrawnParagraph& drawn : shared_.drawn) {
      if (mouse.x >= drawn.corner.x && mouse.x <= drawn.corner.x + drawn.width &&
          mouse.y >= drawn.corner.y && mouse.y < drawn.corner.y + drawn.paragraph->height()) {
        ImGui::SetMouseCursor(ImGuiMouseCursor_TextInput);
      }
    }
    if (ImGui::IsMouseClicked(ImGuiMouseButton_Left)) {
      anchor_ = focus_ = place_at();
      selecting_ = true;
    }
  }
  if (selecting_) {
    if (ImGui::IsMouseDown(ImGuiMouseButton_Left)) {
      focus_ = place_at();
    } else {
      selecting_ = false;
    }
  }
  shared_.from = std::min(anchor_, focus_);
  shared_.to = std::max(anchor_, focus_);
  if (shared_.from == shared_.to) {
    selected_.clear();
    return;
  }
  shared_.collected.clear();
  const auto& blocks = ui.book.document().blocks;
  for (std::size_t i = 0; i < blocks.size(); ++i) {
    if (i + 1 < shared_.from.block || i + 1 > shared_.to.block) continue;
    Flow flow(ui, Flow::Pass::collect, {0, 0}, width, i + 1, shared_);
    set_block(flow, blocks[i], context_of(ui, i));
  }
  selected_ = shared_.collected;
  if (!ui.typing && ImGui::IsKeyChordPressed(ImGuiMod_Ctrl | ImGuiKey_C))
    ImGui::SetClipboardText(selected_.c_str());
}

void DocumentView::go_to_step(std::size_t step) {
  if (step < steps_.size()) wanted_step_ = steps_[step].name;
}
void DocumentView::go_to_step(std::string_view name) { wanted_step_ = name; }

void DocumentView::draw(const Ui& ui) {
  const float available = ImGui::GetContentRegionAvail().x - 2 * measure::kDocumentMargin - 6;
  const float width = std::floor(std::min(available, widest_measure(ui)));
  const auto& document = ui.book.document();
  if (document_version_ != ui.book.document_version()) {
    document_version_ = ui.book.document_version();
    anchor_ = focus_ = {};
  }
  if (const std::uint64_t now = stamp(ui, width);
      now != stamp_ || heights_.size() != document.blocks.size()) {
    stamp_ = now;
    measure(ui, width);
  }
  tops_.resize(document.blocks.size());
  steps_.clear();
  float y = kTop + kTitle;
  for (std::size_t i = 0; i < document.blocks.size(); ++i) {
    tops_[i] = y;
    if (const auto* step = std::get_if<lab::StepDirective>(&document.blocks[i]))
      steps_.push_back({step->name, y});
    y += heights_[i] + (heights_[i] > 0 ? kBlockGap : 0);
  }
  total_ = y + kBottom;

  if (!wanted_step_.empty()) {
    const auto found = std::ranges::find(steps_, wanted_step_, &Step::name);
    if (found != steps_.end()) wanted_scroll_ = found == steps_.begin() ? 0 : found->top - 8;
    wanted_step_.clear();
  }
  if (!wanted_question_.empty()) {
    for (std::size_t i = 0; i < document.blocks.size(); ++i) {
      const auto* predict = std::get_if<lab::PredictDirective>(&document.blocks[i]);
      if (predict && predict->id == wanted_question_) wanted_scroll_ = tops_[i] - 80;
    }
    wanted_question_.clear();
  }
  if (wanted_scroll_ >= 0) {
    const float most = std::max(0.0f, total_ - ImGui::GetWindowHeight());
    ImGui::SetScrollY(std::min(wanted_scroll_, most));
    wanted_scroll_ = -1;
  }
  scroll_ = ImGui::GetScrollY();
  const ImVec2 begin = ImGui::GetCursorScreenPos();
  const ImVec2 corner{begin.x + measure::kDocumentMargin + std::floor((available - width) / 2),
                      begin.y};

  const Ink ink = ui.ink();
  const auto chapter = std::ranges::find(
      ui.book.chapters(), ui.book.lesson() ? ui.book.lesson()->slug : "", &ChapterEntry::slug);
  float x = corner.x;
  if (chapter != ui.book.chapters().end()) {
    const std::string number = std::to_string(chapter - ui.book.chapters().begin() + 1);
    const Type type{Face::sans, 32, ui.theme.t3};
    ink.text(x, corner.y + kTop + 34, type, number);
    x += ink.width(type, number) + 14;
  }
  ink.text(x, corner.y + kTop + 34, {Face::bold, 32, ui.theme.t1}, document.title);

  find_place(ui);
  find_joint(ui, corner, width);
  draw_blocks(ui, corner, width);
  handle_selection(ui, width);
  ImGui::SetCursorScreenPos({begin.x, begin.y + total_ - 1});
  ImGui::Dummy({1, 1});
}

}  // namespace warpbook::gui
