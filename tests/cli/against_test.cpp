// warpbook run --against: the run, and how it differs from another one.
#include <catch2/catch_test_macros.hpp>
#include <catch2/matchers/catch_matchers_string.hpp>
#include <nlohmann/json.hpp>

#include "tests/cli/program.hpp"
#include "tests/schema.hpp"

namespace warpbook::tests::against_test {

using Catch::Matchers::ContainsSubstring;
using nlohmann::json;

namespace {

json comparison_in(const Outcome& outcome) {
  const json report = json::parse(outcome.out);
  CHECK(complaints("report.schema.json", {report}).empty());
  REQUIRE(report.at("exhibits").back().at("kind") == "comparison");
  return report.at("exhibits").back().at("value");
}

}  // namespace

TEST_CASE("warpbook run --against holds the run against another of other parameters", "[ci]") {
  const Outcome outcome = warpbook({"run", "first-kernel", "--set", "n=32", "--set", "block=32",
                                    "--against", "block=4", "--json"});
  CAPTURE(outcome.err);
  REQUIRE(outcome.code == 0);
  const json made = comparison_in(outcome);
  CHECK(made.at("settings") == json::parse(R"([{"name":"block","a":"4","b":"32"}])"));
  double change = 0;
  for (const json& figure : made.at("figures")) {
    if (figure.at("of").at("id") == "add" && figure.at("name") == "warp_instructions")
      change = figure.at("change_percent").get<double>();
  }
  CHECK(change == -87.5);                   // one warp for eight
  REQUIRE(made.at("outputs").size() == 2);  // out, and the counter
  CHECK(made.at("outputs")[0].at("differing") == 0);
  CHECK(made.at("outputs")[0].at("compared") == 32);
}

TEST_CASE("warpbook run --against says it in words, in both languages", "[ci]") {
  const Outcome english =
      warpbook({"run", "first-kernel", "--against", "preset=ten,block=8", "--lang", "en"});
  CHECK(english.code == 0);
  CHECK_THAT(english.out, ContainsSubstring("A against B"));
  CHECK_THAT(english.out, ContainsSubstring("A: preset=ten,block=8"));
  CHECK_THAT(english.out, said("comparison.shapes", {{"a", 10}, {"b", 4}}));
  const Outcome chinese =
      warpbook({"run", "first-kernel", "--against", "n=10", "--against", "gpu=t4", "--lang", "zh"});
  CHECK(chinese.code == 0);
  CHECK_THAT(chinese.out, ContainsSubstring("A 与 B 对照"));
  CHECK_THAT(chinese.out, ContainsSubstring("T4（模拟）"));
}

TEST_CASE("warpbook run --against original holds a source against the chapter's own", "[ci]") {
  const std::string no_guard = "lessons/first-kernel/variants/no_guard.cu";
  const Outcome outcome = warpbook({"run", "first-kernel", "--source", no_guard, "--set", "n=10",
                                    "--against", "original", "--json"});
  CAPTURE(outcome.err);
  const json made = comparison_in(outcome);
  CHECK(made.at("settings").empty());
  REQUIRE(made.at("sources").size() == 1);
  CHECK(made.at("sources")[0].at("removed").get<int>() > 0);
  CHECK(made.at("b").at("errors").size() == 1);
  CHECK(made.at("a").at("errors").empty());
  CHECK(outcome.code == 1);  // it writes past its arrays
}

TEST_CASE("warpbook run --against refuses what it cannot use, and says what it takes", "[ci]") {
  const auto refused = [](const std::string& words, const std::string& why) {
    const Outcome outcome = warpbook({"run", "first-kernel", "--against", words, "--lang", "en"});
    CAPTURE(words, outcome.err);
    CHECK(outcome.code == 2);
    CHECK(outcome.out.empty());
    CHECK_THAT(outcome.err, ContainsSubstring(why));
  };
  refused("n", "write it as NAME=VALUE, preset=NAME");
  refused("", "write it as NAME=VALUE, preset=NAME");
  refused("=4", "write it as NAME=VALUE, preset=NAME");
  refused("n=10,", "write it as NAME=VALUE, preset=NAME");
  refused("n=0", "n");
  refused("m=4", "m");
  refused("preset=none", "four, ten");
  refused("gpu=none", "none");
  refused("seed=many", "seed=NUMBER");
  refused("source=no/such.cu", "no/such.cu");
  refused("n=4", "both runs would be the same");
  refused("original", "both runs would be the same");
}

TEST_CASE("warpbook run --against takes a chapter's own parameter before a word of that name",
          "[ci]") {
  const Outcome outcome = warpbook({"run", "your-machine", "--against", "gpu=T4", "--json"});
  CAPTURE(outcome.err);
  const json made = comparison_in(outcome);
  REQUIRE(made.at("settings").size() == 1);
  CHECK(made.at("settings")[0].at("name") == "gpu");  // not the simulated GPU
  CHECK(made.at("settings")[0].at("a") == "T4");
}

}  // namespace warpbook::tests::against_test
