// Built programs are found again as long as nothing that they were built from has changed.
#include "device/nvcc/program_store.hpp"

#include <chrono>

#include <catch2/catch_test_macros.hpp>

#include "device/platform.hpp"
#include "tests/temporary_folder.hpp"

namespace warpbook::tests::program_store_test {

using namespace warpbook::device;
namespace fs = std::filesystem;

namespace {

/// A store, and a program that was built from one file of the user's and one of the system's.
struct Scene {
  TemporaryFolder folder;
  fs::path own = folder.write("own/a.cu", "int a;"), systems = folder.write("system/b.h", "int b;");
  ProgramStore store{folder.path() / "built", {folder.path() / "system"}};

  Expected<BuiltProgram> keep(const std::string& content, fs::file_time_type begun) {
    const auto work = store.new_build_folder();
    REQUIRE(work);
    std::ofstream(work->path() / "program") << content;
    return store.keep("request", {.executable = work->path() / "program",
                                  .name = "a",
                                  .said = "warning",
                                  .files = {own.string(), systems.string()},
                                  .begun = begun});
  }
};

const auto kLater = fs::file_time_type::clock::now() + std::chrono::hours(1);

std::string content_of(const std::optional<BuiltProgram>& built) {
  return built ? read_file(built->executable).value_or("unreadable") : "none";
}

}  // namespace

TEST_CASE("A rule of make names its files, with the blanks and signs in their names") {
  CHECK(dependencies_in("/tmp/a.o : a.cu \\\n    /usr/in\\ clude/x.h \\\n    b\\#.h c$$d.h\n") ==
        std::vector<std::string>{"a.cu", "/usr/in clude/x.h", "b#.h", "c$d.h"});
  CHECK(dependencies_in("0.o: a.c\n") == std::vector<std::string>{"a.c"});
  CHECK(dependencies_in("").empty());
}

TEST_CASE("A program is found by its request, with what the compilers said") {
  Scene scene;
  CHECK_FALSE(scene.store.find("request"));
  const auto kept = scene.keep("one", kLater);
  REQUIRE(kept);
  CHECK_FALSE(kept->cached);
  const auto found = scene.store.find("request");
  REQUIRE(found);
  CHECK(found->cached);
  CHECK(found->said == "warning");
  CHECK(found->executable == kept->executable);
  CHECK(content_of(found) == "one");
  CHECK_FALSE(scene.store.find("another request"));
}

TEST_CASE(
    "A changed file of the user's makes another program, and the old content finds the old one") {
  Scene scene;
  REQUIRE(scene.keep("one", kLater));
  scene.folder.write("own/a.cu", "int A;");
  CHECK_FALSE(scene.store.find("request"));
  REQUIRE(scene.keep("two", kLater));
  CHECK(content_of(scene.store.find("request")) == "two");
  scene.folder.write("own/a.cu", "int a;");
  CHECK(content_of(scene.store.find("request")) == "one");
  fs::remove(scene.own);
  CHECK_FALSE(scene.store.find("request"));
}

TEST_CASE("Of a user's file only the content counts, of a system's also the time") {
  Scene scene;
  REQUIRE(scene.keep("one", kLater));
  fs::last_write_time(scene.own, kLater);
  CHECK(scene.store.find("request"));
  fs::last_write_time(scene.systems, kLater);
  CHECK_FALSE(scene.store.find("request"));
}

TEST_CASE("A program is not kept for files that changed while it was built") {
  Scene scene;
  const auto kept = scene.keep("one", fs::last_write_time(scene.own) - std::chrono::hours(1));
  REQUIRE(kept);
  CHECK(content_of(*kept) == "one");
  CHECK_FALSE(scene.store.find("request"));
}

TEST_CASE("A program whose file is gone or cut is built again") {
  Scene scene;
  const auto kept = scene.keep("one", kLater);
  REQUIRE(kept);
  fs::resize_file(kept->executable, 1);
  CHECK_FALSE(scene.store.find("request"));
  fs::remove(kept->executable);
  CHECK_FALSE(scene.store.find("request"));
}

TEST_CASE("Build folders go, also those that a kill left a day ago") {
  Scene scene;
  const fs::path left = scene.folder.path() / "built/.tmp-build-left";
  const fs::path busy = scene.folder.path() / "built/.tmp-build-busy";
  fs::create_directories(left);
  fs::create_directories(busy);
  fs::last_write_time(left, fs::file_time_type::clock::now() - std::chrono::hours(25));
  fs::path path;
  {
    const auto work = scene.store.new_build_folder();
    REQUIRE(work);
    path = work->path();
    CHECK(fs::is_directory(path));
  }
  CHECK_FALSE(fs::exists(path));
  CHECK_FALSE(fs::exists(left));
  CHECK(fs::exists(busy));
}

}  // namespace warpbook::tests::program_store_test
