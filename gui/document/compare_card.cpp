// Two runs, one under the other.
#include "gui/document/blocks.hpp"
#include "gui/exhibits/exhibit.hpp"

namespace warpbook::gui {

void set_compare(Flow& flow, const lab::CompareDirective& compare) {
  const Ui& ui = flow.ui();
  char letter = 'A';
  for (const auto& variant : compare.variants) {
    if (letter != 'A') flow.gap(18);
    if (flow.drawing()) {
      const Ink ink = ui.ink();
      ink.fill(flow.corner(), {flow.left() + 24, flow.y() + 24}, ui.theme.s4,
               measure::kControlRadius);
      ink.text_middle(flow.left() + 12, flow.y() + 12, ui.label_bold(), std::string(1, letter),
                      Align::centre);
      ImGui::PushID(letter);
    }
    flow.paragraph(runs_of(ui, variant.label), {16, 24, Face::bold, Face::bold, ui.theme.t1, 0},
                   34);
    flow.gap(8);
    const auto report = ui.book.side_report(case_of(variant));
    if (!report) {
      flow.card({ui.theme.s2, 0}, [&](Flow& inside) {
        inside.paragraph(plain_runs(ui.tr("gui.exhibit.waiting")), ui.caption_style());
      });
    } else {
      for (const std::string& id : compare.exhibits) {
        const lab::Exhibit* exhibit = report->find(id);
        if (!exhibit) continue;
        flow.gap(exhibit_panel_open({ui, flow.corner(), flow.width(), flow.drawing()}, *exhibit));
        flow.gap(measure::kGap);
      }
    }
    if (flow.drawing()) ImGui::PopID();
    ++letter;
  }
}

}  // namespace warpbook::gui
