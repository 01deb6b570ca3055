// The votes of a class as bars: the first vote above, the second below it, for each choice.
#pragma once

#include "gui/book/votes.hpp"
#include "gui/controls/ui.hpp"

namespace warpbook::gui {

/// What was pressed with the mouse: the choice whose hands are to be counted.
struct ChartPress {
  std::optional<std::size_t> choice;
};

/// Fills `size`. `revealed`: the answer is, and so are the counts. `right`: the right choice's value, which is marked; nothing while the
/// answer is covered.
ChartPress vote_chart(const Ui& ui, ImVec2 corner, ImVec2 size, const Poll& poll,
                      const lab::PredictDirective& question, bool revealed,
                      const std::optional<std::string>& right);

}  // namespace warpbook::gui
