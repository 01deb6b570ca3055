// A comparison of two variants in the text. If the lab is on screen, it shows them side by side, and the text has their
// names and a caption; without the lab the text shows both in full, one above the other.
#include "gui/document/nodes.hpp"
#include "gui/lab/compare_view.hpp"

namespace warpbook::gui {
namespace {
constexpr float kLetter = 24, kIndent = 34;

void set_name(Flow& flow, const char* letter, const lab::CompareDirective::Variant& variant) {
  const Ui& ui = flow.ui();
  if (flow.drawing()) {
    const Ink ink = ui.ink();
    ink.fill(flow.corner(), {flow.left() + kLetter, flow.y() + kLetter}, ui.theme.s4,
             measure::kControlRadius);
    ink.text_middle(flow.left() + kLetter / 2, flow.y() + kLetter / 2, ui.label_bold(), letter,
                    Align::centre);
  }
  flow.paragraph(runs_of(ui, variant.label), {16, 24, Face::bold, Face::bold, ui.theme.t1, 0},
                 kIndent);
}

/// The variant on a side of the comparison at that node.
const lab::CompareDirective::Variant& variant_of(const Ui& ui, const lab::CompareDirective& compare,
                                                 std::size_t node, bool of_b) {
  return compare.variants[of_b != ui.book.swapped(node) ? 1 : 0];
}

void set_caption(Flow& flow, const Compared& compared) {
  const Ui& ui = flow.ui();
  const std::string says = compared.relation ? lab::sentence(*compared.relation, ui.book.strings())
                                             : ui.tr("gui.exhibit.waiting");
  flow.paragraph(plain_runs(says), ui.caption_style());
}

void set_beside_lab(Flow& flow, const lab::CompareDirective& compare, const Compared& compared,
                    std::size_t node) {
  const Ui& ui = flow.ui();
  const bool shown = ui.book.compare_node() == node;
  flow.card({ui.theme.s2, shown ? ui.theme.accent : 0}, [&](Flow& inside) {
    set_name(inside, "A", variant_of(ui, compare, node, false));
    inside.gap(6);
    set_name(inside, "B", variant_of(ui, compare, node, true));
    inside.gap(10);
    set_caption(inside, compared);
    if (shown) return;
    inside.gap(10);
    const std::string label = ui.tr("gui.compare.show");
    if (inside.drawing() &&
        button(ui, "compare", inside.corner(), label, {ButtonKind::plain, measure::kCardButton}))
      ui.post([node](Book& book) { book.show_comparison(node); });
    inside.gap(measure::kCardButton);
  });
}
}  // namespace

void set_compare(Flow& flow, const lab::CompareDirective& compare, const NodeContext& context) {
  const Ui& ui = flow.ui();
  const auto compared = ui.book.comparison_of(context.node);
  if (!compared) return;
  if (context.beside_lab) {
    set_beside_lab(flow, compare, *compared, context.node);
    return;
  }
  const CompareLook look{compare.exhibits, false, false, false};
  for (const bool of_b : {false, true}) {
    set_name(flow, of_b ? "B" : "A", variant_of(ui, compare, context.node, of_b));
    flow.gap(8);
    flow.gap(compare_run(ui, flow.corner(), flow.width(), *compared, look, of_b, flow.drawing()));
    flow.gap(18);
  }
  flow.gap(compare_relation(ui, flow.corner(), flow.width(), *compared, look, flow.drawing()));
}

}  // namespace warpbook::gui
