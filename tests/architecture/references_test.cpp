// A comment that sends its reader to a file which is not there costs more than no comment.
#include <catch2/catch_test_macros.hpp>

#include <fnmatch.h>

#include <algorithm>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "tests/architecture/references.hpp"
#include "tests/architecture/rooms.hpp"
#include "tests/architecture/source_tree.hpp"

namespace warpbook::architecture::references_test {
namespace {

const std::filesystem::path kRoot = WARPBOOK_SOURCE_DIR;

/// Names of files that are no files of ours. * stands for any characters.
struct Foreign {
  const char* name;
  const char* why;
};
constexpr Foreign kForeign[]{
    {"BenchResults*.md", "measurements in other people's repositories, which we cite"},
    {"*/BenchResults*.md", "the same, with their folders"},
    {"analysis_RTX4090.md", "the same"},
    {"latency/README.md", "the same"},
    {"aten/src/ATen/*", "PyTorch's sources"},
    {"EastAsianWidth.txt", "a table of the Unicode standard"},
    {"generated/*", "written into the build folder"},
    {"h200.json", "the name of a record that a GPU's owner makes"},
    {"rtx-4090.json", "the same"},
    {"mine.cu", "a reader's own file"},
    {"saxpy.before-*.cu", "the same"},
    {"progress.toml", "what a reader has reached, in the reader's folder"},
    {"state.json", "the same"},
    {"*axpy-2.cu", "a file of a student, in a learning system's download"},
    {"my_saxpy*.cu", "the same"},
    {"*.zip/saxpy.cu", "the same"},
    {"submission_*/saxpy.cu", "the same"},
    {"*assignsubmission_file_/saxpy.cu", "the same"},
    {"class.json", "what is left of a graded class"},
    {"*results.json", "the same, and Gradescope's name for it"},
    {"week3/*", "the same, in the folder that an instructor named"},
    {"students/*", "the same"},
    {"gradescope/*", "the same"},
    {"checks/*", "the same"},
    {"submission_*/", "a folder of Gradescope's export"},
    {"lib/content_zipper.rb", "Canvas's sources"},
    {"mod/assign/*", "Moodle's sources"},
    {"course.toml", "an instructor's own file"},
    {"week3.toml", "the same"},
    {"demo.toml", "a lecture that an instructor prepared"},
    {"monday.toml", "the same"},
    {"monday.recorded/", "what is kept of it"},
    {"overrides.toml", "the same"},
    {"hidden.toml", "the same"},
    {"exercises/my-filter/*", "the same, in the folder of a course"},
    {"mycourse/*", "the same"},
    {"solutions/my-filter.cu", "the same"},
    {"submit.sh", "written for Slurm"},
    {"*/submit.sh", "the same, in the folder that an instructor named"},
    {"slurm/*", "the same"},
    {"setup.sh", "what Gradescope runs of an autograder"},
    {"NN_idea.cu", "the form of a kernel's name"},
    {"w.cu", "the form of NVRTC's message"},
    {"compile.*", "keys of strings"},
    {"phrase.*", "keys of strings"},
};

/// Files that name other people's files throughout.
const std::vector<std::string> kCitations{"tests/device/simulator/estimate/published.toml"};

bool is_foreign(const std::string& name) {
  return std::ranges::any_of(kForeign, [&](const Foreign& foreign) {
    return fnmatch(foreign.name, name.c_str(), 0) == 0;
  });
}

std::vector<std::string> names(const SourceFile& file, const Paths& paths) {
  std::vector<std::string> result;
  for (const Reference& reference : references_in(file, paths))
    result.push_back(std::to_string(reference.line) + " " + reference.name);
  return result;
}

TEST_CASE("every file that a comment or a text names is there") {
  std::vector<std::string> all = paths_of_tree(kRoot);
  const Rooms rooms = read_rooms(read_text(kRoot / "tests/architecture/rooms.toml"));
  all.insert(all.end(), rooms.generated.begin(), rooms.generated.end());
  const Paths paths(all);
  const auto files = source_files(kRoot, {".cpp", ".hpp", ".inc", ".cu", ".cuh", ".c", ".cl", ".md",
                                          ".toml", ".cmake", ".txt", ".sh", ".in", ""});
  std::string wrong;
  std::size_t references = 0;
  for (const SourceFile& file : files) {
    if (std::ranges::find(kCitations, file.path) != kCitations.end()) continue;
    for (const Reference& reference : references_in(file, paths)) {
      ++references;
      if (!paths.hold(reference.name) && !is_foreign(reference.name))
        wrong += file.path + ":" + std::to_string(reference.line) + ": there is no " +
                 reference.name + "\n";
    }
  }
  CHECK(references > 300);
  INFO(wrong);
  CHECK(wrong.empty());
}

TEST_CASE("names of files are found in comments and texts, and not in strings and addresses") {
  const Paths paths(
      {"lab/text/unicode.hpp", "gui/shell/shell.cpp", "tests/long/tidy", "README.md"});
  CHECK(
      names(
          {"a.cpp",
           "#include \"lab/b.hpp\"\n// see c.cpp, lab/d.hpp and e.* (or lab/f), in gh/\nauto g = "
           "\"g.cpp "
           "// "
           "h.cpp\";  // https://i.org/i.cpp, j.org/j.md\nauto k = R\"(// k.cpp\n)\"; // l.cpp\n"},
          paths) ==
      std::vector<std::string>{"2 c.cpp", "2 lab/d.hpp", "2 e.*", "2 lab/f", "2 gh/", "5 l.cpp"});
  CHECK(names({"a.md",
               "`shell/b` and c/d, ./warpbook, lessons/<slug>/e.md, f_<name>.cpp, "
               "tests/ROOM/f.cpp, build/g.txt\n"},
              paths) == std::vector<std::string>{"1 shell/b"});
  CHECK(names({"run.sh", "#!/bin/bash\ncat a.txt # b.txt\n"}, paths) ==
        std::vector<std::string>{"2 b.txt"});
}

TEST_CASE("a name resolves by its path, by its end, without its extension and as a folder") {
  const Paths paths({"lab/text/unicode.hpp", "gui/shell/shell.cpp", "tests/long/tidy"});
  for (const std::string_view name :
       {"lab/text/unicode.hpp", "text/unicode.hpp", "unicode.hpp", "unicode.*", "text/unicode.*",
        "lab/text/unicode", "text/unicode", "lab/text", "lab/text/", "text/", "lab/te*/",
        "tests/long/tidy", "uni*.hpp"}) {
    CAPTURE(name);
    CHECK(paths.hold(name));
  }
  for (const std::string_view name : {"code.hpp", "unicode.cpp", "lab/unicode.hpp", "lab/text/uni",
                                      "shell/text", "text.*", "unicode/"}) {
    CAPTURE(name);
    CHECK_FALSE(paths.hold(name));
  }
}

}  // namespace
}  // namespace warpbook::architecture::references_test
