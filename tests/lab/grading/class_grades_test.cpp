#include <catch2/catch_test_macros.hpp>

#include "lab/grading/class_grades.hpp"
#include "lab/grading/overrides.hpp"
#include "tests/keyed.hpp"

namespace warpbook::lab::class_grades_test {

using tests::keyed;

namespace {

Grade failed_at(const std::string& gate) {
  Grade grade;
  grade.exercise = "saxpy";
  grade.state = GradeState::failed;
  grade.source = "1f";
  grade.checked = 4;
  grade.possible = 10;
  grade.points = 4;
  grade.items = {{"compiles", CheckState::passed}, {gate, CheckState::failed}};
  return grade;
}

ClassGrades of_one(const Grade& grade) {
  return {7, {"saxpy"}, 10, {{{"1", "Ada", "ada@x.edu"}, "c0de", {grade}}}};
}

/// Why Ada's grade changed; empty where it did not.
std::string why(const Grade& before, const Grade& after) {
  const auto changes = changes_between(of_one(before), of_one(after));
  return changes.empty() ? "" : keyed(changes.at(0).why);
}

}  // namespace

TEST_CASE("Class: what is written for a later run reads back as the same grades") {
  Grade grade = failed_at("right");
  grade.earlier = {"a.cu"};
  grade.lateness = {true, 3600};
  grade.override_reason = "I saw it run";
  const ClassGrades grades = of_one(grade);
  const std::string text = to_json_text(grades);
  const auto again = class_grades_from_json(text, "class.json");
  REQUIRE(again);
  CHECK(to_json_text(*again) == text);
  CHECK(again->students.at(0).grades.at(0).lateness.seconds == 3600);
}

TEST_CASE("Class: damaged results are refused") {
  for (const char* damaged : {"", "{}", "[1]", "{\"seed\": \"x\"}"}) {
    CAPTURE(damaged);
    CHECK_FALSE(class_grades_from_json(damaged, "class.json"));
  }
}

TEST_CASE("Regrade: a grade that stays is no change, and each change says why") {
  const Grade before = failed_at("right");
  CHECK(why(before, before).empty());

  Grade after = failed_at("safe");
  after.points = 6;
  CHECK(why(before, after) == "phrase.regrade.gates(after=safe, before=right)");
  after.source = "2f";
  CHECK(why(before, after) == "phrase.regrade.another-file");

  Grade by_hand = before;
  by_hand.points = 9;
  by_hand.override_reason = "I saw it run";
  CHECK(why(before, by_hand) == "phrase.regrade.override");
  Grade fewer_by_hand = by_hand;
  fewer_by_hand.points = 6;
  CHECK(why(by_hand, fewer_by_hand) == "phrase.regrade.override");
  fewer_by_hand.source = "2f";
  CHECK(why(by_hand, fewer_by_hand) == "phrase.regrade.override");

  Grade late = before;
  late.points = 3;
  CHECK(why(before, late) == "phrase.regrade.late-rule");

  Grade broken = before;
  broken.state = GradeState::not_graded;
  CHECK(why(broken, before) == "phrase.regrade.graded-now");
  CHECK(why(before, broken) == "phrase.regrade.not-graded-now");
}

TEST_CASE("Class: the machine's failure is no grade, and nothing handed in is none either") {
  StudentGrades student;
  student.grades = {failed_at("right"), Grade{"crop"}};
  CHECK(student.complete());
  CHECK(student.total() == 4);
  student.grades[1].state = GradeState::not_graded;
  CHECK_FALSE(student.complete());
  student.grades[1].override_reason = "by hand";
  student.grades[1].points = 3;
  CHECK(student.complete());
  CHECK(student.total() == 7);
  student.grades = {Grade{"crop"}};
  CHECK_FALSE(student.complete());
}

TEST_CASE("Overrides: each needs its points and its reason, and is given once") {
  const std::string one =
      "[[override]]\nstudent = 123\nexercise = \"saxpy\"\npoints = 8\nreason = \"I saw it run\"\n";
  const auto read = parse_overrides(one, "o.toml");
  REQUIRE(read);
  CHECK(read->at({"123", "saxpy"}).points == 8);
  CHECK(parse_overrides("", "o.toml")->empty());
  CHECK_FALSE(parse_overrides(one + one, "o.toml"));
  CHECK_FALSE(parse_overrides("[[override]]\nstudent = \"1\"\nexercise = \"saxpy\"\npoints = 8\n",
                              "o.toml"));
  CHECK_FALSE(parse_overrides(
      "[[override]]\nstudent = \"1\"\nexercise = \"saxpy\"\nreason = \"x\"\n", "o.toml"));
  CHECK_FALSE(parse_overrides(
      "[[override]]\nstudent = \"1\"\nexercise = \"saxpy\"\nreason = \"x\"\npoints = -1\n",
      "o.toml"));
}

}  // namespace warpbook::lab::class_grades_test
