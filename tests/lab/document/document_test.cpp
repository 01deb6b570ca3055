#include "lab/document/document.hpp"

#include <filesystem>
#include <random>

#include <catch2/catch_test_macros.hpp>
#include <catch2/generators/catch_generators.hpp>

#include "lab/document/directive.hpp"
#include "lab/document/markdown.hpp"
#include "tests/keyed.hpp"
#include "tests/temporary_folder.hpp"

namespace warpbook::tests::document_test {

using namespace warpbook;
using namespace warpbook::lab;

namespace {

Document parsed(std::string_view markdown) {
  auto document = parse_document(markdown, "lessons/x/en.md", "en");
  INFO((document ? "" : document.error().english()));
  REQUIRE(document.has_value());
  return std::move(*document);
}

const char* const kQuestion = R"(# T

```predict
id = "q"
question = "What is `c`?"
answer = "c"
set = { n = 5, block = "4" }
source = "kernels/add/01_guarded.cu"
rests_on_gpu = true
veils = ["wires", "=idle"]
right = "Yes."

[[choice]]
text = "- 3"
value = 3

[[choice]]
text = "1. none"
value = "none"
misconception = "one-thread"
why = "Then it would run **once**."
set = { n = 15 }
```
)";

}  // namespace

TEST_CASE("a document keeps prose, code and looks") {
  const Document document = parsed(
      "# The title\n\nPlain *soft* **bold** `code` `=idle` `@n`,\n[link](two-memories), "
      "[web](https://example.org/a).\n\n"
      "## Part\n\n- one\n- two `x`\n\n1. first\n\n```cuda\nint i;\n\n  // \xe4\xb8\xad\n```\n");
  CHECK(document.title == "The title");
  REQUIRE(document.nodes.size() == 5);
  CHECK(document.lines == std::vector<std::uint32_t>{3, 6, 8, 11, 13});

  const auto& spans = std::get<Paragraph>(document.nodes[0]).spans;
  using Kind = Span::Kind;
  const auto has = [&](Kind kind, std::string_view text) {
    return std::any_of(spans.begin(), spans.end(),
                       [&](const Span& s) { return s.kind == kind && s.text == text; });
  };
  CHECK(has(Kind::code, "code"));
  CHECK(has(Kind::figure, "idle"));
  CHECK(has(Kind::parameter, "n"));
  CHECK(plain_text(spans) == "Plain soft bold code idle n, link, web.");
  const auto strong =
      std::find_if(spans.begin(), spans.end(), [](const Span& s) { return s.strong; });
  REQUIRE(strong != spans.end());
  CHECK(strong->text == "bold");
  const auto link =
      std::find_if(spans.begin(), spans.end(), [](const Span& s) { return s.kind == Kind::link; });
  REQUIRE(link != spans.end());
  CHECK(link->target == "two-memories");

  CHECK(std::get<Heading>(document.nodes[1]).level == 2);
  CHECK(std::get<ListBlock>(document.nodes[2]).items.size() == 2);
  CHECK(std::get<ListBlock>(document.nodes[3]).ordered);
  const auto& code = std::get<CodeBlock>(document.nodes[4]);
  CHECK(code.language == "cuda");
  CHECK(code.text == "int i;\n\n  // \xe4\xb8\xad\n");
}

TEST_CASE("a line end between two Chinese characters is no space, between words it is one") {
  const Document document = parsed("# 题\n\n每个线程\n做一件事\nand more\nwords\n");
  CHECK(plain_text(std::get<Paragraph>(document.nodes[0]).spans) ==
        "每个线程做一件事 and more words");
}

TEST_CASE("a block quote with a bold lead is an aside") {
  for (const char* lead : {"**Often written, not so.**", "**Often written, not so**"}) {
    CAPTURE(lead);
    const Document document =
        parsed(std::string("# T\n\n> ") + lead + " First.\n>\n> Second `x`.\n");
    const auto& aside = std::get<Aside>(document.nodes[0]);
    CHECK(aside.kind == "Often written, not so");
    REQUIRE(aside.paragraphs.size() == 2);
    CHECK(plain_text(aside.paragraphs[0]) == "First.");
  }
}

TEST_CASE("a predict question reads as it is written") {
  const Document document = parsed(kQuestion);
  const auto& predict = std::get<PredictDirective>(document.nodes[0]);
  CHECK(predict.id == "q");
  CHECK(plain_text(predict.question) == "What is c?");
  CHECK(predict.question[1].kind == Span::Kind::code);
  CHECK(predict.set == std::map<std::string, std::string>{{"n", "5"}, {"block", "4"}});
  CHECK(predict.rests_on_gpu);
  CHECK(predict.veils == std::vector<std::string>{"wires", "=idle"});
  REQUIRE(predict.choices.size() == 2);
  CHECK(plain_text(predict.choices[0].text) == "- 3");
  CHECK(predict.choices[0].value == "3");
  CHECK(plain_text(predict.choices[1].text) == "1. none");
  CHECK(predict.choices[1].misconception == "one-thread");
  CHECK(predict.choices[1].set.at("n") == "15");
}

TEST_CASE("every directive is read") {
  const Document document = parsed(R"(# T

```step
name = "ask"
```
```exhibit
id = "wires"
```
```try
text = "Make n 10"
set = { n = 10 }
```
```index
formula = "i = blockIdx.x"
```
```compare
exhibits = ["out", "time"]
[[variant]]
label = "four"
set = { block = 4 }
[[variant]]
label = "eight"
set = { block = 8 }
```
```exercise
id = "saxpy"
```
```term
id = "grid"
name = "grid"
meaning = "All blocks."
opencl = "NDRange"
```
)");
  std::vector<std::string> kinds;
  for (const DocumentNode& block : document.nodes) kinds.emplace_back(directive_kind(block));
  CHECK(kinds ==
        std::vector<std::string>{"step", "exhibit", "try", "index", "compare", "exercise", "term"});
  CHECK(std::get<CompareDirective>(document.nodes[4]).variants[1].set.at("block") == "8");
}

namespace {
struct Broken {
  const char* what;
  std::string markdown;
  device::ErrorCode code;
  std::uint32_t line;
  const char* says;
};
}  // namespace

TEST_CASE("a broken text is refused with the line and the remedy") {
  using enum device::ErrorCode;
  const auto broken = GENERATE(
      Broken{"an unknown directive", "# T\n\ntext\n\n```predicct\nid = \"a\"\n```\n",
             unknown_directive, 5, "(known=step; predict;"},
      Broken{"broken TOML", "# T\n\n```exhibit\n\nid = \n```\n", toml_syntax, 5,
             "toml_syntax(why="},
      Broken{"an unknown key", "# T\n\n```exhibit\nid = \"a\"\nwho = 3\n```\n", unknown_key, 5,
             "(key=who, known=id; beside, what=exhibit)"},
      Broken{"a misspelt key", "# T\n\n```exhibit\nidd = \"a\"\n```\n", unknown_key, 4,
             "(key=idd, known=id; beside, what=exhibit)"},
      Broken{"a missing key", "# T\n\n```exhibit\n```\n", missing_key, 3,
             "(key=id, known=id; beside, what=exhibit)"},
      Broken{"a value of the wrong kind", "# T\n\n```exhibit\nid = 3\n```\n", bad_value, 4,
             "bad_value(expected=phrase.toml.text, got=3, key=id, what=exhibit)"},
      Broken{"an unknown step", "# T\n\n```step\nname = \"think\"\n```\n", bad_value, 4,
             "bad_value(expected=phrase.toml.one-of(known=ask; predict; run; explain; change; "
             "compare; make; look-ahead), got=\"think\", key=name, what=step)"},
      Broken{"a question with one choice",
             "# "
             "T\n\n```predict\nid=\"a\"\nquestion=\"q\"\nanswer=\"a\"\nright=\"r\"\n[[choice]]"
             "\ntext=\"t\"\nvalue=1\n```\n",
             bad_value, 8,
             "bad_value(expected=phrase.toml.at-least-twice(key=choice), "
             "got=phrase.toml.so-many(number=1), key=choice, what=predict)"},
      Broken{
          "a choice without a value",
          "# "
          "T\n\n```predict\nid=\"a\"\nquestion=\"q\"\nanswer=\"a\"\nright=\"r\"\n[[choice]]"
          "\ntext=\"t\"\nvalue=\"\"\n[[choice]]\n"
          "text=\"u\"\nvalue=\"u\"\n```\n",
          bad_value, 10,
          "bad_value(expected=phrase.toml.scalar, got=phrase.toml.empty, key=value, what=choice)"},
      Broken{"two choices of one value",
             "# "
             "T\n\n```predict\nid=\"a\"\nquestion=\"q\"\nanswer=\"a\"\nright=\"r\"\n[[choice]]"
             "\ntext=\"t\"\nvalue=1\n[[choice]]\n"
             "text=\"u\"\nvalue=\"1\"\n```\n",
             repeated_name, 11, "(kind=phrase.kind.value, name=1)"},
      Broken{"two terms of one id",
             "# "
             "T\n\n```term\nid=\"a\"\nname=\"n\"\nmeaning=\"m\"\n```\n```term\nid=\"a\"\nname="
             "\"n\"\nmeaning=\"m\"\n```\n",
             repeated_name, 8, "(kind=phrase.kind.term, name=a)"},
      Broken{"an image", "# T\n\ntext\n![a](b.png)\n", bad_markdown, 3, "phrase.markdown.image"},
      Broken{"a rule", "# T\n\ntext\n\n***\n", bad_markdown, 3, "phrase.markdown.rule"},
      Broken{"a link to nowhere", "# T\n\n[a](file:///etc/passwd)\n", bad_markdown, 1,
             "phrase.markdown.target(target=file:///etc/passwd)"},
      Broken{"a list in a list", "# T\n\n- a\n  - b\n", bad_markdown, 3,
             "phrase.markdown.list-inside"},
      Broken{"a directive in a quote", "# T\n\n> **A.** b\n> ```exhibit\n> id = \"a\"\n> ```\n",
             bad_markdown, 4, "phrase.markdown.fence-inside"},
      Broken{"a quote without a lead", "# T\n\n> text\n", bad_markdown, 3,
             "phrase.markdown.quote-lead"},
      Broken{"bold that does not close", "# T\n\n\n**中文。**后面\n", bad_markdown, 4,
             "phrase.markdown.stars"},
      Broken{"no title", "text\n", bad_markdown, 1, "phrase.markdown.above-title"},
      Broken{"an empty file", "", bad_markdown, 1, "phrase.markdown.no-title"},
      Broken{"two titles", "# T\n\n# U\n", bad_markdown, 3, "phrase.markdown.second-title"},
      Broken{"broken UTF-8", "# T\n\n\xff\xfe\n", not_utf8, 0, "not_utf8(file=lessons/x/en.md)"},
      Broken{"markdown in a choice", "# T\n\n```try\ntext = \"\"\"a\n\nb\"\"\"\n```\n",
             bad_markdown, 4, "phrase.markdown.paragraphs"});
  CAPTURE(broken.what);
  const auto document = parse_document(broken.markdown, "lessons/x/en.md", "en");
  REQUIRE_FALSE(document.has_value());
  const std::string said = tests::keyed(document.error());
  CAPTURE(said);
  CHECK(document.error().code == broken.code);
  CHECK(document.error().place.line == broken.line);
  CHECK(said.find(broken.says) != std::string::npos);
}

TEST_CASE("no text whatever brings the parser down") {
  std::mt19937 random(7);
  const std::vector<std::string> pieces = {"# T\n",
                                           "```",
                                           "predict\n",
                                           "id = \"a\"\n",
                                           "> ",
                                           "**",
                                           "- ",
                                           "`",
                                           "\n",
                                           "[a](b)",
                                           "![",
                                           "\xff",
                                           "中",
                                           "&#x41;",
                                           "&#99999999999;",
                                           std::string(1, '\0'),
                                           "[[choice]]\n",
                                           "    ",
                                           "=",
                                           "@n",
                                           "{",
                                           "<b>",
                                           "|a|b|\n|-|-|\n",
                                           "1) "};
  for (int round = 0; round < 2000; ++round) {
    std::string text = round % 2 ? "# T\n\n" : "";
    for (std::uint32_t i = random() % 40; i > 0; --i) text += pieces[random() % pieces.size()];
    const auto document = parse_document(text, "x.md", "en");
    if (document) CHECK(document->nodes.size() == document->lines.size());
  }
}

TEST_CASE("a lesson's folder without the other language says which file is missing") {
  const tests::TemporaryFolder root;
  std::filesystem::create_directories(root.path() / "lang/zh");
  std::filesystem::copy_file(WARPBOOK_SOURCE_DIR "/lang/zh/language.toml",
                             root.path() / "lang/zh/language.toml");
  const auto document = load_document(root.path().string(), "grids", "zh");
  REQUIRE_FALSE(document.has_value());
  CHECK(tests::keyed(document.error()) == "missing_text(file=lessons/grids/zh.md, language=中文)");
}

}  // namespace warpbook::tests::document_test
