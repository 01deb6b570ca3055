#include "lab/document/formula.hpp"

#include <random>

#include <catch2/catch_test_macros.hpp>

#include "lab/document/document.hpp"
#include "lab/document/markdown.hpp"
#include "tests/keyed.hpp"
#include "tests/markup.hpp"

namespace warpbook::tests::formula_test {

using namespace warpbook;
using namespace warpbook::lab;

namespace {

const device::SourcePlace kPlace{"en.md", 7, 0};

std::string text(std::string_view latex) {
  const auto formula = parse_formula(latex, kPlace);
  INFO((formula ? "" : formula.error().english()));
  REQUIRE(formula);
  return formula_text(*formula);
}

std::string mathml(std::string_view latex, bool displayed = false) {
  const auto formula = parse_formula(latex, kPlace);
  INFO((formula ? "" : formula.error().english()));
  REQUIRE(formula);
  return formula_mathml(*formula, displayed);
}

/// "phrase.markdown.stars": what was refused. What to write instead has the same name.
std::string refused_as(const device::Error& error) {
  CHECK(error.code == device::ErrorCode::bad_markdown);
  const device::Message* what = device::argument_of(error.arguments, "what");
  const device::Message* remedy = device::argument_of(error.arguments, "remedy");
  REQUIRE(what);
  REQUIRE(remedy);
  constexpr std::string_view kWhat = "phrase.markdown.";
  REQUIRE(what->key.starts_with(kWhat));
  CHECK(remedy->key == "phrase.markdown-remedy." + what->key.substr(kWhat.size()));
  return tests::keyed(*what);
}

std::string refusal(std::string_view latex) {
  const auto formula = parse_formula(latex, kPlace);
  REQUIRE_FALSE(formula);
  CHECK(formula.error().place == kPlace);
  return refused_as(formula.error());
}

/// "phrase.markdown.formula-stray(ending=&, formula=a & b)"
std::string formula_error(const std::string& name, const std::string& arguments) {
  return "phrase.markdown.formula-" + name + (arguments.empty() ? "" : "(" + arguments + ")");
}

bool says(const std::string& sentence, std::string_view words) {
  return sentence.find(words) != std::string::npos;
}

Document parsed(const std::string& markdown) {
  auto document = parse_document(markdown, "en.md", "en");
  INFO((document ? "" : document.error().english()));
  REQUIRE(document);
  return std::move(*document);
}

device::Error refused(const std::string& markdown) {
  const auto document = parse_document(markdown, "en.md", "en");
  REQUIRE_FALSE(document);
  return document.error();
}

}  // namespace

TEST_CASE("a formula reads as one line of text") {
  CHECK(text(R"(o = \left\lfloor \frac{n + 2p - k}{s} \right\rfloor + 1)") ==
        "o = ⌊(n + 2p − k)/s⌋ + 1");
  CHECK(text(R"(\sigma(x) = \frac{1}{1 + e^{-x}})") == "σ(x) = 1/(1 + e^(−x))");
  CHECK(text(R"(\sigma'(x) = \sigma(x)\,(1 - \sigma(x)))") == "σ′(x) = σ(x) (1 − σ(x))");
  CHECK(text(R"(y_i = \frac{e^{x_i - m}}{\sum_j e^{x_j - m}})") ==
        "y_i = e^(x_i − m)/(∑_j e^(x_j − m))");
  CHECK(text(R"(\sum_{k=0}^{7} c_k x_{i+k})") == "∑_(k = 0)^7 c_k x_(i + k)");
  CHECK(text(R"(\begin{cases} x & x > 0 \\ 0 & x \le 0 \end{cases})") == "{ x, x > 0; 0, x ≤ 0 }");
  CHECK(text(R"(\begin{aligned} a &= b \\ c &= d \end{aligned})") == "a = b; c = d");
  CHECK(text(R"(\sqrt{2} + \sqrt{\frac{2}{\pi}})") == "√2 + √(2/π)");
  CHECK(text(R"(4^2 = 16, \quad 2^{10} = 1{,}024)") == "4² = 16, 2^10 = 1,024");
  CHECK(text(R"(2 \tanh u - 128\ln 2)") == "2 tanh u − 128 ln 2");
  CHECK(text(R"(i \bmod 32 \ne 0.5)") == "i mod 32 ≠ 0.5");
  CHECK(text(R"(x\text{ if }x > 0)") == "x if x > 0");
}

TEST_CASE("a minus is an operator between two operands and a sign before one") {
  CHECK(text("a-b") == "a − b");
  CHECK(text("-a") == "−a");
  CHECK(text("a = -b + (-c)") == "a = −b + (−c)");
  CHECK(text("f(x) - 1") == "f(x) − 1");
}

TEST_CASE("a fraction in a line of text keeps what it divides together") {
  CHECK(text(R"(\frac{a}{b})") == "a/b");
  CHECK(text(R"(\frac{a + 1}{b})") == "(a + 1)/b");
  CHECK(text(R"(\frac{2a}{3b})") == "2a/(3b)");
  CHECK(text(R"(\frac{x}{2} (1 + u))") == "(x/2)(1 + u)");
  CHECK(text(R"(\frac{1}{2} \cdot x)") == "1/2 · x");
  CHECK(text(R"(\frac{\frac{a}{b}}{c})") == "(a/b)/c");
}

TEST_CASE("a formula becomes MathML, larger limits where it stands by itself") {
  CHECK(mathml("a + 1") ==
        "<math display=\"inline\" alttext=\"a + 1\"><mrow><mi>a</mi><mo>+</mo><mn>1</mn></mrow>"
        "</math>");
  CHECK(says(mathml(R"(\frac{1}{n})"), "<mfrac><mn>1</mn><mi>n</mi></mfrac>"));
  CHECK(says(mathml(R"(\sqrt{n})"), "<msqrt><mi>n</mi></msqrt>"));
  CHECK(says(mathml("x_i^2"), "<msubsup><mi>x</mi><mi>i</mi><mn>2</mn></msubsup>"));
  CHECK(says(mathml("a < b"), "<mo>&lt;</mo>"));
  CHECK(says(mathml(R"(\tanh x)"), "<mi>tanh</mi><mo>\u2061</mo><mi>x</mi>"));
  CHECK(says(mathml(R"(\left\lfloor a \right\rfloor)"), "<mo stretchy=\"true\">⌊</mo>"));
  const std::string sum = R"(\sum_{k=0}^{7} c_k)";
  CHECK(says(mathml(sum), "<msubsup><mo>∑</mo>"));
  CHECK(says(mathml(sum, true), "<munderover><mo>∑</mo>"));
  CHECK(says(mathml(sum, true), "display=\"block\""));
}

TEST_CASE("MathML is well-formed for every command of the language") {
  for (const std::string& command : formula_commands()) {
    CAPTURE(command);
    const auto formula = parse_formula(command, kPlace);
    REQUIRE(formula);
    for (const bool displayed : {false, true}) {
      const std::string markup = formula_mathml(*formula, displayed);
      CAPTURE(markup);
      CHECK_NOTHROW(MarkupReader(markup).read());
    }
  }
}

TEST_CASE("what is wrong with a formula is said with what it is and what to do") {
  CHECK(refusal("") == formula_error("empty", ""));
  CHECK(refusal("   ") == formula_error("empty", ""));
  const struct {
    std::string latex, name, argument;
  } rows[] = {
      {R"(\foo + 1)", "command", R"(command=\foo)"},
      {R"(\)", "command", R"(command=\)"},
      {"{a", "brace", ""},
      {"a}", "stray", "ending=}"},
      {"a & b", "stray", "ending=&"},
      {R"(a \right))", "stray", R"(ending=\right)"},
      {R"(\left( a)", "left", ""},
      {R"(\left a)", "bracket", R"(command=\left)"},
      {R"(\frac{a})", "argument", R"(command=\frac)"},
      {R"(x^\frac{a}{b})", "argument", "command=^"},
      {"x^", "argument", "command=^"},
      {R"(\begin{cases} a)", "end", "environment=cases"},
      {R"(\begin{cases} a \end{aligned})", "end", "environment=cases"},
      {R"(\begin{matrix} a \end{matrix})", "environment", "environment=matrix"},
      {"a ~ b", "character", "character=~"},
      {"a × b", "not-ascii", ""},
  };
  for (const auto& [latex, name, argument] : rows) {
    CAPTURE(latex);
    const std::string before = argument.empty() ? "" : argument + ", ";
    CHECK(refusal(latex) == formula_error(name, before + "formula=" + latex));
  }
  CHECK(refusal("x^a^b") == formula_error("second-script", "formula=x^a^b, script=^"));
  CHECK(refusal("_i") == formula_error("script", "formula=_i"));
  CHECK(refusal(R"(\text{a \times b})") ==
        formula_error("markup", R"(command=\text, formula=\text{a \times b}, words=a \times b)"));
}

TEST_CASE("a formula that is too long or too deep is refused, whatever it is made of") {
  const auto times = [](std::string_view piece, int count) {
    std::string text;
    for (int i = 0; i < count; ++i) text += piece;
    return text;
  };
  CHECK(refusal(times("a + ", 2500)) == formula_error("long", "characters=10000"));
  for (const auto& [begin, end] :
       {std::pair("{", "}"), std::pair("x^{", "}"), std::pair("\\left(", "\\right)"),
        std::pair("\\frac{1}{", "}")}) {
    const std::string latex = times(begin, 30) + "a" + times(end, 30);
    // The message shows the first 60 characters of a formula that is longer.
    const std::string shown = latex.size() > 60 ? latex.substr(0, 60) + "..." : latex;
    CHECK(refusal(latex) == formula_error("deep", "formula=" + shown + ", most=16"));
  }
  CHECK(text(times("{", 12) + "a" + times("}", 12)) == "a");
}

TEST_CASE("no text at all, however broken, breaks the reader of formulae") {
  static constexpr std::string_view kPieces[] = {
      "\\frac", "\\left", "\\right", "{",  "}",       "^",      "_",       "&",
      "\\\\",   "(",      ")",       "'",  "\\begin", "\\end",  "{cases}", "x",
      "12",     " ",      "\\sqrt",  "\\", "\\text",  "\\sum",  "{,}",     "-",
      ".",      "\\foo",  "\\{",     "=",  "\\max",   "\\quad", "\\!",     "{aligned}"};
  std::mt19937 random(20261122);
  int taken = 0;
  for (int i = 0; i < 20000; ++i) {
    std::string latex;
    for (std::size_t n = random() % 12; n > 0; --n) latex += kPieces[random() % std::size(kPieces)];
    const auto formula = parse_formula(latex, kPlace);
    if (!formula) continue;
    ++taken;
    const std::string markup = formula_mathml(*formula, i % 2 == 0);
    CAPTURE(latex, markup);
    REQUIRE_NOTHROW(MarkupReader(markup).read());
  }
  CHECK(taken > 100);
}

TEST_CASE("dollars make formulae of a text, in a line and by themselves") {
  const Document document = parsed(
      "# T\n\nOf $n_i$ and\n$\\frac{1}{2}$, *soft $a$*.\n\n$$\na \\le b\n$$\n\n- one $x$\n\n"
      "> **Note.** $y$\n\n```try\ntext = \"Make it $\\\\sqrt{2}$.\"\n```\n");
  REQUIRE(document.nodes.size() == 5);
  const auto& spans = std::get<Paragraph>(document.nodes[0]).spans;
  REQUIRE(spans.size() == 8);
  CHECK(spans[1].kind == Span::Kind::formula);
  CHECK(spans[1].text == "n_i");
  CHECK(spans[1].target == "n_i");
  CHECK(spans[3].text == "1/2");
  CHECK(spans[3].target == "\\frac{1}{2}");
  CHECK(spans[6].kind == Span::Kind::formula);
  CHECK(spans[6].emphasis);
  CHECK(plain_text(spans) == "Of n_i and 1/2, soft a.");
  CHECK(std::get<FormulaBlock>(document.nodes[1]).text == "a ≤ b");
  CHECK(document.lines[1] == 7);
  CHECK(std::get<ListBlock>(document.nodes[2]).items[0][1].kind == Span::Kind::formula);
  CHECK(std::get<Aside>(document.nodes[3]).paragraphs[0][0].kind == Span::Kind::formula);
  CHECK(std::get<TryDirective>(document.nodes[4]).text[1].text == "√2");
}

TEST_CASE("what Markdown would take for its own is left alone in a formula") {
  const auto formula = [](const std::string& latex) {
    const Document document = parsed("# T\n\nAs $" + latex + "$ is.\n");
    return std::get<Paragraph>(document.nodes[0]).spans.at(1).target;
  };
  for (const std::string latex :
       {R"(x_i + y_i)", R"(\{a\}_b)", R"(\begin{cases} a & b \\ c & d \end{cases})",
        R"(a\,b\;c\!d)", R"(a < b > c)", R"([a](b))", "a_1 b_2 c_3", "2 * x * y"}) {
    CAPTURE(latex);
    if (latex.find('*') != std::string::npos) {
      CHECK(refused_as(refused("# T\n\nAs $" + latex + "$ is.\n")) ==
            formula_error("character", "character=*, formula=" + latex));
    } else {
      CHECK(formula(latex) == latex);
    }
  }
}

TEST_CASE("in Chinese a formula may stand beside a character") {
  const auto document = parse_document("# 题\n\n步长 $s$，填充$p$和 $d$。\n", "zh.md", "zh");
  REQUIRE(document);
  CHECK(plain_text(std::get<Paragraph>(document->nodes[0]).spans) == "步长 s，填充p和 d。");
}

TEST_CASE("a broken formula is an error of its text, at its line") {
  const device::Error unknown = refused("# T\n\nOne.\n\nTwo $\\foo$.\n");
  CHECK(unknown.place == device::SourcePlace{"en.md", 5, 0});
  CHECK(refused_as(unknown) == formula_error("command", R"(command=\foo, formula=\foo)"));
  CHECK(refused("# T\n\n```try\ntext = \"Make it $\\\\foo$.\"\n```\n").place.line == 4);
  CHECK(refused_as(refused("# T\n\nOne $a alone.\n")) == "phrase.markdown.dollar");
  CHECK(plain_text(std::get<Paragraph>(parsed("# T\n\n5 \\$ each.\n").nodes[0]).spans) ==
        "5 $ each.");
  for (const std::string text : {"Beside $$a$$ words.", "- $$a$$", "## $$a$$", "> **N.** $$a$$"}) {
    CAPTURE(text);
    CHECK(refused_as(refused("# T\n\n" + text + "\n")) == "phrase.markdown.displayed");
  }
  CHECK(refused_as(refused("# T\n\n[see $a$](grids)\n")) == "phrase.markdown.formula-in-link");
}

TEST_CASE("two languages that differ in a formula are told so, but not for another order") {
  const auto differences = [](const std::string& english, const std::string& other) {
    const std::string end = "\n\n```step\nname = \"ask\"\n```\n\n";
    return compare_directives(parsed("# T\n\n" + english + end + "$z$\n"),
                              parsed("# T\n\n" + other + end + "$z$\n"));
  };
  CHECK(differences("$a$ and $b$", "$b$ und $a$").empty());
  const auto found = differences("$a$ and $b$", "$b$ und $c$");
  REQUIRE(found.size() == 1);
  CHECK(found[0].code == device::ErrorCode::directives_differ);
  CHECK(says(found[0].english(), "c"));
  const auto missing = compare_directives(parsed("# T\n\n$a$\n"), parsed("# T\n\na\n"));
  CHECK(missing.size() == 1);
}

}  // namespace warpbook::tests::formula_test
