#include "gui/document/find_bar.hpp"

#include <algorithm>

#include "gui/controls/widgets.hpp"

namespace warpbook::gui {
namespace {
constexpr float kHeight = 48, kCount = 104, kButton = 32;
}

void FindBar::open(std::string words, const TextPlace& from) {
  if (!open_) before_.remember();
  open_ = true;
  from_ = from;
  if (!words.empty()) box_.text = std::move(words);
  looked_for_.clear();
  box_.focus();
}

void FindBar::close() {
  if (!open_) return;
  open_ = false;
  found_.clear();
  looked_for_.clear();
  before_.give_back();
}

void FindBar::go() {
  if (now_ < found_.size())
    wanted_ = TextPlace{found_[now_].node, found_[now_].part, found_[now_].from};
}

void FindBar::step(int by) {
  if (found_.empty()) return;
  now_ = (now_ + found_.size() + static_cast<std::size_t>(by > 0 ? 1 : -1)) % found_.size();
  const TextRange& at = found_[now_];
  from_ = {at.node, at.part,
           at.from};  // if the reader types more words, the search goes on from here
  go();
}

void FindBar::update(const PageText& text, std::uint64_t version) {
  const bool other_words = looked_for_ != box_.text;
  if (!open_ || (!other_words && version_ == version)) return;
  looked_for_ = box_.text;
  version_ = version;
  found_ = text.find(looked_for_);
  const auto next = std::ranges::lower_bound(found_, from_, {}, [](const TextRange& r) {
    return TextPlace{r.node, r.part, r.from};
  });
  now_ = next == found_.end() ? 0 : static_cast<std::size_t>(next - found_.begin());
  if (other_words) go();  // if only the text has changed, the page stays where it is
}

float FindBar::draw(const Ui& ui, ImVec2 corner, float width) {
  if (!open_) return 0;
  const Ink ink = ui.ink();
  const float top = corner.y + (kHeight - kButton) / 2, middle = corner.y + kHeight / 2;
  const float left = corner.x + measure::kDocumentMargin - 8,
              right = corner.x + width - measure::kDocumentMargin + 8;
  const float buttons = right - 3 * kButton;
  const Typed typed = box_.draw(ui, "##find", {left, top}, std::max(80.0f, buttons - kCount - left),
                                ui.tr("gui.find.hint"));
  const bool none = found_.empty() && !looked_for_.empty();
  const std::string says = looked_for_.empty() ? std::string()
                           : none
                               ? ui.tr("gui.find.none")
                               : ui.tr("gui.find.of", {{"number", std::to_string(now_ + 1)},
                                                       {"total", std::to_string(found_.size())}});
  const Type type{Face::sans, 14, none ? ui.theme.bad : ui.theme.t2};
  if (none) {
    ink.icon(Icon::cross, {buttons - 20 - ink.width(type, says), middle}, type.colour, 14,
             ui.theme.s1);
  }
  ink.text_middle(buttons - 10, middle, type, says, Align::right);
  if (icon_button(ui, "find before", {buttons, top}, Icon::chevron_up,
                  ui.with_keys(ui.tr("gui.action.find-before"), "find-before"), kButton))
    step(-1);
  if (icon_button(ui, "find next", {buttons + kButton, top}, Icon::chevron_down,
                  ui.with_keys(ui.tr("gui.action.find-next"), "find-next"), kButton))
    step(1);
  if (icon_button(ui, "find close", {buttons + 2 * kButton, top}, Icon::cross,
                  ui.tr("gui.find.close") + " (Esc)", kButton) ||
      typed == Typed::escape) {
    close();
    return kHeight;
  }
  if (typed == Typed::enter) step(1);
  if (typed == Typed::shift_enter) step(-1);
  return kHeight;
}

}  // namespace warpbook::gui
