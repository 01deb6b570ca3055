// The book's words: every term of every chapter, once, in the order in which its reader's language is looked up, with the
// chapters that use it.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "lab/document/document.hpp"
#include "lab/document/terms.hpp"

namespace warpbook::lab {

struct GlossaryEntry {
  TermDirective term;
  std::string chapter, title;  ///< where it first appears: the chapter's slug, and its title
  std::string order,
      initials;  ///< of its name: what it is sorted by, and its pinyin's first letters
  /// The other chapters whose prose names it: slug and title, in the order of the book.
  std::vector<std::pair<std::string, std::string>> used_in;
};

class Glossary {
 public:
  /// Adds a chapter's terms; chapters come in the order of the book. A term that an earlier chapter explains stays
  /// that chapter's.
  void add(const std::string& slug, const Document& document);
  /// Notes in which other chapters each term is used. After all chapters were added.
  void note_uses(const std::string& slug, const Document& document);

  /// By name: in English by letters, in Chinese by pinyin.
  [[nodiscard]] const std::vector<GlossaryEntry>& entries() const { return entries_; }
  /// Null where no chapter explains it.
  [[nodiscard]] const GlossaryEntry* find(std::string_view id) const;
  /// What fits what was typed so far: those that are called so (by name, id, OpenCL's name, pinyin initials), then those
  /// whose explanation says it. All for nothing.
  [[nodiscard]] std::vector<const GlossaryEntry*> matching(std::string_view typed) const;
  [[nodiscard]] const TermWords& words() const { return words_; }

 private:
  std::vector<GlossaryEntry> entries_;
  TermWords words_;
};

/// Makes a link of each term's first word in the chapter's paragraphs, lists and boxes, where another chapter explains the
/// term and nothing links to it yet.
void link_terms(Document& document, const std::string& slug, const Glossary& glossary);

/// The terms of these chapters. Error: one whose text cannot be read.
device::Expected<Glossary> load_glossary(const std::string& root, std::span<const Lesson> chapters,
                                         const std::string& language);

/// The titles of chapters in a row.
std::string titles_of(const std::vector<std::pair<std::string, std::string>>& chapters,
                      const Strings& strings);
/// A line that names the chapter which explains the term, and one with those that use it, if there are any.
std::vector<std::string> chapters_of(const GlossaryEntry& entry, const Strings& strings);

/// Text for a terminal: each of `entries` with its chapter.
std::string to_text(std::span<const GlossaryEntry* const> entries, const Strings& strings,
                    int width = 100);

}  // namespace warpbook::lab
