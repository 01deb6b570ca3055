#include "lab/book/place_link.hpp"

#include <catch2/catch_test_macros.hpp>

namespace warpbook::tests::place_link_test {
using namespace warpbook::lab;

TEST_CASE("a link names a chapter, parameters, a GPU and a step, and is read as it was written") {
  const auto link = place_link_of("coalescing?stride=8&simulate=T4&step=compare");
  REQUIRE(link);
  CHECK(link->chapter == "coalescing");
  CHECK(link->values == std::map<std::string, std::string>{{"stride", "8"}});
  CHECK(link->gpu == "T4");
  CHECK(link->step == "compare");
  CHECK(place_link_of(text_of(*link)) == link);
  const PlaceLink odd{"a b", {{"image", "/tmp/x&y=ü.png"}, {"p", "50%"}}, {}, {}};
  CHECK(place_link_of(text_of(odd)) == odd);
  CHECK(place_link_of("grids")->values.empty());
}

TEST_CASE("a part of a link without a value is refused") {
  for (const char* text : {"grids?stride", "grids?=8", "grids?a=1&&b=2"}) {
    CAPTURE(text);
    const auto link = place_link_of(text);
    REQUIRE_FALSE(link);
    CHECK(link.error().code == device::ErrorCode::bad_value);
  }
}

TEST_CASE("the link to a run names what differs from the chapter's defaults, and nothing else") {
  Lesson lesson;
  lesson.slug = "coalescing";
  for (const char* name : {"stride", "n"}) {
    Parameter parameter;
    parameter.name = name;
    parameter.initial = std::int64_t{1};
    lesson.parameters.push_back(parameter);
  }
  Inputs inputs;
  inputs.values = defaults(lesson.parameters);
  CHECK(text_of(place_link(lesson, inputs, "")) == "coalescing");
  inputs.values.set("stride", std::int64_t{8});
  CHECK(text_of(place_link(lesson, inputs, "compare")) == "coalescing?stride=8&step=compare");
}

}  // namespace warpbook::tests::place_link_test
