// A class that was set a whole program: its host code is a stranger's machine code, so some of these submissions try what host code can.
#include <algorithm>
#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include <catch2/catch_test_macros.hpp>
#include <nlohmann/json.hpp>

#include "device/nvcc/nvcc.hpp"
#include "tests/cli/program.hpp"

namespace warpbook::tests::grade_programs_test {

using nlohmann::json;
namespace fs = std::filesystem;

namespace {

const fs::path kRoot = WARPBOOK_SOURCE_DIR;
constexpr const char* kExercise = "mend-leak";

std::string solution() { return read_whole(kRoot / "solutions/mend-leak.cu"); }
std::string beside(const std::string& file) {
  return read_whole(kRoot / "exercises" / kExercise / file);
}

/// The solution, which first does something else: `statement` of main, with what it needs above.
std::string with(const std::string& statement, const std::string& above = {}) {
  std::string source = solution();
  source.insert(source.find('{', source.find("int main(")) + 1, "\n" + statement + "\n");
  return "#include <dirent.h>\n#include <fcntl.h>\n#include <signal.h>\n#include "
         "<sys/socket.h>\n#include <unistd.h>\n" +
         above + source;
}

struct Submission {
  std::string student, source, expected;  ///< the state of the grade
};

std::vector<Submission> submissions(const fs::path& home) {
  const std::string right = "passed", wrong = "failed";
  const std::string file = (home / "caught").string();
  return {
      {"right", solution(), right},
      {"unlike-ours", beside("alternatives/owner.cu"), right},
      {"starter", beside("starter.cu"), wrong},
      {"wrong", beside("mutants/nothing_freed.cu"), wrong},
      // What is written on the way into a folder of others has no effect, and the rest of the program is right.
      {"writes-into-home", with("  close(open(\"" + file + "\", O_CREAT | O_WRONLY, 0600));"),
       right},
      {"removes-files", with("  std::system(\"rm -rf " + home.string() + "/*\");"), right},
      {"looks-around",
       with("  DIR* here = opendir(\".\");\n  while (dirent* entry = readdir(here))\n"
            "    if (entry->d_name[0] != '.') return 1;"),
       right},
      {"writes-where-it-runs", with("  std::fclose(std::fopen(\"caught\", \"w\"));"), right},
      {"prints-a-verdict",
       "#include <cstdio>\nint main() { std::puts(\"mend-leak passed: 10 of 10 "
       "points.\\n{\\\"graded\\\": true, "
       "\\\"passed\\\": true, \\\"points\\\": 10}\"); }\n",
       wrong},
      {"ends-well", "int main() { return 0; }\n", wrong},
      {"prints-the-numbers-of-the-host", beside("mutants/host_counts.cu"), wrong},
      {"includes-the-solution",
       "#include \"" + (kRoot / "solutions/mend-leak.cu").string() + "\"\n", wrong},
      {"takes-the-solution-in",
       with("",
            "__asm__(\".incbin \\\"" + (kRoot / "solutions/mend-leak.cu").string() + "\\\"\");\n"),
       wrong},
      {"loops", with("  for (volatile int turns = 0;; turns = 0) {}"), wrong},
      {"prints-without-end", with("  for (;;) std::puts(\"again\");"), wrong},
      {"takes-all-memory",
       with("  for (;;) {\n    auto* bytes = static_cast<volatile char*>(std::malloc(1 << 24));\n"
            "    for (int at = 0; bytes && at < 1 << 24; at += 4096) bytes[at] = 1;\n  }"),
       wrong},
      {"kills-who-runs-it", with("  kill(getppid(), SIGKILL);\n  kill(0, SIGKILL);"), wrong},
      {"leaves-children",
       with("  for (int child = 0; child < 8; ++child)\n    if (fork() == 0) for (;;) pause();"),
       right},
      {"fills-the-disk",
       with("  const int file = open(\"filler\", O_CREAT | O_WRONLY, 0600);\n"
            "  while (ftruncate(file, 1ll << 45) == 0) {}\n  close(file);"),
       wrong},  // the limit on a file's size ends it
  };
}

json grade_of(const json& results, const std::string& id) {
  for (const json& student : results.at("students")) {
    if (student.at("id") == id) return student.at("grades").at(0);
  }
  throw std::runtime_error("no student " + id);
}

}  // namespace

TEST_CASE(
    "warpbook grade grades a class's whole programs, and hostile ones gain nothing and reach "
    "nothing",
    "[long]") {
  if (const auto nvcc = device::find_nvcc(); !nvcc) SKIP(nvcc.error().english());
  const TemporaryFolder folder, home;
  home.write("thesis.txt", "not to be lost\n");
  const fs::path out = folder.path() / "graded";
  const std::vector<Submission> all = submissions(home.path());
  for (const Submission& each : all)
    folder.write("submissions/" + each.student + "/mend-leak.cu", each.source);
  const Outcome graded =
      warpbook({"grade", (folder.path() / "submissions").string(), "--out", out.string(),
                "--exercises", kExercise, "--seed", "3", "--lang", "en"});
  CAPTURE(graded.out, graded.err);
  if (graded.err.find("box") != std::string::npos) SKIP(graded.err);
  REQUIRE(graded.code == 0);
  const json results = json::parse(read_whole(out / "class.json"));
  for (const Submission& each : all) {
    CAPTURE(each.student);
    const json grade = grade_of(results, each.student);
    CHECK(grade.at("state") == each.expected);
    CHECK((grade.at("points") == grade.at("possible")) == (each.expected == "passed"));
  }
  CHECK(read_whole(home.path() / "thesis.txt") == "not to be lost\n");
  CHECK_FALSE(fs::exists(home.path() / "caught"));
  CHECK_FALSE(fs::exists("caught"));
  CHECK_FALSE(fs::exists("filler"));
}

}  // namespace warpbook::tests::grade_programs_test
