// What holds a chapter together: its lesson, its two languages, and the questions that veil its run.
#include <memory>
#include <string_view>

#include <catch2/catch_test_macros.hpp>

#include "lab/document/document.hpp"
#include "tests/keyed.hpp"

namespace warpbook::tests::chapter_rules_test {

using namespace warpbook;
using namespace warpbook::lab;

namespace {

Lesson lesson_with_n() {
  Lesson lesson;
  lesson.slug = "x";
  Parameter n;
  n.name = "n";
  n.initial = std::int64_t{4};
  n.minimum = 1;
  n.maximum = 100;
  lesson.parameters = {n};
  lesson.slots = {{"add", "kernels/add/01_guarded.cu"}};
  lesson.figures = {{"idle", [](const Report&) { return std::string("3"); }}};
  lesson.answers = {{"c", [](const Report&) { return std::string("15"); }}};
  lesson.exercises = {"saxpy"};
  return lesson;
}

Document parsed(const std::string& markdown, const std::string& file = "en.md") {
  auto document = parse_document(markdown, file, "en");
  INFO((document ? "" : document.error().english()));
  REQUIRE(document.has_value());
  return std::move(*document);
}

std::string question(const std::string& id, const std::string& set,
                     const std::string& extra = "veils = [\"wires\", \"=idle\"]") {
  return "```predict\nid = \"" + id + "\"\nquestion = \"q\"\nanswer = \"c\"\nset = " + set + "\n" +
         extra +
         "\nright = \"r\"\n[[choice]]\ntext = \"a\"\nvalue = \"15\"\n[[choice]]\ntext = "
         "\"b\"\nvalue = \"1\"\n"
         "misconception = \"one-thread\"\nwhy = \"w\"\n```\n\n";
}

std::string all_of(const std::vector<device::Error>& errors) {
  std::string text;
  for (const auto& error : errors) text += warpbook::tests::keyed(error) + "\n";
  return text;
}

Inputs inputs_with(std::int64_t n) {
  Inputs inputs;
  inputs.values.set("n", n);
  return inputs;
}

}  // namespace

TEST_CASE("what a text names must be in its lesson, and each error has its line") {
  const std::string right =
      "# T\n\n`=idle` `@n`\n\n" + question("q", "{ n = 5 }") + "```exercise\nid = \"saxpy\"\n```\n";
  CHECK(all_of(validate(parsed(right), lesson_with_n(), "/nowhere")).empty());

  const std::string wrong =
      "# T\n\n`=idel` `@m`\n\n```exercise\nid = \"sax\"\n```\n\n```try\ntext = \"t\"\nset = { n = "
      "1000, block = 3 }\n```\n\n"
      "[far](nowhere-at-all)\n\n[t](#nothing)\n";
  const auto errors = validate(parsed(wrong), lesson_with_n(), "/nowhere");
  const std::string text = all_of(errors);
  CAPTURE(text);
  CHECK(text.find("en.md:3: unknown_name(kind=phrase.kind.figure, known=idle, name=idel)") !=
        std::string::npos);
  CHECK(text.find("en.md:3: unknown_name(kind=phrase.kind.parameter, known=n, name=m)") !=
        std::string::npos);
  CHECK(text.find("en.md:5: unknown_name(kind=phrase.kind.exercise, known=saxpy, name=sax)") !=
        std::string::npos);
  CHECK(text.find("en.md:9: unknown_name(kind=phrase.kind.parameter, known=n, name=block)") !=
        std::string::npos);
  CHECK(text.find("unknown_name(kind=phrase.kind.chapter, known=phrase.chapter.folders, "
                  "name=nowhere-at-all)") != std::string::npos);
  CHECK(text.find("en.md:16: unknown_name(kind=phrase.kind.term, known=phrase.words.nothing, "
                  "name=nothing)") != std::string::npos);
  CHECK(errors.size() == 7);
}

TEST_CASE("a term says nothing that is only right in its chapter") {
  const auto errors = validate(
      parsed("# T\n\n```term\nid = \"t\"\nname = \"t\"\nmeaning = \"It is `=idle`.\"\n```\n"),
      lesson_with_n(), "/nowhere");
  REQUIRE(errors.size() == 1);
  CHECK(warpbook::tests::keyed(errors[0]) ==
        "en.md:3: bad_markdown(remedy=phrase.markdown-remedy.live-term, "
        "what=phrase.markdown.live-term(name=t))");
}

TEST_CASE("an answer is computed, never typed in") {
  std::string text = "# T\n\n" + question("q", "{ n = 5 }");
  text.replace(text.find("\"c\""), 3, "\"15\"");
  const auto errors = validate(parsed(text), lesson_with_n(), "/nowhere");
  REQUIRE(errors.size() == 1);
  CHECK(warpbook::tests::keyed(errors[0]) ==
        "en.md:3: unknown_name(kind=phrase.kind.answer, known=c, name=15)");
}

TEST_CASE("every wrong choice is a misconception and says what would have to be true") {
  std::string text = "# T\n\n" + question("q", "{ n = 5 }");
  std::string unnamed = text, silent = text;
  unnamed.erase(unnamed.find("misconception = \"one-thread\"\n"), 29);
  silent.erase(silent.find("why = \"w\"\n"), 10);
  CHECK(all_of(validate(parsed(unnamed), lesson_with_n(), "/nowhere"))
            .find("got=phrase.chapter.right-choices(number=2)") != std::string::npos);
  CHECK(all_of(validate(parsed(silent), lesson_with_n(), "/nowhere"))
            .find("missing_key(key=why, known=phrase.chapter.why, "
                  "what=phrase.chapter.choice(name=q, text=b))") != std::string::npos);
}

TEST_CASE("steps stand in their order") {
  const auto errors =
      validate(parsed("# T\n\n```step\nname = \"run\"\n```\n```step\nname = \"ask\"\n```\n"),
               lesson_with_n(), "/");
  REQUIRE(errors.size() == 1);
  CHECK(errors[0].place.line == 6);
}

TEST_CASE("a try may not run what a later question asks") {
  const std::string attempt = "```try\ntext = \"t\"\nset = { n = 5 }\n```\n\n";
  CHECK(validate(parsed("# T\n\n" + attempt + question("q", "{ n = 5 }")), lesson_with_n(), "/")
            .size() == 1);
  CHECK(validate(parsed("# T\n\n" + question("q", "{ n = 5 }") + attempt), lesson_with_n(), "/")
            .empty());
  // The wires come up covered where they stand below the question alone, and what was to be tried does not.
  const std::string wires = "```exhibit\nid = \"wires\"\n```\n\n",
                    covering = question("q", "{ n = 5 }", "veils = [\"wires\"]");
  const auto faults = [](const std::string& text) {
    return validate(parsed("# T\n\n" + text), lesson_with_n(), "/").size();
  };
  CHECK(faults(attempt + covering + wires) == faults(covering + wires));
  CHECK(faults(attempt + wires + covering) == faults(wires + covering) + 1);
  CHECK(faults(attempt + covering) == faults(covering) + 1);
}

TEST_CASE("two languages carry the same directives in the same order") {
  const std::string step = "```step\nname = \"ask\"\n```\n\n";
  const Document english = parsed("# T\n\n" + step + "words\n\n" + question("q", "{ n = 5 }"));
  CHECK(compare_directives(english, parsed("# U\n\n" + step + question("q", "{ n = 5 }"), "zh.md"))
            .empty());

  const auto said = [&](const std::string& other) {
    std::string text;
    for (const auto& error : compare_directives(english, parsed(other, "zh.md")))
      text += warpbook::tests::keyed(error) + "\n";
    return text;
  };
  CHECK(said("# U\n\n" + step + question("q", "{ n = 6 }")) ==
        "zh.md:7: directives_differ(expected=phrase.differ.field(name=set, value={ n = 5 }), "
        "got=phrase.differ.in-directive(directive=phrase.differ.field(name=predict, value=q), "
        "field=phrase.differ.field(name=set, value={ n = 6 })), other=en.md)\n");
  CHECK(said("# U\n\n" + step)
            .find("directives_differ(expected=phrase.differ.field(name=predict, value=q), "
                  "got=phrase.differ.nothing-more, other=en.md)") != std::string::npos);
  CHECK(said("# U\n\n" + question("q", "{ n = 5 }") + step)
            .find("directives_differ(expected=phrase.differ.field(name=step, value=ask), "
                  "got=phrase.differ.field(name=predict, value=q), other=en.md)") !=
        std::string::npos);
  CHECK(said("# U\n\n" + step + question("q", "{ n = 5 }", "veils = [\"out\"]"))
            .find("name=veils, value=[out]") != std::string::npos);
  CHECK(said("# U\n\n" + step +
             question("q", "{ n = 5 }", "veils = [\"wires\", \"=idle\"]\nalways = [\"wires\"]"))
            .find("name=always, value=[wires]") != std::string::npos);
  CHECK(said("# U\n\n" + step + question("q", "{ n = 5 }", "rests_on_gpu = true"))
            .find("name=rests_on_gpu, value=true") != std::string::npos);
}

TEST_CASE("an open question covers the run that it asks about, and no other") {
  const Document document =
      parsed("# T\n\n" + question("first", "{ n = 4 }") + question("second", "{ n = 5 }"));
  const Lesson lesson = lesson_with_n();
  const auto by = [&](std::int64_t n, const AnswersGiven& given, std::string_view id) {
    const auto* question = veiled_by(document, lesson, inputs_with(n), given, id);
    return question ? question->id : "";
  };
  CHECK(by(4, {}, "wires") == "first");
  CHECK(by(4, {}, "=idle") == "first");
  CHECK(by(4, {}, "geometry").empty());
  CHECK(by(4, {{"first", "1"}}, "wires").empty());
  CHECK(by(4, {{"first", ""}}, "wires").empty());  // "show me"
  CHECK(by(5, {{"first", "1"}}, "wires") == "second");
  CHECK(by(6, {}, "wires").empty());
}

TEST_CASE("what is the same in every run is covered in every run, until its question is answered") {
  const Document document =
      parsed("# T\n\n" +
             question("q", "{ n = 5 }", "veils = [\"wires\", \"geometry\"]\nalways = [\"wires\"]"));
  const Lesson lesson = lesson_with_n();
  CHECK(veiled_by(document, lesson, inputs_with(6), {}, "wires") != nullptr);
  CHECK(veiled_by(document, lesson, inputs_with(6), {}, "geometry") == nullptr);
  CHECK(veiled_by(document, lesson, inputs_with(5), {}, "geometry") != nullptr);
  CHECK(veiled_by(document, lesson, inputs_with(6), {{"q", "1"}}, "wires") == nullptr);
  const std::string unveiled =
      question("q", "{ n = 5 }", "veils = [\"wires\"]\nalways = [\"=idle\"]");
  CHECK(all_of(validate(parsed("# T\n\n" + unveiled), lesson, "/nowhere"))
            .find("kind=phrase.kind.always, ") != std::string::npos);
}

TEST_CASE("a question about another kernel covers only that kernel's run") {
  Document document =
      parsed("# T\n\n" + question("q", "{ n = 5 }", "veils = [\"wires\"]\nsource = \"a.cu\""));
  std::get<PredictDirective>(document.nodes[0]).source_text = "kernel";
  const Lesson lesson = lesson_with_n();
  Inputs inputs = inputs_with(5);
  CHECK(veiled_by(document, lesson, inputs, {}, "wires") == nullptr);
  inputs.sources["add"] = "kernel";
  CHECK(veiled_by(document, lesson, inputs, {}, "wires") != nullptr);
}

TEST_CASE("the right choice comes from the report of the run that decides") {
  const Document document = parsed("# T\n\n" + question("q", "{ n = 5 }"));
  const auto& predict = std::get<PredictDirective>(document.nodes[0]);
  const Lesson lesson = lesson_with_n();
  Report report;
  report.inputs = inputs_with(4);
  CHECK_FALSE(computed_answer(predict, lesson, report).has_value());
  report.inputs = deciding_inputs(predict, lesson, report.inputs);
  CHECK(report.inputs.values.integer("n") == 5);
  CHECK(computed_answer(predict, lesson, report) == "15");
}

TEST_CASE("a chapter reads as text, with its open questions' answers left out") {
  const Document document = parsed("# T\n\nThere are `=idle`.\n\n" + question("q", "{ n = 5 }") +
                                   "```exhibit\nid = \"wires\"\n```\n");
  const Lesson lesson = lesson_with_n();
  const auto strings = Strings::load("en", WARPBOOK_SOURCE_DIR);
  REQUIRE(strings.has_value());
  Report report;
  report.inputs = inputs_with(5);
  report.exhibits.push_back(
      {"wires", Message::plain("The wires"), {}, TextExhibit{Message::plain("SECRET"), true}});

  const std::string open = to_text(document, lesson, &report, **strings, {});
  CAPTURE(open);
  CHECK(open.find("SECRET") == std::string::npos);
  CHECK(open.find("There are ?.") != std::string::npos);
  CHECK(open.find("    A. a\n    B. b\n") != std::string::npos);
  CHECK(open.find("The wires: covered until the question q is answered") != std::string::npos);

  const std::string answered = to_text(document, lesson, &report, **strings, {{"q", "1"}});
  CAPTURE(answered);
  CHECK(answered.find("SECRET") != std::string::npos);
  CHECK(answered.find("There are 3.") != std::string::npos);
  CHECK(answered.find("  > B. b") != std::string::npos);
  const std::string verdict =
      (**strings)("document.wrong",
                  {{"answer", (**strings)("document.choice", {{"letter", "A"}, {"text", "a"}})}});
  CHECK(answered.find(verdict) != std::string::npos);
}

TEST_CASE("what is said to an answer has the figures of the run that the question asks about") {
  Lesson lesson = lesson_with_n();
  lesson.figures.front().value = [](const Report& report) {
    return std::to_string(report.inputs.values.integer("n") + 1);
  };
  lesson.answers.front().value = lesson.figures.front().value;
  const std::string text =
      "# T\n\nHere `=idle`.\n\n```predict\nid = \"q\"\nquestion = \"q\"\nanswer = \"c\"\n"
      "set = { n = 5 }\nveils = [\"=idle\"]\nright = \"There `=idle`.\"\n"
      "[[choice]]\ntext = \"six\"\nvalue = \"6\"\n[[choice]]\ntext = \"nine\"\nvalue = \"9\"\n"
      "misconception = \"one-thread\"\nwhy = \"Not nine: `=idle`.\"\n```\n";
  const Document document = parsed(text);
  const auto strings = Strings::load("en", WARPBOOK_SOURCE_DIR);
  REQUIRE(strings.has_value());
  Report shown;
  shown.inputs = inputs_with(4);
  auto other = std::make_shared<Report>();
  other->inputs = inputs_with(5);
  const DecidingRuns deciding = {{"q", other}};
  const auto said = [&](const std::string& value) {
    return to_text(document, lesson, &shown, **strings, {{"q", value}}, deciding);
  };
  for (const char* value : {"", "6", "9"}) {
    const std::string page = said(value);
    CAPTURE(value, page);
    CHECK(page.find("Here 5.") != std::string::npos);
    CHECK(page.find("  ✓ A. six") != std::string::npos);
    CHECK(page.find("There 6.") != std::string::npos);
    CHECK((page.find("Not nine: 6.") != std::string::npos) == (value == std::string_view("9")));
  }
}

}  // namespace warpbook::tests::chapter_rules_test
