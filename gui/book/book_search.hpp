// Finds places of the whole book by a few letters: chapters, terms, headings, and words of the text.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "lab/document/document.hpp"

namespace warpbook::gui {

/// A place of the book.
struct BookPlace {
  enum class Kind : std::uint8_t { chapter, term, heading, text } kind = Kind::text;
  std::string chapter;   ///< slug
  std::size_t node = 0;  ///< of the chapter's document
  std::string says;      ///< the chapter's title, the term, the heading, or the words of the text
};

class BookSearch {
 public:
  /// Adds a chapter; chapters come in the order of the book.
  void add(const std::string& slug, const lab::Document& document);
  /// The first `most` places that fit what was typed: chapters, then terms, headings and text. Titles, terms and headings are
  /// found by their pinyin's first letters, too. Of a long text, `says` is the part around the words.
  [[nodiscard]] std::vector<BookPlace> find(std::string_view typed, std::size_t most) const;

 private:
  struct Entry {
    BookPlace place;
    std::string folded;    ///< the whole text with small letters
    std::string initials;  ///< of titles, terms and headings
  };
  void add(BookPlace place);

  std::vector<Entry> entries_;
};

/// `text` around the bytes [at, at + size), at most some eighty characters of it, cut between words, or between characters
/// where there are no blanks.
std::string words_around(std::string_view text, std::size_t at, std::size_t size);

}  // namespace warpbook::gui
