// An attempt at an exercise whose submission is settings: it needs no kernel and no compiler.
#include <chrono>
#include <cstdlib>
#include <thread>

#include <catch2/catch_test_macros.hpp>

#include "device/nvcc/nvcc.hpp"
#include "gui/book/exercise_attempt.hpp"

namespace warpbook::gui::exercise_attempt_test {
namespace {

bool checked(ExerciseAttempt& attempt) {
  attempt.check();
  for (int i = 0; i < 6000 && !attempt.poll(); ++i)
    std::this_thread::sleep_for(std::chrono::milliseconds(10));
  return attempt.result() != nullptr;
}

}  // namespace

TEST_CASE("settings are checked, marked at their line and shown as what they are") {
  // Checks run in `warpbook check-worker`, which a test program is not.
  ::setenv("WARPBOOK_BINARY", WARPBOOK_BINARY, 1);
  ExerciseAttempt attempt("read-the-engine-list", WARPBOOK_SOURCE_DIR, {});
  attempt.read("en");
  REQUIRE(attempt.text());
  CHECK(attempt.file_name() == "read-the-engine-list.toml");
  CHECK(attempt.source().find("[tensor-cores]") != std::string::npos);

  attempt.set_source("[tensor-cores]\nlayout = \"nchw\"\nprecision = \"fp8\"\nworkspace = 0\n");
  REQUIRE(checked(attempt));
  CHECK_FALSE(attempt.result()->passed);
  REQUIRE(attempt.hint());
  CHECK(attempt.hint()->gate == "reads");
  const auto* shown = attempt.result()->report.find_as<lab::SourceExhibit>("submission");
  REQUIRE(shown);
  CHECK(shown->text == attempt.source());
  REQUIRE(shown->marks.size() == 1);
  CHECK(shown->marks.front().line == 3);

  const auto solution = lab::load_solution(WARPBOOK_SOURCE_DIR, *attempt.text());
  REQUIRE(solution);
  attempt.set_source(*solution);
  REQUIRE(checked(attempt));
  for (const device::Error& error : attempt.result()->report.errors) {
    if (error.code == device::ErrorCode::library_missing) SKIP("cuDNN is not installed");
  }
  CHECK(attempt.passed());
  attempt.show_solution();
  REQUIRE(attempt.solution());
  CHECK(*attempt.solution() == *solution);
}

TEST_CASE("a whole program is checked at the window's desk, and marked at its lines", "[ci]") {
  if (const auto nvcc = device::find_nvcc(); !nvcc) SKIP(nvcc.error().english());
  ::setenv("WARPBOOK_BINARY", WARPBOOK_BINARY, 1);
  ExerciseAttempt attempt("keep-on-device", WARPBOOK_SOURCE_DIR, {});
  attempt.read("en");
  REQUIRE(attempt.text());
  CHECK(attempt.file_name() == "keep-on-device.cu");
  const auto solution = lab::load_solution(WARPBOOK_SOURCE_DIR, *attempt.text());
  REQUIRE(solution);
  attempt.set_source(*solution);
  REQUIRE(checked(attempt));
  CHECK(attempt.passed());
  REQUIRE(attempt.findings());
  CHECK(attempt.findings()->marks.empty());

  attempt.set_source("int main() {\n  return undeclared;\n}\n");
  REQUIRE(checked(attempt));
  CHECK_FALSE(attempt.result()->passed);
  REQUIRE(attempt.findings());
  REQUIRE_FALSE(attempt.findings()->marks.empty());
  CHECK(attempt.findings()->marks.front().line == 2);
}

}  // namespace warpbook::gui::exercise_attempt_test
