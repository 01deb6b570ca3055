// The document's region: lays out the chapter's text, scrolls it, knows what the reader is reading, and selects text.
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
  /// Draws in the current child window, which it fills. `beside_lab`: the lab is on screen, too.
  void draw(const Ui& ui, bool beside_lab);

  struct Step {
    std::string name;      ///< "ask", "predict", ...
    float top = 0;         ///< from the document's top
    std::size_t node = 0;  ///< its heading
  };
  [[nodiscard]] const std::vector<Step>& steps() const { return steps_; }
  /// Index of the step being read.
  [[nodiscard]] std::size_t current_step() const { return current_step_; }
  void go_to_step(std::size_t step);
  void go_to_step(std::string_view name);
  /// Digits answer it from then on.
  void go_to_question(const std::string& id) { wanted_question_ = id; }
  /// Goes to where the chapter explains a term.
  void go_to_term(const std::string& id) { wanted_term_ = id; }
  void scroll_to(float y) { wanted_scroll_ = y; }
  /// Tab goes on from the first item at or behind the start of a node, wherever the text is scrolled; other keys scroll the text.
  void focus(std::size_t node) { wanted_focus_ = Focus{node, false}; }
  /// The first choice of a node's question has the focus, so that arrow keys and Enter answer it.
  void focus_choices(std::size_t node) { wanted_focus_ = Focus{node, true}; }
  /// Shows the nodes [first, last) alone, as a class sees them, and from their top; their questions have letters. Nothing: the
  /// whole text again.
  struct Part {
    std::size_t first = 0, last = 0;
    friend bool operator==(const Part&, const Part&) = default;
  };
  void show_part(std::optional<Part> part);
  /// Scrolls on by so much, as far as there is text.
  void scroll_on(float by);
  /// Scrolls on by a view (1) or back (-1); false where there is no more text that way.
  bool turn_page(int by);
  /// Where the reader is: node `node` of the document is the first in view, its top `below_top` below the view's.
  struct Place {
    std::size_t node = 0;
    float below_top = 0;
    friend bool operator==(const Place&, const Place&) = default;
  };
  [[nodiscard]] Place place() const;
  /// The first node of which more than a strip is in view.
  [[nodiscard]] std::size_t first_in_view() const;
  /// Goes to a place of an earlier sitting, and stays there while runs still change the heights above it.
  void restore(const Place& place) {
    restoring_ = place;
    restored_ = false;
  }
  [[nodiscard]] float scroll() const { return scroll_; }
  [[nodiscard]] float height() const { return total_; }
  [[nodiscard]] float view_height() const { return view_height_; }
  /// True while a scroll is still to be carried out.
  [[nodiscard]] bool settling() const {
    return wanted_scroll_ >= 0 || !wanted_step_.empty() || !wanted_question_.empty() ||
           !wanted_term_.empty() || scrolls_by_drag_ || (restoring_ && !restored_);
  }

  /// The piece of text being read that a panel of the lab is about, and its place on the screen.
  struct ConnectedPiece {
    std::size_t node = 0;
    ImVec2 min, max;
    std::vector<std::string> topics;  ///< of topics_of()
  };
  [[nodiscard]] const std::optional<ConnectedPiece>& connected() const { return connected_; }
  /// The exercise at the reading line; empty where there is none.
  [[nodiscard]] const std::string& exercise_in_view() const { return exercise_in_view_; }
  /// The node of the comparison being read; it stays until it is out of view or another one is read.
  [[nodiscard]] std::optional<std::size_t> compare_in_view() const { return compare_in_view_; }
  /// The parameter whose chip was pressed in this frame; empty where none was.
  [[nodiscard]] std::string take_focused_parameter() {
    return std::exchange(shared_.focus_parameter, {});
  }
  [[nodiscard]] std::string take_followed_link() { return std::exchange(shared_.follow, {}); }

  /// The selected text, as it is copied.
  [[nodiscard]] std::string selected_text() const {
    return text_.between(selection_.from(), selection_.to());
  }
  void select_all() { selection_.set(text_.begin(), text_.end()); }
  void clear_selection() { selection_.clear(); }

  /// Opens the find bar with the selected text if that is a few words, else with the words of the last search.
  void open_find();
  void find(std::string words) { find_.open(std::move(words), {}); }
  FindBar& find_bar() { return find_; }
  /// The text of the page, in view or not.
  [[nodiscard]] const PageText& text() const { return text_; }
  /// The paragraphs drawn in the last frame, with their places on the screen.
  [[nodiscard]] const std::vector<SetParagraph>& paragraphs() const { return shared_.set; }
  /// Nodes drawn in the last frame; those out of view cost nothing.
  [[nodiscard]] std::size_t nodes_drawn() const { return nodes_drawn_; }

 private:
  static constexpr float kTop = 11;  ///< of the title, from the document's top

  // ---- One frame
  /// What the reader is reading, while text above it changes its height or the column its width: a place, or the end of the
  /// text.
  struct Held {
    Place place;
    bool at_end = false;
    bool at_pivot = false;  ///< the place is that of the node's pivot, not of its top
  };
  /// The place in view that must not move: of a node that begins above the view its pivot, if that is in view.
  [[nodiscard]] Held held_place() const;
  /// Takes over the column's width. Where it differs from the last frame's, or the text is to be laid out again, gives back
  /// the place that must not move.
  [[nodiscard]] std::optional<Held> hold_place(const Ui& ui, float width, bool laid_out_again);
  [[nodiscard]] bool shows_text_of(const Book& book) const;
  /// How far the text is scrolled when that place is where it says.
  [[nodiscard]] float scroll_of(const Place& place) const;
  /// Takes over a new text, or another language.
  void take_text(const Ui& ui);
  /// Where every node begins, from their heights.
  void place_nodes(const lab::Document& document);
  /// Where the step, question, term or found words are that the reader wants to go to.
  void find_wanted(const Ui& ui, float width);
  void scroll_to_question(const lab::Document& document);
  void scroll_to_term(const lab::Document& document);
  void scroll_to_restored();
  /// Scrolls so that the held place stays, unless the reader wants to go elsewhere.
  void keep_place(const Held& held);
  /// Carries out a scroll that was asked for; false where there was none.
  bool scroll_to_wanted();

  // ---- Laying out
  /// Changes with everything that the height of a node depends on.
  [[nodiscard]] std::uint64_t stamp(const Ui& ui, float width) const;
  NodeContext context_of(const Ui& ui, std::size_t node) const;
  void measure(const Ui& ui, float width);
  void draw_nodes(const Ui& ui, ImVec2 corner, float width);
  /// Where the keyboard goes on when a question that was answered takes its choices away.
  void follow_answer();
  /// Scrolls until what explains the answer just given is in view, as soon as it is known; the question itself stays in view.
  void show_explanation(const Ui& ui);
  /// The node is not left out by show_part().
  [[nodiscard]] bool shown(std::size_t node) const {
    return !part_ || (node >= part_->first && node < part_->last);
  }
  /// The paragraphs of a node at their places, measured from the document's top.
  [[nodiscard]] std::vector<SetParagraph> laid_out(const Ui& ui, std::size_t node, float width);

  // ---- Going to places
  /// How far the text is scrolled when a step's heading is at the top.
  [[nodiscard]] float scroll_of(const Step& step) const;
  /// The same for the step that the reader went to, unless they have scrolled since.
  [[nodiscard]] std::optional<float> scroll_to_shown() const;
  /// Scrolls to a place that is out of view, or close to its edge.
  void reveal(const Ui& ui, const TextPlace& place, float width);

  // ---- What is being read
  /// Whether the reader is at the text, so that digits may answer its questions: a digit that was meant for a box of the lab, which
  /// the mouse missed, must not.
  void follow_reader(const Ui& ui);
  void find_place(const Ui& ui);
  void find_comparison(const Ui& ui);
  /// The node that stays in place when the column changes its width.
  [[nodiscard]] std::size_t anchor(const Ui& ui) const;
  void find_connected(const Ui& ui, ImVec2 corner, float width);

  // ---- Selecting text
  void handle_selection(const Ui& ui, float width);
  void select_by_mouse(const Ui& ui);
  void select_by_keys(const Ui& ui, float width);
  [[nodiscard]] TextPlace place_at(const Ui& ui, ImVec2 point) const;
  /// A line above or below; `place` itself where there is none.
  [[nodiscard]] TextPlace next_line(const Ui& ui, const TextPlace& place, int by, float width);

  // ---- The text as it was laid out
  std::uint64_t document_version_ = 0;
  std::string chapter_;  ///< slug
  std::string language_ = lab::kEnglish;
  std::uint64_t stamp_ = 0;
  float width_ = 0;  ///< of the column in the last frame
  bool beside_lab_ = false;
  float title_height_ = 0, total_ = 0, view_height_ = 0;
  std::optional<Part> part_;
  std::vector<float> tops_, heights_;  ///< of the nodes
  std::vector<float> pivots_;          ///< from the nodes' tops; 0: the node has none
  std::vector<Step> steps_;
  PageText text_;
  std::uint64_t text_version_ = 0;
  FlowShared shared_;
  std::size_t nodes_drawn_ = 0;

  // ---- Where it is scrolled to, and where the reader wants to go
  float scroll_ = 0;
  float wanted_scroll_ = -1;  ///< below 0: nowhere
  std::string wanted_step_, wanted_question_, wanted_term_;
  struct Focus {
    std::size_t node = 0;
    bool choices = false;
  };
  std::optional<Focus> wanted_focus_;
  std::optional<std::size_t> explaining_;  ///< the node of the question just answered
  std::optional<Place> restoring_;
  bool restored_ = false;       ///< it has scrolled there
  bool laid_out_again_ = true;  ///< in this frame
  std::string step_shown_;      ///< the step that the reader went to last
  float step_scroll_ = -1;      ///< the last scroll that was carried out
  float left_at_ = 0;           ///< how far the text was scrolled at the end of the last frame
  bool moved_ = false;          ///< in this frame the reader has scrolled, or goes elsewhere

  // ---- What is being read
  std::size_t current_step_ = 0;
  std::string exercise_in_view_;
  bool at_text_ = true, typing_ = false;  ///< of follow_reader()
  std::string keyed_;                     ///< the question that keys 1 to 9 answer
  std::optional<std::size_t> compare_in_view_;
  std::optional<ConnectedPiece> connected_;

  // ---- Selecting and finding
  Selection selection_;
  bool selecting_ = false;        ///< the mouse's button is held
  bool scrolls_by_drag_ = false;  ///< the mouse is held beyond the view's edge
  float goal_x_ = -1;  ///< the column that Shift with up and down keeps to; below 0: none
  FindBar find_;
};

}  // namespace warpbook::gui
