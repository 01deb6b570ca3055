// The text of a page as the reader sees it. Selecting, copying and finding work on it, whether or not it is in view.
#pragma once

#include <compare>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace warpbook::gui {

/// A place in the text of a page. Node 0 is the title, node i + 1 is node i of the document; part is a paragraph within the node; offset, a byte of it.
struct TextPlace {
  std::size_t node = 0, part = 0, offset = 0;
  friend auto operator<=>(const TextPlace&, const TextPlace&) = default;
};

/// Bytes [from, to) of one paragraph.
struct TextRange {
  std::size_t node = 0, part = 0, from = 0, to = 0;
  friend auto operator<=>(const TextRange&, const TextRange&) = default;
};

/// A paragraph's text. `lead` is copied with it but cannot be selected: a list's mark.
struct TextPart {
  std::size_t node = 0, part = 0;
  std::string text, lead;
  std::vector<std::pair<std::size_t, std::size_t>> units;  ///< bytes that are selected together
};

/// What a click selects: nothing but a place between two characters, a word, a whole paragraph.
enum class Grain : std::uint8_t { character, word, paragraph };

class PageText {
 public:
  void clear() { parts_.clear(); }
  /// In the order of the page.
  void add(TextPart part) { parts_.push_back(std::move(part)); }
  [[nodiscard]] const std::vector<TextPart>& parts() const { return parts_; }

  [[nodiscard]] TextPlace begin() const;
  [[nodiscard]] TextPlace end() const;
  /// The place one character on or back, across paragraphs; at the page's ends, the same place.
  [[nodiscard]] TextPlace after(const TextPlace& place) const;
  [[nodiscard]] TextPlace before(const TextPlace& place) const;
  /// The paragraph `by` paragraphs on; null beyond the page's ends.
  [[nodiscard]] const TextPart* neighbour(const TextPlace& place, int by) const;
  /// The characters, word or paragraph around a place: [first, second).
  [[nodiscard]] std::pair<TextPlace, TextPlace> unit_at(const TextPlace& place, Grain grain) const;

  /// As plain text: a blank line between nodes, a new line between the paragraphs of one.
  [[nodiscard]] std::string between(const TextPlace& from, const TextPlace& to) const;
  /// Every place where `words` occur, in order. Ignores case, and a hyphen also finds a minus sign. Nothing for no words.
  [[nodiscard]] std::vector<TextRange> find(std::string_view words) const;

 private:
  /// Index of the paragraph of a place, or of the first one after it; parts_.size() where there is none.
  [[nodiscard]] std::size_t index_of(const TextPlace& place) const;
  std::vector<TextPart> parts_;
};

}  // namespace warpbook::gui
