#include <algorithm>
#include <cmath>
#include <filesystem>
#include <fstream>

#include <catch2/catch_test_macros.hpp>
#include <catch2/generators/catch_generators.hpp>

#include "lab/exercise/exercise_tools.hpp"
#include "lab/exhibits/source/compile_advice.hpp"
#include "tests/keyed.hpp"
#include "tests/lab/text/texts.hpp"
#include "tests/temporary_folder.hpp"

namespace warpbook::tests::exercise_test {

using namespace warpbook;
using namespace warpbook::lab;
namespace fs = std::filesystem;

namespace {

struct Root {
  Root() {
    write("starter.cu", "start");
    write("en.md", "# x\n");
    write("exercise.toml", good());
    write("exercise.en.toml", words());
  }
  void write(const std::string& file, const std::string& text) {
    folder.write("exercises/x/" + file, text);
  }
  static std::string good() {
    return "chapter = \"c\"\npoints = 3\nreveal = \"after-pass\"\n"
           "[[gate]]\nid = \"right\"\npoints = 3\nceiling = 1.1\n";
  }
  static std::string words() {
    return "title = \"X\"\n[[hint]]\ngate = \"right\"\ntiers = [\"a\", \"b\", \"c\", \"d\"]\n";
  }
  warpbook::tests::TemporaryFolder folder;
  fs::path path = folder.path();
};

}  // namespace

TEST_CASE("an exercise is read with its gates and hints") {
  Root root;
  const auto text = load_exercise(root.path.string(), "x", "en");
  INFO((text ? "" : text.error().english()));
  REQUIRE(text.has_value());
  CHECK(text->points == 3);
  CHECK(text->gates.at(0).ceiling == 1.1);
  CHECK_FALSE(text->gates.at(0).floor);
  CHECK(text->hints.at(0).tiers.size() == 4);
  CHECK(text->starter == "start");
  const auto chinese = load_exercise(root.path.string(), "x", "zh");
  REQUIRE_FALSE(chinese.has_value());
  CHECK(chinese.error().code == device::ErrorCode::missing_text);
  CHECK(args_of(chinese.error().arguments).at("file") == "exercises/x/exercise.zh.toml");
  root.write("exercise.zh.toml", Root::words());
  const auto taskless = load_exercise(root.path.string(), "x", "zh");
  REQUIRE_FALSE(taskless.has_value());
  CHECK(taskless.error().code == device::ErrorCode::missing_text);
  CHECK(args_of(taskless.error().arguments).at("file") == "exercises/x/zh.md");
}

TEST_CASE("an exercise may ask for settings instead of a kernel") {
  Root root;
  root.write("zh.md", "# x\n");
  root.write("exercise.toml", "submission = \"settings\"\n" + Root::good());
  CHECK(load_exercise(root.path.string(), "x", "en").error().english().find("starter.toml") !=
        std::string::npos);
  root.write("starter.toml", "a = 1");
  const auto text = load_exercise(root.path.string(), "x", "en");
  REQUIRE(text.has_value());
  CHECK(text->submission == Submission::settings);
  CHECK(text->starter == "a = 1");
  CHECK(submission_name("x", text->submission) == "x.toml");
  CHECK(language_of(text->submission) == "toml");
}

TEST_CASE("a broken exercise.toml is refused at its line") {
  struct Change {
    const char* from;
    const char* to;
    std::uint32_t line;
    const char* says;
  };
  const auto change = GENERATE(
      Change{"points = 3\nreveal", "points = 4\nreveal", 2, "the sum of the gates' points, 3"},
      Change{"after-pass", "always", 3, "\"after-due\""},
      Change{"points = 3\nreveal", "points = 3\nsubmission = \"essay\"\nreveal", 3, "\"settings\""},
      Change{"[[gate]]", "[[gate]]\nfoo = 1", 5, "no key \"foo\""},
      Change{"ceiling = 1.1", "ceiling = \"x\"", 7, "a number"},
      Change{"ceiling = 1.1", "ceiling = 1.1\nfloor = 2", 8, "floor"},
      Change{"ceiling = 1.1\n", "[[mutant]]\nfile = \"m.cu\"\nfails = \"right\"\nwhy = \"w\"\n", 8,
             "not there"},
      Change{"gate = \"right\"", "gate = \"left\"", 3, "the id of a gate"},
      Change{"tiers = [\"a\", ", "tiers = [", 4, "four"},
      Change{"[[hint]]\ngate = \"right\"\ntiers = [\"a\", \"b\", \"c\", \"d\"]\n", "", 1,
             "every gate"});
  CAPTURE(change.to);
  Root root;
  for (const auto& [file, good] :
       {std::pair("exercise.toml", Root::good()), std::pair("exercise.en.toml", Root::words())}) {
    std::string text = good;
    if (const std::size_t at = text.find(change.from); at != std::string::npos)
      root.write(file, text.replace(at, std::string(change.from).size(), change.to));
  }
  const auto exercise = load_exercise(root.path.string(), "x", "en");
  REQUIRE_FALSE(exercise.has_value());
  CAPTURE(exercise.error().english());
  CHECK(exercise.error().place.line == change.line);
  CHECK(exercise.error().english().find(change.says) != std::string::npos);
}

TEST_CASE("every exercise of the book loads in both languages") {
  for (const auto& folder : fs::directory_iterator(fs::path(WARPBOOK_SOURCE_DIR) / "exercises")) {
    if (!folder.is_directory()) continue;
    for (const std::string language : {"en", "zh"}) {
      const auto text =
          load_exercise(WARPBOOK_SOURCE_DIR, folder.path().filename().string(), language);
      INFO((text ? "" : text.error().english()));
      CHECK(text.has_value());
    }
  }
}

TEST_CASE("what exercises are fed with is seeded, small, and never whole") {
  const std::vector<float> values = odd_halves(10'000, 7);
  CHECK(values == odd_halves(10'000, 7));
  CHECK(values != odd_halves(10'000, 8));
  const auto whole = [](float value) { return value == std::trunc(value); };
  CHECK(std::ranges::none_of(values, whole));
  CHECK(std::ranges::all_of(values, [&](float value) { return whole(2 * value); }));
  const auto [least, largest] = std::ranges::minmax(values);
  CHECK(least == -49.5f);
  CHECK(largest == 49.5f);
}

TEST_CASE("the commonest compile errors get words of our own") {
  const auto advice = [](std::string text, std::string_view source = "__global__ void f() {}") {
    const std::vector<device::Diagnostic> diagnostics = {
        {{"a.cu", 1, 1},
         device::Severity::warning,
         "variable \"z\" was declared but never referenced"},
        {{"a.cu", 5, 3}, device::Severity::error, std::move(text)}};
    return compile_advice(diagnostics, source);
  };
  CHECK(advice("expected a \";\"").key == "compile.semicolon");
  CHECK(advice("identifier \"idx\" is undefined").key == "compile.undefined");
  CHECK(advice("identifier \"idx\" is undefined").arguments.front().value.text == "idx");
  CHECK(advice("expected a declaration", "void f() {}").key == "compile.no-kernel");
  CHECK(advice("return value type does not match the function type").key ==
        "compile.returns-value");
  CHECK(advice("something that we have no words for").empty());
  CHECK(keyed(advice("expected a \";\"")) == "compile.semicolon(line=5, name=;)");
}

TEST_CASE("a hint's second tier speaks of the reader's own run") {
  const auto strings = Strings::load("en", WARPBOOK_SOURCE_DIR);
  REQUIRE(strings.has_value());
  CheckExhibit::Item item;
  item.line = 7;
  item.advice = {"k", {{"writes", "2"}}, {}};
  item.got = {"k", {{"reference", "12"}}, {}};
  item.mismatches.push_back({3, "9.5", "nan", {}});
  Report report;
  report.errors.push_back({device::ErrorCode::budget_time, {{"seconds", "2"}}, {"a.cu", 7, 0}});
  CHECK(fill_hint(
            "[{index}] {expected} {got} {written_by} line {line}: {writes} of {reference}; {other}",
            item, report, **strings) == "[3] 9.5 nan nobody line 7: 2 of 12; {other}");
  CHECK(fill_hint("{finding}", item, report, **strings).find("stopped after 2 s") == 0);
}

TEST_CASE(
    "a check's child that dies, hangs or talks nonsense is tried twice and then not graded, never "
    "zero") {
  struct Child {
    const char* script;
    const char* says;
    double seconds;
  };
  // Those that die hear the question first: else the machine's load decides what is said.
  const auto child =
      GENERATE(Child{"#!/bin/sh\nhead -c 1 >/dev/null\nexit 1\n", "killed or crashed", 60},
               Child{"#!/bin/sh\nhead -c 1 >/dev/null\nkill -9 $$\n", "killed or crashed", 60},
               Child{"#!/bin/sh\nexec sleep 60\n", "took more than", 0.2},
               Child{"#!/bin/sh\nhead -c 64 /dev/zero >&0\nexec sleep 60\n", "", 0.2});
  Root root;
  const fs::path script = root.path / "binary";
  {
    std::ofstream(script) << child.script << std::flush;
    fs::permissions(script, fs::perms::owner_all);
  }
  ::setenv("WARPBOOK_BINARY", script.c_str(), 1);
  CheckLimits limits;
  limits.seconds = child.seconds;
  const CheckReport report =
      check_in_child("x", "a.cu", "source", root.path.string(), {}, {}, limits);
  ::unsetenv("WARPBOOK_BINARY");
  CHECK_FALSE(report.graded);
  CHECK_FALSE(report.passed);
  REQUIRE(report.report.errors.size() == 1);
  CHECK(report.report.errors[0].code == device::ErrorCode::not_graded);
  CAPTURE(report.report.errors[0].english());
  CHECK(report.report.errors[0].english().find(child.says) != std::string::npos);
}

TEST_CASE("a check can be cancelled") {
  Root root;
  const fs::path script = root.path / "binary";
  {
    std::ofstream(script) << "#!/bin/sh\nexec sleep 60\n" << std::flush;
    fs::permissions(script, fs::perms::owner_all);
  }
  ::setenv("WARPBOOK_BINARY", script.c_str(), 1);
  std::stop_source stop;
  stop.request_stop();
  const CheckReport report =
      check_in_child("x", "a.cu", "source", root.path.string(), stop.get_token());
  ::unsetenv("WARPBOOK_BINARY");
  CHECK_FALSE(report.graded);
  REQUIRE(report.report.errors.size() == 1);
  CHECK(report.report.errors[0].code == device::ErrorCode::cancelled);
}

}  // namespace warpbook::tests::exercise_test
