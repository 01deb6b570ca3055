// A class graded as an instructor does it: the real program, a download, and what it leaves in the folder of results.
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <csignal>
#include <cstdlib>
#include <fstream>
#include <thread>

#include <catch2/catch_test_macros.hpp>
#include <catch2/matchers/catch_matchers_string.hpp>
#include <nlohmann/json.hpp>

#include "tests/cli/program.hpp"

namespace warpbook::tests::grade_test {

using Catch::Matchers::ContainsSubstring;
using nlohmann::json;
namespace fs = std::filesystem;

namespace {

std::string solution() { return read_whole(fs::path(WARPBOOK_SOURCE_DIR) / "solutions/saxpy.cu"); }
std::string starter() {
  return read_whole(fs::path(WARPBOOK_SOURCE_DIR) / "exercises/saxpy/starter.cu");
}
/// The solution with a statement more.
std::string with(const std::string& statement) {
  std::string source = solution();
  source.insert(source.find('{') + 1, "\n" + statement);
  return source;
}

/// Every file below a folder, by its path there.
std::map<std::string, std::string> files_of(const fs::path& folder) {
  std::map<std::string, std::string> files;
  for (const fs::directory_entry& entry : fs::recursive_directory_iterator(folder)) {
    if (entry.is_regular_file())
      files[entry.path().lexically_relative(folder).string()] = read_whole(entry.path());
  }
  return files;
}

struct Class {
  TemporaryFolder folder;
  fs::path submissions = folder.path() / "submissions", out = folder.path() / "graded";

  Class() { fs::create_directories(submissions); }
  void hands_in(const std::string& path, const std::string& text) const {
    folder.write("submissions/" + path, text);
  }
  [[nodiscard]] std::vector<std::string> words(const std::string& verb,
                                               const std::vector<std::string>& more) const {
    std::vector<std::string> all{
        verb, submissions.string(), "--out", out.string(), "--exercises", "saxpy", "--lang", "en"};
    all.insert(all.end(), more.begin(), more.end());
    return all;
  }
  [[nodiscard]] Outcome does(const std::string& verb, const std::vector<std::string>& more = {},
                             const std::map<std::string, std::string>& environment = {}) const {
    return warpbook(words(verb, more), environment);
  }
  [[nodiscard]] json results() const { return json::parse(read_whole(out / "class.json")); }
  [[nodiscard]] json grade_of(const std::string& id) const {
    const json all = results();
    for (const json& student : all.at("students")) {
      if (student.at("id") == id) return student.at("grades").at(0);
    }
    throw std::runtime_error("no student " + id);
  }
};

}  // namespace

TEST_CASE(
    "warpbook grade grades a class of Canvas, fills its gradebook, and writes a page for each "
    "student",
    "[ci]") {
  const Class students;
  students.hands_in("lovelaceada_1_11_saxpy.cu", "no program");
  students.hands_in("lovelaceada_1_12_saxpy-1.cu", solution());
  students.hands_in("hoppergrace_LATE_2_13_saxpy.cu", solution());
  students.hands_in("eve_3_14_saxpy.cu", starter());
  students.hands_in("notes.txt", "nobody's");
  const fs::path roster = students.folder.write(
      "roster.csv",
      "Student,ID,SIS User ID,SIS Login ID,Section,Saxpy (7)\n    Points Possible,,,,,20\n"
      "\"Lovelace, Ada\",1,,,,\n\"=1+1\",2,,,,\nEve,3,,,,\nAbsent,4,,,,5\n");
  const Outcome graded = students.does("grade", {"--roster", roster.string(), "--late", "10%",
                                                 "--seed", "7", "--due", "2026-11-20T23:59+01:00"});
  CAPTURE(graded.out, graded.err);
  REQUIRE(graded.code == 0);
  CHECK_THAT(graded.out,
             said("cli.grade.done",
                  {{"students", "4"}, {"passed", "2"}, {"failed", "1"}, {"missing", "1"}}));
  CHECK_THAT(graded.out, said("grading.no-times"));
  CHECK(students.grade_of("1").at("points") == 10);
  CHECK(students.grade_of("1").at("earlier") == json({"lovelaceada_1_11_saxpy.cu"}));
  CHECK(students.grade_of("2").at("points") == 9);
  CHECK(students.grade_of("3").at("state") == "failed");
  CHECK(students.grade_of("3").at("points") == 0);
  CHECK(students.grade_of("4").at("state") == "missing");
  CHECK(read_whole(students.out / "gradebook-canvas.csv") ==
        "Student,ID,SIS User ID,SIS Login ID,Section,Saxpy (7)\n    Points Possible,,,,,20\n"
        "\"Lovelace, Ada\",1,,,,20\n'=1+1,2,,,,18\nEve,3,,,,0\nAbsent,4,,,,5\n");
  const std::string overview = read_whole(students.out / "overview.html");
  CHECK_THAT(overview,
             ContainsSubstring("href=\"students/1.html\"") && ContainsSubstring("notes.txt"));
  CHECK_THAT(read_whole(students.out / "students/1.html"),
             ContainsSubstring("data-exhibit=\"check\""));
  CHECK_THAT(read_whole(students.out / "students/2.html"),
             said("grading.points", {{"points", "4"}, {"possible", "4"}}) &&
                 said("grading.deducted", {{"points", "1"}, {"checked", "10"}}));
  CHECK_THAT(read_whole(students.out / "students/3.html"),
             said("grading.points", {{"points", "0"}, {"possible", "4"}}));
  CHECK_THAT(read_whole(students.out / "grades.csv"),
             ContainsSubstring("code,saxpy,saxpy.deduction,saxpy.state,") &&
                 ContainsSubstring(",9,1,passed,") && ContainsSubstring(",10,0,passed,"));
  const json gradescope = json::parse(read_whole(students.out / "gradescope/2/results.json"));
  CHECK(gradescope.at("score") == 9);
  CHECK_THAT(gradescope.at("output").get<std::string>(),
             said("grading.deducted", {{"points", "1"}, {"checked", "10"}}));
  const json wrong = json::parse(read_whole(students.out / "gradescope/3/results.json"));
  for (const json& item : wrong.at("tests")) CHECK(item.at("score") == 0);
  CHECK(gradescope.at("tests").size() > 2);
  CHECK_FALSE(fs::exists(students.out / "gradescope/4"));
}

TEST_CASE(
    "warpbook grade keeps the points of a right kernel that prints in every thread, and notes it; "
    "a "
    "last attempt that does not compile is noted, too",
    "[ci]") {
  const Class students;
  students.hands_in("ada_1_11_saxpy.cu", with("  printf(\"thread %d of %d\\n\", threadIdx.x, n);"));
  students.hands_in("bob_2_12_saxpy.cu", solution());
  students.hands_in("bob_2_13_saxpy-1.cu", "no program");
  REQUIRE(students.does("grade").code == 0);
  CHECK(students.grade_of("1").at("state") == "passed");
  CHECK(students.grade_of("1").at("points") == 10);
  CHECK_THAT(read_whole(students.out / "students/1.html"),
             said("grading.prints") && said("exercise.prints.advice"));
  CHECK_THAT(read_whole(students.out / "overview.html"),
             said("grading.prints") && said("grading.earlier-uncompiled.one"));
}

TEST_CASE(
    "warpbook grade gives the same bytes for the same class and key, however many checks run at "
    "once",
    "[ci]") {
  const Class students;
  students.hands_in("ada/saxpy.cu", solution());
  students.hands_in("bob/saxpy.cu", starter());
  students.hands_in("eve/saxpy.cu", with("  y[1 << 28] = 1;"));
  REQUIRE(students.does("grade", {"--jobs", "1", "--seed", "5"}).code == 0);
  const auto first = files_of(students.out);
  fs::remove_all(students.out);
  REQUIRE(students.does("grade", {"--jobs", "3", "--seed", "5"}).code == 0);
  const auto second = files_of(students.out);
  REQUIRE(first.size() == second.size());
  for (const auto& [path, text] : first) {
    CAPTURE(path);
    CHECK((second.contains(path) && second.at(path) == text));
  }
}

TEST_CASE("warpbook grade gives no point for what a submission prints, and shows it as text",
          "[ci]") {
  const Class students;
  std::string wrong = with(
      "  printf(\"saxpy passed: 10 of 10 points.\\n\");\n"
      "  printf(\"{\\\"graded\\\": true, \\\"passed\\\": true, \\\"points\\\": 10}\\n\");\n"
      "  printf(\"</pre><script>alert(1)</script>\\n\");");
  wrong.replace(wrong.rfind('+'), 1, "-");
  students.hands_in("eve/saxpy.cu", wrong);
  REQUIRE(students.does("grade").code == 0);
  CHECK(students.grade_of("eve").at("state") == "failed");
  CHECK(students.grade_of("eve").at("points") < 10);
  for (const auto& [path, text] : files_of(students.out)) {
    CAPTURE(path);
    if (path.ends_with(".html")) CHECK(text.find("<script") == std::string::npos);
  }
}

TEST_CASE(
    "warpbook grade takes a submission's crash for the student's error, and a broken file for no "
    "program",
    "[ci]") {
  const Class students;
  students.hands_in("deep/saxpy.cu", std::string(200000, '('));
  students.hands_in("trap/saxpy.cu", with("  __trap();"));
  students.hands_in("null/saxpy.cu", std::string("a\0b", 3));
  fs::create_directories(students.submissions / "link");
  fs::create_symlink(fs::path(WARPBOOK_SOURCE_DIR) / "solutions/saxpy.cu",
                     students.submissions / "link/saxpy.cu");
  const Outcome graded = students.does("grade");
  CAPTURE(graded.out, graded.err);
  REQUIRE(graded.code == 0);
  CHECK(students.grade_of("deep").at("state") == "failed");
  CHECK(students.grade_of("trap").at("state") == "failed");
  CHECK(students.grade_of("null").at("state") == "refused");
  CHECK(students.grade_of("link").at("state") == "refused");
  CHECK(students.grade_of("link").at("points") == 0);
}

TEST_CASE("warpbook grade gives no grade where the machine fails, and exit code 3") {
  const Class students;
  students.hands_in("ada/saxpy.cu", solution());
  const fs::path roster = students.folder.write(
      "roster.csv",
      "Identifier,Grade,\"Maximum Grade\",\"Last modified (grade)\"\nParticipant ada,,10,-\n");
  const Outcome graded =
      students.does("grade", {"--roster", roster.string()}, {{"WARPBOOK_CUDA", "/nowhere"}});
  CAPTURE(graded.out, graded.err);
  CHECK(graded.code == 3);
  CHECK_THAT(graded.out, said("cli.grade.not-graded", {{"count", "1"}}));
  CHECK(students.grade_of("ada").at("state") == "not-graded");
  CHECK_THAT(read_whole(students.out / "gradebook-moodle.csv"),
             ContainsSubstring("Participant ada,,10"));
  CHECK_THAT(read_whole(students.out / "grades.csv"), ContainsSubstring("ada,ada,,"));
  CHECK_THAT(read_whole(students.out / "grades.csv"), ContainsSubstring(",,10\n"));
  CHECK_FALSE(fs::exists(students.out / "gradescope"));
}

TEST_CASE("warpbook grade goes on after a kill with the checks that are there", "[ci]") {
  const Class students;
  for (int i = 0; i < 6; ++i)
    students.hands_in("s" + std::to_string(i) + "/saxpy.cu",
                      solution() + "// " + std::to_string(i));
  const std::vector<std::string> words = students.words("grade", {"--jobs", "1", "--seed", "3"});
  const pid_t running = ::fork();
  if (running == 0) {
    std::vector<char*> arguments;
    std::string name = "warpbook";
    arguments.push_back(name.data());
    for (const std::string& word : words) arguments.push_back(const_cast<char*>(word.c_str()));
    arguments.push_back(nullptr);
    ::freopen("/dev/null", "w", stdout);
    ::execv(WARPBOOK_BINARY, arguments.data());
    ::_exit(127);
  }
  const auto checks = [&] {
    std::error_code ignored;
    std::size_t count = 0;
    for (const auto& entry : fs::directory_iterator(students.out / "checks", ignored))
      count += entry.path().extension() == ".check";
    return count;
  };
  for (int i = 0; i < 3000 && checks() < 2; ++i)
    std::this_thread::sleep_for(std::chrono::milliseconds(10));
  ::kill(running, SIGKILL);
  ::waitpid(running, nullptr, 0);
  REQUIRE(checks() >= 2);
  REQUIRE_FALSE(fs::exists(students.out / "class.json"));

  std::map<std::string, fs::file_time_type> before;
  for (const auto& entry : fs::directory_iterator(students.out / "checks"))
    before[entry.path().filename().string()] = entry.last_write_time();
  REQUIRE(students.does("grade", {"--resume"}).code == 0);
  CHECK(checks() == 6);
  CHECK(students.results().at("seed") == 3);
  for (const auto& [name, when] : before) {
    CAPTURE(name);
    if (name.ends_with(".check"))
      CHECK(fs::last_write_time(students.out / "checks" / name) == when);
  }
}

TEST_CASE("warpbook regrade says whose grade changes and why, and grade replaces no results",
          "[ci]") {
  const Class students;
  students.hands_in("ada/saxpy.cu", starter());
  students.hands_in("bob/saxpy.cu", starter());
  CHECK(students.does("regrade").code == 2);
  REQUIRE(students.does("grade", {"--seed", "9"}).code == 0);
  const Outcome refused = students.does("grade");
  CHECK(refused.code == 2);
  CHECK_THAT(refused.err, Says("phrase.handed.has-results"));

  students.hands_in("ada/saxpy.cu", solution());
  const fs::path overrides =
      students.folder.write("overrides.toml",
                            "[[override]]\nstudent = \"bob\"\nexercise = \"saxpy\"\npoints = "
                            "5\nreason = \"told me how\"\n");
  const Outcome again = students.does("regrade", {"--overrides", overrides.string()});
  CAPTURE(again.out, again.err);
  REQUIRE(again.code == 0);
  CHECK_THAT(again.out, said("cli.grade.changed", {{"count", "2"}}));
  CHECK_THAT(again.out, said("phrase.regrade.another-file") && said("phrase.regrade.override"));
  CHECK(students.results().at("seed") == 9);
  CHECK(students.grade_of("bob").at("points") == 5);
  CHECK_THAT(read_whole(students.out / "students/bob.html"),
             said("grading.points-by-hand", {{"state", "not passed"}}));
  CHECK_THAT(students.does("regrade", {"--overrides", overrides.string()}).out,
             said("cli.grade.unchanged"));
  const Outcome without = students.does("grade", {"--resume"});
  CHECK_THAT(without.out, said("cli.grade.unchanged") && said("cli.grade.kept-overrides.one"));
  CHECK(students.grade_of("bob").at("points") == 5);
  const fs::path none = students.folder.write("none.toml", "");
  REQUIRE(students.does("grade", {"--resume", "--overrides", none.string()}).code == 0);
  CHECK(students.grade_of("bob").at("points") == 0);
}

TEST_CASE("warpbook grade --anonymous names nobody on a page, and its codes stand in the table",
          "[ci]") {
  const Class students;
  students.hands_in("lovelaceada_1815_11_saxpy.cu", solution());
  students.hands_in("lovelaceada_1815_12_notes.pdf", "%PDF");
  REQUIRE(students.does("grade").code == 0);
  REQUIRE(fs::exists(students.out / "students/1815.html"));
  REQUIRE(students.does("grade", {"--resume", "--anonymous"}).code == 0);
  const std::string code = students.results().at("students").at(0).at("code");
  CHECK(fs::exists(students.out / "students" / (code + ".html")));
  CHECK_THAT(read_whole(students.out / "grades.csv"),
             ContainsSubstring("1815,lovelaceada,," + code));
  for (const auto& [path, text] : files_of(students.out)) {
    CAPTURE(path);
    CHECK(path.find("1815") == std::string::npos);
    if (!path.ends_with(".html")) continue;
    CHECK(text.find("lovelace") == std::string::npos);
    CHECK(text.find("1815") == std::string::npos);
  }
}

TEST_CASE("warpbook grade gives each student hidden cases of their own, which only the key tells",
          "[ci]") {
  const Class students;
  students.hands_in("ada/saxpy.cu", solution());
  REQUIRE(students.does("grade", {"--seed", "1"}).code == 0);
  const auto names = [&] {
    std::vector<std::string> all;
    for (const auto& [path, text] : files_of(students.out / "checks")) all.push_back(path);
    return all;
  };
  const auto first = names();
  REQUIRE(students.does("regrade", {"--seed", "1"}).code == 0);
  CHECK(names() == first);
  REQUIRE(students.does("regrade", {"--seed", "2"}).code == 0);
  CHECK(names().size() == first.size() + 1);
}

TEST_CASE("warpbook grade takes from a course what its flags do not say", "[ci]") {
  const Class students;
  students.hands_in("a_LATE_1_2_saxpy.cu", solution());
  students.folder.write("course/roster.csv", "id,name\n1,Ada\n2,Bob\n");
  students.folder.write("course/course.toml",
                        "seed = 6\nroster = \"roster.csv\"\n"
                        "[[assignment]]\nname = \"week\"\nlate = \"10%\"\n");
  const std::string course = (students.folder.path() / "course").string();
  REQUIRE(students.does("grade", {"--course", course}).code == 0);
  CHECK(students.results().at("seed") == 6);
  CHECK(students.grade_of("1").at("points") == 9);
  CHECK(students.grade_of("2").at("state") == "missing");
  REQUIRE(students.does("regrade", {"--course", course, "--late", "zero"}).code == 0);
  CHECK(students.grade_of("1").at("points") == 0);
}

TEST_CASE("warpbook grade --slurm writes a script whose jobs leave the bytes of one machine",
          "[ci]") {
  const Class alone, shared;
  // An sbatch that runs each job at once, the parts backwards, and lets the second one die before it has done anything.
  const fs::path sbatch =
      shared.folder.write("bin/sbatch",
                          "#!/bin/sh\njob=$(mktemp)\ncat > \"$job\"\nparts=0\nfor word; do\n  case "
                          "$word in --array=1-*) "
                          "parts=${word#--array=1-} ;; --chdir=*) cd \"${word#--chdir=}\" ;; "
                          "esac\ndone\nexport SLURM_CPUS_ON_NODE=1\n"
                          "[ $parts != 0 ] || sh \"$job\" > slurm/grades.txt\nwhile [ $parts != 0 "
                          "]; do\n  [ $parts = 2 ] || "
                          "SLURM_ARRAY_TASK_ID=$parts sh \"$job\" > slurm/part-$parts.txt\n  "
                          "parts=$((parts - 1))\ndone\necho 7\n");
  fs::permissions(sbatch, fs::perms::owner_all);
  for (const Class* each : {&alone, &shared}) {
    each->hands_in("ada/saxpy.cu", solution());
    each->hands_in("it's eve/saxpy.cu", starter());
    each->hands_in("zoe/saxpy.cu", solution() + "// mine\n");
  }
  REQUIRE(alone.does("grade", {"--seed", "5"}).code == 0);
  const Outcome written = shared.does("grade", {"--seed", "5", "--slurm", "3"});
  CAPTURE(written.out, written.err);
  REQUIRE(written.code == 0);
  CHECK_FALSE(fs::exists(shared.out / "class.json"));
  const std::string run = "PATH='" + sbatch.parent_path().string() + "':$PATH sh '" +
                          (shared.out / "submit.sh").string() + "' --partition=short > /dev/null";
  REQUIRE(std::system(run.c_str()) == 0);  // NOLINT(cert-env33-c): it is a script that is tested
  CHECK_THAT(read_whole(shared.out / "slurm/part-1.txt"), said("cli.grade.part", {{"count", "1"}}));
  auto by_slurm = files_of(shared.out);
  for (const char* own : {"submit.sh", "slurm/part-1.txt", "slurm/part-3.txt", "slurm/grades.txt"})
    CHECK(by_slurm.erase(own) == 1);
  const auto on_one = files_of(alone.out);
  REQUIRE(by_slurm.size() == on_one.size());
  for (const auto& [path, text] : on_one) {
    CAPTURE(path);
    CHECK((by_slurm.contains(path) && by_slurm.at(path) == text));
  }
}

TEST_CASE("warpbook grade --part makes no results, and asks for a key that all parts share") {
  const Class students;
  students.hands_in("ada/saxpy.cu", solution());
  students.hands_in("bob/saxpy.cu", solution());
  CHECK_THAT(students.does("grade", {"--part", "1/2"}).err, Says("phrase.handed.part-needs-key"));
  for (const char* part : {"0/2", "3/2", "2", "1/", "a/b", "1/2x"}) {
    CAPTURE(part);
    CHECK_THAT(students.does("grade", {"--part", part, "--seed", "1"}).err,
               Says("phrase.handed.part"));
  }
  REQUIRE(students.does("grade", {"--part", "2/2", "--seed", "1"}).code == 0);
  CHECK_FALSE(fs::exists(students.out / "class.json"));
  CHECK(files_of(students.out / "checks").size() == 2);  // one check, and the key
}

TEST_CASE(
    "warpbook grade asks which of a gradebook's assignments is meant before it checks anyone, on "
    "Slurm too") {
  const Class students;
  students.hands_in("ada_1_11_saxpy.cu", solution());
  const std::string roster =
      students.folder
          .write("roster.csv", "Student,ID,Section,Homework 1 (501),Saxpy (502)\nAda,1,,,\n")
          .string();
  for (const std::vector<std::string>& more :
       {std::vector<std::string>{}, std::vector<std::string>{"--slurm", "2"}}) {
    std::vector<std::string> words{"--roster", roster};
    words.insert(words.end(), more.begin(), more.end());
    const Outcome asked = students.does("grade", words);
    CAPTURE(asked.out, asked.err);
    CHECK(asked.code == 2);
    CHECK_THAT(asked.err, ContainsSubstring("--column") && ContainsSubstring("Saxpy (502)"));
    CHECK_FALSE(fs::exists(students.out));
  }
}

TEST_CASE(
    "warpbook grade warns of a roster that lacks students, of points by hand that an exercise does "
    "not have, and names files that are for no exercise",
    "[ci]") {
  const Class students;
  students.hands_in("ada_1_11_saxpy.cu", starter());
  students.hands_in("bob_2_12_saxpy.cu", starter());
  students.hands_in("eve_3_13_notes.txt", "sorry");
  const auto graded = [&](const std::string& ids, const std::vector<std::string>& more = {}) {
    const fs::path roster = students.folder.write("roster.csv", "id\n" + ids);
    std::vector<std::string> words{"--roster", roster.string(), "--resume"};
    words.insert(words.end(), more.begin(), more.end());
    const Outcome outcome = students.does("grade", words);
    CAPTURE(outcome.out, outcome.err);
    REQUIRE(outcome.code == 0);
    return std::pair(outcome.out, read_whole(students.out / "overview.html"));
  };
  for (const std::string& text :
       {graded("1\n2\n3\n").first, read_whole(students.out / "overview.html")})
    CHECK_THAT(text, !said("grading.other-roster") && !said("grading.strangers.one") &&
                         !said("grading.too-many-points"));
  const auto [some_out, some_overview] = graded("1\n2\n4\n");
  CHECK_THAT(some_out, said("grading.strangers.one"));
  CHECK_THAT(some_overview, said("grading.strangers.one"));
  const auto [none_out, none_overview] = graded("7\n8\n");
  CHECK_THAT(none_out, said("grading.other-roster"));
  CHECK_THAT(none_overview, said("grading.other-roster"));

  const fs::path overrides = students.folder.write(
      "o.toml", "[[override]]\nstudent = 1\nexercise = \"saxpy\"\npoints = 70\nreason = \"x\"\n");
  const auto [many_out, many_overview] =
      graded("1\n2\n3\n", {"--overrides", overrides.string(), "--anonymous"});
  const std::string ada = students.results().at("students").at(0).at("code");
  CHECK_THAT(many_out, said("grading.too-many-points", {{"student", ada}, {"points", "70"}}));
  CHECK_THAT(many_overview, said("grading.too-many-points", {{"student", ada}, {"points", "70"}}));

  const std::string eve = students.results().at("students").at(2).at("code");
  CHECK_THAT(many_overview, ContainsSubstring(eve + ", notes.txt: "));
  const std::string page = read_whole(students.out / "students" / (eve + ".html"));
  CHECK_THAT(page, said("grading.state.no-file") &&
                       said("phrase.handed.besides", {{"files", "notes.txt"}}) &&
                       !said("grading.state.missing"));
}

TEST_CASE("warpbook grade says what is wrong with its flags") {
  const Class students;
  students.hands_in("ada/saxpy.cu", solution());
  const Outcome late = students.does("grade", {"--late", "often"});
  CHECK(late.code == 2);
  CHECK_THAT(late.err, Says("phrase.handed.late-rule"));
  CHECK_THAT(students.does("grade", {"--due", "2026-11-20"}).err, Says("phrase.handed.time"));
  const fs::path nobody = students.folder.write(
      "o.toml",
      "[[override]]\nstudent = \"zoe\"\nexercise = \"saxpy\"\npoints = 5\nreason = \"x\"\n");
  const Outcome unknown = students.does("grade", {"--overrides", nobody.string()});
  CHECK(unknown.code == 2);
  CHECK_THAT(unknown.err, Says("error.unknown_name.long", {{"name", "zoe"}}));
  CHECK_FALSE(fs::exists(students.out / "class.json"));
}

}  // namespace warpbook::tests::grade_test
