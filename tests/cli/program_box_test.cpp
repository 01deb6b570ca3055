// warpbook program and exec as their users meet the box: what the flags open, and what is said where it stays closed.
#include <catch2/catch_test_macros.hpp>
#include <catch2/matchers/catch_matchers_string.hpp>
#include <nlohmann/json.hpp>

#include "tests/cli/program.hpp"

namespace warpbook::tests::program_box_test {

using Catch::Matchers::ContainsSubstring;
using nlohmann::json;

namespace {

constexpr int kDone = 0, kRefused = 10;  // as boxed_program ends
constexpr int kBadUsage = 2, kMissing = 3;

/// `warpbook exec` of boxed_program in this folder, with the flags; skipped where this build or this computer has no box.
Outcome exec(const std::filesystem::path& folder, std::vector<std::string> flags,
             const std::vector<std::string>& words) {
  std::vector<std::string> all{"exec", WARPBOOK_BOXED_PROGRAM, "--cwd", folder.string()};
  all.insert(all.end(), flags.begin(), flags.end());
  all.emplace_back("--");
  all.insert(all.end(), words.begin(), words.end());
  Outcome outcome = warpbook(all);
  if (outcome.code == kMissing) SKIP(outcome.err);
  return outcome;
}

}  // namespace

TEST_CASE(
    "A program reads files outside of its folder only where --readable or --unboxed says so") {
  const TemporaryFolder folder, outside;
  const std::string file = outside.write("data", "1 2 3\n").string();
  CHECK(exec(folder.path(), {}, {"read", file}).code == kRefused);
  CHECK(exec(folder.path(), {"--readable", outside.path().string()}, {"read", file}).code == kDone);
  CHECK(exec(folder.path(), {"--readable", file}, {"write", file}).code == kRefused);
  CHECK(exec(folder.path(), {"--unboxed"}, {"write", file}).code == kDone);
}

TEST_CASE("What --readable names has to be there") {
  const TemporaryFolder folder;
  const Outcome outcome =
      exec(folder.path(), {"--readable", (folder.path() / "absent").string()}, {"threads"});
  CHECK(outcome.code == kBadUsage);
  CHECK_THAT(outcome.err, said("error.file_unreadable.long"));
}

TEST_CASE("The time limit ends a program in its box") {
  const TemporaryFolder folder;
  const Outcome outcome = exec(folder.path(), {"--timeout", "0.2"}, {"sleep"});
  CHECK(outcome.code == 128 + 9);
}

TEST_CASE("A folder that holds the home folder is refused with the ways out") {
  const TemporaryFolder home;
  const Outcome outcome =
      warpbook({"exec", WARPBOOK_BOXED_PROGRAM, "--cwd", home.path().string(), "--lang", "en"},
               {{"HOME", home.path().string()}});
  if (outcome.code == kMissing) SKIP(outcome.err);
  CHECK(outcome.code == kBadUsage);
  CHECK_THAT(outcome.err, said("error.program_box_folder.long"));
  CHECK_THAT(outcome.err, ContainsSubstring("--cwd") && ContainsSubstring("--unboxed"));
}

TEST_CASE("doctor says which layers a program gets") {
  const json box = json::parse(warpbook({"doctor", "--json"}).out).at("program_box");
  const std::string layers = box.at("layers");
  CAPTURE(layers);
  CHECK((layers == "both" || layers == "namespaces" || layers == "landlock" || layers == "none"));
  CHECK((layers == "both") == box.at("why_not_more").get<std::string>().empty());
  CHECK_THAT(warpbook({"doctor", "--lang", "en"}).out, said("cli.doctor.program." + layers));
}

}  // namespace warpbook::tests::program_box_test
