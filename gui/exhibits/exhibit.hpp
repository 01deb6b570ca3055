// Exhibits drawn as panels: one file a kind. Every drawing takes part in two passes of the same
// code: one that measures and one that draws.
#pragma once

#include <string>

#include "gui/controls/ui.hpp"
#include "lab/model/exhibits.hpp"
#include "lab/model/report.hpp"

namespace warpbook::gui {

/// A place for a figure: its corner, its width, and whether it is drawn or only measured.
struct Frame {
  const Ui& ui;
  ImVec2 corner;
  float width = 0;
  bool draw = true;
  const lab::Exhibit* beside =
      nullptr;  ///< another one of the kind, which is to have the same axes
};
/// That other one's value; null where there is none, or of another kind.
template <class T>
const T* beside_as(const Frame& frame) {
  return frame.beside ? std::get_if<T>(&frame.beside->value) : nullptr;
}

// Each gives back the height that it takes.
float geometry_figure(const Frame& frame, const lab::GeometryExhibit& geometry);
float accesses_figure(const Frame& frame, const lab::AccessesExhibit& accesses);
float image_figure(const Frame& frame, const lab::ImageExhibit& image);
float sectors_figure(const Frame& frame, const lab::SectorsExhibit& sectors);
float source_figure(const Frame& frame, const lab::SourceExhibit& source);
float timings_figure(const Frame& frame, const lab::TimingsExhibit& timings);
float check_figure(const Frame& frame, const lab::CheckExhibit& check);
float spaces_figure(const Frame& frame, const lab::SpacesExhibit& spaces);
float text_figure(const Frame& frame, const lab::TextExhibit& text);
float stack_figure(const Frame& frame, const lab::StackExhibit& stack);
float curve_figure(const Frame& frame, const lab::CurveExhibit& curve);
float roofline_figure(const Frame& frame, const lab::RooflineExhibit& roofline);
float sliding_window_figure(const Frame& frame, const lab::SlidingWindowExhibit& window);
float comparison_figure(const Frame& frame, const lab::ComparisonExhibit& comparison);
// `id`: the exhibit's, by which the book keeps what the reader chose in it.
float tensor_figure(const Frame& frame, const lab::TensorExhibit& tensor, const std::string& id);
float algorithms_figure(const Frame& frame, const lab::AlgorithmsExhibit& algorithms,
                        const std::string& id);
/// The one that the exhibit's kind asks for.
float figure(const Frame& frame, const lab::Exhibit& exhibit);

/// A whole panel: header, figure, the sentence that its data says. `stale`: dimmed, and said to be
/// of an earlier version. Where an open question veils it, the figure is covered and the question
/// offered instead.
float exhibit_panel(const Frame& frame, const lab::Exhibit& exhibit, bool stale);
/// An exhibit of a side run, which no question covers.
float exhibit_panel_open(const Frame& frame, const lab::Exhibit& exhibit, bool stale = false);
/// Covered by that question where there is one.
float exhibit_panel_under(const Frame& frame, const lab::Exhibit& exhibit, bool stale,
                          const lab::PredictDirective* veil);

/// A panel for a picture of its own: no veil, no menu.
float exhibit_panel_alone(const Frame& frame, const lab::Exhibit& exhibit);

/// Wrapped text at a corner; gives back its height.
float words(const Frame& frame, const std::string& text, const ParagraphStyle& style);

}  // namespace warpbook::gui
