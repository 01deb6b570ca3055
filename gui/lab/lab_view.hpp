// The lab: parameters, editors and exhibits of what is being read, one panel below the other.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "gui/controls/ui.hpp"
#include "gui/editor/code_panel.hpp"
#include "gui/lab/compare_view.hpp"
#include "gui/lab/parameter_strip.hpp"

namespace warpbook::gui {

class LabView {
 public:
  /// Lays out the part that does not scroll, for a lab of that size, and gives back its height. `one_column`: the window is
  /// narrow, so pairs are one above the other.
  float measure_top(const Ui& ui, ImVec2 size, bool one_column);
  /// Draws that part in the current child window.
  void draw_top(const Ui& ui);
  /// Draws the rest in the current child window, which scrolls.
  void draw(const Ui& ui);
  /// Lays out what lies over the lab's lower edge, for a lab of that size, and gives back its height: what stopped the last
  /// run, and how far the run in progress is. It stays in view wherever the lab is scrolled, and moves nothing.
  float measure_foot(const Ui& ui, ImVec2 size);
  /// Draws that in the current child window.
  void draw_foot(const Ui& ui);
  /// Gives the keyboard to a parameter.
  void focus_parameter(const std::string& name) { strip_.focus(name); }
  void focus_editor(const Ui& ui);
  /// Of the exercise that is worked at, or of the live run; null where the chapter has nothing to edit.
  [[nodiscard]] CodeEditor* editor_shown(const Ui& ui);
  /// Opens the list of runs that side A or B of the reader's comparison may show.
  void choose_side(bool of_b) { wanted_side_ = of_b; }
  struct Place {
    ImVec2 min, max;     ///< on the screen, in view or not
    bool stays = false;  ///< it does not scroll
  };
  /// The panel of that name (as topics_of() gives them) in the last frame; null where there is none.
  [[nodiscard]] const Place* place_of(const std::string& name) const;
  /// The panel at a point of the screen, in the last frame; empty where there is none.
  [[nodiscard]] std::string panel_at(ImVec2 point) const;
  /// Scrolls until that panel can be seen.
  void reveal(const std::string& name) { wanted_panel_ = name; }
  /// What is said of the last check beside its code; empty: nothing.
  [[nodiscard]] const std::string& verdict() const { return verdict_; }
  CodePanel& code() { return code_; }
  [[nodiscard]] const CodePanel& code() const { return code_; }
  /// The top of the part that scrolls, on the screen.
  [[nodiscard]] float scroll_top() const { return scroll_top_; }
  /// Scrolls on by so much in the next frame.
  void scroll_on(float by) { scroll_by_ += by; }
  /// Of the part that scrolls.
  [[nodiscard]] float view_height() const { return view_height_; }
  /// How far it is scrolled.
  [[nodiscard]] float scroll() const { return scroll_; }
  /// Scrolls as far as in an earlier sitting, as soon as there is as much to show.
  void restore_scroll(float scroll) { wanted_scroll_ = scroll; }
  void forget();

 private:
  /// The reader's comparison: the inputs and sources if they decide a side, the relation, and the pairs.
  float draw_own_comparison(const Ui& ui, ImVec2 corner, float width, const Compared& compared);
  /// The variants of a directive.
  float draw_variants(const Ui& ui, ImVec2 corner, float width, std::size_t node,
                      const Compared& compared);
  float draw_live(const Ui& ui, ImVec2 corner, float width);
  /// The exercise that the reader works at: its editor, and the report of its last check.
  float draw_exercise(const Ui& ui, ImVec2 corner, float width, const ExerciseAttempt& attempt);
  /// What the last check found, in a few words beside the code.
  float draw_verdict(const Ui& ui, ImVec2 corner, float width, const ExerciseAttempt& attempt,
                     const lab::CheckReport& result);
  float draw_unchecked(const Ui& ui, ImVec2 corner, float width, const ExerciseAttempt& attempt);
  /// The pictures of the live run if `pictures`, else all its other exhibits that stand nowhere else.
  float draw_exhibits(const Ui& ui, ImVec2 corner, float width, bool pictures);
  float draw_reports(const Ui& ui, ImVec2 corner, float width, const ExerciseAttempt& attempt);

  /// Widths of the lab's columns; of the second, 0 where there is one.
  [[nodiscard]] std::pair<float, float> columns_of(float width) const;
  void open_chapter(const Book& book);
  [[nodiscard]] bool follows_live_run() const;
  // Of the foot; each gives back its height, and draws only if `draw`.
  float progress(const Ui& ui, ImVec2 corner, float width, bool draw) const;
  float errors(const Ui& ui, ImVec2 corner, float width, bool draw) const;

  void place(const std::string& name, ImVec2 corner, float width, float height);
  void scroll_to_wanted(const Ui& ui);
  void scroll_to_restored();
  void place_panes();
  /// What lies over the lower edge must hide neither the row that the reader writes nor the error in it.
  void keep_caret_in_view(const CodeEditor* code);

  /// What the lab shows, found once per frame.
  struct Shown {
    const ExerciseAttempt* attempt = nullptr;
    std::optional<Compared> own, variants;
    std::size_t node = 0;  ///< of the variants
    [[nodiscard]] const Compared* compared() const {
      return own ? &*own : variants ? &*variants : nullptr;
    }
  };
  [[nodiscard]] static Shown shown_of(const Book& book);
  /// Pairs are side by side.
  [[nodiscard]] bool beside() const { return !one_column_ && width_ >= kSideBySide; }

  CodePanel code_;
  ParameterStrip strip_;
  bool one_column_ = false;
  Shown shown_;
  const lab::Lesson* lesson_ = nullptr;
  float width_ = 0, top_height_ = 0, strip_height_ = 0, scroll_top_ = 0, scroll_ = 0;
  float view_height_ = 0;
  float foot_width_ = 0, foot_height_ = 0, foot_shown_ = 0;
  std::uint64_t caret_seen_ = 0;  ///< what keep_caret_in_view() brought into view last
  float wanted_scroll_ = -1;      ///< below 0: none
  float scroll_by_ = 0;           ///< by the wheel over the part that stays, or by keys
  float scrollbar_ = 0;           ///< its width in the last frame
  std::map<std::string, Place> places_;
  std::string verdict_;
  SideWanted wanted_side_;
  std::string wanted_panel_, moving_to_;
};

}  // namespace warpbook::gui
