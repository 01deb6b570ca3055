// The heat of lines: which counter it is of, the strip beside a line, and the legend with its control.
#pragma once

#include "gui/controls/ui.hpp"
#include "lab/exhibits/source/line_heat.hpp"

namespace warpbook::gui {

inline constexpr float kHeatBar = 34;

/// What the reader chose for the book, where the source has it; else `otherwise`, or else the threads.
lab::Heat heat_chosen(const Ui& ui, const lab::SourceExhibit& source,
                      lab::Heat otherwise = lab::Heat::threads);

/// That counter by line, worked out once for as long as the same results are shown. `source` lives that long.
const lab::LineHeat& heat_shown(const Ui& ui, const lab::SourceExhibit& source,
                                lab::Heat otherwise = lab::Heat::threads);

/// A row: the counter, which a press changes, and the scale from 0 to the most of any line. kHeatBar high.
void heat_bar(const Ui& ui, ImVec2 corner, float width, const lab::SourceExhibit& source,
              lab::Heat otherwise = lab::Heat::threads);

/// What heat_mark() takes at most for a line of this source, which lives as long as in heat_shown().
float heat_width(const Ui& ui, const lab::SourceExhibit& source,
                 lab::Heat otherwise = lab::Heat::threads);

/// While an open question covers a panel, a counter may answer it, and is not shown.
bool counts_may_answer(const Ui& ui);

/// A strip as warm as `share` (0 to 1) of a scale's end is, its right end at `right`, and the text beside it. Nothing and cold
/// where there is no text. Dim where `stale`.
void heat_strip(const Ui& ui, float right, float top, float height, double share,
                const std::string& text, bool stale);

/// What takes most of a line's time, in words; empty where the heat is of something else.
std::string heat_reason(const Ui& ui, const lab::SourceExhibit::Line& line,
                        const lab::LineHeat& heat);

/// The strip of one line, its right end at `right`, the number beside it, and before that the reason, if any. Dim where `stale`.
void heat_mark(const Ui& ui, float right, float top, float height, std::uint64_t value,
               const lab::LineHeat& heat, bool stale, const std::string& reason = {});

}  // namespace warpbook::gui
