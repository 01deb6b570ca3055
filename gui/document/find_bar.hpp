// Find in the chapter: a bar above the text, all places where the words occur, and the one that the reader is at.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "gui/controls/search_box.hpp"
#include "gui/document/page_text.hpp"

namespace warpbook::gui {

class FindBar {
 public:
  /// Opens the bar, or gives its box the keyboard again. Searches for `words` if there are any, from the reader's place on.
  void open(std::string words, const TextPlace& from);
  void close();
  [[nodiscard]] bool is_open() const { return open_; }
  /// Goes to the next place or, with `by` below 0, to the one before; after the last comes the first.
  void step(int by);

  /// Searches again if the page's text or the words have changed; `version` changes with every text.
  void update(const PageText& text, std::uint64_t version);
  /// Draws with its corner at `corner` and gives back its height; 0 while it is closed.
  float draw(const Ui& ui, ImVec2 corner, float width);

  [[nodiscard]] const std::string& words() const { return box_.text; }
  /// In order; none while the bar is closed.
  [[nodiscard]] const std::vector<TextRange>& found() const { return found_; }
  /// Index of the place that the reader is at.
  [[nodiscard]] std::size_t now() const { return now_; }
  /// The place that the page should scroll to; given once.
  [[nodiscard]] std::optional<TextPlace> take_wanted() { return std::exchange(wanted_, {}); }
  /// Closed, and no item has the keyboard, since none had it before; said once.
  bool take_none_focused() { return before_.take_none_had_it(); }

 private:
  void go();

  bool open_ = false;
  SearchBox box_;
  FocusBefore before_;
  std::vector<TextRange> found_;
  std::size_t now_ = 0;
  TextPlace from_;  ///< the first place at or after it is shown first
  std::string looked_for_;
  std::uint64_t version_ = 0;
  std::optional<TextPlace> wanted_;
};

}  // namespace warpbook::gui
