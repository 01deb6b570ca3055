// Exhibits drawn as panels: one file a kind. Every drawing takes part in two passes of the same
// code: one that measures and one that draws.
#pragma once

#include <string>

#include "gui/controls/ui.hpp"
#include "lab/exhibits/exhibit.hpp"
#include "lab/report/report.hpp"

namespace warpbook::gui {

/// A place for a figure: its corner, its width, and whether it is drawn or only measured.
struct FigureArea {
  const Ui& ui;
  ImVec2 corner;
  float width = 0;
  bool draw = true;
  const lab::Exhibit* beside =
      nullptr;  ///< another one of the kind, which is to have the same axes
};
/// That other one's value; null where there is none, or of another kind.
template <class T>
const T* beside_as(const FigureArea& area) {
  return area.beside ? std::get_if<T>(&area.beside->value) : nullptr;
}

/// The figure of its kind (gui/exhibits/panels.hpp); gives back its height.
float figure(const FigureArea& area, const lab::Exhibit& exhibit);

/// A whole panel: header, figure, the sentence that its data says. `stale`: dimmed, and said to be
/// of an earlier version. Where an open question veils it, the figure is covered and the question
/// offered instead.
float exhibit_panel(const FigureArea& area, const lab::Exhibit& exhibit, bool stale);
/// Covered by that question where there is one.
float exhibit_panel_under(const FigureArea& area, const lab::Exhibit& exhibit, bool stale,
                          const lab::PredictDirective* veil);

/// Which of the page's questions it is, from 1.
std::size_t number_of(const Book& book, const lab::PredictDirective& question);
/// What stands in place of something that would answer an open question, `height` high.
void draw_veil(const FigureArea& area, float height, const lab::PredictDirective& question);

/// A panel for a picture of its own: no veil, no menu.
float exhibit_panel_alone(const FigureArea& area, const lab::Exhibit& exhibit);

/// Wrapped text at a corner; gives back its height.
float words(const FigureArea& area, const std::string& text, const ParagraphStyle& style);

}  // namespace warpbook::gui
