#include "lab/document/terms.hpp"

#include <catch2/catch_test_macros.hpp>

#include "lab/document/glossary.hpp"
#include "lab/document/markdown.hpp"
#include "tests/lab/report/sample_report.hpp"

namespace warpbook::lab::terms_test {
namespace {

Document page_of(const std::string& text, const std::string& language = "en") {
  auto document = parse_document(text, "en.md", language);
  INFO((document ? "" : document.error().english()));
  REQUIRE(document);
  return std::move(*document);
}

std::string term(const std::string& id, const std::string& name, const std::string& forms = "",
                 const std::string& meaning = "It is explained.") {
  return "```term\nid = \"" + id + "\"\nname = \"" + name + "\"\n" +
         (forms.empty() ? "" : "forms = [" + forms + "]\n") + "meaning = \"" + meaning +
         "\"\n```\n\n";
}

TermWords words_of_page(const std::string& terms) {
  TermWords words;
  const Document document = page_of("# Terms\n\n" + terms);
  for (const DocumentNode& node : document.nodes) {
    if (const auto* found = std::get_if<TermDirective>(&node)) words.add(*found);
  }
  return words;
}

using Ids = std::vector<std::string>;
Ids ids_in(const TermWords& words, std::string_view text) {
  Ids ids;
  for (const TermWords::Use& use : words.in(text)) ids.push_back(use.id);
  return ids;
}

/// "1:warp" for each: the chapter, and the term that it uses too early.
Ids early(const std::vector<std::string>& chapters, ExplainedInBox boxes = {}) {
  std::vector<BookPage> book;
  for (const std::string& text : chapters)
    book.push_back({std::to_string(book.size() + 1), page_of("# A chapter\n\n" + text), {}});
  Ids found;
  for (const EarlyUse& use : uses_before(book, boxes)) found.push_back(use.chapter + ":" + use.id);
  CHECK(boxes.empty());
  return found;
}

const std::string kQuestion =
    "```predict\nid = \"q\"\nquestion = \"Which?\"\nanswer = \"a\"\nright = \"Right.\"\n\n"
    "[[choice]]\ntext = \"1\"\nvalue = \"1\"\n\n[[choice]]\ntext = \"2\"\nvalue = \"2\"\n"
    "misconception = \"m\"\nwhy = \"WHY\"\nset = { n = \"1\" }\n```\n\n";

std::string question_that_says(const std::string& why) {
  std::string text = kQuestion;
  return text.replace(text.find("WHY"), 3, why);
}

}  // namespace

TEST_CASE("a term's words are its name, what is in parentheses, and its forms") {
  const Document page = page_of("# T\n\n" + term("sm", "multiprocessor (SM)", "\"SMs\""));
  CHECK(words_of(std::get<TermDirective>(page.nodes.front())) ==
        Ids{"multiprocessor", "SM", "SMs"});
  const Document chinese = page_of("# T\n\n" + term("warp", "线程束（warp）"), "zh");
  CHECK(words_of(std::get<TermDirective>(chinese.nodes.front())) == Ids{"线程束", "warp"});
}

TEST_CASE("words are found whole, in the plural and at any case, and the longest counts") {
  const TermWords words =
      words_of_page(term("memory", "memory") + term("shared", "shared memory") +
                    term("warp", "warp") + term("ptx", "PTX") + term("sm", "multiprocessor (SM)"));
  CHECK(ids_in(words, "Warps read shared memory.") == Ids{"warp", "shared"});
  CHECK(ids_in(words, "A warp's Memory; memories of warped warp_max") == Ids{"warp", "memory"});
  CHECK(ids_in(words, "PTX, not ptx; SM, not sm or SMX") == Ids{"ptx", "sm"});
  CHECK(words.in("a warp") == std::vector<TermWords::Use>{{"warp", 2, 6}});
  CHECK(words.in("").empty());
}

TEST_CASE("Chinese words are found without gaps, and a block of threads is no thread") {
  const TermWords words = words_of_page(term("thread", "线程") + term("block", "线程块（block）") +
                                        term("warp", "线程束（warp）"));
  CHECK(ids_in(words, "每个线程块有若干线程，32个线程是一个warp。") ==
        Ids{"block", "thread", "thread", "warp"});
}

TEST_CASE("a term is explained in time if its directive comes before the next act") {
  CHECK(early({"A warp is nice.\n\n" + term("warp", "warp") + kQuestion}).empty());
  CHECK(early({"A warp is nice.\n\n" + kQuestion + term("warp", "warp")}) == Ids{"1:warp"});
  CHECK(early({question_that_says("A warp.") + term("warp", "warp")}) == Ids{"1:warp"});
  CHECK(early({"`warp` is code.\n\n" + kQuestion + term("warp", "warp")}).empty());
  CHECK(early({term("grid", "grid", "", "Many warps.") + kQuestion + term("warp", "warp")}) ==
        Ids{"1:warp"});
}

TEST_CASE("a term that a later chapter explains is too early in each before it, once in each") {
  const std::string uses = "A warp and a warp.\n\n" + kQuestion + "Warps.\n\n";
  CHECK(early({uses, uses, term("warp", "warp"), uses}) == Ids{"1:warp", "2:warp"});
}

TEST_CASE("an exercise's task is read where its exercise stands") {
  const Document task = page_of("# Task\n\nUse a warp.\n");
  const auto found = [&](const std::string& text) {
    std::vector<BookPage> book;
    book.push_back({"one", page_of("# One\n\n" + text), {{"e", task}}});
    ExplainedInBox none;
    return uses_before(book, none).size();
  };
  const std::string exercise = "```exercise\nid = \"e\"\n```\n\n";
  CHECK(found(term("warp", "warp") + exercise) == 0);
  CHECK(found(exercise + term("warp", "warp")) == 1);
}

TEST_CASE("a box may explain a term in place: from there on, in its chapter, and nowhere else") {
  const std::string box = "> **Borrowed.** A warp is 32 threads.\n\n" + kQuestion + "A warp.\n\n";
  const std::string explains = term("warp", "warp");
  CHECK(early({box, explains}) == Ids{"1:warp"});
  CHECK(early({box, explains}, {{"1", "warp"}}).empty());
  const std::string act = "```try\ntext = \"Try it.\"\nset = { n = \"1\" }\n```\n\n";
  CHECK(early({"A warp.\n\n" + act + box, explains}, {{"1", "warp"}}) == Ids{"1:warp"});
  CHECK(early({box, "A warp.\n\n" + kQuestion, explains}, {{"1", "warp"}}) == Ids{"2:warp"});
  // One that nothing needs stays in the list, where its owner sees it.
  std::vector<BookPage> book;
  book.push_back({"1", page_of("# One\n\n" + explains + box), {}});
  ExplainedInBox boxes{{"1", "warp"}};
  CHECK(uses_before(book, boxes).empty());
  CHECK(boxes.size() == 1);
}

TEST_CASE("the glossary knows the other chapters that use a term, and links lead to it") {
  const Document first = page_of("# First\n\nA warp.\n\n" + term("warp", "warp")),
                 second = page_of("# Second\n\nNo such word.\n\n> **Box.** Two warps.\n");
  Document third = page_of("# Third\n\n`warp` and **A warp** and warps.\n\n- a warp\n\n" +
                           question_that_says("Warps.") + term("grid", "grid") + "Grids.\n");
  Glossary glossary;
  glossary.add("first", first);
  glossary.add("second", second);
  glossary.add("third", third);
  glossary.note_uses("first", first);
  glossary.note_uses("second", second);
  glossary.note_uses("third", third);
  using Chapters = std::vector<std::pair<std::string, std::string>>;
  CHECK(glossary.find("warp")->used_in == Chapters{{"second", "Second"}, {"third", "Third"}});
  CHECK(glossary.find("grid")->used_in.empty());
  CHECK(to_text(glossary.matching("warp"), *sample::strings("en"))
            .find("Also used in: Second, Third") != std::string::npos);

  CHECK_FALSE(node_of_term(third, "warp"));
  link_terms(third, "third", glossary);
  const auto& spans = std::get<Paragraph>(third.nodes.front()).spans;
  CHECK(plain_text(spans) == "warp and A warp and warps.");
  std::size_t links = 0;
  for (const Span& span : spans) {
    if (span.kind != Span::Kind::link) continue;
    ++links;
    CHECK(span.text == "warp");
    CHECK(span.target == "#warp");
    CHECK(span.strong);
  }
  CHECK(links == 1);  // the first word; not the code, not the plural behind it
  CHECK(std::get<ListBlock>(third.nodes[1]).items[0].size() == 1);
  CHECK(node_of_term(third, "warp") == 0);
  CHECK(node_of_term(third, "grid") == 3);
  // The chapter that explains a term needs no link to it.
  Document own = first;
  link_terms(own, "first", glossary);
  CHECK(std::get<Paragraph>(own.nodes.front()).spans.size() == 1);
}

}  // namespace warpbook::lab::terms_test
