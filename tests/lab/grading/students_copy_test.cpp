#include "lab/grading/students_copy.hpp"

#include <algorithm>
#include <set>

#include <catch2/catch_test_macros.hpp>

#include "device/platform.hpp"
#include "lab/grading/handed_files.hpp"
#include "tests/temporary_folder.hpp"

namespace warpbook::tests::students_copy_test {

namespace {

namespace fs = std::filesystem;

const std::string kSealed = "// sealed\n";

device::Expected<std::string> seal(const lab::ExerciseText&) { return kSealed; }

lab::ExerciseText exercise(const std::string& id, lab::Submission submission) {
  lab::ExerciseText text;
  text.id = id;
  text.submission = submission;
  return text;
}

/// A tree as small as one can be, with everything that an instructor keeps back, and with grades beside it.
struct Tree {
  TemporaryFolder folder, course;
  Tree() {
    for (const char* file : {"CMakeLists.txt", "CMakePresets.json", "CONTRIBUTING.md", "LICENSE",
                             "README.md", "README.zh.md", "THIRD_PARTY.md", "warpbook"})
      folder.write(file, "");
    for (const char* room :
         {"cli", "cmake", "device", "docs", "gui", "kernels", "lab", "lang", "ranks", "training"})
      folder.write(std::string(room) + "/file", "");
    folder.write("lessons/warps/en.md", "");
    folder.write("lessons/warps/teach.md", "");
    folder.write("exercises/saxpy/starter.cu", "");
    folder.write(
        "exercises/saxpy/exercise.toml",
        "points = 1\n[[gate]]\nid = \"right\"\n\n[[mutant]]\nfile = \"mutants/no_guard.cu\"\n");
    for (const char* file : {"mutants/no_guard.cu", "alternatives/other.cu", "hidden.toml",
                             ".hidden.toml.swp", "check.cpp~"})
      folder.write(std::string("exercises/saxpy/") + file, "");
    folder.write("solutions/saxpy.cu", "the answer");
    folder.write("tests/exercises/exercises_test.cpp", "");
    folder.write("week3/grades.csv", "");
    fs::permissions(folder.path() / "warpbook", fs::perms::owner_all);
    course.write("exercises/own/starter.cu", "");
    course.write("exercises/own/hidden.toml", "");
    fs::create_symlink(course.path() / "exercises/own", folder.path() / "exercises/own");
  }
  [[nodiscard]] std::vector<lab::ZipEntry> copy() const {
    const auto entries = lab::students_copy(
        folder.path(),
        {exercise("saxpy", lab::Submission::kernel), exercise("own", lab::Submission::program)},
        seal);
    REQUIRE(entries);
    return *entries;
  }
};

std::set<std::string> paths_of(const std::vector<lab::ZipEntry>& entries) {
  std::set<std::string> paths;
  for (const lab::ZipEntry& entry : entries) paths.insert(entry.path);
  return paths;
}

}  // namespace

TEST_CASE(
    "A students' copy has the book and what a course linked into it, and nothing that answers it") {
  const Tree tree;
  const auto entries = tree.copy();
  const auto paths = paths_of(entries);
  for (const char* there :
       {"warpbook/warpbook", "warpbook/lessons/warps/en.md", "warpbook/exercises/saxpy/starter.cu",
        "warpbook/exercises/own/starter.cu", "warpbook/solutions/saxpy.ptx"}) {
    CAPTURE(there);
    CHECK(paths.contains(there));
  }
  CHECK_FALSE(
      paths.contains("warpbook/solutions/own.ptx"));  // a program's check looks at no solution
  for (const std::string& path : paths) {
    CAPTURE(path);
    for (const char* kept_back :
         {"teach.md", "mutants", "alternatives", "hidden", "saxpy.cu", "tests", "week3", "~"})
      CHECK(path.find(kept_back) == std::string::npos);
  }
  const auto toml =
      std::ranges::find(entries, "warpbook/exercises/saxpy/exercise.toml", &lab::ZipEntry::path);
  REQUIRE(toml != entries.end());
  CHECK(toml->bytes == "points = 1\n[[gate]]\nid = \"right\"\n\n");
}

TEST_CASE("A zip holds its files as they are, runs what ran, and has the same bytes each time") {
  const Tree tree;
  const auto entries = tree.copy();
  const fs::path one = tree.folder.path() / "one.zip", two = tree.folder.path() / "two.zip";
  REQUIRE(lab::write_zip(one, entries));
  REQUIRE(lab::write_zip(two, entries));
  CHECK(device::read_file(one) == device::read_file(two));
  const auto script = std::ranges::find(entries, "warpbook/warpbook", &lab::ZipEntry::path);
  REQUIRE(script != entries.end());
  CHECK(script->executable);
  const auto back = lab::read_download(one);
  REQUIRE(back);
  CHECK(back->size() == entries.size());
  const auto sealed =
      std::ranges::find(*back, "warpbook/solutions/saxpy.ptx", &lab::HandedFile::path);
  REQUIRE(sealed != back->end());
  CHECK(sealed->bytes == kSealed);
}

TEST_CASE("A zip that cannot be written leaves nothing behind") {
  const TemporaryFolder folder;
  const fs::path zip = folder.path() / "copy.zip";
  const auto written = lab::write_zip(zip, {{"a", "", folder.path() / "absent", false}});
  REQUIRE_FALSE(written);
  CHECK(written.error().code == device::ErrorCode::file_unreadable);
  CHECK(fs::is_empty(folder.path()));
}

}  // namespace warpbook::tests::students_copy_test
