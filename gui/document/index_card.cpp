// The index formula, with the linked thread's numbers put in under its terms.
#include <algorithm>
#include <optional>
#include <string>
#include <vector>

#include "gui/document/blocks.hpp"
#include "gui/exhibits/thread_values.hpp"
#include "lab/operation.hpp"

namespace warpbook::gui {
namespace {
struct Term {
  std::string text;    ///< as written: "blockIdx.x", "*"
  std::string number;  ///< with the linked thread's values; empty where nothing is linked
  std::string label;   ///< what the number is
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
}  // namespace

void set_index(Flow& flow, const lab::IndexDirective& index) {
  const Ui& ui = flow.ui();
  constexpr float kHeight = 116;
  if (flow.drawing()) {
    const Ink ink = ui.ink();
    const ImVec2 corner = flow.corner();
    ground(ui, corner, {flow.right(), flow.y() + kHeight}, ui.theme.s2);
    const auto& thread = ui.book.link.current().thread;
    const std::optional<LaunchShape> run = shape_of(ui.book.report().get());
    const auto terms = terms_of(ui, index.formula, run, thread);
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
    float total = 0;
    std::vector<float> widths;
    for (const Term& term : terms) {
      widths.push_back(std::max(ink.width(name, term.text),
                                term.label.empty() ? 0 : ink.width(label, term.label)));
      total += widths.back();
    }
    const float gap = std::clamp((flow.width() - 2 * measure::kPadding - total) /
                                     static_cast<float>(std::max<std::size_t>(1, terms.size() - 1)),
                                 4.0f, 15.0f);
    float x = corner.x +
              std::max(measure::kPadding,
                       (flow.width() - total - gap * static_cast<float>(terms.size() - 1)) / 2);
    for (std::size_t i = 0; i < terms.size(); ++i) {
      const Term& term = terms[i];
      const float centre = x + widths[i] / 2;
      ink.text_middle(centre, corner.y + 48, term.name ? name : sign, term.text, Align::centre);
      const std::string known = term.number.empty() ? "–" : term.number;
      const std::string number = term.name ? known : term.text;
      const bool result = i == 0 && !term.number.empty();
      ink.text_middle(centre, corner.y + 73,
                      {result ? Face::mono_bold : Face::mono, 20,
                       result      ? ui.theme.accent
                       : term.name ? ui.theme.t1
                                   : ui.theme.t3},
                      number, Align::centre);
      ink.text_middle(centre, corner.y + 96, label, term.label, Align::centre);
      x += widths[i] + gap;
    }
  }
  flow.gap(kHeight);
}

}  // namespace warpbook::gui
