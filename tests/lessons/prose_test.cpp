// Every chapter's prose asks the reader to act: never over 150 words, or 250 Chinese characters, without an act. And below a question,
// which is open when it is first read, no text has the number that answers it.
#include <algorithm>
#include <map>
#include <regex>
#include <set>
#include <string>
#include <string_view>

#include <catch2/catch_test_macros.hpp>
#include <catch2/generators/catch_generators.hpp>

#include "lab/document/document.hpp"
#include "lab/document/markdown.hpp"
#include "lab/exercise/exercise.hpp"
#include "lessons/catalogue.hpp"

namespace warpbook::prose_test {
namespace {

struct Length {
  std::size_t words = 0, characters = 0;  ///< of prose; characters counts ideographs alone

  void add(const lab::Spans& spans) {
    for (const lab::Span& span : spans) {
      bool in_word = false;
      for (std::size_t i = 0; i < span.text.size(); ++i) {
        const auto byte = static_cast<unsigned char>(span.text[i]);
        const bool blank = byte == ' ' || byte == '\n';
        if (!blank && !in_word) ++words;
        in_word = !blank;
        // U+4E00 to U+9FFF is E4 B8 80 to E9 BF BF in UTF-8.
        if (byte >= 0xe4 && byte <= 0xe9) ++characters;
      }
    }
  }
};

bool is_act(const lab::DocumentNode& block) {
  // A whole program is read line by line beside the calls of the run, as an exhibit is.
  if (const auto* code = std::get_if<lab::CodeBlock>(&block)) return !code->file.empty();
  return std::holds_alternative<lab::PredictDirective>(block) ||
         std::holds_alternative<lab::TryDirective>(block) ||
         std::holds_alternative<lab::ExhibitDirective>(block) ||
         std::holds_alternative<lab::IndexDirective>(block) ||
         std::holds_alternative<lab::CompareDirective>(block) ||
         std::holds_alternative<lab::ExerciseDirective>(block);
}

void add(Length& length, const lab::DocumentNode& block) {
  if (const auto* paragraph = std::get_if<lab::Paragraph>(&block)) length.add(paragraph->spans);
  if (const auto* term = std::get_if<lab::TermDirective>(&block)) {
    length.add(term->name);
    length.add(term->meaning);
  }
  if (const auto* list = std::get_if<lab::ListBlock>(&block)) {
    for (const lab::Spans& item : list->items) length.add(item);
  }
  if (const auto* aside = std::get_if<lab::Aside>(&block)) {
    for (const lab::Spans& paragraph : aside->paragraphs) length.add(paragraph);
  }
}

/// All that a block says by itself; nothing of a question.
std::string text_of(const lab::DocumentNode& block) {
  std::string text;
  const auto say = [&](const lab::Spans& spans) { text += lab::plain_text(spans) + "\n"; };
  if (const auto* paragraph = std::get_if<lab::Paragraph>(&block)) say(paragraph->spans);
  if (const auto* term = std::get_if<lab::TermDirective>(&block)) say(term->meaning);
  if (const auto* code = std::get_if<lab::CodeBlock>(&block)) text += code->text;
  if (const auto* button = std::get_if<lab::TryDirective>(&block)) say(button->text);
  if (const auto* list = std::get_if<lab::ListBlock>(&block))
    std::ranges::for_each(list->items, say);
  if (const auto* aside = std::get_if<lab::Aside>(&block))
    std::ranges::for_each(aside->paragraphs, say);
  if (const auto* compare = std::get_if<lab::CompareDirective>(&block)) {
    for (const auto& variant : compare->variants) say(variant.label);
  }
  return text;
}

/// Numbers that a text hardly has by chance: of three digits and more, but not the usual round ones, or with a decimal point.
std::set<std::string> telling_numbers(const std::string& text) {
  static const std::regex number(R"(\d[\d,]*(\.\d+)?)");
  static const std::set<std::string> usual{"100", "128", "256", "512", "1,000", "1,024"};
  std::set<std::string> found;
  for (auto at = std::sregex_iterator(text.begin(), text.end(), number);
       at != std::sregex_iterator(); ++at) {
    const std::string one = at->str().substr(0, at->str().find_last_not_of(',') + 1);
    const auto digits = std::ranges::count_if(one, [](char c) { return c >= '0' && c <= '9'; });
    const bool rare = digits >= 3 && !usual.contains(one);
    if (rare || one.find('.') != std::string::npos) found.insert(one);
  }
  return found;
}

}  // namespace

TEST_CASE("No text below a question has the number that answers it") {
  constexpr std::size_t kFarBelow = 1500;  // bytes, about a screen and a half
  const auto language = GENERATE(as<std::string>{}, "en", "zh");
  std::size_t numbers = 0;
  for (const lab::Lesson& lesson : lessons::catalogue()) {
    const auto document = lab::load_document(WARPBOOK_SOURCE_DIR, lesson.slug, language);
    REQUIRE(document);
    for (std::size_t b = 0; b < document->nodes.size(); ++b) {
      const auto* question = std::get_if<lab::PredictDirective>(&document->nodes[b]);
      if (!question) continue;
      std::set<std::string> answers;
      for (const auto& choice : question->choices) {
        if (choice.why.empty()) answers = telling_numbers(lab::plain_text(choice.text));
      }
      for (const std::string& named : telling_numbers(lab::plain_text(question->question)))
        answers.erase(named);
      numbers += answers.size();
      std::size_t read = 0;
      for (std::size_t below = b + 1; below < document->nodes.size() && read < kFarBelow; ++below) {
        const std::string text = text_of(document->nodes[below]);
        read += text.size();
        for (const std::string& said : telling_numbers(text)) {
          CAPTURE(document->file, document->lines[below], question->id, said);
          CHECK_FALSE(answers.contains(said));
        }
      }
    }
  }
  CHECK(numbers > 30);  // so many could be told
}

TEST_CASE("No chapter lets its reader only read for long") {
  const auto language = GENERATE(as<std::string>{}, "en", "zh");
  for (const lab::Lesson& lesson : lessons::catalogue()) {
    const auto document = lab::load_document(WARPBOOK_SOURCE_DIR, lesson.slug, language);
    REQUIRE(document);
    Length since_act;
    for (std::size_t b = 0; b < document->nodes.size(); ++b) {
      if (is_act(document->nodes[b])) {
        since_act = {};
        continue;
      }
      add(since_act, document->nodes[b]);
      CAPTURE(document->file, document->lines[b]);
      if (language == "en") {
        CHECK(since_act.words <= 150);
      } else {
        CHECK(since_act.characters <= 250);
      }
    }
  }
}

TEST_CASE("No word is explained by two chapters, and every link to one leads to an explanation") {
  const auto language = GENERATE(as<std::string>{}, "en", "zh");
  std::map<std::string, std::string> explained;
  std::vector<lab::Document> documents;
  for (const lab::Lesson& lesson : lessons::catalogue()) {
    auto document = lab::load_document(WARPBOOK_SOURCE_DIR, lesson.slug, language);
    REQUIRE(document);
    for (const lab::DocumentNode& block : document->nodes) {
      const auto* term = std::get_if<lab::TermDirective>(&block);
      if (!term) continue;
      CAPTURE(term->id, lesson.slug, explained[term->id]);
      CHECK(explained[term->id].empty());
      explained[term->id] = lesson.slug;
    }
    documents.push_back(std::move(*document));
  }
  std::size_t links = 0;
  for (const lab::Document& document : documents) {
    for (const lab::DocumentNode& block : document.nodes) {
      const auto* paragraph = std::get_if<lab::Paragraph>(&block);
      if (!paragraph) continue;
      for (const lab::Span& span : paragraph->spans) {
        if (!span.target.starts_with("#")) continue;
        ++links;
        CAPTURE(document.file, span.target);
        CHECK(explained.contains(span.target.substr(1)));
      }
    }
  }
  CHECK(links >= 5);
}

TEST_CASE("Code in the text of chapters and exercises fits the page where it is narrowest") {
  constexpr std::size_t kMostColumns = 52;
  const auto check = [](const lab::Document& document) {
    for (std::size_t b = 0; b < document.nodes.size(); ++b) {
      const auto* code = std::get_if<lab::CodeBlock>(&document.nodes[b]);
      if (!code) continue;
      CAPTURE(document.file, document.lines[b]);
      std::string_view rest = code->text;
      while (!rest.empty()) {
        const std::string_view line = rest.substr(0, rest.find('\n'));
        CHECK(line.size() <= kMostColumns);
        rest.remove_prefix(std::min(rest.size(), line.size() + 1));
      }
    }
  };
  const auto language = GENERATE(as<std::string>{}, "en", "zh");
  for (const lab::Lesson& lesson : lessons::catalogue()) {
    const auto document = lab::load_document(WARPBOOK_SOURCE_DIR, lesson.slug, language);
    REQUIRE(document);
    check(*document);
    for (const std::string& id : lesson.exercises) {
      const auto exercise = lab::load_exercise(WARPBOOK_SOURCE_DIR, id, language);
      REQUIRE(exercise);
      const auto task = lab::parse_document(exercise->task, id + ".md", language);
      REQUIRE(task);
      check(*task);
    }
  }
}

}  // namespace warpbook::prose_test
