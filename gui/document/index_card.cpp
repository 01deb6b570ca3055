// The index formula, with the linked thread's numbers below its terms.
#include <algorithm>
#include <optional>
#include <string>
#include <vector>

#include "gui/document/nodes.hpp"
#include "gui/exhibits/accesses/thread_values.hpp"
#include "lab/operation/operation.hpp"

namespace warpbook::gui {
namespace {
struct Term {
  std::string text;    ///< as written: "blockIdx.x", "*"
  std::string number;  ///< with the linked thread's values; empty where nothing is linked
  std::string label;   ///< says what the number is
  bool name = false;   ///< else an operator
};

std::string label_of(const Ui& ui, std::string_view name) {
  if (name.starts_with("blockIdx.")) return ui.tr("gui.index.block");
  if (name.starts_with("blockDim.")) return ui.tr("gui.index.threads-a-block");
  if (name.starts_with("gridDim.")) return ui.tr("gui.index.blocks");
  if (name.starts_with("threadIdx.")) return ui.tr("gui.index.thread");
  return {};
}

std::vector<Term> terms_of(const Ui& ui, const std::string& formula,
                           const std::optional<LaunchShape>& run,
                           const std::optional<Link::Thread>& thread) {
  std::vector<Term> terms;
  std::string right;
  bool known = run && thread, after_equals = false;
  for (const std::string& word : words_of(formula)) {
    Term term{word, {}, {}, std::isalnum(static_cast<unsigned char>(word[0])) != 0};
    if (term.name && after_equals) {
      term.number = known ? builtin_value(word, *run, *thread) : "";
      term.label = label_of(ui, word);
      known = known && !term.number.empty();
      right += term.number + " ";
    } else if (after_equals) {
      right += word + " ";
    }
    after_equals |= word == "=";
    terms.push_back(std::move(term));
  }
  if (known && !terms.empty()) {
    if (const auto value = lab::evaluate(right, {})) terms.front().number = std::to_string(*value);
  }
  if (!terms.empty() && terms.front().text == "i")
    terms.front().label = ui.tr("gui.index.this-element");
  return terms;
}

constexpr float kHead = 34, kRow = 76, kLeastGap = 8, kMostGap = 15, kIndexCardFoot = 6;

/// Terms of one line, and the width that they need side by side.
struct IndexCardRow {
  std::size_t first = 0, count = 0;
  float width = 0;  ///< without gaps
};

struct IndexCardLayout {
  std::vector<float> widths;  ///< by term
  std::vector<IndexCardRow> rows;
};

/// Breaks a long formula before the first term that does not fit.
IndexCardLayout layout_of(const Ui& ui, const std::vector<Term>& terms, float room) {
  const Ink ink = ui.ink();
  const Type name{Face::mono, 15, 0};
  IndexCardLayout layout;
  for (std::size_t i = 0; i < terms.size(); ++i) {
    const Term& term = terms[i];
    const float width = std::max(ink.width(name, term.text),
                                 term.label.empty() ? 0 : ink.width(ui.note(), term.label));
    layout.widths.push_back(width);
    const bool fits =
        !layout.rows.empty() && layout.rows.back().width + width +
                                        kLeastGap * static_cast<float>(layout.rows.back().count) <=
                                    room;
    if (!fits) layout.rows.push_back({i, 0, 0});
    ++layout.rows.back().count;
    layout.rows.back().width += width;
  }
  return layout;
}
}  // namespace

void set_index(Flow& flow, const lab::IndexDirective& index) {
  const Ui& ui = flow.ui();
  const auto& thread = ui.book.link.current().thread;
  const auto terms = terms_of(ui, index.formula, shape_of(ui.book.pictures().get()), thread);
  const float room = flow.width() - 2 * measure::kPadding;
  const IndexCardLayout layout = layout_of(ui, terms, room);
  const float height = kHead + kRow * static_cast<float>(layout.rows.size()) + kIndexCardFoot;
  if (flow.drawing()) {
    const Ink ink = ui.ink();
    const ImVec2 corner = flow.corner();
    ground(ui, corner, {flow.right(), flow.y() + height}, ui.theme.s2);
    const float middle = corner.y + 20;
    ink.text_middle(corner.x + measure::kPadding, middle, ui.label_bold(),
                    ui.tr("gui.index.title"));
    const std::string says =
        thread ? ui.tr("gui.index.linked", {{"thread", std::to_string(thread->thread)},
                                            {"block", std::to_string(thread->block)}})
               : ui.tr("gui.index.point");
    const Type type{Face::sans, 13, thread ? ui.theme.accent_text : ui.theme.t3};
    ink.text_middle(flow.right() - measure::kPadding, middle, type, says, Align::right);
    if (thread)
      ink.icon(Icon::chain, {flow.right() - measure::kPadding - ink.width(type, says) - 14, middle},
               ui.theme.accent, 14);

    const Type name{Face::mono, 15, ui.theme.t1}, sign{Face::mono, 15, ui.theme.t3},
        label = ui.note();
    for (std::size_t r = 0; r < layout.rows.size(); ++r) {
      const IndexCardRow& row = layout.rows[r];
      const float top = corner.y + kHead + kRow * static_cast<float>(r);
      const auto between = static_cast<float>(row.count - 1);
      const float gap =
          std::clamp((room - row.width) / std::max(1.0f, between), kLeastGap, kMostGap);
      float x =
          corner.x + std::max(measure::kPadding, (flow.width() - row.width - gap * between) / 2);
      for (std::size_t i = row.first; i < row.first + row.count; ++i) {
        const Term& term = terms[i];
        const float centre = x + layout.widths[i] / 2;
        ink.text_middle(centre, top + 14, term.name ? name : sign, term.text, Align::centre);
        const std::string known = term.number.empty() ? "–" : term.number;
        const std::string number = term.name ? known : term.text;
        const bool result = i == 0 && !term.number.empty();
        ink.text_middle(centre, top + 39,
                        {result ? Face::mono_bold : Face::mono, 20,
                         result      ? ui.theme.accent
                         : term.name ? ui.theme.t1
                                     : ui.theme.t3},
                        number, Align::centre);
        ink.text_middle(centre, top + 62, label, term.label, Align::centre);
        x += layout.widths[i] + gap;
      }
    }
  }
  flow.gap(height);
}

}  // namespace warpbook::gui
