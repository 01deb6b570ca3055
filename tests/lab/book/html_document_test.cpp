// A chapter's page from a text and reports made here.
#include <catch2/catch_test_macros.hpp>

#include "lab/book/chapter_page.hpp"
#include "lab/render/render.hpp"
#include "tests/lab/report/sample_report.hpp"
#include "tests/lab/text/texts.hpp"
#include "tests/markup.hpp"
#include "tests/says.hpp"

namespace warpbook::lab::html_document_test {
namespace {

using tests::Element;
using tests::MarkupReader;

/// A lesson whose one figure and one answer are n plus one.
Lesson lesson_with_n() {
  Lesson lesson;
  lesson.slug = "x";
  Parameter n;
  n.name = "n";
  n.initial = std::int64_t{4};
  n.maximum = 100;
  lesson.parameters = {n};
  const auto next = [](const Report& report) {
    return std::to_string(std::get<std::int64_t>(*report.inputs.values.find("n")) + 1);
  };
  lesson.figures = {{"next", next}};
  lesson.answers = {{"next", next}};
  return lesson;
}

ChapterRuns::Run report(std::int64_t n, const std::string& said) {
  Report made;
  made.subject = "x";
  made.inputs.values.set("n", n);
  made.when = "2026-01-31T00:00:00Z";
  made.exhibits = {{"out", Message::plain("Out"), {}, TextExhibit{Message::plain(said)}}};
  return std::make_shared<const Report>(std::move(made));
}

std::string question(const std::string& set) {
  return "```predict\nid = \"q\"\nquestion = \"What is next?\"\nanswer = \"next\"\nset = " + set +
         "\nveils = [\"out\", \"=next\"]\nright = \"It is `=next`.\"\n"
         "[[choice]]\ntext = \"five\"\nvalue = \"5\"\n[[choice]]\ntext = \"one\"\nvalue = \"1\"\n"
         "misconception = \"m\"\nwhy = \"One would be none more.\"\n```\n\n";
}

std::string page_of(const std::string& markdown, const ChapterRuns& runs,
                    PageTheme theme = PageTheme::automatic) {
  const auto document = parse_document(markdown, "en.md", "en");
  INFO((document ? "" : document.error().english()));
  REQUIRE(document);
  return to_html_page(*document, lesson_with_n(), runs, *sample::strings("en"), theme);
}

}  // namespace

TEST_CASE(
    "a page covers what its open question would tell, and says it in that question's details") {
  ChapterRuns runs;
  runs.shown = report(4, "five things");
  runs.deciding["q"] = runs.shown;
  const std::string text =
      "# T\n\nNext is `=next`.\n\n" + question("{ n = 4 }") + "```exhibit\nid = \"out\"\n```\n";
  const auto page = MarkupReader(page_of(text, runs)).read();
  const std::string open = page->words("details");
  CHECK(open.find("Next is ?.") != std::string::npos);
  CHECK(open.find("five things") == std::string::npos);
  CHECK(open.find("It is 5") == std::string::npos);
  const std::string all = page->words();
  CHECK(all.find("A. five") != std::string::npos);
  CHECK(all.find("It is 5.") != std::string::npos);
  CHECK(all.find("One would be none more.") != std::string::npos);
  for (const Element* details : page->tags("details"))
    CHECK(details->attributes.count("open") == 0);
}

TEST_CASE("a page shows what no question covers, and a question has the run that decides it") {
  ChapterRuns runs;
  runs.shown = report(7, "eight things");
  runs.deciding["q"] = report(4, "five things");
  const auto page =
      MarkupReader(page_of("# T\n\nNext to `@n` is `=next`.\n\n" + question("{ n = 4 }"), runs))
          .read();
  const std::string open = page->words("details");
  CHECK(open.find("Next to n = 7 is 8.") != std::string::npos);
  CHECK(open.find("eight things") != std::string::npos);
  CHECK(open.find("five things") == std::string::npos);
  CHECK(page->words().find("It is 5.") != std::string::npos);
}

TEST_CASE(
    "of a run on another GPU, a page and a terminal say which GPU a question is about whose answer "
    "rests on it") {
  Report other = *report(4, "four");
  const auto told = [&](const std::string& set) {
    ChapterRuns runs;
    runs.shown = std::make_shared<const Report>(other);
    runs.deciding["q"] = report(4, "four");
    const std::string text = "# X\n\n" + question(set),
                      note = (*sample::strings("en"))("document.question-gpu", {{"gpu", "H200"}});
    const auto document = parse_document(text, "en.md", "en");
    REQUIRE(document);
    const std::string terminal = to_text(*document, lesson_with_n(), runs.shown.get(),
                                         *sample::strings("en"), {}, runs.deciding);
    const bool on_page = page_of(text, runs).find(note) != std::string::npos;
    CHECK(on_page == (terminal.find(note) != std::string::npos));
    return on_page;
  };
  const std::string set = "{ n = 4 }", rests = set + "\nrests_on_gpu = true";
  CHECK_FALSE(told(rests));
  other.inputs.gpu = "T4";
  CHECK(told(rests));
  CHECK_FALSE(told(set));
}

TEST_CASE("a question whose run failed shows the error and calls no choice right") {
  ChapterRuns runs;
  runs.shown = report(7, "eight things");
  Report failed = *report(9, "");
  failed.exhibits.clear();
  failed.errors = {{device::ErrorCode::no_kernel, {{"file", "x.cu"}}, {}}};
  runs.deciding["q"] = std::make_shared<const Report>(std::move(failed));
  const auto page = MarkupReader(page_of("# T\n\n" + question("{ n = 4 }"), runs)).read();
  CHECK(page->classes("wb-good").empty());
  CHECK_THAT(page->words(), tests::Says("error.no_kernel.long", {{"file", "x.cu"}}));
}

TEST_CASE("a page closes the errors of its run where a question covers them") {
  ChapterRuns runs;
  Report failed = *report(4, "five things");
  failed.errors = {{device::ErrorCode::no_kernel, {{"file", "x.cu"}}, {}}};
  runs.shown = runs.deciding["q"] = std::make_shared<const Report>(std::move(failed));
  const auto open_words = [&](const std::string& directive) {
    return MarkupReader(page_of("# T\n\n" + directive, runs)).read()->words("details");
  };
  const auto named = tests::Says("error.no_kernel.long", {{"file", "x.cu"}});
  std::string covering = question("{ n = 4 }");
  CHECK_THAT(open_words(covering), named);
  covering.replace(covering.find("\"=next\""), 7, "\"errors\"");
  CHECK_THAT(open_words(covering), !named);
}

TEST_CASE("the pictures of a comparison share one range, unless a question covers one of them") {
  const auto run = [](std::int64_t n, double most) {
    Report made;
    made.inputs.values.set("n", n);
    std::vector<double> values(300, 1);
    values[7] = most;
    TensorExhibit out = sample::tensor("out", values);
    out.view = TensorExhibit::View::plot;
    made.exhibits = {{"out", Message::plain("Out"), {}, std::move(out)}};
    return std::make_shared<const Report>(std::move(made));
  };
  const std::string compare =
      "```compare\nexhibits = [\"out\"]\n[[variant]]\nlabel = \"four\"\nset = { n = 4 }\n"
      "[[variant]]\nlabel = \"five\"\nset = { n = 5 }\n```\n";
  ChapterRuns runs;
  runs.shown = runs.deciding["q"] = run(4, 30);
  for (const std::size_t place : {0, 1, 2}) runs.variants[place] = {run(4, 30), run(5, 70)};
  const auto ranges = [](const std::string& page) {
    const std::string words = MarkupReader(page).read()->words();
    return tests::count_of(words,
                           sample::english()("tensor.shared-scale", {{"low", 1}, {"high", 70}}));
  };
  CHECK(ranges(page_of("# T\n\n" + compare, runs)) == 2);
  CHECK(ranges(page_of("# T\n\n" + question("{ n = 4 }") + compare, runs)) == 1);
}

TEST_CASE("every term that a page links to stands in it, those of other chapters at its end") {
  const auto chapter = [](const std::string& markdown) {
    auto document = parse_document(markdown, "en.md", "en");
    REQUIRE(document);
    return std::move(*document);
  };
  const std::string own = "```term\nid = \"own\"\nname = \"own\"\nmeaning = \"Here.\"\n```\n\n";
  Glossary glossary;
  glossary.add("far",
               chapter("# Far away\n\n```term\nid = \"warp\"\nname = \"warp\"\nmeaning = "
                       "\"Of [lanes](#lane).\"\n```\n\n```term\nid = \"lane\"\nname = \"lane\"\n"
                       "meaning = \"One of 32.\"\n```\n\n```term\nid = \"grid\"\nname = "
                       "\"grid\"\nmeaning = \"Not linked.\"\n```\n"));
  ChapterRuns runs;
  runs.shown = report(4, "five things");
  const auto page =
      MarkupReader(
          to_html_page(chapter("# T\n\n[Warps](#warp), [own](#own), [lost](#lost).\n\n" + own),
                       lesson_with_n(), runs, *sample::strings("en"), PageTheme::automatic,
                       glossary))
          .read();
  const auto with_id = [&](const std::string& id) {
    return page->all([&](const Element& e) { return e.attribute("id") == id; }).size();
  };
  CHECK(with_id("term-warp") == 1);
  CHECK(with_id("term-lane") == 1);  // what explains a warp links to it
  CHECK(with_id("term-own") == 1);
  CHECK(with_id("term-grid") == 0);
  for (const Element* link : page->tags("a")) {
    const std::string target(link->attribute("href"));
    if (target.starts_with("#")) CHECK(with_id(target.substr(1)) == 1);
  }
  CHECK(page->words().find("First in the chapter Far away (far)") != std::string::npos);
  CHECK(page->words().find("lost") != std::string::npos);
}

TEST_CASE("the glossary's page has every term once, in order, and no run") {
  auto document = parse_document(
      "# One\n\n```term\nid = \"warp\"\nname = \"warp\"\nmeaning = \"32 [lanes](#lane).\"\n```\n\n"
      "```term\nid = \"lane\"\nname = \"lane\"\nmeaning = \"Of a warp: $x$.\"\n```\n",
      "en.md", "en");
  REQUIRE(document);
  Glossary glossary;
  glossary.add("one", *document);
  const auto page = MarkupReader(to_html_page(glossary, *sample::strings("en"))).read();
  std::vector<std::string> ids;
  for (const Element* list : page->tags("dl")) ids.emplace_back(list->attribute("id"));
  CHECK(ids == std::vector<std::string>{"term-lane", "term-warp"});
  REQUIRE(page->tags("a").size() == 1);
  CHECK(page->tags("a").front()->attribute("href") == "#term-lane");
  CHECK(page->tags("nav").empty());
  CHECK(page->words().find("First in the chapter One (one)") != std::string::npos);
}

TEST_CASE("what a text or a run says cannot become markup of the page") {
  const std::string evil = "<script>alert(1)</script>\"'&";
  ChapterRuns runs;
  runs.shown = report(4, evil);
  const std::string html = page_of(
      "# T " + evil + "\n\nSome `" + evil + "` here.\n\n```cuda\n" + evil + "\n```\n", runs);
  const auto page = MarkupReader(html).read();
  CHECK(page->tags("script").empty());
  CHECK(page->words().find(evil) != std::string::npos);
}

TEST_CASE("a page has the reader's colours, or those asked for") {
  ChapterRuns runs;
  runs.shown = report(4, "");
  const auto style = [&](PageTheme theme) {
    return MarkupReader(page_of("# T\n\nText.\n", runs, theme))
        .read()
        ->tags("style")
        .at(0)
        ->words();
  };
  CHECK(style(PageTheme::automatic).find("prefers-color-scheme: light") != std::string::npos);
  const std::string dark = style(PageTheme::dark), light = style(PageTheme::light);
  CHECK(dark.find("prefers-color-scheme") == std::string::npos);
  CHECK(light.find("prefers-color-scheme") == std::string::npos);
  CHECK(dark.find("--s1: #1b1c1f") != std::string::npos);
  CHECK(light.find("--s1: #fbfbf9") != std::string::npos);
  CHECK(light.find("--s1: #1b1c1f") == std::string::npos);
}

TEST_CASE("a page and a terminal have formulae in a line and by themselves, without a script") {
  const std::string text = "# T\n\nOf $a_i$.\n\n$$\\frac{n - 1}{2}$$\n";
  ChapterRuns runs;
  runs.shown = report(4, "five things");
  const auto page = MarkupReader(page_of(text, runs)).read();
  const auto formulae = page->tags("math");
  REQUIRE(formulae.size() == 2);
  CHECK(formulae[0]->is_in("p"));
  CHECK(formulae[0]->attribute("display") == "inline");
  CHECK(formulae[1]->attribute("display") == "block");
  CHECK(formulae[1]->attribute("alttext") == "(n − 1)/2");
  CHECK(formulae[1]->tags("mfrac").size() == 1);
  CHECK(page->tags("script").empty());

  const auto document = parse_document(text, "en.md", "en");
  REQUIRE(document);
  const std::string said = to_text(*document, lesson_with_n(), nullptr, *sample::strings("en"), {});
  CHECK(said.find("Of a_i.\n\n    (n − 1)/2\n") != std::string::npos);
}

}  // namespace warpbook::lab::html_document_test
