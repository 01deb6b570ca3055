// The document's region: scrolling, what is in view, selection and copy, and where the reader is.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "gui/document/find_bar.hpp"
#include "gui/document/nodes.hpp"
#include "gui/document/selection.hpp"

namespace warpbook::gui {

class DocumentView {
 public:
  /// Draws in the current child window, whose whole inside is the document's. `beside_lab`: the lab can be seen, too.
  void draw(const Ui& ui, bool beside_lab);

  struct Step {
    std::string name;  ///< "ask", "predict", ...
    float top = 0;     ///< from the document's begin
  };
  [[nodiscard]] const std::vector<Step>& steps() const { return steps_; }
  /// Index of the step being read.
  [[nodiscard]] std::size_t current_step() const { return current_step_; }
  void go_to_step(std::size_t step);
  void go_to_step(std::string_view name);
  void go_to_question(const std::string& id) { wanted_question_ = id; }
  /// To where the chapter explains a word.
  void go_to_term(const std::string& id) { wanted_term_ = id; }
  void scroll_to(float y) { wanted_scroll_ = y; }
  [[nodiscard]] float scroll() const { return scroll_; }
  [[nodiscard]] float height() const { return total_; }
  /// True while a scroll is still to be carried out.
  [[nodiscard]] bool settling() const {
    return wanted_scroll_ >= 0 || !wanted_step_.empty() || !wanted_question_.empty() ||
           !wanted_term_.empty() || scrolls_by_drag_;
  }

  /// The piece being read that the lab has a panel for, where it lies on the screen.
  struct ConnectedPiece {
    std::size_t node = 0;
    ImVec2 min, max;
    std::vector<std::string> topics;  ///< of topics_of()
  };
  [[nodiscard]] const std::optional<ConnectedPiece>& connected() const { return connected_; }
  /// The parameters that the step being read names, those of the connected piece first.
  [[nodiscard]] const std::vector<std::string>& named_parameters() const { return named_; }
  /// The exercise at the reading line; empty where there is none.
  [[nodiscard]] const std::string& exercise_in_view() const { return exercise_in_view_; }
  /// The comparison being read, by its node; it stays until it is out of sight or another one is read.
  [[nodiscard]] std::optional<std::size_t> compare_in_view() const { return compare_in_view_; }
  /// A chip with a parameter's name was pressed in this frame; empty else.
  [[nodiscard]] std::string take_focused_parameter() {
    return std::exchange(shared_.focus_parameter, {});
  }
  [[nodiscard]] std::string take_followed_link() { return std::exchange(shared_.follow, {}); }

  /// What is selected, as it is copied.
  [[nodiscard]] std::string selected_text() const {
    return text_.between(selection_.from(), selection_.to());
  }
  void select_all() { selection_.set(text_.begin(), text_.end()); }
  void clear_selection() { selection_.clear(); }

  /// Opens the bar with what is selected, if that is a few words; else with what was looked for last.
  void open_find();
  void find(std::string words) { find_.open(std::move(words), {}); }
  FindBar& find_bar() { return find_; }
  /// The text of the page, in view or not.
  [[nodiscard]] const PageText& text() const { return text_; }
  /// The paragraphs drawn in the last frame, where they lie on the screen.
  [[nodiscard]] const std::vector<SetParagraph>& paragraphs() const { return shared_.set; }
  /// Nodes drawn in the last frame; those out of view cost nothing.
  [[nodiscard]] std::size_t nodes_drawn() const { return nodes_drawn_; }

 private:
  static constexpr float kTop = 11;  ///< of the title, from the document's begin

  void measure(const Ui& ui, float width);
  void draw_nodes(const Ui& ui, ImVec2 corner, float width);
  /// Selection, in select.cpp.
  void handle_selection(const Ui& ui, float width);
  void select_by_mouse(const Ui& ui);
  void select_by_keys(const Ui& ui, float width);
  [[nodiscard]] TextPlace place_at(const Ui& ui, ImVec2 point) const;
  /// A line above or below; `place` itself where there is none.
  [[nodiscard]] TextPlace next_line(const Ui& ui, const TextPlace& place, int by, float width);
  /// The paragraphs of a node where they lie, measured from the document's begin.
  [[nodiscard]] std::vector<SetParagraph> laid_out(const Ui& ui, std::size_t node, float width);
  /// Scrolls to a place that is out of view, or close to its edge.
  void reveal(const Ui& ui, const TextPlace& place, float width);

  void find_place(const Ui& ui);
  void find_comparison(const Ui& ui);
  /// Where the width is another one, what is being read stays where it stands.
  [[nodiscard]] std::size_t anchor(const Ui& ui) const;
  /// Where the text is scrolled to for a step's heading to stand at the top.
  [[nodiscard]] float scroll_of(const Step& step) const;
  /// The same for the step that was gone to, where the reader has not gone on since.
  [[nodiscard]] std::optional<float> scroll_to_shown() const;
  void find_connected(const Ui& ui, ImVec2 corner, float width);
  void find_named(const Ui& ui);
  [[nodiscard]] std::uint64_t stamp(const Ui& ui, float width) const;
  NodeContext context_of(const Ui& ui, std::size_t node) const;

  std::vector<float> tops_, heights_;
  std::vector<Step> steps_;
  std::uint64_t stamp_ = 0, document_version_ = 0;
  float total_ = 0, scroll_ = 0;
  float wanted_scroll_ = -1;
  std::string step_shown_;  ///< the step that was gone to last
  float step_scroll_ = -1;  ///< where the text was last scrolled to for it
  std::string wanted_step_, wanted_question_, wanted_term_, exercise_in_view_, keyed_;
  std::size_t current_step_ = 0, nodes_drawn_ = 0;
  std::optional<std::size_t> compare_in_view_;
  float width_ = 0;  ///< of the column in the last frame
  bool beside_lab_ = false;
  FlowShared shared_;
  std::optional<ConnectedPiece> connected_;
  std::vector<std::string> named_;
  /// What `named_` was found in.
  struct NamedOf {
    std::uint64_t document = 0;
    lab::Language language = lab::Language::english;
    std::size_t step = 0;
    std::optional<std::size_t> connected;
    friend bool operator==(const NamedOf&, const NamedOf&) = default;
  };
  std::optional<NamedOf> named_of_;
  PageText text_;
  std::uint64_t text_version_ = 0;
  float title_height_ = 0;
  Selection selection_;
  bool selecting_ = false;        ///< the mouse's button is held
  bool scrolls_by_drag_ = false;  ///< and it is beyond the view's edge
  float goal_x_ = -1;             ///< that moves by lines keep to; below 0: none
  FindBar find_;
  lab::Language language_ = lab::Language::english;
};

}  // namespace warpbook::gui
