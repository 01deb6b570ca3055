// A chapter's launches that were simulated before are recalled; what is shown is the same.
#include <filesystem>

#include <catch2/catch_test_macros.hpp>
#include <catch2/generators/catch_generators.hpp>

#include "lab/exhibits/exhibit.hpp"
#include "lessons/catalogue.hpp"
#include "tests/lessons/chapter.hpp"
#include "tests/temporary_folder.hpp"

namespace warpbook::recalled_runs_test {
namespace {

/// Another value than the default; a number's is near it.
lab::Value changed(const lab::Parameter& parameter) {
  if (parameter.choices.size() > 1)
    return parameter.choices[parameter.initial == lab::Value(parameter.choices[0])];
  if (const bool* on = std::get_if<bool>(&parameter.initial)) return !*on;
  if (const auto* whole = std::get_if<std::int64_t>(&parameter.initial))
    return static_cast<double>(*whole) < parameter.maximum ? *whole + 1 : *whole - 1;
  return std::get<double>(parameter.initial) + parameter.step;
}

}  // namespace

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

TEST_CASE("What a part shows of before, after a change of a parameter, is what it would show now",
          "[long]") {
  const lab::Lesson& lesson =
      *lessons::find(GENERATE("memory-spaces", "tiles", "matmul", "streams", "profiling", "mlp",
                              "cnn", "parallelism", "convolution-algorithms", "capstone"));
  CAPTURE(lesson.slug);
  REQUIRE(tests::chapter::run(lesson.slug, {}).errors.empty());
  const tests::TemporaryFolder folder;
  for (const lab::Parameter& parameter : lesson.parameters) {
    if (parameter.type == lab::Parameter::Type::picture) continue;  // has no value near its own
    CAPTURE(parameter.name);
    lab::Inputs inputs;
    inputs.values.set(parameter.name, changed(parameter));
    // Nothing was shown before of a book that is somewhere else.
    const std::filesystem::path elsewhere = folder.path() / parameter.name;
    std::filesystem::create_directory_symlink(WARPBOOK_SOURCE_DIR, elsewhere);
    const lab::Report here =
        lab::run(lesson, inputs, tests::chapter::compiler(), WARPBOOK_SOURCE_DIR);
    const lab::Report anew =
        lab::run(lesson, inputs, tests::chapter::compiler(), elsewhere.string());
    CHECK(here.errors == anew.errors);
    REQUIRE(here.exhibits.size() == anew.exhibits.size());
    for (std::size_t i = 0; i < here.exhibits.size(); ++i) {
      CAPTURE(here.exhibits[i].id);
      CHECK((here.exhibits[i] == anew.exhibits[i]));
    }
  }
}

}  // namespace warpbook::recalled_runs_test
