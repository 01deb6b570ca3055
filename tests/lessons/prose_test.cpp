// Every chapter's prose asks the reader to act: never over 150 words, or 250 Chinese characters, without an act.
#include <algorithm>
#include <map>
#include <string>
#include <string_view>

#include <catch2/catch_test_macros.hpp>
#include <catch2/generators/catch_generators.hpp>

#include "lab/document/document.hpp"
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

}  // namespace

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
