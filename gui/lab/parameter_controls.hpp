// The controls of a chapter's parameters: a slider or two step buttons beside a box, a switch, choices, the path of a
// picture.
#pragma once

#include <map>
#include <string>

#include "gui/controls/ui.hpp"
#include "gui/lab/drawing_pad.hpp"
#include "gui/lab/file_chooser.hpp"

namespace warpbook::gui {

inline constexpr float kParameterRow = 32;
/// Between a control and the box beside it.
inline constexpr float kBesideBox = 8;
/// The least width of a slider: shorter ones cannot be aimed at.
inline constexpr float kLeastTrack = 200;

/// Whether a parameter has a slider, and the width of its control if it has none.
bool has_slider(const lab::Parameter& parameter);
/// The value at a share of the slider's track, from 0 to 1.
double value_at(const lab::Parameter& parameter, float share);
float compact_width(const Ui& ui, const lab::Parameter& parameter);

/// Widths that controls one below the other share, in points.
struct ParameterMeasures {
  float box = 0;   ///< of a number
  float unit = 0;  ///< behind it; 0: units are not shown
};

class ParameterControls {
 public:
  /// One row: the control of that parameter, without its name.
  void draw(const Ui& ui, const lab::Parameter& parameter, ImVec2 corner, float width,
            const ParameterMeasures& measures);
  /// Why its value was not taken, or could not be shown; empty if it was.
  [[nodiscard]] std::string problem_of(const Ui& ui, const lab::Parameter& parameter) const;
  /// Gives the keyboard to that parameter's control when it is next drawn.
  void focus(std::string name) { wanted_ = std::move(name); }
  /// Discards text that was typed but not taken.
  void forget() { typed_.clear(); }

 private:
  /// Checks the typed text, and takes it if nothing is wrong with it.
  void take(const Ui& ui, const lab::Parameter& parameter);
  /// Gives the next item the keyboard if focus() named that parameter.
  void focus_next(const lab::Parameter& parameter);
  void draw_number(const Ui& ui, const lab::Parameter& parameter, ImVec2 corner, float width,
                   const ParameterMeasures& measures, const lab::Value& value);
  /// A box for the value as text; problem_of() says what is wrong with it.
  void draw_typed(const Ui& ui, const lab::Parameter& parameter, ImVec2 corner, float width,
                  const std::string& value);
  /// A box for a path, and buttons that open the list of pictures and the pad.
  void draw_picture(const Ui& ui, const lab::Parameter& parameter, ImVec2 corner, float width,
                    const std::string& value);
  void draw_choice(const Ui& ui, const lab::Parameter& parameter, ImVec2 corner, float width,
                   const std::string& chosen);

  struct Typed {
    std::string text;  ///< as typed so far
    std::string
        seen;  ///< parameter value when typing began; if it changes, the typed text is discarded
    bool active = false;
    std::string problem;  ///< why the text was not taken
  };
  std::map<std::string, Typed> typed_;
  std::string wanted_;
  FileChooser chooser_{FileSort::picture};
  DrawingPad pad_;
};

}  // namespace warpbook::gui
