// Turns the spans of a document into the runs of a paragraph, and fills in live figures.
#pragma once

#include "gui/controls/ui.hpp"
#include "gui/draw/paragraph.hpp"
#include "lab/document/document.hpp"

namespace warpbook::gui {

/// Reads live figures from `report`. With `veiling`, a figure that an open question covers stays covered.
Runs runs_of(const Ui& ui, const lab::Spans& spans, const lab::Report* report, bool veiling = true);
/// Without a lesson: an ellipsis for each live figure, and its name for each parameter.
Runs runs_alone(const lab::Spans& spans);
/// With the figures of the live run.
Runs runs_of(const Ui& ui, const lab::Spans& spans);

}  // namespace warpbook::gui
