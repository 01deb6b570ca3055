#include "lab/document/terms.hpp"

#include <algorithm>
#include <map>

#include "lab/document/markdown.hpp"
#include "lab/text/unicode.hpp"

namespace warpbook::lab {
namespace {

bool is_word_character(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
}
/// Of a text that is not empty.
std::size_t first_byte(std::string_view text) { return static_cast<unsigned char>(text.front()); }
bool is_capital(char c) { return c >= 'A' && c <= 'Z'; }

/// "warp" in "线程束（warp）", and what is left without it.
std::pair<std::string, std::string> split_name(const std::string& name) {
  for (const auto& [open, close] :
       {std::pair<std::string_view, std::string_view>{"(", ")"}, {"（", "）"}}) {
    const std::size_t begin = name.find(open), end = name.find(close);
    if (begin == std::string::npos || end == std::string::npos || end < begin) continue;
    std::string outside = name.substr(0, begin);
    while (outside.ends_with(' ')) outside.pop_back();
    return {outside, name.substr(begin + open.size(), end - begin - open.size())};
  }
  return {name, ""};
}

/// The bytes of the plural's ending after a Latin word; 0 for none.
std::size_t plural_at(std::string_view rest) {
  for (const std::string_view ending : {"es", "s"}) {
    if (rest.starts_with(ending) &&
        (rest.size() == ending.size() || !is_word_character(rest[ending.size()])))
      return ending.size();
  }
  return 0;
}

bool asks_to_act(const DocumentNode& node) {
  return std::holds_alternative<PredictDirective>(node) ||
         std::holds_alternative<TryDirective>(node) ||
         std::holds_alternative<CompareDirective>(node) ||
         std::holds_alternative<ExerciseDirective>(node);
}

/// Walks through the book in its order and remembers what is explained.
class Reading {
 public:
  Reading(const std::vector<BookPage>& book, ExplainedInBox& boxes) : book_(book), boxes_(boxes) {
    for (const BookPage& page : book) {
      for (const DocumentNode& node : page.document.nodes) {
        if (const auto* term = std::get_if<TermDirective>(&node)) words_.add(*term);
      }
    }
  }

  std::vector<EarlyUse> read() {
    for (const BookPage& page : book_) read(page);
    return std::move(early_);
  }

 private:
  void read(const BookPage& page) {
    slug_ = page.slug;
    in_boxes_.clear();
    told_.clear();
    for (std::size_t i = 0; i < page.document.nodes.size(); ++i) {
      const DocumentNode& node = page.document.nodes[i];
      const std::string& file = page.document.file;
      const std::uint32_t line = page.document.lines[i];
      if (const auto* term = std::get_if<TermDirective>(&node)) {
        explained_.insert(term->id);
        open_.erase(term->id);
      }
      const bool act = asks_to_act(node);
      if (act) tell_open();
      note(node, file, line);
      if (const auto* exercise = std::get_if<ExerciseDirective>(&node)) {
        for (const auto& [id, task] : page.tasks) {
          if (id != exercise->id) continue;
          for (std::size_t k = 0; k < task.nodes.size(); ++k)
            note(task.nodes[k], task.file, task.lines[k]);
        }
      }
      if (act) tell_open();
    }
    tell_open();
  }

  void note(const DocumentNode& node, const std::string& file, std::uint32_t line) {
    for (const Spans& spans : prose_of(node)) {
      for (const TermWords::Use& use : words_.in(readable_text(spans))) {
        if (explained_.contains(use.id) || in_boxes_.contains(use.id)) continue;
        if (std::holds_alternative<Aside>(node) && box(use.id)) continue;
        open_.try_emplace(use.id, EarlyUse{slug_, file, use.id, line});
      }
    }
  }
  /// Whether this chapter's box is said to explain it.
  bool box(const std::string& id) {
    const auto found = boxes_.find({slug_, id});
    if (found == boxes_.end()) return false;
    boxes_.erase(found);
    in_boxes_.insert(id);
    return true;
  }
  /// Nothing explained these in time.
  void tell_open() {
    for (auto& [id, use] : open_) {
      if (told_.insert(id).second) early_.push_back(std::move(use));
    }
    open_.clear();
  }

  const std::vector<BookPage>& book_;
  ExplainedInBox& boxes_;
  TermWords words_;
  std::string slug_;
  std::set<std::string> explained_;        ///< ids, from the book's beginning on
  std::set<std::string> in_boxes_, told_;  ///< ids, in this chapter
  std::map<std::string, EarlyUse> open_;   ///< by id: used since the last act, not explained so far
  std::vector<EarlyUse> early_;
};

}  // namespace

std::vector<std::string> words_of(const TermDirective& term) {
  auto [outside, inside] = split_name(plain_text(term.name));
  std::vector<std::string> words;
  for (std::string& word : std::vector{std::move(outside), std::move(inside)}) {
    if (!word.empty()) words.push_back(std::move(word));
  }
  words.insert(words.end(), term.forms.begin(), term.forms.end());
  return words;
}

void TermWords::add(const TermDirective& term) {
  for (std::string& text : words_of(term)) {
    Word word;
    word.latin = is_word_character(text.front());
    word.exact = std::ranges::any_of(text, is_capital);
    word.text = std::move(text);
    word.id = term.id;
    std::vector<Word>& words = words_[first_byte(case_folded(word.text))];
    const auto place = std::ranges::lower_bound(words, word.text.size(), std::greater(),
                                                [](const Word& w) { return w.text.size(); });
    words.insert(place, std::move(word));
  }
}

std::vector<TermWords::Use> TermWords::in(std::string_view text) const {
  const std::string folded = case_folded(text);  // each byte keeps its place
  std::vector<Use> uses;
  for (std::size_t at = 0; at < text.size();) {
    const bool inside_word = at > 0 && is_word_character(text[at - 1]);
    const Use* found = nullptr;
    for (const Word& word : words_[first_byte(std::string_view(folded).substr(at))]) {
      const std::string_view rest = (word.exact ? text : std::string_view(folded)).substr(at);
      if (!rest.starts_with(word.text) || (word.latin && inside_word)) continue;
      std::size_t length = word.text.size();
      if (word.latin && length < rest.size() && is_word_character(rest[length])) {
        const std::size_t plural = plural_at(rest.substr(length));
        if (plural == 0) continue;
        length += plural;
      }
      uses.push_back({word.id, at, at + length});
      found = &uses.back();
      break;
    }
    at = found ? found->end : at + 1;
  }
  return uses;
}

std::string readable_text(const Spans& spans) {
  std::string text;
  for (const Span& span : spans) {
    const bool prose = span.kind == Span::Kind::text || span.kind == Span::Kind::link;
    text += prose ? span.text : std::string("\n");
  }
  return text;
}

std::vector<Spans> prose_of(const DocumentNode& node) {
  struct Visitor {
    std::vector<Spans> operator()(const Paragraph& block) const { return {block.spans}; }
    std::vector<Spans> operator()(const Heading& block) const { return {block.spans}; }
    std::vector<Spans> operator()(const ListBlock& block) const { return block.items; }
    std::vector<Spans> operator()(const Aside& block) const { return block.paragraphs; }
    std::vector<Spans> operator()(const TermDirective& block) const { return {block.meaning}; }
    std::vector<Spans> operator()(const TryDirective& block) const { return {block.text}; }
    std::vector<Spans> operator()(const CompareDirective& block) const {
      std::vector<Spans> all;
      for (const auto& variant : block.variants) all.push_back(variant.label);
      return all;
    }
    std::vector<Spans> operator()(const PredictDirective& block) const {
      std::vector<Spans> all{block.question};
      for (const auto& choice : block.choices) {
        all.push_back(choice.text);
        all.push_back(choice.why);
      }
      all.push_back(block.right);
      return all;
    }
    std::vector<Spans> operator()(const CodeBlock&) const { return {}; }
    std::vector<Spans> operator()(const FormulaBlock&) const { return {}; }
    std::vector<Spans> operator()(const StepDirective&) const { return {}; }
    std::vector<Spans> operator()(const ExhibitDirective&) const { return {}; }
    std::vector<Spans> operator()(const IndexDirective&) const { return {}; }
    std::vector<Spans> operator()(const ExerciseDirective&) const { return {}; }
  };
  return std::visit(Visitor{}, node);
}

std::optional<std::size_t> node_of_term(const Document& document, const std::string& id) {
  const auto& nodes = document.nodes;
  for (std::size_t i = 0; i < nodes.size(); ++i) {
    const auto* term = std::get_if<TermDirective>(&nodes[i]);
    if (term && term->id == id) return i;
  }
  for (std::size_t i = 0; i < nodes.size(); ++i) {
    for (const Spans& spans : prose_of(nodes[i])) {
      if (std::ranges::find(spans, "#" + id, &Span::target) != spans.end()) return i;
    }
  }
  return std::nullopt;
}

std::vector<EarlyUse> uses_before(const std::vector<BookPage>& book, ExplainedInBox& boxes) {
  return Reading(book, boxes).read();
}

}  // namespace warpbook::lab
