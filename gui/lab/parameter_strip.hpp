// What a reader may change, in a strip that stays above what scrolls in the lab: presets, a few rows of parameters, and what
// follows from them. Where there are more than have room, those that the text speaks of are shown and the rest folds away.
#pragma once

#include <string>
#include <vector>

#include "gui/lab/parameter_controls.hpp"

namespace warpbook::gui {

/// The share of the lab's height that the strip takes at most while parameters are folded away.
inline constexpr float kStripShare = 0.2f;

/// Which of `all` are shown where `most` have room: those that are `named` first, in their order, then the others. They keep
/// the order of `all`.
std::vector<const lab::Parameter*> parameters_shown(const std::vector<lab::Parameter>& all,
                                                    const std::vector<std::string>& named,
                                                    std::size_t most);

class ParameterStrip {
 public:
  /// Lays it out for a lab of that height and gives back its own; 0 where the chapter has no parameters. `named`: the
  /// parameters that are being read about.
  float measure(const Ui& ui, float width, float lab_height, const std::vector<std::string>& named);
  /// Draws what measure() laid out.
  void draw(const Ui& ui, ImVec2 corner);
  /// Shows that parameter and gives it the keyboard.
  void focus(const std::string& name);
  /// Folds, and lets go of what was typed and not taken.
  void forget();

 private:
  struct Plan {
    float width = 0, height = 0;
    std::vector<const lab::Parameter*> shown;
    std::size_t columns = 1, rows = 0;
    bool foldable = false;       ///< not all have room
    bool chips = false;          ///< presets stand side by side; else in a list
    bool titled = false;         ///< there is room for the title beside them
    float name = 0, column = 0;  ///< widths of the names and of a column
    ParameterMeasures measures;
    std::string follows;  ///< of the launch
    bool follows_shown = false;
  };
  void set_columns(std::size_t columns);
  /// As many columns as have room.
  void lay_columns(const Ui& ui, const std::vector<lab::Parameter>& all);
  /// What is shown, in no more columns than its rows need.
  void lay_rows(const Ui& ui, const std::vector<lab::Parameter>& all, float lab_height);
  void lay_presets(const Ui& ui, const lab::Lesson& lesson);
  void draw_head(const Ui& ui, const lab::Lesson& lesson, ImVec2 corner);
  /// Pin, defaults, and what unfolds the rest; gives back their left end.
  float draw_buttons(const Ui& ui, float right, float middle);
  void draw_presets(const Ui& ui, const lab::Lesson& lesson, float left, float right, float middle);
  void draw_cell(const Ui& ui, const lab::Parameter& parameter, ImVec2 corner);
  /// What is wrong with the parameters of a row, below it; gives back its height.
  float problems(const Ui& ui, std::size_t row, ImVec2 corner, bool draw) const;
  [[nodiscard]] std::string folding_says(const Ui& ui) const;

  ParameterControls controls_;
  Plan plan_;
  bool unfolded_ = false;
  std::vector<std::string> named_;
  std::string wanted_;  ///< the parameter that was asked for last, until others are read about
};

}  // namespace warpbook::gui
