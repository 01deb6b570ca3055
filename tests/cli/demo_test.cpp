// warpbook demo check, as an instructor meets it the evening before.
#include <catch2/catch_test_macros.hpp>
#include <catch2/matchers/catch_matchers_string.hpp>

#include "device/platform.hpp"
#include "lab/report/binary.hpp"
#include "tests/cli/program.hpp"

namespace warpbook::tests::demo_check_test {
namespace {
using Catch::Matchers::ContainsSubstring;

constexpr const char* kDemo =
    "chapter = \"first-kernel\"\n\n[[screen]]\nquestion = \"idle-of-five\"\n\n"
    "[[screen]]\nstep = \"run\"\nset = { n = 6 }\n";

Outcome check(const std::filesystem::path& file, std::vector<std::string> more = {}) {
  std::vector<std::string> words{"demo", "check", file.string(), "--lang", "en"};
  words.insert(words.end(), more.begin(), more.end());
  return warpbook(words);
}
}  // namespace

TEST_CASE("a demo is kept when it is first checked, and figures that change later are named",
          "[ci]") {
  const TemporaryFolder folder;
  const auto file = folder.write("monday.toml", kDemo);
  const Outcome first = check(file);
  CHECK(first.code == 0);
  CHECK_THAT(first.out, ContainsSubstring("1, idle-of-five"));
  CHECK_THAT(first.out, ContainsSubstring("2, run"));
  CHECK_THAT(first.out, said("cli.demo.well", {{"file", file.string()}}));
  CHECK(check(file).code == 0);
  CHECK_THAT(first.out, !said("cli.demo.minutes"));

  // As if an earlier Warpbook had counted otherwise.
  const auto kept = folder.path() / "monday.recorded" / "run.report";
  auto report = lab::report_from_binary(*device::read_file(kept));
  REQUIRE(report.has_value());
  for (lab::Exhibit& exhibit : report->exhibits) {
    if (auto* geometry = std::get_if<lab::GeometryExhibit>(&exhibit.value)) geometry->idle = 77;
  }
  REQUIRE(device::write_file_atomically(kept, lab::to_binary(*report)).has_value());
  const Outcome changed = check(file);
  CHECK(changed.code == 1);
  CHECK_THAT(changed.out, ContainsSubstring("77"));
  CHECK(check(file, {"--keep"}).code == 0);
  CHECK(check(file).code == 0);
}

TEST_CASE("what the chapter's own kernel does wrong on purpose is no mistake of the demo", "[ci]") {
  const TemporaryFolder folder;
  const auto file =
      folder.write("races.toml",
                   "chapter = \"races\"\n[[screen]]\nexhibit = \"ways\"\nminutes = 4\n"
                   "[[screen]]\nexhibit = \"uses\"\nminutes = 2.5\n");
  const Outcome first = check(file);
  CAPTURE(first.out, first.err);
  CHECK(first.code == 0);
  CHECK_THAT(first.out, said("cli.demo.meant.other", {{"count", "2"}}) &&
                            said("cli.demo.minutes", {{"minutes", "6.5"}, {"without", "0"}}));
  const Outcome read = warpbook({"read", "races", "--lang", "en"});
  CHECK(read.code == 0);
  CHECK(read.err.empty());
}

TEST_CASE("what is wrong in a demo is said with file, line and remedy, before anything runs") {
  const TemporaryFolder folder;
  const auto file =
      folder.write("bad.toml", "chapter = \"first-kernel\"\n\n[[screen]]\nquestion = \"idle\"\n");
  const Outcome refused = check(file);
  CHECK(refused.code == 2);
  CHECK_THAT(refused.err, ContainsSubstring("bad.toml:4"));
  CHECK_THAT(refused.err, ContainsSubstring("idle-of-five"));
  const auto misspelt = folder.write(
      "key.toml", "chapter = \"first-kernel\"\n[[screen]]\nstep = \"run\"\nsets = { n = 6 }\n");
  CHECK(check(misspelt).code == 2);
  CHECK_THAT(check(misspelt).err, ContainsSubstring("key.toml:4"));
  const auto other =
      folder.write("other.toml", "chapter = \"first\"\n\n[[screen]]\nstep = \"run\"\n");
  CHECK(check(other).code == 2);
  CHECK_THAT(check(other).err, ContainsSubstring("other.toml:1"));
  CHECK(check(folder.path() / "none.toml").code == 2);
}

}  // namespace warpbook::tests::demo_check_test
