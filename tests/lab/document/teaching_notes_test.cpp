// A chapter's notes for whoever teaches it, held against the chapter.
#include "lab/document/teaching_notes.hpp"

#include <catch2/catch_test_macros.hpp>

#include "lab/document/markdown.hpp"
#include "tests/keyed.hpp"

namespace warpbook::tests::teaching_notes_test {
using namespace warpbook;
using namespace warpbook::lab;

namespace {
Lesson lesson() {
  Lesson made;
  made.slug = "x";
  Parameter n;
  n.name = "n";
  n.initial = std::int64_t{4};
  n.minimum = 1;
  n.maximum = 100;
  made.parameters = {n};
  made.figures = {{"idle", [](const Report&) { return std::string("3"); }}};
  return made;
}

Document chapter() {
  auto document = parse_document(
      "# T\n\n```step\nname = \"ask\"\n```\n\nThere are 1,024 threads and 5.33 sectors.\n\n"
      "```predict\nid = \"idle\"\nquestion = \"q\"\nanswer = \"c\"\nset = { n = \"50\" }\n"
      "right = \"r\"\n[[choice]]\ntext = \"a\"\nvalue = \"704\"\n[[choice]]\ntext = \"b\"\n"
      "value = \"2\"\nmisconception = \"m\"\nwhy = \"w\"\n```\n",
      "en.md", "en");
  REQUIRE(document.has_value());
  return *document;
}

const std::string kExpected =
    "# Teaching T\n\n## What to expect\n\n- [How many are `idle`?](#idle) Expect 704, because.\n\n";

TeachingNotes parsed(const std::string& markdown) {
  auto notes = parse_teaching_notes(markdown, "teach.md");
  INFO((notes ? "" : notes.error().english()));
  REQUIRE(notes.has_value());
  return std::move(*notes);
}

/// What validation says of notes with these words at their end.
std::string said(const std::string& more) {
  std::string all;
  for (const device::Error& error : validate(parsed(kExpected + more), chapter(), lesson()))
    all += (all.empty() ? "" : "\n") + keyed(error);
  return all;
}
std::string unnamed(const std::string& number) {
  return "bad_markdown(remedy=phrase.markdown-remedy.unnamed-number, "
         "what=phrase.markdown.unnamed-number(number=" +
         number + "))";
}
}  // namespace

TEST_CASE("what the class will answer is known by the question") {
  const TeachingNotes notes = parsed(kExpected + "- [Offset 1](#idle): Expect four.\n");
  REQUIRE(notes.expected.contains("idle"));
  CHECK(plain_text(notes.expected.at("idle")) == "Expect four.");
  CHECK(plain_text(parsed(kExpected).expected.at("idle")) == "Expect 704, because.");
}

TEST_CASE("an item that does not begin with its question is refused with its line") {
  const auto notes =
      parse_teaching_notes("# T\n\n## What to expect\n\n- *Idle?* Expect 704.\n", "teach.md");
  REQUIRE_FALSE(notes.has_value());
  CHECK(notes.error().place.line == 5);
  CHECK(notes.error().code == device::ErrorCode::bad_markdown);
}

TEST_CASE("a plan is what to do with its minutes, and what is said at its end") {
  const TeachingNotes notes =
      parsed(kExpected +
             "## Ten minutes\n\nThe first question (2), thread (1, 2) on the board (3 in all). "
             "Then the film, and talk (5). Stop at \"why?\"\n");
  REQUIRE(notes.plans.size() == 1);
  const TeachingPlan& plan = notes.plans[0];
  CHECK(plan.minutes == 10);
  REQUIRE(plan.items.size() == 3);
  CHECK(plan.items[0].text == "The first question");
  CHECK(plan.items[1].text == "thread (1, 2) on the board");
  CHECK(plan.items[1].minutes == 3);
  CHECK(plan.items[2].text == "the film, and talk");
  CHECK(plan.closing == "Stop at \"why?\"");
  CHECK(item_at(plan, 1.9) == 0);
  CHECK(item_at(plan, 2) == 1);
  CHECK(item_at(plan, 99) == 2);
}

TEST_CASE("notes that keep to their chapter are as they should be") {
  CHECK(said("## What to show\n\nSet `n=8`, then [the question](#idle) and [asking](#ask): 1,024 "
             "threads, 5.33 sectors, `=idle` idle, 704 said, and 7 students.\n\n## Ten minutes\n\n"
             "All of it (10 in all).\n")
            .empty());
}

TEST_CASE("a number that the chapter does not name is refused") {
  CHECK(said("## What to show\n\nShow 1,025 threads.\n") ==
        unnamed("1025").insert(0, "teach.md:9: "));
  CHECK(said("## What to show\n\nShow 0.5 of it.\n") == unnamed("0.5").insert(0, "teach.md:9: "));
  CHECK(said("## What to show\n\n`sm_89` and x86 are names.\n").empty());
}

TEST_CASE("what the chapter does not have is refused: a figure, a place, a value") {
  CHECK(said("## What to show\n\nSee `=busy`.\n")
            .starts_with("teach.md:9: unknown_name(kind=phrase.kind.figure"));
  CHECK(said("## What to show\n\nSee [it](#busy).\n")
            .starts_with("teach.md:9: unknown_name(kind=phrase.kind.question"));
  CHECK(said("## What to show\n\nSet `warpbook run x --set n=1000`.\n")
            .starts_with("teach.md:9: parameter_out_of_range("));
}

TEST_CASE("a question of which the notes say nothing is named") {
  const auto errors = validate(parsed("# T\n\n## What to show\n\nNothing.\n"), chapter(), lesson());
  REQUIRE(errors.size() == 1);
  CHECK(keyed(errors[0]) ==
        "teach.md:1: bad_markdown(remedy=phrase.markdown-remedy.unexpected, "
        "what=phrase.markdown.unexpected(question=idle))");
}

TEST_CASE("a plan whose minutes do not add up is refused") {
  CHECK(said("## Forty minutes\n\nThe question (15), the exercise (20).\n") ==
        "teach.md:9: bad_markdown(remedy=phrase.markdown-remedy.plan, "
        "what=phrase.markdown.plan(minutes=40, sum=35))");
}

}  // namespace warpbook::tests::teaching_notes_test
