// Turns the spans of a document into the runs of a paragraph, and fills in live figures.
#pragma once

#include "gui/controls/ui.hpp"
#include "gui/draw/paragraph.hpp"
#include "lab/document/document.hpp"

namespace warpbook::gui {

/// With the live figures that are on screen; those that an open question covers stay covered.
Runs runs_of(const Ui& ui, const lab::Spans& spans);
/// The same, but nothing is covered.
Runs uncovered_runs_of(const Ui& ui, const lab::Spans& spans);
/// With the figures of `report`, nothing covered.
Runs runs_of(const Ui& ui, const lab::Spans& spans, const lab::Report* report);
/// Without a lesson: an ellipsis for each live figure, and its name for each parameter.
Runs runs_alone(const lab::Spans& spans);

}  // namespace warpbook::gui
