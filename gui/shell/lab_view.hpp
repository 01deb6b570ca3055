// The lab: parameters, editors and exhibits of what is being read, one panel below the other.
#pragma once

#include <map>
#include <string>

#include "gui/editor/code_panel.hpp"
#include "gui/shell/ui.hpp"

namespace warpbook::gui {

class LabView {
 public:
  /// Draws in the current child window.
  void draw(const Ui& ui);
  /// Gives the keyboard to a parameter.
  void focus_parameter(std::string name) { wanted_parameter_ = std::move(name); }
  void focus_editor(const Ui& ui);
  CodePanel& code() { return code_; }
  void forget() { code_.forget(); }

 private:
  float draw_parameters(const Ui& ui, ImVec2 corner, float width);
  void draw_parameter(const Ui& ui, const lab::Parameter& parameter, ImVec2 corner, float width);
  float draw_live(const Ui& ui, ImVec2 corner, float width);
  float draw_progress(const Ui& ui, ImVec2 corner, float width);
  float draw_unchecked(const Ui& ui, ImVec2 corner, float width);
  float draw_errors(const Ui& ui, ImVec2 corner, float width);

  CodePanel code_;
  std::string wanted_parameter_;
  struct Typed {
    std::string text;  ///< what is being typed
    bool active = false;
    std::string problem;  ///< why it was not taken
  };
  std::map<std::string, Typed> typed_;
};

}  // namespace warpbook::gui
