#include "device/compiler/diagnostics.hpp"

#include <catch2/catch_test_macros.hpp>

#include "tests/device/compiler/compilers.hpp"

namespace warpbook::tests::diagnostics_test {

using namespace warpbook::device;

namespace {

const std::string kSource = "#include <x/y.h>\n__global__ void f() {\n  g();\n}\n";

std::vector<Diagnostic> read(std::string_view log) {
  return diagnostics_from(log, "a.cu", kSource, {"/cuda", "/cccl"});
}

}  // namespace

TEST_CASE("A log becomes one diagnostic for each thing it says") {
  const auto found = read(
      "a.cu(3): error: identifier \"g\" is undefined\n    g();\n    ^\n\n"
      "a.cu(2): warning #177-D: variable \"q\" was declared but never referenced\n  __global__ "
      "void f() {\n                  ^\n\n"
      "Remark: The warnings can be suppressed with \"-diag-suppress <warning-number>\"\n\n"
      "1 error detected in the compilation of \"a.cu\".\n");
  REQUIRE(found.size() == 2);
  CHECK(found[0] == diagnostic_of("a.cu", 3, 3, Severity::error, "identifier \"g\" is undefined"));
  CHECK(found[1] == diagnostic_of("a.cu", 2, 17, Severity::warning,
                                  "variable \"q\" was declared but never referenced"));
}

TEST_CASE("What a template was instantiated for stays with its diagnostic") {
  const auto found = read(
      "a.cu(2): error: bad\n  x\n  ^\n          detected during:\n            instantiation of "
      "\"f\" at line 3\n\n"
      "a.cu(3): error: worse\n  y\n  ^\n");
  REQUIRE(found.size() == 2);
  CHECK(found[0].text == "bad\ndetected during:\ninstantiation of \"f\" at line 3");
  CHECK(found[1].text == "worse");
}

TEST_CASE("An error in a header stands at the student's line that led there") {
  const auto by_context = read(
      "/cuda/x/y.h(90): error: bad\n  x\n  ^\n          detected during instantiation at line 3 of "
      "a.cu\n");
  REQUIRE(by_context.size() == 1);
  CHECK(by_context[0].place == SourcePlace{"a.cu", 3, 0});
  CHECK(by_context[0].text.starts_with("bad (at x/y.h:90)"));
  const auto by_include = read("/cccl/x/y.h(90): error: bad\n  x\n  ^\n");
  REQUIRE(by_include.size() == 1);
  CHECK(by_include[0].place == SourcePlace{"a.cu", 1, 0});
}

TEST_CASE("A warning in a header is not told") {
  CHECK(read("/cccl/x/y.h(90): warning #1-D: odd\n  x\n  ^\n").empty());
}

TEST_CASE("A place that is no line of the source is not taken for one") {
  for (const char* log :
       {"a.cu(5000): error: bad\n", "/etc/passwd(2): error: bad\n", "b.cu(2): error: bad\n"}) {
    CAPTURE(log);
    const auto found = read(log);
    REQUIRE(found.size() == 1);
    CHECK(found[0].place == SourcePlace{"a.cu", 0, 0});
    CHECK(found[0].text.starts_with("bad (at "));
  }
}

TEST_CASE("The assembler's words are read too") {
  const auto found = read(
      "ptxas error   : Entry function 'f' uses too much shared data\nptxas fatal   : stopped\n");
  REQUIRE(found.size() == 2);
  // It knows no lines; the function that it names has one.
  CHECK(found[0] == diagnostic_of("a.cu", 2, 0, Severity::error,
                                  "Entry function 'f' uses too much shared data"));
  CHECK(found[1].severity == Severity::error);
  CHECK(found[1].place == SourcePlace{"a.cu", 0, 0});
  const auto behind = diagnostics_from(
      "ptxas error   : Entry function '_Z4tileIfEvPT_' uses too much shared data\n", "a.cu",
      "#line 1 \"own.cuh\"\nint tile(int);\n#line 2 \"a.cu\"\nint subtile(int);\ntemplate <class "
      "T>\n"
      "__global__ void tile (T* x) {}\n",
      {});
  REQUIRE(behind.size() == 1);
  CHECK(behind[0].place == SourcePlace{"a.cu", 4, 0});
}

TEST_CASE("What is missing at the end of the source is said at its last line") {
  const std::string log =
      "At end of source: error: expected a \"}\"\n\n1 error detected in the compilation of "
      "\"a.cu\".\n";
  const auto found = read(log);
  REQUIRE(found.size() == 1);
  CHECK(found[0] == diagnostic_of("a.cu", 4, 0, Severity::error, "expected a \"}\""));
  const auto behind = diagnostics_from(
      log, "a.cu", "#line 1 \"own.cuh\"\nint a;\nint b;\n#line 2 \"a.cu\"\nvoid f() {\n\n \n", {});
  REQUIRE(behind.size() == 1);
  CHECK(behind[0].place == SourcePlace{"a.cu", 2, 0});
}

TEST_CASE("Why a file cannot be opened is not told") {
  const auto denied =
      read("a.cu(1): catastrophic error: cannot open source file \"/x\" (Permission denied)\n");
  const auto absent = read("a.cu(1): catastrophic error: cannot open source file \"/x\"\n");
  REQUIRE(denied.size() == 1);
  CHECK(denied == absent);
}

TEST_CASE("The folders of headers do not show in what is said") {
  const auto found =
      read("a.cu(2): error: redeclared (declared at line 3 of /cccl/cuda/std/cstdint)\n");
  REQUIRE(found.size() == 1);
  CHECK(found[0].text == "redeclared (declared at line 3 of cuda/std/cstdint)");
}

TEST_CASE("A log of any bytes is read without harm") {
  for (const char* log :
       {"", "\n\n", "^", "(1): error: x", "a.cu(): error: x",
        "a.cu(99999999999999999999): error: x", "error:", "warning #", "a.cu(1): ", "ptxas ",
        "          detected", "): error: (", "\x80\xff(1): error: \xff"}) {
    CAPTURE(log);
    for (const Diagnostic& d : read(log)) CHECK(d.place.line <= 5);
  }
}

TEST_CASE("Folders are cut off in the PTX's .file directives and nowhere else") {
  const std::string ptx =
      "\t.file\t1 \"/a.cu\"\n\t.file\t2 \"/cuda/x/y.h\"\n// \"/cuda/z\"\n\t.file\t3 "
      "\"/etc/passwd\"\n";
  CHECK(without_folders(ptx, {"/cuda", "/cccl"}) ==
        "\t.file\t1 \"a.cu\"\n\t.file\t2 \"x/y.h\"\n// \"/cuda/z\"\n\t.file\t3 \"/etc/passwd\"\n");
}

}  // namespace warpbook::tests::diagnostics_test
