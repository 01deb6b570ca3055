#include "lab/program/build_words.hpp"

#include <algorithm>

#include <catch2/catch_test_macros.hpp>

namespace warpbook::lab::build_words_test {
namespace {

std::vector<device::Diagnostic> errors_in(std::string_view words) {
  auto all = diagnostics_of_build(words, "x.cu", "a\nb\nc\nd\ne\nf\ng\n", "/cache/x");
  std::erase_if(all, [](const auto& one) { return one.severity != device::Severity::error; });
  return all;
}

device::Diagnostic only_error_in(std::string_view words) {
  const auto errors = errors_in(words);
  REQUIRE(errors.size() == 1);
  return errors.front();
}

}  // namespace

TEST_CASE("nvcc's own errors keep their lines") {
  const auto error =
      only_error_in("x.cu(3): error: expected a \";\"\n  c\n  ^\n\n1 error detected\n");
  CHECK(error.place.line == 3);
  CHECK(error.text == "expected a \";\"");
}

TEST_CASE("errors of the host's compiler are read, and not its warnings") {
  const auto error = only_error_in(
      "x.cu:2:7: warning: unused variable 'y'\n"
      "x.cu:4:10: fatal error: vectro: No such file or directory\n"
      "    4 | #include <vectro>\n      |          ^~~~~~~~\ncompilation terminated.\n");
  CHECK(error.place.line == 4);
  CHECK(error.place.column == 10);
  CHECK(error.text == "vectro: No such file or directory");
}

TEST_CASE("errors of the linker are read without the folders and files of a build") {
  const auto error = only_error_in(
      "/usr/bin/ld: /cache/.tmp-1/0.o: in function `main':\n"
      "/cache/x/x.cu:5: undefined reference to `foo(int)'\n"
      "collect2: error: ld returned 1 exit status\n");
  CHECK(error.place.line == 5);
  CHECK(error.text == "undefined reference to `foo(int)'");
  const auto twice = only_error_in(
      "/usr/bin/ld: /cache/1.o: in function `f()':\n"
      "/cache/x/x.cu:6: multiple definition of `f()'; /cache/0.o:/cache/x/x.cu:2: first defined "
      "here\n");
  CHECK(twice.place.line == 6);
  CHECK(twice.text == "multiple definition of `f()'");
}

TEST_CASE("a program without main has an error of no line") {
  const auto error = only_error_in(
      "/usr/bin/ld: /lib/crt1.o: in function `_start':\n"
      "(.text+0x17): undefined reference to `main'\n");
  CHECK(error.place.line == 0);
  CHECK(error.text == "undefined reference to `main'");
}

TEST_CASE("a file whose name only ends like the submission's is another one") {
  CHECK(errors_in("/cache/y/max.cu:2: error: no\n").empty());
}

}  // namespace warpbook::lab::build_words_test
