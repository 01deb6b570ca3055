// Every exercise both ways: the solution and unlike right solutions pass; the starter and every mutant fail, each mutant
// at the gate that it names.
#include <algorithm>

#include <catch2/catch_test_macros.hpp>

#include "device/platform.hpp"
#include "exercises/catalogue.hpp"
#include "lab/exercise.hpp"

namespace warpbook::exercises_test {
namespace {

const std::string kRoot = WARPBOOK_SOURCE_DIR;

lab::CheckReport check(const lab::Exercise& exercise, const lab::ExerciseText& text,
                       const std::string& file) {
  static const auto compiler = std::make_shared<device::Compiler>();
  const auto source = device::read_file(kRoot + "/" + file);
  REQUIRE(source);
  return lab::check(exercise, text, std::filesystem::path(file).filename().string(), *source, kRoot,
                    compiler);
}

/// The ids of the items that failed, with their advice in English for the reader of a failing test.
std::vector<std::string> failed(const lab::CheckReport& checked) {
  std::vector<std::string> ids;
  const auto* items = checked.report.find_as<lab::CheckExhibit>("check");
  if (!items) return ids;
  for (const auto& item : items->items) {
    if (item.state == lab::CheckExhibit::State::failed) ids.push_back(item.id);
  }
  return ids;
}

std::string joined(const std::vector<std::string>& words) {
  std::string all;
  for (const std::string& word : words) all += word + " ";
  return all;
}

}  // namespace

TEST_CASE(
    "Every exercise's solution and alternatives pass with full points, and its starter fails") {
  for (const lab::Exercise& exercise : exercises::catalogue()) {
    CAPTURE(exercise.id);
    const auto text = lab::load_exercise(kRoot, exercise.id, lab::Language::english);
    REQUIRE(text);
    std::vector<std::string> right{"solutions/" + exercise.id + ".cu"};
    for (const std::string& alternative : text->alternatives) {
      right.push_back("exercises/" + exercise.id + "/" + alternative);
    }
    REQUIRE(right.size() >= 3);
    for (const std::string& file : right) {
      const lab::CheckReport checked = check(exercise, *text, file);
      CAPTURE(file, joined(failed(checked)));
      CHECK(checked.graded);
      CHECK(checked.passed);
      CHECK(checked.points == text->points);
      CHECK(checked.report.run_seconds > 0);
    }
    const lab::CheckReport starter =
        check(exercise, *text, "exercises/" + exercise.id + "/starter.cu");
    CHECK(starter.graded);
    CHECK_FALSE(starter.passed);
  }
}

TEST_CASE("Every mutant of every exercise fails at the gate that it names") {
  for (const lab::Exercise& exercise : exercises::catalogue()) {
    const auto text = lab::load_exercise(kRoot, exercise.id, lab::Language::english);
    REQUIRE(text);
    REQUIRE(text->mutants.size() >= 8);
    for (const auto& mutant : text->mutants) {
      const lab::CheckReport checked =
          check(exercise, *text, "exercises/" + exercise.id + "/" + mutant.file);
      const std::vector<std::string> ids = failed(checked);
      CAPTURE(exercise.id, mutant.file, mutant.why, joined(ids));
      CHECK(checked.graded);
      CHECK_FALSE(checked.passed);
      CHECK(std::ranges::find(ids, mutant.fails) != ids.end());
      const auto* items = checked.report.find_as<lab::CheckExhibit>("check");
      REQUIRE(items);
      for (const auto& item : items->items) {
        if (item.state == lab::CheckExhibit::State::failed) CHECK_FALSE(item.advice.empty());
      }
    }
  }
}

TEST_CASE("A starter's fixed lines are in its solution") {
  for (const lab::Exercise& exercise : exercises::catalogue()) {
    CAPTURE(exercise.id);
    const auto starter = device::read_file(kRoot + "/exercises/" + exercise.id + "/starter.cu");
    const auto solution = lab::load_solution(kRoot, exercise.id);
    REQUIRE(starter);
    REQUIRE(solution);
    std::size_t begin = 0;
    while (begin < starter->size()) {
      const std::size_t end = std::min(starter->find('\n', begin), starter->size());
      const std::string line = starter->substr(begin, end - begin);
      begin = end + 1;
      const auto first = line.find_first_not_of(' ');
      if (first == std::string::npos || line.compare(first, 2, "//") == 0) continue;
      CAPTURE(line);
      CHECK(solution->find(line) != std::string::npos);
    }
  }
}

}  // namespace warpbook::exercises_test
