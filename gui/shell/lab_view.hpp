// The lab: parameters, editors and exhibits of what is being read, one panel below the other.
#pragma once

#include <map>
#include <string>

#include "gui/editor/code_panel.hpp"
#include "gui/shell/compare_view.hpp"
#include "gui/shell/picture_chooser.hpp"
#include "gui/shell/ui.hpp"

namespace warpbook::gui {

class LabView {
 public:
  /// Draws in the current child window. `one_column`: the window is narrow, and pairs stand one above the other.
  void draw(const Ui& ui, bool one_column);
  /// Gives the keyboard to a parameter.
  void focus_parameter(std::string name) { wanted_parameter_ = std::move(name); }
  void focus_editor(const Ui& ui);
  /// Opens the list of what A, or B, of the reader's comparison may be.
  void choose_side(bool of_b) { wanted_side_ = of_b; }
  struct Place {
    ImVec2 min, max;  ///< on the screen, whether in sight or not
  };
  /// The panel of that name (as topics_of() gives them) in the last frame; null where there is none.
  [[nodiscard]] const Place* place_of(const std::string& name) const;
  /// Scrolls until that panel can be seen.
  void reveal(const std::string& name) { wanted_panel_ = name; }
  CodePanel& code() { return code_; }
  void forget() { code_.forget(); }

 private:
  /// The reader's comparison: what is set and edited where it decides a side, the relation, and the pairs.
  float draw_own_comparison(const Ui& ui, ImVec2 corner, float width, const Compared& compared);
  /// The variants of a directive.
  float draw_variants(const Ui& ui, ImVec2 corner, float width, std::size_t block,
                      const Compared& compared);
  float draw_parameters(const Ui& ui, ImVec2 corner, float width);
  /// What was typed is checked, and taken unless something is wrong with it.
  void take(const Ui& ui, const lab::Parameter& parameter);
  /// Why its value was not taken, or not shown; empty where all is well.
  [[nodiscard]] std::string problem_of(const Ui& ui, const lab::Parameter& parameter) const;
  /// A box for a path, and a button that opens the list of pictures.
  void draw_picture(const Ui& ui, const lab::Parameter& parameter, ImVec2 corner, float width,
                    const std::string& value);
  /// A box for what is typed; what is wrong with it stands below the row.
  void draw_typed(const Ui& ui, const lab::Parameter& parameter, ImVec2 corner, float width,
                  const std::string& value);
  void draw_parameter(const Ui& ui, const lab::Parameter& parameter, ImVec2 corner, float width);
  float draw_live(const Ui& ui, ImVec2 corner, float width);
  /// The exercise that the reader works at: its editor, and what its last check reported.
  float draw_exercise(const Ui& ui, ImVec2 corner, float width, const ExerciseDesk& desk);
  float draw_progress(const Ui& ui, ImVec2 corner, float width);
  float draw_unchecked(const Ui& ui, ImVec2 corner, float width);
  float draw_errors(const Ui& ui, ImVec2 corner, float width);

  void place(const std::string& name, ImVec2 corner, float width, float height);
  void scroll_to_wanted(const Ui& ui);

  CodePanel code_;
  std::map<std::string, Place> places_;
  bool one_column_ = false;
  SideWanted wanted_side_;
  std::string wanted_panel_, moving_to_;
  std::string wanted_parameter_;
  struct Typed {
    std::string text;  ///< what is being typed
    std::string seen;  ///< the value when it was; another makes what was typed a thing of the past
    bool active = false;
    std::string problem;  ///< why it was not taken
  };
  std::map<std::string, Typed> typed_;
  PictureChooser chooser_;
};

}  // namespace warpbook::gui
