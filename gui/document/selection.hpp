// The part of a page's text that is selected, by clicks, by dragging or by keys.
#pragma once

#include <algorithm>
#include <utility>

#include "gui/document/page_text.hpp"

namespace warpbook::gui {

class Selection {
 public:
  [[nodiscard]] TextPlace from() const { return std::min(anchor_.first, focus_.first); }
  [[nodiscard]] TextPlace to() const { return std::max(anchor_.second, focus_.second); }
  [[nodiscard]] bool empty() const { return from() == to(); }
  /// The end that moves.
  [[nodiscard]] TextPlace focus() const {
    return focus_.first < anchor_.first ? focus_.first : focus_.second;
  }

  void clear() { *this = {}; }
  void set(const TextPlace& from, const TextPlace& to) {
    *this = {};
    anchor_ = {from, from};
    focus_ = {to, to};
  }
  /// A press of the mouse: one click selects by characters, two by words, three by paragraphs. `extend` keeps the
  /// selection and moves its end.
  void press(const PageText& text, const TextPlace& place, int clicks, bool extend);
  /// The mouse moves with its button held; after two or three clicks it selects whole words or paragraphs.
  void drag(const PageText& text, const TextPlace& place) { focus_ = text.unit_at(place, grain_); }
  /// The moving end goes to `place`.
  void extend_to(const TextPlace& place);

 private:
  std::pair<TextPlace, TextPlace> anchor_, focus_;
  Grain grain_ = Grain::character;
};

}  // namespace warpbook::gui
