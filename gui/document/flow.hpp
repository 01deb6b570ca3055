// Sets paragraphs, cards and controls one below the other. The same code measures them, draws them and gathers their text,
// so that heights, pixels, copied text and found places cannot disagree.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "gui/controls/ui.hpp"
#include "gui/controls/widgets.hpp"
#include "gui/document/page_text.hpp"

namespace warpbook::gui {

/// A paragraph as it was set in one pass.
struct SetParagraph {
  std::size_t node = 0, part = 0;
  const Paragraph* paragraph = nullptr;  ///< of the cache: for this frame
  ImVec2 corner;
  float width = 0;
  std::string lead;
};

/// What a flow shares with the view that it draws for.
struct FlowShared {
  TextPlace from, to;            ///< selected: [from, to)
  std::vector<TextRange> found;  ///< in order
  std::size_t found_now = 0;     ///< index of the one that the reader is at
  bool grabbed = false;          ///< the mouse is selecting, so its release presses nothing
  std::vector<SetParagraph> set;
  float pivot = 0;              ///< of the node that was measured last: Flow::pivot()
  std::string focus_parameter;  ///< a parameter's chip was pressed
  std::string follow;           ///< a link was pressed
  /// Nodes, as SetParagraph counts them; 0: none.
  std::size_t answered = 0;  ///< its question was answered in this frame
  std::size_t choosing = 0;  ///< the first choice of its question is to have the focus
};

class Flow {
 public:
  enum class Pass : std::uint8_t { measure, draw };
  Flow(const Ui& ui, Pass pass, ImVec2 corner, float width, std::size_t node, FlowShared& shared)
      : ui_(&ui),
        pass_(pass),
        left_(corner.x),
        y_(corner.y),
        top_(corner.y),
        width_(width),
        node_(node),
        shared_(&shared) {}

  [[nodiscard]] const Ui& ui() const { return *ui_; }
  [[nodiscard]] bool drawing() const { return pass_ == Pass::draw; }
  [[nodiscard]] float y() const { return y_; }
  [[nodiscard]] float left() const { return left_; }
  [[nodiscard]] float right() const { return left_ + width_; }
  [[nodiscard]] float width() const { return width_; }
  [[nodiscard]] float used() const { return y_ - top_; }
  [[nodiscard]] ImVec2 corner() const { return {left_, y_}; }
  void gap(float height) { y_ += height; }
  /// What follows stays where it is on the screen while what is above it in the same node gets higher or lower.
  void pivot() {
    if (!drawing()) shared_->pivot = y_;
  }

  /// A paragraph across the width, less `indent` at the left. `lead` is put before it when it is copied.
  void paragraph(const Runs& runs, const ParagraphStyle& style, float indent = 0,
                 std::string lead = {});
  /// The height that a paragraph would take.
  [[nodiscard]] float height_of(const Runs& runs, const ParagraphStyle& style,
                                float indent = 0) const;

  /// An invisible item whose text can be selected: a drag that begins on it does not press it.
  [[nodiscard]] bool pressed(const char* id, ImVec2 min, ImVec2 max) const {
    return item(id, min, max) && !shared_->grabbed;
  }

  /// The node's choices begin here.
  void begin_choices();
  /// The node's question is answered, so that its choices, and the focus with them, are no longer there.
  void take_answer() { shared_->answered = node_; }

  /// The ground of code in the paragraphs that follow, for text on a ground that already has the usual colour.
  void set_chip(Colour chip) { chip_ = chip; }

  /// Draws `body` inside with insets, on a ground of its own height.
  struct Card {
    Colour fill = 0, bar = 0;  ///< bar: three points wide, at the left edge
    float padding_x = measure::kPadding, padding_top = 12, padding_bottom = 14;
  };
  void card(const Card& look, const std::function<void(Flow&)>& body);
  /// Narrows the flow for as long as `body` runs.
  void inset(float left, float right, const std::function<void(Flow&)>& body);
  /// The height of what `body` would set here.
  [[nodiscard]] float measured(const std::function<void(Flow&)>& body) const;

 private:
  void links(const Paragraph& paragraph, ImVec2 corner, const Run*& hot);
  /// The marks of a paragraph: its selected part, and the places that were found.
  [[nodiscard]] std::vector<TextMark> marks_of(std::size_t part, std::size_t size) const;

  const Ui* ui_;
  Pass pass_;
  float left_, y_, top_, width_;
  std::size_t node_, part_ = 0;
  Colour chip_ = 0;
  bool trial_ = false;  ///< only the height is wanted
  FlowShared* shared_;
};

}  // namespace warpbook::gui
