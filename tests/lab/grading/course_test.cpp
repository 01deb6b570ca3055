#include <catch2/catch_test_macros.hpp>

#include "lab/grading/course.hpp"
#include "tests/temporary_folder.hpp"

namespace warpbook::lab::course_test {

namespace {

const std::string kWeek =
    "[[assignment]]\nname = \"week3\"\nexercises = [\"saxpy\", \"crop\"]\n"
    "late = \"10%/day\"\ngrace = 10\noverrides = \"week3.toml\"\n";

device::Expected<Course> course_of(const std::string& toml) {
  const tests::TemporaryFolder folder;
  folder.write("course.toml", toml);
  return load_course(folder.path());
}

}  // namespace

TEST_CASE("Course: what it says of an assignment, and its files below its own folder") {
  const auto course = course_of("seed = 4711\nroster = \"r.csv\"\n" + kWeek);
  INFO((course ? "" : course.error().english()));
  REQUIRE(course);
  CHECK(course->seed == 4711);
  CHECK(course->roster.ends_with("/r.csv"));
  const auto week = assignment_named(*course, "week3");
  REQUIRE(week);
  CHECK(week->exercises == std::vector<std::string>{"saxpy", "crop"});
  CHECK(week->late == "10%/day");
  CHECK(week->grace == 10);
  CHECK(week->overrides.ends_with("/week3.toml"));
  CHECK(week->due.empty());
}

TEST_CASE("Course: the only assignment needs no name; of several the names are told") {
  const auto one = course_of(kWeek);
  REQUIRE(one);
  CHECK(assignment_named(*one, "")->name == "week3");
  const auto two = course_of(kWeek + "[[assignment]]\nname = \"week4\"\n");
  REQUIRE(two);
  const auto unnamed = assignment_named(*two, "");
  REQUIRE_FALSE(unnamed);
  CHECK(unnamed.error().english().find("week4") != std::string::npos);
}

TEST_CASE("Course: what is not known or out of range is refused, and so is a folder without one") {
  CHECK_FALSE(course_of("teacher = \"me\"\n"));
  CHECK_FALSE(course_of("[[assignment]]\nname = \"a\"\ngrace = -1\n"));
  CHECK_FALSE(course_of("[[assignment]]\n"));
  const tests::TemporaryFolder empty;
  CHECK_FALSE(load_course(empty.path()));
}

}  // namespace warpbook::lab::course_test
