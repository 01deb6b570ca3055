// What a class sees beside the chapter's own text and lab: the foot with its clocks, one exhibit that fills the screen, the
// lecturer's pointer and pen, and the black of a blank screen.
#pragma once

#include <string>

#include "gui/book/presentation.hpp"
#include "gui/controls/ui.hpp"
#include "gui/lab/lab_view.hpp"
#include "gui/present/strokes.hpp"

namespace warpbook::gui {

class PresentView {
 public:
  static constexpr float kFoot = 40;

  void toggle_pointer() { pointer_ = !pointer_; }
  void toggle_pen() { pen_ = !pen_; }
  [[nodiscard]] bool pen() const { return pen_; }
  [[nodiscard]] bool pointer() const { return pointer_; }
  void undo_stroke(const Presentation& lecture) { strokes_.undo(key_of(lecture)); }
  void clear_strokes(const Presentation& lecture) { strokes_.clear(key_of(lecture)); }
  [[nodiscard]] const Strokes& strokes() const { return strokes_; }
  /// A new lecture begins without what was drawn in the last one.
  void begin();

  /// By how much the book is drawn larger because one exhibit has the screen to itself, and leaves room; 1 where none has.
  [[nodiscard]] float enlargement() const { return enlargement_; }
  /// The enlargement has changed, so that the next frame looks different.
  [[nodiscard]] bool settling() const { return settling_; }

  /// Draws the exhibit that fills the screen into `size`; false where none does, or the run does not show it.
  bool draw_enlarged(const Ui& ui, const Presentation& lecture, ImVec2 corner, ImVec2 size);
  void draw_foot(const Ui& ui, const Presentation& lecture, ImVec2 corner, float width);
  /// What lies over the page: strokes, the pointer, and the black. Takes the mouse while the pen is in use. `lab`: null where it is
  /// not on the screen.
  void draw_over(const Ui& ui, const Presentation& lecture, const LabView* lab, ImVec2 corner,
                 ImVec2 size);

 private:
  /// The screen, or the exhibit that fills it, for its strokes.
  [[nodiscard]] static std::string key_of(const Presentation& lecture);
  /// The largest scale at which the exhibit fits. `size`: of the room at the present one.
  [[nodiscard]] float fitting(const Ui& ui, const lab::Exhibit& exhibit, ImVec2 size) const;
  void take_strokes(const std::string& key, const LabView* lab, ImVec2 corner);
  void draw_strokes(const Ui& ui, const std::string& key, const LabView* lab, ImVec2 corner) const;
  static void draw_pointer(const Ui& ui);
  /// Each draws a sign at the foot's right end and gives back the x at its left.
  static float draw_countdown(const Ui& ui, const Presentation& lecture, float right, float middle);
  static float draw_mark(const Ui& ui, const std::string& says, Colour colour, float right,
                         float middle);

  Strokes strokes_;
  bool pointer_ = false, pen_ = false, drawing_ = false, settling_ = false;
  float enlargement_ = 1;
  std::string fitted_for_;  ///< what enlargement_ was worked out for
};

/// Minutes and seconds: "2:05".
std::string clock_text(double seconds);

}  // namespace warpbook::gui
