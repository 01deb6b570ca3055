#include <catch2/catch_test_macros.hpp>
#include <catch2/generators/catch_generators.hpp>

#include "lab/grading/late.hpp"

namespace warpbook::lab::late_test {

namespace {

constexpr std::int64_t kDue = 1'000'000, kDay = 86400;

/// The points left of 8 of 10 of a file that came so many seconds after it was due.
double left(const char* rule_text, std::int64_t after, std::int64_t grace = 0) {
  LateRule rule = parse_late_rule(rule_text).value();
  rule.due = kDue;
  rule.grace = grace;
  HandedIn file;
  file.when = kDue + after;
  return points_after(rule, lateness_of(file, rule), 8, 10);
}

}  // namespace

TEST_CASE("Late: each rule takes what it says, of the points that there are") {
  CHECK(left("none", kDay) == 8);
  CHECK(left("zero", 1) == 0);
  CHECK(left("10%", 5 * kDay) == 7);
  CHECK(left("10%/day", 1) == 7);
  CHECK(left("10%/day", kDay) == 7);
  CHECK(left("10%/day", kDay + 1) == 6);
  CHECK(left("50%/day", 5 * kDay) == 0);
}

TEST_CASE("Late: the due second and the grace cost nothing, and after the grace all of it counts") {
  CHECK(left("10%/day", 0) == 8);
  CHECK(left("10%/day", -kDay) == 8);
  CHECK(left("10%", 600, 600) == 8);
  CHECK(left("10%", 601, 600) == 7);
  CHECK(left("10%/day", kDay + 600, 600) == 6);
}

TEST_CASE("Late: a mark without a time is one day") {
  LateRule rule = parse_late_rule("10%/day").value();
  rule.due = kDue;
  HandedIn file;
  file.marked_late = true;
  CHECK(points_after(rule, lateness_of(file, rule), 8, 10) == 7);
}

TEST_CASE("Late: what is no rule is refused") {
  const char* text = GENERATE("", "10", "-5%", "101%", "%", "10%/week", "nan%");
  CAPTURE(text);
  CHECK_FALSE(parse_late_rule(text));
}

}  // namespace warpbook::lab::late_test
