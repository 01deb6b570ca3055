// The strip of parameters, which stays above the part of the lab that scrolls: presets, a few rows of parameters, and the
// launch that follows from them. Each parameter has a place of its own in the chapter's order, whatever is being read. If not
// all of them have room, the last are folded away.
#pragma once

#include <string>
#include <vector>

#include "gui/lab/parameter_controls.hpp"

namespace warpbook::gui {

/// The share of the lab's height that the strip takes at most while parameters are folded away.
inline constexpr float kStripShare = 0.3f;

class ParameterStrip {
 public:
  /// Lays the strip out for a lab of that height, and gives back the strip's height; 0 if the chapter has no parameters.
  float measure(const Ui& ui, float width, float lab_height);
  /// Draws what measure() laid out.
  void draw(const Ui& ui, ImVec2 corner);
  /// Gives that parameter the keyboard, unfolding the strip if it is folded away.
  void focus(const std::string& name);
  /// Folds the strip, and discards text that was typed but not taken.
  void forget();

 private:
  /// A parameter's place: its row, and the columns [column, column + span) of it.
  struct Cell {
    const lab::Parameter* parameter = nullptr;
    std::size_t row = 0, column = 0, span = 1;
  };
  struct Plan {
    float width = 0, height = 0;
    std::vector<Cell> shown;
    std::size_t columns = 1, rows = 0;
    bool foldable = false;       ///< not all parameters have room
    bool chips = false;          ///< presets are side by side; else in a list
    bool titled = false;         ///< there is room for the title beside them
    float name = 0, column = 0;  ///< widths of the names and of a column
    ParameterMeasures measures;
    std::string follows;  ///< the launch's blocks and threads
    bool follows_shown = false;
  };
  /// Chooses as many columns as give each slider a track that can be aimed at.
  void lay_columns(const Ui& ui, const std::vector<lab::Parameter>& all);
  /// The columns that a parameter takes.
  [[nodiscard]] std::size_t span_of(const Ui& ui, const lab::Parameter& parameter) const;
  /// Gives every parameter its place, and chooses how many rows to show.
  void lay_rows(const Ui& ui, const std::vector<lab::Parameter>& all, float lab_height);
  void lay_presets(const Ui& ui, const lab::Lesson& lesson);
  void draw_head(const Ui& ui, const lab::Lesson& lesson, ImVec2 corner);
  /// The buttons that keep the run, restore the defaults and unfold the rest; gives back their left end.
  float draw_buttons(const Ui& ui, float right, float middle);
  void draw_presets(const Ui& ui, const lab::Lesson& lesson, float left, float right, float middle);
  void draw_cell(const Ui& ui, const Cell& cell, ImVec2 corner);
  /// The problems of a row's parameters, below the row; gives back their height.
  float problems(const Ui& ui, std::size_t row, ImVec2 corner, bool draw) const;
  [[nodiscard]] std::string folding_says(const Ui& ui) const;

  ParameterControls controls_;
  Plan plan_;
  bool unfolded_ = false;
  std::string wanted_;  ///< the parameter that focus() named, until the strip is laid out
};

}  // namespace warpbook::gui
