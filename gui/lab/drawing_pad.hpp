// A pad on which the reader draws the picture of a parameter, beside what the run makes of it while it is drawn.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "gui/controls/ui.hpp"
#include "lab/model/sketch.hpp"

namespace warpbook::gui {

class DrawingPad {
 public:
  /// Opens with the picture in that file; blank where there is none. Call it with the same ImGui id stack as draw().
  void open(const std::string& file);
  void draw(const Ui& ui, const lab::Parameter& parameter);

 private:
  enum class Tool : std::uint8_t { thin, medium, thick, eraser };

  void draw_paper(const Ui& ui, const lab::Parameter& parameter, ImVec2 corner);
  void draw_ink(const Ui& ui, ImVec2 corner) const;
  /// The tools, undo and clear, in as many rows as they need.
  void draw_tools(const Ui& ui, const lab::Parameter& parameter, ImVec2 corner, float width);
  /// What the run makes of the drawing: the exhibit that has the parameter's name.
  static void draw_answer(const Ui& ui, const lab::Parameter& parameter, ImVec2 corner,
                          float width);
  /// What the mouse draws in this frame, over the paper, which is the last item.
  void draw_by_mouse(const Ui& ui, const lab::Parameter& parameter, ImVec2 corner);
  /// Arrow keys move the pen, and draw with it while Space is held.
  void draw_by_keys(const Ui& ui, const lab::Parameter& parameter);
  void stroke_to(const Ui& ui, const lab::Parameter& parameter, const lab::Sketch::Place& to);
  /// Keeps the drawing as it is for undo.
  void begin_stroke();
  void undo(const Ui& ui, const lab::Parameter& parameter);
  /// Makes the drawing the parameter's value.
  void take(const Ui& ui, const lab::Parameter& parameter);
  /// Removes the files of this sitting that hold another drawing than `used`.
  void remove_passing(const std::filesystem::path& used);

  lab::Sketch sketch_;
  std::vector<std::filesystem::path> written_;  ///< in this sitting: one a step of each stroke
  std::string drawn_for_;                       ///< the parameter
  std::vector<lab::Sketch> before_;             ///< what undo goes back to, the last one at the end
  Tool tool_ = Tool::medium;
  std::optional<lab::Sketch::Place> last_;  ///< where the stroke under way has come to
  lab::Sketch::Place pen_;                  ///< that the arrow keys move
};

}  // namespace warpbook::gui
