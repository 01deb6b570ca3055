#include "lab/exercise/hidden_cases.hpp"

#include <catch2/catch_test_macros.hpp>

#include "tests/temporary_folder.hpp"

namespace warpbook::tests::hidden_cases_test {

namespace {

/// The error with which reading ends; nothing where it does not end so.
std::optional<device::Error> trouble_of(const TemporaryFolder& root) {
  try {
    for (const lab::HiddenCase& each : lab::hidden_cases_of(root.path(), "own"))
      (void)each.number("n");
  } catch (const lab::ExperimentFailed& failed) {
    return failed.error;
  }
  return {};
}

}  // namespace

TEST_CASE("Hidden cases are numbers by name, and there are none without their file") {
  const TemporaryFolder root;
  CHECK(lab::hidden_cases_of(root.path(), "own").empty());
  root.write("exercises/own/hidden.toml", "[[case]]\nn = 7\nblock = 32\n\n[[case]]\nn = 9\n");
  const auto cases = lab::hidden_cases_of(root.path(), "own");
  REQUIRE(cases.size() == 2);
  CHECK(cases[0].number("n") == 7);
  CHECK(cases[0].number("block") == 32);
  CHECK(cases[1].number("n") == 9);
}

TEST_CASE(
    "What is wrong with hidden cases is the machine's failure, and costs no student a point") {
  for (const char* text :
       {"[[case]]\nm = 7\n", "[[case]]\nn = \"7\"\n", "[[cases]]\nn = 7\n", "n ="}) {
    CAPTURE(text);
    const TemporaryFolder root;
    root.write("exercises/own/hidden.toml", text);
    const auto trouble = trouble_of(root);
    REQUIRE(trouble);
    // A check gives up at such an error, and is then not graded.
    CHECK(trouble->code == device::ErrorCode::file_unreadable);
  }
}

}  // namespace warpbook::tests::hidden_cases_test
