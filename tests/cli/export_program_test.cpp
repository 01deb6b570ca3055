// `warpbook export CHAPTER FILE.cu`: the chapter's whole program as a file of the reader's.
#include <filesystem>
#include <utility>

#include <catch2/catch_test_macros.hpp>

#include "tests/cli/program.hpp"

namespace warpbook::tests::export_program_test {

TEST_CASE("a chapter's program is exported as it is, and the next command is said") {
  const TemporaryFolder folder;
  const std::string file = (folder.path() / "darken.cu").string();
  const Outcome outcome = warpbook({"export", "grids", file});
  CHECK(outcome.code == 0);
  CHECK_THAT(outcome.out, said("cli.export.program", {{"file", file}}));
  CHECK(read_whole(file) ==
        read_whole(std::filesystem::path(WARPBOOK_SOURCE_DIR) / "lessons/grids/program/darken.cu"));
  CHECK(warpbook({"export", "grids", file}).code == 0);  // the same once more loses nothing
}

TEST_CASE("an exported program that the reader has changed is never replaced") {
  const TemporaryFolder folder;
  const auto file = folder.write("darken.cu", "int main() {}\n");
  const Outcome outcome = warpbook({"export", "grids", file.string()});
  CHECK(outcome.code == 2);
  CHECK_THAT(outcome.err, said("cli.export.exists", {{"name", file.string()}}));
  CHECK(read_whole(file) == "int main() {}\n");
}

TEST_CASE("a program is not exported as if a reader's kernel were in it") {
  const TemporaryFolder folder;
  const auto file = folder.path() / "own_layer.cu";
  for (const auto& [flag, value] :
       {std::pair{"--source", "lessons/capstone/variants/backwards.cu"},
        std::pair{"--set", "images=1"}, std::pair{"--preset", "hundred-images"}}) {
    const Outcome outcome = warpbook({"export", "capstone", file.string(), flag, value});
    CAPTURE(flag);
    CHECK(outcome.code == 2);
    CHECK_THAT(outcome.err, said("cli.export.own-kernels", {{"name", file.string()}}));
    CHECK_FALSE(std::filesystem::exists(file));
  }
}

TEST_CASE("a chapter without kernels has no program to export") {
  const TemporaryFolder folder;
  const auto file = folder.path() / "none.cu";
  const Outcome outcome = warpbook({"export", "your-machine", file.string()});
  CHECK(outcome.code == 2);
  CHECK_THAT(outcome.err, said("cli.export.no-program", {{"name", "your-machine"}}));
  CHECK_FALSE(std::filesystem::exists(file));
}

}  // namespace warpbook::tests::export_program_test
