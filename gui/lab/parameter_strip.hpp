// The strip of parameters, which stays above the part of the lab that scrolls: presets, a few rows of parameters, and the
// launch that follows from them. If not all parameters have room, the strip shows those that the text mentions and folds
// the rest away.
#pragma once

#include <string>
#include <vector>

#include "gui/lab/parameter_controls.hpp"

namespace warpbook::gui {

/// The share of the lab's height that the strip takes at most while parameters are folded away.
inline constexpr float kStripShare = 0.2f;

/// The parameters to show if `most` of them have room: first those in `named`, in that order, then others. The result keeps
/// the order of `all`.
std::vector<const lab::Parameter*> parameters_shown(const std::vector<lab::Parameter>& all,
                                                    const std::vector<std::string>& named,
                                                    std::size_t most);

class ParameterStrip {
 public:
  /// Lays the strip out for a lab of that height, and gives back the strip's height; 0 if the chapter has no parameters.
  /// `named`: the parameters that the text being read mentions.
  float measure(const Ui& ui, float width, float lab_height, const std::vector<std::string>& named);
  /// Draws what measure() laid out.
  void draw(const Ui& ui, ImVec2 corner);
  /// Shows that parameter and gives it the keyboard.
  void focus(const std::string& name);
  /// Folds the strip, and discards text that was typed but not taken.
  void forget();

 private:
  struct Plan {
    float width = 0, height = 0;
    std::vector<const lab::Parameter*> shown;
    std::size_t columns = 1, rows = 0;
    bool foldable = false;       ///< not all parameters have room
    bool chips = false;          ///< presets are side by side; else in a list
    bool titled = false;         ///< there is room for the title beside them
    float name = 0, column = 0;  ///< widths of the names and of a column
    ParameterMeasures measures;
    std::string follows;  ///< the launch's blocks and threads
    bool follows_shown = false;
  };
  void set_columns(std::size_t columns);
  /// Chooses as many columns as have room.
  void lay_columns(const Ui& ui, const std::vector<lab::Parameter>& all);
  /// Chooses the parameters to show, and no more columns than their rows need.
  void lay_rows(const Ui& ui, const std::vector<lab::Parameter>& all, float lab_height);
  void lay_presets(const Ui& ui, const lab::Lesson& lesson);
  void draw_head(const Ui& ui, const lab::Lesson& lesson, ImVec2 corner);
  /// The buttons that keep the run, restore the defaults and unfold the rest; gives back their left end.
  float draw_buttons(const Ui& ui, float right, float middle);
  void draw_presets(const Ui& ui, const lab::Lesson& lesson, float left, float right, float middle);
  void draw_cell(const Ui& ui, const lab::Parameter& parameter, ImVec2 corner);
  /// The problems of a row's parameters, below the row; gives back their height.
  float problems(const Ui& ui, std::size_t row, ImVec2 corner, bool draw) const;
  [[nodiscard]] std::string folding_says(const Ui& ui) const;

  ParameterControls controls_;
  Plan plan_;
  bool unfolded_ = false;
  std::vector<std::string> named_;
  std::string wanted_;  ///< the parameter that focus() named last, until the text mentions others
};

}  // namespace warpbook::gui
