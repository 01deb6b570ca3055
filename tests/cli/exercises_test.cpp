// The exercises at the terminal: a student begins one, is checked on every save, asks for hints, starts over and goes on.
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <csignal>
#include <fstream>
#include <functional>
#include <thread>

#include <catch2/catch_test_macros.hpp>
#include <catch2/matchers/catch_matchers_string.hpp>
#include <nlohmann/json.hpp>

#include "tests/cli/program.hpp"

namespace warpbook::tests::exercises_test {

using Catch::Matchers::ContainsSubstring;
using nlohmann::json;
namespace fs = std::filesystem;

namespace {

/// A student's home, and the program in it.
struct Student {
  TemporaryFolder home;
  [[nodiscard]] fs::path file(const std::string& name) const {
    return home.path() / "exercises" / name;
  }
  [[nodiscard]] Outcome does(std::vector<std::string> arguments) const {
    arguments.insert(arguments.end(), {"--lang", "en"});
    return warpbook(arguments, {{"WARPBOOK_HOME", home.path().string()}});
  }
  void writes(const std::string& name, const std::string& text) const {
    const fs::path fresh = file(name).string() + ".new";
    std::ofstream(fresh) << text;
    fs::rename(fresh, file(name));  // as editors save
  }
  [[nodiscard]] json list() const {
    json of_saxpy;
    for (const json& exercise : json::parse(does({"exercises", "--json"}).out)) {
      if (exercise.at("id") == "saxpy") of_saxpy = exercise;
    }
    return of_saxpy;
  }
};

std::string solution(const std::string& id) {
  return read_whole(fs::path(WARPBOOK_SOURCE_DIR) / "solutions" / (id + ".cu"));
}
std::string starter(const std::string& id) {
  return read_whole(fs::path(WARPBOOK_SOURCE_DIR) / "exercises" / id / "starter.cu");
}

bool soon(const std::function<bool()>& happens) {
  for (int i = 0; i < 3000; ++i) {
    if (happens()) return true;
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
  }
  return false;
}

}  // namespace

TEST_CASE("a student begins an exercise, fails, passes, and is sent to the next", "[ci]") {
  const Student student;
  CHECK_THAT(student.does({"next"}).out, said("cli.exercises.next"));
  CHECK(student.list().at("file") == "");

  const Outcome started = student.does({"start"});
  CAPTURE(started.out, started.err);
  REQUIRE(started.code == 0);
  CHECK_THAT(started.out, said("cli.exercises.started"));
  CHECK(read_whole(student.file("saxpy.cu")) == starter("saxpy"));
  CHECK_THAT(student.does({"next"}).out, said("cli.exercises.next-begun"));

  const Outcome failed = student.does({"check", "saxpy"});
  CHECK(failed.code == 1);
  CHECK_THAT(failed.out, said("cli.check.own"));
  student.writes("saxpy.cu", solution("saxpy"));
  CHECK_THAT(student.does({"start", "saxpy"}).out, said("cli.exercises.already"));
  CHECK(read_whole(student.file("saxpy.cu")) == solution("saxpy"));
  const Outcome passed = student.does({"check", "saxpy"});
  CAPTURE(passed.out, passed.err);
  CHECK(passed.code == 0);
  CHECK_THAT(passed.out, said("cli.exercises.next") && ContainsSubstring("grid-stride"));

  const json reached = student.list();
  CHECK(reached.at("points") == reached.at("points_possible"));
  CHECK(reached.at("passed") != "");
  CHECK(reached.at("file") == student.file("saxpy.cu").string());
  CHECK_THAT(student.does({"exercises"}).out, said("cli.exercises.passed"));
}

TEST_CASE("a check of any other file is no progress of the student's", "[ci]") {
  const Student student;
  const std::string file = (fs::path(WARPBOOK_SOURCE_DIR) / "solutions/saxpy.cu").string();
  CHECK(student.does({"check", "saxpy", file}).code == 0);
  CHECK(student.list().at("passed") == "");
  CHECK_FALSE(fs::exists(student.home.path() / "exercises"));
}

TEST_CASE("hints come one by one, for what fails first, and are counted", "[ci]") {
  const Student student;
  CHECK(student.does({"hint", "saxpy"}).code == 1);  // nothing to give a hint on yet
  REQUIRE(student.does({"start", "saxpy"}).code == 0);
  std::size_t length = 0;
  for (int tier = 1; tier <= 5; ++tier) {
    const Outcome hint = student.does({"hint", "saxpy"});
    CAPTURE(tier, hint.out, hint.err);
    REQUIRE(hint.code == 0);
    for (int seen = 1; seen <= std::min(tier, 4); ++seen) {
      CHECK_THAT(hint.out,
                 said("cli.exercises.hint", {{"number", std::to_string(seen)}, {"total", "4"}}));
    }
    if (tier <= 4) {
      CHECK(hint.out.size() > length);
    } else {
      CHECK(hint.out.size() == length);
    }
    length = hint.out.size();
  }
  CHECK(student.list().at("hints").size() == 1);
  CHECK(student.list().at("hints").begin().value() == 4);
  student.writes("saxpy.cu", "__global__ void saxpy( {\n");
  const Outcome broken = student.does({"hint", "saxpy"});
  CHECK(broken.code == 1);
  CHECK_FALSE(broken.err.empty());
}

TEST_CASE("reset puts the starter back and says where the student's own is kept", "[ci]") {
  const Student student;
  REQUIRE(student.does({"start", "saxpy"}).code == 0);
  student.writes("saxpy.cu", "// mine");
  const Outcome reset = student.does({"reset", "saxpy"});
  CHECK(reset.code == 0);
  CHECK_THAT(reset.out, said("cli.exercises.reset-kept"));
  CHECK(read_whole(student.file("saxpy.cu")) == starter("saxpy"));
  CHECK(read_whole(student.file("saxpy.before-1.cu")) == "// mine");
  CHECK(student.does({"reset"}).code == 2);
  CHECK(student.does({"reset", "sexpy"}).code == 2);
}

TEST_CASE("watch checks at every save and ends when the exercise has passed", "[ci]") {
  const Student student;
  const fs::path said_here = student.home.path() / "said";
  const pid_t child = ::fork();
  if (child == 0) {
    ::setenv("WARPBOOK_HOME", student.home.path().c_str(), 1);
    if (!std::freopen(said_here.c_str(), "w", stdout)) ::_exit(99);
    ::execl(WARPBOOK_BINARY, WARPBOOK_BINARY, "watch", "saxpy", "--lang", "en", nullptr);
    ::_exit(99);
  }
  const auto verdicts = [&] {
    const std::string text = read_whole(said_here);
    int count = 0;
    for (auto at = text.find("Checked saxpy.cu"); at != text.npos;
         at = text.find("Checked saxpy.cu", at + 1))
      ++count;
    return count;
  };
  CHECK(soon([&] { return verdicts() == 1; }));  // the starter, at once
  student.writes("saxpy.cu", starter("saxpy") + "// still wrong\n");
  CHECK(soon([&] { return verdicts() == 2; }));
  int status = 0;
  CHECK(::waitpid(child, &status, WNOHANG) == 0);
  student.writes("saxpy.cu", solution("saxpy"));
  const bool ended = soon([&] { return ::waitpid(child, &status, WNOHANG) == child; });
  if (!ended) ::kill(child, SIGKILL);
  CAPTURE(read_whole(said_here));
  REQUIRE(ended);
  CHECK(WIFEXITED(status));
  CHECK(WEXITSTATUS(status) == 0);
  CHECK(student.list().at("passed") != "");
}

TEST_CASE(
    "a submission that is a link or no text is refused, and its words do not steer a terminal",
    "[ci]") {
  const TemporaryFolder folder;
  const fs::path link = folder.path() / "saxpy.cu";
  fs::create_symlink(fs::path(WARPBOOK_SOURCE_DIR) / "solutions/saxpy.cu", link);
  const Outcome linked = warpbook({"check", "saxpy", link.string(), "--lang", "en"});
  CHECK(linked.code == 2);
  CHECK_THAT(linked.err, said("phrase.why.a-link"));
  const std::string noise = folder.write("noise.cu", std::string("__global__\0\xff\x01", 13));
  const Outcome nothing = warpbook({"check", "saxpy", noise, "--lang", "en"});
  CHECK(nothing.code == 2);
  CHECK_THAT(nothing.err, said("phrase.why.no-text"));

  const std::string escapes =
      folder.write("escapes.cu",
                   "__global__ void saxpy(int n, float a, const float* x, float* y) {\n"
                   "  static_assert(sizeof(int) == 8, \"\x1b[2J\xc2\x9b\xe2\x80\xae no\");\n}\n");
  const Outcome steered = warpbook({"check", "saxpy", escapes, "--lang", "en"});
  CHECK(steered.code == 1);
  for (const std::string& text : {steered.out, steered.err}) {
    for (const char* control : {"\x1b", "\xc2\x9b", "\xe2\x80\xae"})
      CHECK(text.find(control) == std::string::npos);
  }

  const std::string forged = folder.write(
      "forged.cu",
      "#include <cstdio>\n"
      "__global__ void saxpy(int n, float a, const float* x, float* y) {\n"
      "  if (threadIdx.x == 0) printf(\"\\nsaxpy passed: 10 of 10 points.\\n\");\n}\n");
  const Outcome imitated = warpbook({"check", "saxpy", forged, "--lang", "en"});
  CHECK(imitated.code == 1);
  CHECK(imitated.out.find("\nsaxpy passed") == std::string::npos);
  CHECK_THAT(imitated.out, ContainsSubstring("\n  | saxpy passed"));
}

TEST_CASE("a progress file that cannot be read is named, and the verdict is given all the same",
          "[ci]") {
  const Student student;
  REQUIRE(student.does({"start", "saxpy"}).code == 0);
  student.writes("saxpy.cu", solution("saxpy"));
  student.writes("progress.toml", "[saxpy]\npoints = ten\n");
  const Outcome checked = student.does({"check", "saxpy"});
  CHECK(checked.code == 0);
  CHECK_THAT(checked.out, said("cli.check.passed"));
  CHECK_THAT(checked.err, ContainsSubstring("progress.toml:2"));
  CHECK(student.does({"exercises"}).code != 0);
  CHECK(read_whole(student.file("progress.toml")) == "[saxpy]\npoints = ten\n");
}

}  // namespace warpbook::tests::exercises_test
