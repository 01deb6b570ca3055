// The student's folder: nothing that was written is ever replaced without a copy, whoever writes.
#include "lab/exercise/work_folder.hpp"

#include <fstream>
#include <thread>
#include <vector>

#include <catch2/catch_test_macros.hpp>

#include "tests/temporary_folder.hpp"

namespace warpbook::tests::work_folder_test {

using namespace warpbook::lab;
namespace fs = std::filesystem;

namespace {

std::string text_of(const fs::path& path) {
  std::ifstream stream(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(stream), {}};
}

ExerciseText saxpy() {
  const auto text = load_exercise(WARPBOOK_SOURCE_DIR, "saxpy", "en");
  REQUIRE(text);
  return *text;
}

CheckReport checked(int points, bool passed, bool graded = true) {
  CheckReport report;
  report.points = points;
  report.points_possible = 10;
  report.passed = passed;
  report.graded = graded;
  return report;
}

}  // namespace

TEST_CASE("a starter is put there once and never over what somebody wrote") {
  TemporaryFolder temporary;
  const WorkFolder work(temporary.path() / "not" / "there yet");
  const ExerciseText text = saxpy();
  CHECK_FALSE(work.begun(text));
  CHECK(work.begin(text) == true);
  CHECK(text_of(work.file_of(text)) == text.starter);
  std::ofstream(work.file_of(text)) << "mine";
  CHECK(work.begin(text) == false);
  CHECK(text_of(work.file_of(text)) == "mine");
  // A link that leads nowhere yet is somebody's, too.
  fs::remove(work.file_of(text));
  fs::create_symlink("elsewhere.cu", work.file_of(text));
  CHECK(work.begin(text) == false);
}

TEST_CASE("a reset keeps every version that was there") {
  TemporaryFolder temporary;
  const WorkFolder work(temporary.path());
  const ExerciseText text = saxpy();
  const auto fresh = work.reset(text);
  REQUIRE(fresh);
  CHECK(fresh->empty());
  CHECK(text_of(work.file_of(text)) == text.starter);
  CHECK(work.reset(text)->empty());  // nothing was written
  for (const char* mine : {"first", "second"}) {
    std::ofstream(work.file_of(text)) << mine;
    const auto copy = work.reset(text);
    REQUIRE(copy);
    CHECK(text_of(*copy) == mine);
    CHECK(text_of(work.file_of(text)) == text.starter);
  }
  CHECK(text_of(temporary.path() / "saxpy.before-1.cu") == "first");
  CHECK(text_of(temporary.path() / "saxpy.before-2.cu") == "second");
}

TEST_CASE("writing keeps a copy of what somebody else wrote meanwhile, and only of that") {
  TemporaryFolder temporary;
  const WorkFolder work(temporary.path());
  REQUIRE(work.write("saxpy.cu", "one", ""));
  REQUIRE(work.write("saxpy.cu", "two", "one"));
  CHECK_FALSE(fs::exists(temporary.path() / "saxpy.before-1.cu"));
  std::ofstream(temporary.path() / "saxpy.cu") << "theirs";
  REQUIRE(work.write("saxpy.cu", "three", "two"));
  CHECK(text_of(temporary.path() / "saxpy.cu") == "three");
  CHECK(text_of(temporary.path() / "saxpy.before-1.cu") == "theirs");
}

TEST_CASE("of all that lies in the folder, the exercises' files are taken alone") {
  TemporaryFolder temporary;
  const WorkFolder work(temporary.path());
  for (const char* name : {"saxpy.cu", "saxpy.before-1.cu", "read-the-engine-list.toml",
                           "progress.toml", "notes.txt", ".saxpy.cu", "saxpy.cu~"})
    std::ofstream(temporary.path() / name) << name;
  fs::create_directory(temporary.path() / "folder.cu");
  const auto files = work.files();
  REQUIRE(files.size() == 2);
  CHECK(files.at("saxpy.cu") == "saxpy.cu");
  CHECK(files.contains("read-the-engine-list.toml"));
}

TEST_CASE(
    "progress keeps the best points, the first day and the most hints, and reads as written") {
  TemporaryFolder temporary;
  const WorkFolder work(temporary.path() / "work");
  CHECK(work.progress() == Progress());
  const auto take = [&](const CheckReport& report) {
    REQUIRE(work.change([&](Progress& progress) { progress["saxpy"].take(report); }));
  };
  take(checked(4, false));
  take(checked(2, false));
  CHECK(work.progress()->at("saxpy").points == 4);
  CHECK(work.progress()->at("saxpy").passed.empty());
  take(checked(10, true));
  const std::string day = work.progress()->at("saxpy").passed;
  CHECK(day.size() == std::string("2026-11-24T15:00:00Z").size());
  take(checked(0, false));
  take(checked(0, false, false));  // not graded
  REQUIRE(work.change([&](Progress& progress) {
    progress["saxpy"].merge({0, 0, "2999-01-01T00:00:00Z", {{"right", 2}, {"odd \"gate\"\n", 1}}});
    progress["odd. id\\"].hints["work"] = 4;
  }));
  const auto progress = work.progress();
  REQUIRE(progress);
  CHECK(progress->at("saxpy").points == 10);
  CHECK(progress->at("saxpy").possible == 10);
  CHECK(progress->at("saxpy").passed == day);
  CHECK(progress->at("saxpy").hints.at("right") == 2);
  CHECK(progress->at("saxpy").hints.at("odd \"gate\"\n") == 1);
  CHECK(progress->at("odd. id\\").hints.at("work") == 4);
}

TEST_CASE("a progress file that somebody broke is named with its line and stays as it is") {
  TemporaryFolder temporary;
  const WorkFolder work(temporary.path());
  for (const std::string broken :
       {"[saxpy]\npoints = ten\n", "[saxpy]\npoints = \"10\"\n", "[saxpy]\nscore = 3\n"}) {
    std::ofstream(temporary.path() / "progress.toml") << broken;
    const auto progress = work.progress();
    REQUIRE_FALSE(progress);
    CHECK(progress.error().place.line == 2);
    CHECK_FALSE(work.change([](Progress& all) { all["crop"].points = 1; }));
    CHECK(text_of(temporary.path() / "progress.toml") == broken);
  }
}

TEST_CASE("two that change the progress at once lose nothing of each other") {
  TemporaryFolder temporary;
  std::vector<std::jthread> threads;
  for (int thread = 0; thread < 4; ++thread) {
    threads.emplace_back([&, thread] {
      const WorkFolder work(temporary.path());
      for (int i = 0; i < 10; ++i) {
        (void)work.change([&](Progress& progress) {
          ++progress["saxpy"].hints["right"];
          ++progress["crop"].hints["gate-" + std::to_string(thread)];
        });
      }
    });
  }
  threads.clear();
  const auto progress = WorkFolder(temporary.path()).progress();
  REQUIRE(progress);
  CHECK(progress->at("saxpy").hints.at("right") == 40);
  CHECK(progress->at("crop").hints.size() == 4);
}

}  // namespace warpbook::tests::work_folder_test
