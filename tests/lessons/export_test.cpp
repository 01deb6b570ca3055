// Every chapter as one HTML file, in both languages: whole by itself, with all of the text and its runs, and with no answer
// outside its veil. In the made-up language of tests/pseudo_language.hpp, too: what stands there in plain English was written
// into the code instead of into lang/. A chapter is run once for all three.
#include <algorithm>
#include <set>

#include <catch2/catch_test_macros.hpp>

#include "device/error.hpp"
#include "lab/book/chapter_page.hpp"
#include "lab/document/directive.hpp"
#include "lab/document/markdown.hpp"
#include "lab/render/render.hpp"
#include "lessons/catalogue.hpp"
#include "tests/markup.hpp"
#include "tests/pseudo_language.hpp"

namespace warpbook::tests::export_test {
namespace {

using lab::DocumentNode;

const std::string kRoot = WARPBOOK_SOURCE_DIR;
constexpr std::size_t kMostBytes = 2'000'000;
constexpr std::size_t kTelling = 36;  // bytes of a text that would not stand elsewhere by chance

/// A chapter's page in one language, read again.
struct Exported {
  const lab::Lesson& lesson;
  lab::Document document;
  lab::ChapterRuns runs;
  std::shared_ptr<const lab::Strings> strings;
  std::string html;
  std::unique_ptr<Element> page;
};

lab::Document document_of(const lab::Lesson& lesson, const std::string& language,
                          const std::string& root = kRoot) {
  auto document = lab::load_document(root, lesson.slug, language);
  INFO((document ? "" : document.error().english()));
  REQUIRE(document);
  return std::move(*document);
}

lab::ChapterRuns runs_of(const lab::Lesson& lesson, const lab::Document& document) {
  static const auto compiler = std::make_shared<device::Compiler>();
  lab::Inputs inputs;
  inputs.values = lab::defaults(lesson.parameters);
  auto runs = lab::run_chapter(document, lesson, inputs, compiler, kRoot);
  REQUIRE(runs);
  return std::move(*runs);
}

std::vector<std::size_t> places_of_compares(const lab::Document& document) {
  std::vector<std::size_t> places;
  for (std::size_t at = 0; at < document.nodes.size(); ++at) {
    if (std::holds_alternative<lab::CompareDirective>(document.nodes[at])) places.push_back(at);
  }
  return places;
}

/// The runs of the chapter in another language: the same ones, with that language's exercises and beside its paragraphs.
lab::ChapterRuns runs_in(const lab::Document& other, const lab::ChapterRuns& runs,
                         const lab::Document& document, const std::string& root = kRoot) {
  lab::ChapterRuns made{runs.shown, runs.deciding, {}, {}};
  const auto from = places_of_compares(document), to = places_of_compares(other);
  REQUIRE(from.size() == to.size());
  for (std::size_t i = 0; i < to.size(); ++i) made.variants[to[i]] = runs.variants.at(from[i]);
  for (const auto& [id, text] : runs.exercises) {
    auto translated = lab::load_exercise(root, id, other.language);
    REQUIRE(translated);
    made.exercises[id] = std::move(*translated);
  }
  return made;
}

Exported exported(const lab::Lesson& lesson, lab::Document document, lab::ChapterRuns runs,
                  const std::string& root = kRoot) {
  const std::string language = document.language;
  const auto strings = lab::Strings::load(language, root);
  INFO((strings ? "" : strings.error().english()));
  REQUIRE(strings);
  const auto glossary = lab::load_glossary(root, lessons::catalogue(), language);
  INFO((glossary ? "" : glossary.error().english()));
  REQUIRE(glossary);
  std::string html =
      lab::to_html_page(document, lesson, runs, **strings, lab::PageTheme::automatic, *glossary);
  std::unique_ptr<Element> page = MarkupReader(html).read();
  return {lesson, std::move(document), std::move(runs), *strings, std::move(html), std::move(page)};
}

/// The sentences of `spans` that need no run: what stands before, between and after figures.
std::vector<std::string> fixed_texts(const lab::Spans& spans) {
  std::vector<std::string> texts;
  for (const lab::Span& span : spans) {
    if (span.kind == lab::Span::Kind::text && span.text.size() > kTelling)
      texts.push_back(span.text);
  }
  return texts;
}

const Element* by_id(const Element& page, const std::string& id) {
  const auto found = page.all([&](const Element& e) { return e.attribute("id") == id; });
  return found.size() == 1 ? found.front() : nullptr;
}

std::vector<const Element*> figures(const Element& in, std::string_view exhibit) {
  return in.all([&](const Element& e) { return e.attribute("data-exhibit") == exhibit; });
}

bool is_in_variant(const Element& element) {
  for (const Element* above = element.parent; above; above = above->parent) {
    if (above->has_class("wb-compare")) return true;
  }
  return false;
}

template <class Directive>
std::vector<const Directive*> all_of(const lab::Document& document) {
  std::vector<const Directive*> found;
  for (const lab::DocumentNode& node : document.nodes) {
    if (const auto* one = std::get_if<Directive>(&node)) found.push_back(one);
  }
  return found;
}

void stands_by_itself(const Exported& made) {
  CHECK(made.html.size() < kMostBytes);
  std::set<std::string> ids;
  const std::set<std::string_view> active{"script", "link",  "img",  "iframe",
                                          "object", "embed", "base", "form"};
  std::string wrong;  // one check for all: a page has thousands of elements
  for (const Element* element : made.page->all([](const Element&) { return true; })) {
    if (active.contains(element->name)) wrong += "<" + element->name + ">\n";
    for (const auto& [key, value] : element->attributes) {
      const bool fetches =
          key.starts_with("on") || key == "src" || key == "style" || key == "srcset";
      const bool address = value.find("//") != std::string::npos && key != "aria-label";
      const bool link = element->name == "a" && key == "href" && value.starts_with("https://");
      const bool twice = key == "id" && !ids.insert(value).second;
      if (fetches || (address && !link) || twice)
        wrong += "<" + element->name + " " + key + "=\"" + value + "\">\n";
    }
  }
  CHECK(wrong == "");
  for (const Element* link : made.page->tags("a")) {
    const std::string_view target = link->attribute("href");
    if (target.starts_with("#")) CHECK(ids.contains(std::string(target.substr(1))));
  }
  const auto styles = made.page->tags("style");
  REQUIRE(styles.size() == 1);
  const std::string rules = styles[0]->words();
  for (const char* fetched : {"url(", "@import", "http"})
    CHECK(rules.find(fetched) == std::string::npos);
  // A list without its rule falls back to bullets.
  for (const char* list : {"ul", "ol", "dl"}) {
    for (const Element* element : made.page->tags(list)) {
      const std::string looks(element->attribute("class"));
      CAPTURE(list, looks);
      if (!looks.empty())
        CHECK(rules.find("." + looks.substr(0, looks.find(' '))) != std::string::npos);
    }
  }
}

void holds_the_text(const Exported& made) {
  const Element& page = *made.page;
  const auto& document = made.document;
  CHECK(page.tags("h1").front()->words() == document.title);
  for (const auto* step : all_of<lab::StepDirective>(document))
    CHECK(by_id(page, "step-" + step->name));
  for (const auto* term : all_of<lab::TermDirective>(document))
    CHECK(by_id(page, "term-" + term->id));
  for (const auto* paragraph : all_of<lab::Paragraph>(document)) {
    for (const lab::Span& span : paragraph->spans) {
      if (span.target.starts_with("#")) CHECK(by_id(page, "term-" + span.target.substr(1)));
    }
  }
  for (const auto* shown : all_of<lab::ExhibitDirective>(document)) {
    CHECK_FALSE(figures(page, shown->id).empty());
    if (!shown->beside.empty()) CHECK_FALSE(figures(page, shown->beside).empty());
  }
  CHECK(page.classes("wb-try").size() == all_of<lab::TryDirective>(document).size());
  CHECK(page.classes("wb-formula").size() == all_of<lab::IndexDirective>(document).size());
  CHECK(page.classes("wb-aside").size() == all_of<lab::Aside>(document).size());
  for (const auto* question : all_of<lab::PredictDirective>(document)) {
    CAPTURE(question->id);
    const Element* box = by_id(page, "q-" + question->id);
    REQUIRE(box);
    CHECK(box->classes("wb-choices").front()->tags("li").size() == question->choices.size());
  }
  const auto compares = all_of<lab::CompareDirective>(document);
  const auto boxes = page.classes("wb-compare");
  REQUIRE(boxes.size() == compares.size());
  CHECK(figures(page, "comparison").size() == compares.size());
  for (std::size_t i = 0; i < boxes.size(); ++i) {
    CHECK(boxes[i]->children.size() == compares[i]->variants.size());
    for (const std::string& id : compares[i]->exhibits)
      CHECK(figures(*boxes[i], id).size() == compares[i]->variants.size());
  }
  for (const auto* exercise : all_of<lab::ExerciseDirective>(document)) {
    CAPTURE(exercise->id);
    const Element* box = by_id(page, "exercise-" + exercise->id);
    REQUIRE(box);
    CHECK(box->words().find(made.runs.exercises.at(exercise->id).starter) != std::string::npos);
  }
  const std::string words = page.words();
  for (const auto* paragraph : all_of<lab::Paragraph>(document)) {
    for (const std::string& text : fixed_texts(paragraph->spans))
      CHECK(words.find(text) != std::string::npos);
  }
}

void shows_its_runs(const Exported& made) {
  // A chapter may open with a kernel that is wrong on purpose, which then races as it is meant to; all else has to run.
  for (const device::Error& error : made.runs.shown->errors)
    CHECK(device::name_of(error.code).starts_with("race_"));
  const std::string words = made.page->words();
  for (const lab::Exhibit& exhibit : made.runs.shown->exhibits) {
    CAPTURE(exhibit.id);
    CHECK_FALSE(figures(*made.page, exhibit.id).empty());
    // A text is its own sentence, which would be cut where it is long.
    if (std::holds_alternative<lab::TextExhibit>(exhibit.value)) continue;
    CHECK(words.find(lab::sentence(exhibit, *made.strings)) != std::string::npos);
  }
  for (const Element* picture : made.page->tags("svg")) {
    const bool told =
        picture->attribute("role") == "img" && !picture->attribute("aria-label").empty();
    CHECK((told || picture->attribute("aria-hidden") == "true"));
  }
}

void keeps_its_answers(const Exported& made) {
  const Element& page = *made.page;
  const std::string open = page.words("details");
  for (const auto* question : all_of<lab::PredictDirective>(made.document)) {
    CAPTURE(question->id);
    const auto details = by_id(page, "q-" + question->id)->tags("details");
    REQUIRE(details.size() >= 1);
    CHECK(details[0]->attribute("open").empty());
    const lab::Report& report = *made.runs.deciding.at(question->id);
    const auto answer = lab::computed_answer(*question, made.lesson, report);
    REQUIRE(answer);
    const auto right =
        std::ranges::find(question->choices, *answer, &lab::PredictDirective::Choice::value);
    REQUIRE(right != question->choices.end());
    const auto says = details[0]->classes("wb-good");
    REQUIRE_FALSE(says.empty());
    const std::string letter(1, static_cast<char>('A' + (right - question->choices.begin())));
    CHECK(says[0]->words().find(letter + ".") != std::string::npos);

    std::vector<std::string> kept = fixed_texts(question->right);
    for (const auto& choice : question->choices) {
      const auto why = fixed_texts(choice.why);
      kept.insert(kept.end(), why.begin(), why.end());
    }
    const std::string told = details[0]->words();
    for (const std::string& text : kept) {
      CHECK(told.find(text) != std::string::npos);
      CAPTURE(text);
      CHECK(open.find(text) == std::string::npos);
    }
  }
  for (const lab::Exhibit& exhibit : made.runs.shown->exhibits) {
    if (!lab::veiled_by(made.document, made.lesson, made.runs.shown->inputs, {}, exhibit.id))
      continue;
    CAPTURE(exhibit.id);
    // Variants are other runs.
    for (const Element* shown : figures(page, exhibit.id)) {
      if (!is_in_variant(*shown)) CHECK(shown->is_in("details"));
    }
  }
  for (const lab::LiveFigure& figure : made.lesson.figures) {
    const lab::PredictDirective* question =
        lab::veiled_by(made.document, made.lesson, made.runs.shown->inputs, {}, "=" + figure.name);
    if (!question) continue;
    CAPTURE(figure.name);
    for (const Element* shown : page.classes("wb-figure")) {
      if (shown->is_in("details") || shown->attribute("data-figure") != figure.name) continue;
      CHECK(shown->attribute("href") == "#q-" + question->id);
      CHECK(shown->words() == (*made.strings)("document.figure-veiled"));
    }
  }
}

bool is_code(const Element& text) {
  for (const Element* above = text.parent; above; above = above->parent) {
    if (above->has_class("wb-code")) return true;
  }
  return text.is_in("pre") || text.is_in("code") || text.is_in("style") || text.is_in("math");
}

void has_no_english_of_its_own(const Exported& made) {
  CHECK(made.html.find("&lt;error.") == std::string::npos);
  for (const Element* text : made.page->all([](const Element& e) { return e.name.empty(); })) {
    if (is_code(*text)) continue;
    CAPTURE(text->text);
    for (const std::string& word : english_in(text->text)) FAIL_CHECK(word);
  }
}

}  // namespace

TEST_CASE("Pseudo-language: every text of it has accents, brackets and two fifths more") {
  CHECK(pseudo("a thread") == "«á thréád ····»");
  CHECK(pseudo("{count} of {total}") == "«{count} óf {total} ······ ··»");
  CHECK(pseudo(", ") == ", ");
  CHECK(accented("the `index` i") == "thé `index` í");
  CHECK(english_in("thé index óf y[3] is bád: H200 of a") == std::vector<std::string>{"is", "of"});
}

TEST_CASE(
    "Every chapter is exported as one page that holds all and keeps its answers, and has no "
    "English "
    "of its own in the pseudo-language",
    "[ci]") {
  const PseudoBook book;
  for (const lab::Lesson& lesson : lessons::catalogue()) {
    const lab::Document english = document_of(lesson, "en");
    const lab::ChapterRuns runs = runs_of(lesson, english);
    for (const std::string language : {"en", "zh"}) {
      CAPTURE(lesson.slug, language);
      lab::Document document = document_of(lesson, language);
      lab::ChapterRuns translated = runs_in(document, runs, english);
      const Exported made = exported(lesson, std::move(document), std::move(translated));
      stands_by_itself(made);
      holds_the_text(made);
      shows_its_runs(made);
      keeps_its_answers(made);
    }
    CAPTURE(lesson.slug);
    lab::Document pseudo = document_of(lesson, "xx", book.path());
    lab::ChapterRuns translated = runs_in(pseudo, runs, english, book.path());
    has_no_english_of_its_own(
        exported(lesson, std::move(pseudo), std::move(translated), book.path()));
  }
}

}  // namespace warpbook::tests::export_test
