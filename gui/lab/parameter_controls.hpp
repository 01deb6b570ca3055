// The controls of a chapter's parameters: a slider or two steps beside a box, a switch, choices, the path of a picture.
#pragma once

#include <map>
#include <string>

#include "gui/controls/ui.hpp"
#include "gui/lab/picture_chooser.hpp"

namespace warpbook::gui {

inline constexpr float kParameterRow = 32;

/// What controls that stand below each other have in common, in pixels.
struct ParameterMeasures {
  float box = 0;   ///< of a number
  float unit = 0;  ///< behind it; 0: units are not shown
};

class ParameterControls {
 public:
  /// One row: the control of that parameter, without its name.
  void draw(const Ui& ui, const lab::Parameter& parameter, ImVec2 corner, float width,
            const ParameterMeasures& measures);
  /// Why its value was not taken, or not shown; empty where all is well.
  [[nodiscard]] std::string problem_of(const Ui& ui, const lab::Parameter& parameter) const;
  /// Gives the keyboard to that parameter's control as soon as it is drawn.
  void focus(std::string name) { wanted_ = std::move(name); }
  /// Lets go of what was typed and not taken.
  void forget() { typed_.clear(); }

 private:
  /// What was typed is checked, and taken unless something is wrong with it.
  void take(const Ui& ui, const lab::Parameter& parameter);
  /// The next item gets the keyboard where that parameter is waited for.
  void focus_next(const lab::Parameter& parameter);
  void draw_number(const Ui& ui, const lab::Parameter& parameter, ImVec2 corner, float width,
                   const ParameterMeasures& measures, const lab::Value& value);
  /// A box for what is typed; what is wrong with it stands elsewhere.
  void draw_typed(const Ui& ui, const lab::Parameter& parameter, ImVec2 corner, float width,
                  const std::string& value);
  /// A box for a path, and a button that opens the list of pictures.
  void draw_picture(const Ui& ui, const lab::Parameter& parameter, ImVec2 corner, float width,
                    const std::string& value);
  void draw_choice(const Ui& ui, const lab::Parameter& parameter, ImVec2 corner, float width,
                   const std::string& chosen);

  struct Typed {
    std::string text;  ///< what is being typed
    std::string seen;  ///< the value when it was; another makes what was typed a thing of the past
    bool active = false;
    std::string problem;  ///< why it was not taken
  };
  std::map<std::string, Typed> typed_;
  std::string wanted_;
  PictureChooser chooser_;
};

}  // namespace warpbook::gui
