// A chapter's launches that were simulated before are recalled; what is shown is the same.
#include <catch2/catch_test_macros.hpp>

#include "lab/exhibits/exhibit.hpp"
#include "lessons/catalogue.hpp"
#include "tests/lessons/chapter.hpp"

namespace warpbook::recalled_runs_test {

TEST_CASE("A run whose launches were all run before shows what it showed then", "[ci]") {
  for (const lab::Lesson& lesson : lessons::catalogue()) {
    if (lesson.slots.empty()) continue;  // it looks at the machine
    CAPTURE(lesson.slug);
    const lab::Report first = tests::chapter::run(lesson.slug, {});
    const lab::Report again = tests::chapter::run(lesson.slug, {});
    CHECK(again.errors == first.errors);
    REQUIRE(again.exhibits.size() == first.exhibits.size());
    for (std::size_t i = 0; i < first.exhibits.size(); ++i) {
      CAPTURE(first.exhibits[i].id);
      // How long a simulation took is measured anew where a launch is too large to be kept.
      if (std::holds_alternative<lab::TimingsExhibit>(first.exhibits[i].value)) continue;
      CHECK((again.exhibits[i] == first.exhibits[i]));
    }
  }
}

TEST_CASE("A changed parameter leaves alone the launches of parts that it does not reach") {
  const lab::Report before = tests::chapter::run("coalescing", {});
  const lab::Report after = tests::chapter::run("coalescing", {{"stride", std::int64_t{2}}});
  REQUIRE(before.errors.empty());
  CHECK_FALSE((after.find("map")->value == before.find("map")->value));
  // A launch that is simulated anew takes another time, to the nanosecond.
  for (const char* times : {"particles-time", "walk-time"}) {
    CAPTURE(times);
    CHECK((after.find(times)->value == before.find(times)->value));
  }
}

}  // namespace warpbook::recalled_runs_test
