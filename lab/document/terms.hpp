// Where the book's words occur: by which chapters each term is used, and whether it is explained before.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "lab/document/document.hpp"

namespace warpbook::lab {

/// All words by which texts name a term: its name, what its name has in parentheses, and its forms.
std::vector<std::string> words_of(const TermDirective& term);

/// Finds terms' words in prose.
class TermWords {
 public:
  struct Use {
    std::string id;                  ///< of the term
    std::size_t begin = 0, end = 0;  ///< bytes of the text
    friend bool operator==(const Use&, const Use&) = default;
  };

  void add(const TermDirective& term);

  /// From left to right. Latin words are whole words, in the plural too; those with a capital letter are found only so
  /// written. Chinese words are found wherever they stand. Where words overlap, the longest counts: a thread block is no
  /// thread.
  [[nodiscard]] std::vector<Use> in(std::string_view text) const;

 private:
  struct Word {
    std::string text, id;
    bool latin = false, exact = false;
  };
  /// By the first byte of the word with small letters, the longest first: a book has hundreds of words, and at most places of
  /// a text none of them can begin.
  std::array<std::vector<Word>, 256> words_;
};

/// What a node says in prose: no code, figures, parameters or formulae. A question says several things.
std::vector<Spans> prose_of(const DocumentNode& node);

/// Where a chapter speaks of a term: the node of its directive, or else the first that links to it.
std::optional<std::size_t> node_of_term(const Document& document, const std::string& id);

/// The characters of `spans` that are prose. What is not, code for example, counts as a gap: no word is made of two spans.
std::string readable_text(const Spans& spans);

/// A page in the order of the book: a chapter, with the tasks of its exercises by their ids.
struct BookPage {
  std::string slug;
  Document document;
  std::vector<std::pair<std::string, Document>> tasks;
};

struct EarlyUse {
  std::string chapter, file, id;
  std::uint32_t line = 0;
  friend bool operator==(const EarlyUse&, const EarlyUse&) = default;
};

/// A chapter and a term: that a box of the chapter explains the term in place, for this chapter, though a later one has
/// its directive.
using ExplainedInBox = std::set<std::pair<std::string, std::string>>;

/// Uses of a term before the book explains it, one for each chapter and term. A use counts as explained where the term's
/// directive comes before it, or after it but before the reader is next asked to act (to answer, try, compare, solve).
/// Entries of `boxes` that held for something are taken out of it.
std::vector<EarlyUse> uses_before(const std::vector<BookPage>& book, ExplainedInBox& boxes);

}  // namespace warpbook::lab
