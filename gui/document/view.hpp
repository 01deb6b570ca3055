// The document's region: scrolling, what is in view, selection and copy, and where the reader is.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "gui/document/blocks.hpp"

namespace warpbook::gui {

class DocumentView {
 public:
  /// Draws in the current child window, whose whole inside is the document's. `measure` is the
  /// widest column of text.
  void draw(const Ui& ui);

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
  void scroll_to(float y) { wanted_scroll_ = y; }
  [[nodiscard]] float scroll() const { return scroll_; }
  [[nodiscard]] float height() const { return total_; }
  /// True while a scroll is still to be carried out.
  [[nodiscard]] bool settling() const {
    return wanted_scroll_ >= 0 || !wanted_step_.empty() || !wanted_question_.empty();
  }

  /// The piece being read that the lab has a panel for, where it lies on the screen.
  struct Joint {
    std::size_t block = 0;
    ImVec2 min, max;
    std::vector<std::string> topics;  ///< of topics_of()
  };
  [[nodiscard]] const std::optional<Joint>& joint() const { return joint_; }
  /// The exercise at the reading line; empty where there is none.
  [[nodiscard]] const std::string& exercise_in_view() const { return exercise_in_view_; }
  /// A chip with a parameter's name was pressed in this frame; empty else.
  [[nodiscard]] std::string take_focused_parameter() {
    return std::exchange(shared_.focus_parameter, {});
  }
  [[nodiscard]] std::string take_followed_link() { return std::exchange(shared_.follow, {}); }
  [[nodiscard]] const std::string& selected_text() const { return selected_; }
  /// Blocks drawn in the last frame; those out of view cost nothing.
  [[nodiscard]] std::size_t blocks_drawn() const { return blocks_drawn_; }

 private:
  void measure(const Ui& ui, float width);
  void draw_blocks(const Ui& ui, ImVec2 corner, float width);
  void handle_selection(const Ui& ui, float width);
  void find_place(const Ui& ui);
  void find_joint(const Ui& ui, ImVec2 corner, float width);
  [[nodiscard]] std::uint64_t stamp(const Ui& ui, float width) const;
  BlockContext context_of(const Ui& ui, std::size_t block) const;

  std::vector<float> tops_, heights_;
  std::vector<Step> steps_;
  std::uint64_t stamp_ = 0, document_version_ = 0;
  float total_ = 0, scroll_ = 0;
  float wanted_scroll_ = -1;
  std::string wanted_step_, wanted_question_, exercise_in_view_, keyed_;
  std::size_t current_step_ = 0, blocks_drawn_ = 0;
  FlowShared shared_;
  std::optional<Joint> joint_;
  bool selecting_ = false;
  TextPlace anchor_, focus_;
  std::string selected_;
};

}  // namespace warpbook::gui
