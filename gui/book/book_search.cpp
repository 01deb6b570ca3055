#include "gui/book/book_search.hpp"

#include <algorithm>
#include <array>
#include <cctype>

#include "lab/document/markdown.hpp"
#include "lab/text/pinyin.hpp"
#include "lab/text/unicode.hpp"

namespace warpbook::gui {
namespace {
constexpr std::size_t kBefore = 24,
                      kAfter = 64;  // bytes of a text around the words that were found

bool begins_character(char byte) { return (static_cast<unsigned char>(byte) & 0xC0) != 0x80; }

/// The texts of a node in which a reader would look for words; none of those that answer a question.
std::vector<std::string> texts_of(const lab::DocumentNode& node) {
  std::vector<std::string> texts;
  const auto take = [&](const lab::Spans& spans) { texts.push_back(lab::plain_text(spans)); };
  if (const auto* paragraph = std::get_if<lab::Paragraph>(&node)) {
    take(paragraph->spans);
  } else if (const auto* list = std::get_if<lab::ListBlock>(&node)) {
    std::ranges::for_each(list->items, take);
  } else if (const auto* aside = std::get_if<lab::Aside>(&node)) {
    std::ranges::for_each(aside->paragraphs, take);
  } else if (const auto* question = std::get_if<lab::PredictDirective>(&node)) {
    take(question->question);
  } else if (const auto* attempt = std::get_if<lab::TryDirective>(&node)) {
    take(attempt->text);
  } else if (const auto* term = std::get_if<lab::TermDirective>(&node)) {
    take(term->meaning);
  }
  return texts;
}

/// Whether a cut at `at` would take an English word apart.
bool is_within_word(std::string_view text, std::size_t at) {
  const auto letter = [](char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0; };
  return at > 0 && at < text.size() && letter(text[at - 1]) && letter(text[at]);
}
}  // namespace

std::string words_around(std::string_view text, std::size_t at, std::size_t size) {
  std::size_t begin = at > kBefore ? at - kBefore : 0,
              end = std::min(text.size(), at + size + kAfter);
  while (begin > 0 && !begins_character(text[begin])) --begin;
  while (end < text.size() && !begins_character(text[end])) ++end;
  if (is_within_word(text, begin))
    if (const std::size_t blank = text.find(' ', begin); blank < at) begin = blank + 1;
  if (is_within_word(text, end))
    if (const std::size_t blank = text.rfind(' ', end); blank != text.npos && blank >= at + size)
      end = blank;
  return (begin > 0 ? "… " : "") + std::string(text.substr(begin, end - begin)) +
         (end < text.size() ? " …" : "");
}

void BookSearch::add(BookPlace place) {
  std::string folded = lab::case_folded(place.says), initials;
  if (place.kind != BookPlace::Kind::text) initials = lab::pinyin_initials(place.says);
  entries_.push_back({std::move(place), std::move(folded), std::move(initials)});
}

void BookSearch::add(const std::string& slug, const lab::Document& document) {
  using Kind = BookPlace::Kind;
  add({Kind::chapter, slug, 0, document.title});
  for (std::size_t i = 0; i < document.nodes.size(); ++i) {
    const lab::DocumentNode& node = document.nodes[i];
    if (const auto* heading = std::get_if<lab::Heading>(&node))
      add({Kind::heading, slug, i, lab::plain_text(heading->spans)});
    if (const auto* term = std::get_if<lab::TermDirective>(&node))
      add({Kind::term, slug, i, lab::plain_text(term->name)});
    for (std::string& text : texts_of(node)) add({Kind::text, slug, i, std::move(text)});
  }
}

std::vector<BookPlace> BookSearch::find(std::string_view typed, std::size_t most) const {
  const std::string words = lab::case_folded(typed);
  std::vector<BookPlace> found;
  if (words.empty()) return found;
  using Kind = BookPlace::Kind;
  for (const Kind kind : std::array{Kind::chapter, Kind::term, Kind::heading, Kind::text}) {
    for (const Entry& entry : entries_) {
      if (found.size() == most) return found;
      if (entry.place.kind != kind) continue;
      const std::size_t at = entry.folded.find(words);
      if (at == std::string::npos && !entry.initials.starts_with(words)) continue;
      found.push_back(entry.place);
      if (kind == Kind::text) found.back().says = words_around(entry.place.says, at, words.size());
    }
  }
  return found;
}

}  // namespace warpbook::gui
