// Find in the chapter: a bar over the text, all places that hold the words, and the one that the reader is at.
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
  /// Opens it, or goes to its box again. `words`, if not empty, are looked for; `from` is where the reader is.
  void open(std::string words, const TextPlace& from);
  void close();
  [[nodiscard]] bool is_open() const { return open_; }
  /// To the next place or, with `by` below 0, the one before; round the page's ends.
  void step(int by);

  /// Looks again where the page's text or the words are others than before; `version` counts texts.
  void update(const PageText& text, std::uint64_t version);
  /// Draws with its corner at `corner` and gives back its height; 0 while it is closed.
  float draw(const Ui& ui, ImVec2 corner, float width);

  [[nodiscard]] const std::string& words() const { return box_.text; }
  /// In order; none while the bar is closed.
  [[nodiscard]] const std::vector<TextRange>& found() const { return found_; }
  /// Index of the place that the reader is at.
  [[nodiscard]] std::size_t now() const { return now_; }
  /// Where the page should scroll to, once.
  [[nodiscard]] std::optional<TextPlace> take_wanted() { return std::exchange(wanted_, {}); }

 private:
  void go();

  bool open_ = false;
  SearchBox box_;
  FocusBefore before_;
  std::vector<TextRange> found_;
  std::size_t now_ = 0;
  TextPlace from_;  ///< the first place at or behind it is shown first
  std::string looked_for_;
  std::uint64_t version_ = 0;
  std::optional<TextPlace> wanted_;
};

}  // namespace warpbook::gui
