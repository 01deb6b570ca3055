// From the spans of a document to the runs of a paragraph, with live figures put in.
#pragma once

#include "gui/controls/ui.hpp"
#include "gui/draw/paragraph.hpp"
#include "lab/document/document.hpp"

namespace warpbook::gui {

/// `report` is what figures are read from; a figure that a question keeps covered is veiled where
/// `veiling`.
Runs runs_of(const Ui& ui, const lab::Spans& spans, const lab::Report* report, bool veiling = true);
/// The same away from any lesson: a figure is an ellipsis, a parameter its name.
Runs runs_alone(const lab::Spans& spans);
/// The same for the live run.
Runs runs_of(const Ui& ui, const lab::Spans& spans);

}  // namespace warpbook::gui
