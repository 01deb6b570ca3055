// The command line as its users meet it: the real binary, its output and its exit codes.
#include <sys/wait.h>

#include <cstdlib>

#include <fmt/format.h>
#include <catch2/catch_test_macros.hpp>
#include <catch2/matchers/catch_matchers_string.hpp>
#include <nlohmann/json.hpp>

#include "device/platform.hpp"
#include "device/sanitized.hpp"
#include "device/worker/limited_child.hpp"
#include "tests/cli/program.hpp"
#include "tests/says.hpp"

namespace warpbook::tests::verbs_test {

using Catch::Matchers::ContainsSubstring;
using Catch::Matchers::StartsWith;
using nlohmann::json;

namespace {

const json& exhibit(const json& report, const std::string& id) {
  for (const json& candidate : report.at("exhibits")) {
    if (candidate.at("id") == id) return candidate;
  }
  throw std::runtime_error("no exhibit " + id);
}

bool one_line(const std::string& text) {
  return !text.empty() && text.find('\n') == text.size() - 1;
}

}  // namespace

TEST_CASE("warpbook run first-kernel --json holds a tensor of exactly 6, 8, 10, 12", "[ci]") {
  const Outcome outcome = warpbook({"run", "first-kernel", "--json"});
  CAPTURE(outcome.err);
  REQUIRE(outcome.code == 0);
  const json report = json::parse(outcome.out);
  CHECK(exhibit(report, "out").at("value").at("data") == json({6, 8, 10, 12}));
}

TEST_CASE("warpbook run takes presets and parameters, and says what it shows in words", "[ci]") {
  const Outcome ten = warpbook({"run", "first-kernel", "--preset", "ten", "--lang", "en"});
  CHECK(ten.code == 0);
  CHECK_THAT(ten.out, ContainsSubstring("12 threads"));
  const Outcome chinese = warpbook({"run", "first-kernel", "--set", "n=5", "--lang", "zh"});
  CHECK(chinese.code == 0);
  CHECK_THAT(chinese.out, ContainsSubstring("线程"));
}

TEST_CASE("in Chinese, neither run nor read shows words that the code says in English", "[ci]") {
  const std::vector<std::string> run{"run", "first-kernel", "--lang", "zh"},
      read{"read", "first-kernel", "--lang", "zh"};
  for (std::vector<std::string> arguments : {run, read}) {
    for (const char* block : {"block=4", "block=1025"}) {
      std::vector<std::string> all = arguments;
      all.insert(all.end(), {"--set", block});
      const Outcome outcome = warpbook(all);
      const std::string text = outcome.out + outcome.err;
      CAPTURE(arguments[0], block, text);
      if (arguments == run) CHECK_THAT(text, ContainsSubstring("H200（模拟）"));
      for (const char* english :
           {", simulated", "simulating", "allocate", "copy_in", "copy_out", "load ", "launch ",
            " threads, and ", " allows ", "atomic operation"}) {
        CAPTURE(english);
        CHECK(text.find(english) == std::string::npos);
      }
    }
  }
}

TEST_CASE("warpbook read --answers marks the right choice of every question", "[ci]") {
  const Outcome outcome = warpbook({"read", "first-kernel", "--lang", "en", "--answers"});
  CAPTURE(outcome.out);
  REQUIRE(outcome.code == 0);
  // Decided by the run that is shown, by one of other parameters, and by one of another source.
  CHECK_THAT(outcome.out, ContainsSubstring("  ✓ A. 6 8 10 12\n"));
  CHECK_THAT(outcome.out, ContainsSubstring("  ✓ B. 3\n"));
  CHECK_THAT(outcome.out, ContainsSubstring("  ✓ D. 15\n"));
  CHECK_THAT(outcome.out, ContainsSubstring("  ✓ B. 24\n"));
  std::size_t questions = 0, marks = 0;
  for (std::size_t at = 0; (at = outcome.out.find("\n? ", at)) != std::string::npos; ++at)
    ++questions;
  for (std::size_t at = 0; (at = outcome.out.find("\n  ✓ ", at)) != std::string::npos; ++at)
    ++marks;
  CHECK(questions > 4);
  CHECK(marks >= questions);
  const Outcome open = warpbook({"read", "first-kernel", "--lang", "en"});
  CHECK(open.out.find("  ✓ A. ") == std::string::npos);
}

TEST_CASE("warpbook read --answers says of each answer what its own run computed", "[ci]") {
  const Outcome outcome = warpbook({"read", "convolution", "--lang", "en", "--answers"});
  CAPTURE(outcome.err);
  REQUIRE(outcome.code == 0);
  // Three runs of other parameters than those of the run that is shown.
  CHECK_THAT(outcome.out, ContainsSubstring(" = 1,792"));
  CHECK_THAT(outcome.out, ContainsSubstring("8 × 96 − 8 × 96 is 0:"));
  CHECK_THAT(outcome.out, ContainsSubstring("8 × 96 − 3 × 96 is 480."));
}

TEST_CASE("warpbook glossary prints the terms of all chapters, or those that fit a word") {
  const Outcome all = warpbook({"glossary", "--lang", "en"});
  REQUIRE(all.code == 0);
  for (const char* term : {"\nwarp\n", "\nsector\n", "\ngrid\n"})
    CHECK_THAT(all.out, ContainsSubstring(term));
  const Outcome one = warpbook({"glossary", "sub-group", "--lang", "en"});
  CHECK_THAT(one.out, StartsWith("warp\n"));
  CHECK_THAT(one.out, ContainsSubstring("(first-kernel)"));
  const Outcome chinese = warpbook({"glossary", "xcs", "--lang", "zh"});
  CHECK_THAT(chinese.out, StartsWith("线程束"));
  CHECK_THAT(warpbook({"glossary", "sector", "--lang", "en"}).out,
             ContainsSubstring("Also used in: "));
  const Outcome none = warpbook({"glossary", "voodoo", "--lang", "en"});
  CHECK(none.code == 1);
  CHECK(none.out.empty());
  CHECK(one_line(none.err));
}

TEST_CASE("warpbook glossary --out writes all terms as a page that links within itself") {
  const TemporaryFolder folder;
  const std::string file = (folder.path() / "terms.html").string();
  const Outcome written = warpbook({"glossary", "--out", file, "--lang", "zh"});
  REQUIRE(written.code == 0);
  const auto page = device::read_file(file);
  REQUIRE(page);
  CHECK_THAT(*page, ContainsSubstring("id=\"term-warp\""));
  CHECK(warpbook({"glossary", "--out", (folder.path() / "terms.txt").string()}).code == 2);
}

TEST_CASE(
    "warpbook run says what is wrong with a chapter, a preset or a parameter in one line, with "
    "exit code 2") {
  const auto refused = [](std::vector<std::string> arguments, const std::string& error,
                          device::MessageArguments named) {
    arguments.insert(arguments.begin(), "run");
    arguments.insert(arguments.end(), {"--lang", "en"});
    const Outcome outcome = warpbook(arguments);
    CAPTURE(outcome.err);
    CHECK(outcome.code == 2);
    CHECK(outcome.out.empty());
    CHECK(one_line(outcome.err));
    CHECK_THAT(outcome.err, Says("error." + error + ".long", std::move(named)));
  };
  const auto kind = [](const char* name) {
    return device::Message{std::string("phrase.kind.") + name, {}, {}};
  };
  refused({"second-kernel"}, "unknown_name",
          {{"kind", kind("chapter")}, {"name", "second-kernel"}});
  refused({"first-kernel", "--preset", "five"}, "unknown_name",
          {{"kind", kind("preset")}, {"name", "five"}, {"known", "four, ten, thousand"}});
  refused({"first-kernel", "--set", "n=0"}, "parameter_out_of_range",
          {{"name", "n"}, {"value", 0}, {"minimum", 1}});
  refused({"first-kernel", "--set", "n=ten"}, "parameter_not_integer",
          {{"name", "n"}, {"value", "ten"}});
  refused({"first-kernel", "--set", "m=4"}, "no_such_parameter", {{"name", "m"}});
  refused({"first-kernel", "--drawing", "a.png"}, "no_such_parameter", {{"name", "drawing"}});
  refused({"first-kernel", "--set", "n"}, "bad_assignment", {{"text", "n"}});
  refused({"first-kernel", "--gpu", "voodoo2"}, "no_such_gpu", {{"name", "voodoo2"}});
}

TEST_CASE("A block that CUDA would refuse fails with CUDA's own error, exit code 1", "[ci]") {
  const Outcome outcome = warpbook({"run", "first-kernel", "--set", "block=1025", "--lang", "en"});
  CHECK(outcome.code == 1);
  CHECK_THAT(outcome.err, ContainsSubstring("cudaErrorInvalidConfiguration"));
  CHECK_THAT(outcome.err, ContainsSubstring("1025"));
}

TEST_CASE("warpbook check passes the solution and fails the starter", "[ci]") {
  const std::string solution = WARPBOOK_SOURCE_DIR "/solutions/saxpy.cu";
  const Outcome right = warpbook({"check", "saxpy", solution, "--lang", "en"});
  CAPTURE(right.out, right.err);
  CHECK(right.code == 0);
  const Outcome older = warpbook({"check", "saxpy", solution, "--gpu", "t4", "--lang", "en"});
  CHECK(older.code == 0);
  CHECK_THAT(older.out, ContainsSubstring("T4, simulated"));
  CHECK(warpbook({"check", "saxpy", solution, "--gpu", "voodoo"}).code == 2);
  const Outcome starter = warpbook({"check", "saxpy", "--lang", "en"});
  CHECK(starter.code == 1);
  CHECK_THAT(starter.out, ContainsSubstring("right"));
}

TEST_CASE("warpbook check --json gives points, and a source that does not compile gets its line",
          "[ci]") {
  const TemporaryFolder folder;
  const std::string file =
      folder.write("mine.cu",
                   "__global__ void saxpy(int n, float a, const float* x, float* y) {\n"
                   "  int i = threadIdx.x\n"
                   "}\n");
  const Outcome outcome = warpbook({"check", "saxpy", file, "--json"});
  CHECK(outcome.code == 1);
  const json report = json::parse(outcome.out);
  CHECK(report.at("passed") == false);
  CHECK(report.at("points") == 0);
  CHECK(report.at("points_possible") == 10);
  CHECK_THAT(outcome.err, ContainsSubstring("mine.cu"));
}

TEST_CASE("warpbook check says what is wrong with its arguments") {
  const Outcome unknown = warpbook({"check", "daxpy", "--lang", "en"});
  CHECK(unknown.code == 2);
  CHECK_THAT(unknown.err,
             Says("error.unknown_name.long",
                  {{"kind", device::Message{"phrase.kind.exercise", {}, {}}}, {"name", "daxpy"}}));
  const Outcome absent = warpbook({"check", "saxpy", "/nonexistent.cu", "--lang", "en"});
  CHECK(absent.code == 2);
  CHECK_THAT(absent.err, Says("error.file_unreadable.long", {{"file", "/nonexistent.cu"}}));
}

TEST_CASE("A machine that cannot box the compiler grades nothing of a stranger's unless told to",
          "[ci]") {
  const std::map<std::string, std::string> unboxed{{"WARPBOOK_BOX", "limits"}};
  const std::string file = WARPBOOK_SOURCE_DIR "/solutions/saxpy.cu";
  const Outcome refused = warpbook({"check", "saxpy", file, "--lang", "en"}, unboxed);
  CHECK(refused.code == 3);
  CHECK(one_line(refused.err));
  CHECK_THAT(refused.err, ContainsSubstring("no box") && ContainsSubstring("--trust"));
  CHECK(warpbook({"check", "saxpy", file, "--trust"}, unboxed).code == 0);
}

TEST_CASE("warpbook list names chapters, parameters and exercises, also as JSON") {
  const Outcome text = warpbook({"list", "--lang", "en"});
  CHECK(text.code == 0);
  CHECK_THAT(text.out, ContainsSubstring("first-kernel") && ContainsSubstring("saxpy"));
  const json chapters = json::parse(warpbook({"list", "--json"}).out);
  CHECK(chapters.at(0).at("slug") == "first-kernel");
}

TEST_CASE("warpbook read keeps what an open question covers, and shows it where asked to", "[ci]") {
  const Outcome open = warpbook({"read", "first-kernel", "--lang", "en"});
  CHECK(open.code == 0);
  CHECK_THAT(open.out, ContainsSubstring("What does") && !ContainsSubstring("now holds 6 8 10 12"));
  const Outcome answered = warpbook({"read", "first-kernel", "--lang", "en", "--answers"});
  CHECK_THAT(answered.out, ContainsSubstring("now holds 6 8 10 12"));
  CHECK_THAT(warpbook({"read", "first-kernel", "--lang", "zh"}).out,
             ContainsSubstring("第一个核函数"));
}

TEST_CASE("warpbook export writes one page, and leaves nothing behind where it cannot", "[ci]") {
  const TemporaryFolder folder;
  const std::filesystem::path file = folder.path() / "grids.html";
  const auto files = [&] {
    return std::distance(std::filesystem::directory_iterator(folder.path()), {});
  };
  const Outcome done = warpbook({"export", "first-kernel", file.string(), "--lang", "zh", "--theme",
                                 "light", "--set", "n=6"});
  CAPTURE(done.err);
  REQUIRE(done.code == 0);
  CHECK(one_line(done.out));
  CHECK_THAT(read_whole(file), StartsWith("<!DOCTYPE html>") && ContainsSubstring("第一个核函数") &&
                                   ContainsSubstring("n=6") &&
                                   !ContainsSubstring("prefers-color-scheme"));
  CHECK(files() == 1);

  const Outcome on_folder = warpbook({"export", "first-kernel", folder.path().string()});
  CHECK(on_folder.code == 2);
  CHECK_THAT(on_folder.err, ContainsSubstring(folder.path().string()));
  CHECK(warpbook({"export", "first-kernel", "/proc/page.html"}).code == 2);
  const Outcome unknown = warpbook({"export", "last-kernel", file.string(), "--lang", "en"});
  CHECK(unknown.code == 2);
  CHECK_THAT(unknown.err, ContainsSubstring("last-kernel") && ContainsSubstring("first-kernel"));
  CHECK(warpbook({"export", "first-kernel"}).code == 2);

  const TemporaryFolder empty;
  const Outcome without = warpbook(
      {"export", "first-kernel", (folder.path() / "none.html").string(), "--lang", "en"},
      {{"WARPBOOK_CUDA", empty.path().string()}, {"WARPBOOK_HOME", empty.path().string()}});
  CHECK(without.code == 3);
  CHECK_THAT(without.err, Says("error.compiler_missing.long"));
  CHECK(files() == 1);
}

TEST_CASE("warpbook doctor never fails, and names the compiler and how it is confined") {
  const Outcome outcome = warpbook({"doctor", "--json"});
  CHECK(outcome.code == 0);
  const json found = json::parse(outcome.out);
  CHECK(found.at("compiler").at("available") == true);
  CHECK_FALSE(found.at("box").at("confinement").get<std::string>().empty());
}

TEST_CASE("Without NVRTC a run names the remedy with exit code 3, and doctor still answers") {
  const TemporaryFolder empty;
  const std::map<std::string, std::string> none{{"WARPBOOK_CUDA", empty.path().string()},
                                                {"WARPBOOK_HOME", empty.path().string()}};
  const Outcome run = warpbook({"run", "first-kernel", "--lang", "en"}, none);
  CHECK(run.code == 3);
  CHECK_THAT(run.err, Says("error.compiler_missing.long") && ContainsSubstring("./warpbook"));
  const Outcome doctor = warpbook({"doctor", "--lang", "en"}, none);
  CHECK(doctor.code == 0);
  CHECK_THAT(doctor.out, Says("error.compiler_missing.long"));
}

TEST_CASE("Unknown verbs and flags are bad usage") {
  for (const std::vector<std::string>& words : {std::vector<std::string>{"fly"},
                                                {"run"},
                                                {"run", "first-kernel", "--sideways"},
                                                {"shot", "first-kernel"}}) {
    const Outcome outcome = warpbook(words);
    CAPTURE(words.front(), outcome.err);
    CHECK(outcome.code == 2);
    CHECK_THAT(outcome.err, StartsWith("warpbook: "));
  }
}

TEST_CASE("A source of the reader's runs as it is: with its lines of //@ at the very top", "[ci]") {
  const TemporaryFolder folder;
  std::string text =
      read_whole(std::filesystem::path(WARPBOOK_SOURCE_DIR) / "lessons/capstone/variants/layer.cu");
  text.erase(0, text.find("//@"));
  const auto file = folder.write("own.cu", text);
  const Outcome outcome =
      warpbook({"run", "capstone", "--source", file.string(), "--set", "images=1", "--json"});
  CAPTURE(outcome.err);
  CHECK(outcome.code == 0);
  CHECK(json::parse(outcome.out).at("errors").empty());
}

TEST_CASE("A flag that names nothing is bad usage, and the answer names what there is", "[ci]") {
  const TemporaryFolder folder;
  const std::string page = (folder.path() / "page.png").string();
  const std::string kernel = WARPBOOK_SOURCE_DIR "/kernels/add/01_guarded.cu";
  const std::string demo = folder
                               .write("monday.toml",
                                      "chapter = \"first-kernel\"\n[[screen]]\nstep = \"run\"\n"
                                      "[[screen]]\nquestion = \"idle-of-five\"\n")
                               .string();
  struct Slip {
    std::vector<std::string> words;
    std::string answer;
  };
  for (const Slip& slip : {
           Slip{{"run", "first-kernel", "--seed", "-1"}, "-1 is not a whole number from 0 to"},
           Slip{{"run", "first-kernel", "--seed", "one"}, "one is not a whole number from 0 to"},
           Slip{{"run", "coalescing", "--source", "sum=" + kernel}, "gather"},
           Slip{{"launch", kernel, "--shared", "4294967296"}, "from 0 to 4294967295"},
           Slip{{"launch", kernel, "-I", page}, "no such folder"},
           Slip{{"launch", kernel, "--estimate-blocks", "3"}, "--estimate"},
           Slip{{"export", "first-kernel", page}, "must end in .html"},
           Slip{{"open", "frist-kernel"}, "first-kernel, your-machine"},
           Slip{{"shot", "first-kernel", folder.path().string()}, "must end in .png"},
           Slip{{"shot", "first-kernel", page, "--step", "forecast"}, "ask, predict, run"},
           Slip{{"shot", "first-kernel", page, "--term", "wrap"}, "warp"},
           Slip{{"shot", "first-kernel", page, "--screen", "99"}, "--screen"},
           Slip{{"shot", "first-kernel", page, "--screen", "0"}, "from 1 to"},
           Slip{{"shot", demo, page, "--screen", "3"}, "from 1 to 2"},
           Slip{{"shot", demo, page, "--set", "n=6"}, "--set"},
           Slip{{"shot", "first-kernel", page, "--answer", "what=7"}, "what-is-out"},
           Slip{{"shot", "first-kernel", page, "--answer", "what-is-out=7"}, "6 8 10 12"},
       }) {
    const Outcome outcome = warpbook(slip.words);
    CAPTURE(slip.words, outcome.err);
    if (outcome.err.find("this build has no window") != std::string::npos) continue;
    CHECK(outcome.code == 2);
    CHECK_THAT(outcome.err, ContainsSubstring(slip.answer));
    CHECK_THAT(outcome.err, !ContainsSubstring("<phrase."));  // a text that no language has
    CHECK(one_line(outcome.err));
    CHECK_FALSE(std::filesystem::exists(page));
  }
}

TEST_CASE("In Chinese, why a file cannot be read or written is Chinese, too") {
  const TemporaryFolder folder;
  const std::string at = folder.path().string();
  const auto said = [&](std::vector<std::string> words) {
    words.insert(words.end(), {"--lang", "zh"});
    return warpbook(words).err;
  };
  CHECK(said({"check", "saxpy", at}) == "warpbook: 无法读取 " + at + "：它是文件夹\n");
  CHECK(said({"check", "saxpy", at + "/no.cu"}) ==
        "warpbook: 无法读取 " + at + "/no.cu：没有这个文件或文件夹\n");
  CHECK(said({"check", "saxpy", "/dev/null"}) == "warpbook: 无法读取 /dev/null：它不是普通文件\n");
  CHECK(said({"export", "grids", at + "/grids.htm"}) ==
        "warpbook: 无法写入 " + at + "/grids.htm：它的名字必须以 .html 结尾\n");
}

TEST_CASE("warpbook check without a submission prints the task, and where its starter stands",
          "[ci]") {
  const Outcome english = warpbook({"check", "saxpy", "--lang", "en"});
  CHECK(english.code == 1);
  CHECK_THAT(english.out, StartsWith("saxpy\n=====\n") &&
                              ContainsSubstring("Write the line that is missing.") &&
                              said("cli.check.starter", {{"exercise", "saxpy"}}));
  const Outcome chinese = warpbook({"check", "read-the-engine-list", "--lang", "zh"});
  CHECK_THAT(chinese.out, ContainsSubstring("起始代码"));
  const std::string solution = WARPBOOK_SOURCE_DIR "/solutions/saxpy.cu";
  const Outcome submitted = warpbook({"check", "saxpy", solution, "--lang", "en"});
  CHECK(submitted.code == 0);
  CHECK_THAT(submitted.out, !ContainsSubstring("starter"));
  const json report = json::parse(warpbook({"check", "saxpy", "--json"}).out);
  CHECK(report.at("passed") == false);
}

TEST_CASE("A chapter without its Chinese text says so, and its English one can be read", "[ci]") {
  const TemporaryFolder root;
  std::filesystem::copy(WARPBOOK_SOURCE_DIR "/lessons", root.path() / "lessons",
                        std::filesystem::copy_options::recursive);
  for (const char* room : {"kernels", "exercises", "solutions", "lang"}) {
    std::filesystem::copy(std::string(WARPBOOK_SOURCE_DIR "/") + room, root.path() / room,
                          std::filesystem::copy_options::recursive);
  }
  std::filesystem::remove(root.path() / "lessons/first-kernel/zh.md");
  const std::map<std::string, std::string> elsewhere{{"WARPBOOK_ROOT", root.path().string()}};
  const Outcome chinese = warpbook({"read", "first-kernel", "--lang", "zh"}, elsewhere);
  CHECK(chinese.code == 3);
  CHECK_THAT(chinese.err, ContainsSubstring("zh.md"));
  CHECK(warpbook({"read", "first-kernel", "--lang", "en"}, elsewhere).code == 0);

  root.write("lessons/first-kernel/en.md", "# First kernel\n\n```predikt\nid = \"x\"\n```\n");
  const Outcome broken = warpbook({"read", "first-kernel", "--lang", "en"}, elsewhere);
  CHECK(broken.code == 1);
  CHECK_THAT(broken.err, ContainsSubstring("en.md:3") && ContainsSubstring("predikt"));
}

TEST_CASE("Where standard output is full, an exit code of its own and a sentence say so") {
  const std::string root = WARPBOOK_SOURCE_DIR;
  for (const std::string& verb : {std::string("list"), std::string("list --json"),
                                  "check saxpy " + root + "/solutions/saxpy.cu",
                                  "check saxpy " + root + "/exercises/saxpy/starter.cu"}) {
    const TemporaryFolder folder;
    const std::string said = (folder.path() / "said").string();
    const int status = std::system(fmt::format("HOME={} {} {} --lang en > /dev/full 2> {}",
                                               folder.path().string(), WARPBOOK_BINARY, verb, said)
                                       .c_str());
    CAPTURE(verb, read_whole(said));
    REQUIRE(WIFEXITED(status));
    CHECK(WEXITSTATUS(status) == 4);
    CHECK(read_whole(said).find("terminate") == std::string::npos);
    CHECK(read_whole(said).find("standard output takes no more") != std::string::npos);
  }
}

TEST_CASE("A full or read-only cache does not keep a chapter from running", "[ci]") {
  const TemporaryFolder folder;
  const std::string blocked = folder.write("home", "a file where the folder should be");
  const Outcome outcome = warpbook({"run", "first-kernel", "--json"}, {{"WARPBOOK_HOME", blocked}});
  CAPTURE(outcome.err);
  CHECK(outcome.code == 0);
}

TEST_CASE("A process that may not have enough addresses for a GPU's memory is told so", "[ci]") {
  if (device::kSanitized) SKIP("a sanitizer reserves more addresses by itself");
  const TemporaryFolder home;
  const device::ChildOutcome outcome =
      device::run_limited({.program = WARPBOOK_BINARY,
                           .arguments = {"run", "first-kernel", "--lang", "en"},
                           .environment = {"WARPBOOK_HOME=" + home.path().string()},
                           .seconds = 60,
                           .memory_bytes = 30'000'000'000,
                           .file_bytes = 1ull << 30});
  CHECK(outcome.code == 1);
  CHECK(outcome.errors.find("ulimit -v unlimited") != std::string::npos);
}

TEST_CASE("warpbook mutants --json holds what each solution of an exercise is told", "[ci]") {
  const Outcome outcome = warpbook({"mutants", "choose-split", "--json"});
  CAPTURE(outcome.err);
  REQUIRE(outcome.code == 0);
  const json exercise = json::parse(outcome.out).at(0);
  CHECK(exercise.at("exercise") == "choose-split");
  std::size_t wrong = 0;
  for (const json& each : exercise.at("solutions")) {
    CAPTURE(each.at("file"));
    CHECK(each.at("as_expected") == true);
    CHECK(each.at("passed") == each.at("fails").is_null());
    wrong += each.at("fails").is_null() ? 0 : 1;
    for (const json& item : each.at("items"))
      CHECK((item.at("state") != "failed" || !item.at("advice").get<std::string>().empty()));
  }
  CHECK(wrong >= 20);
}

TEST_CASE("warpbook mutants --changes says that settings have nothing to change, and what to do") {
  const Outcome outcome = warpbook({"mutants", "choose-split", "--changes", "--lang", "en"});
  CHECK(outcome.code == 2);
  CHECK(outcome.out.empty());
  CHECK(outcome.err.find("`warpbook mutants choose-split`") != std::string::npos);
}

TEST_CASE("warpbook mutants --changes changes the kernels of a whole program", "[long]") {
  const Outcome outcome = warpbook({"mutants", "mend-launch", "--changes", "--json"});
  CAPTURE(outcome.err);
  if (outcome.code == 3) SKIP("there is no nvcc");
  CHECK(outcome.code == 0);
  const json changes = json::parse(outcome.out).at(0).at("changes");
  CHECK(changes.at("count").get<int>() >= 10);
  CHECK(changes.at("survived").empty());
}

TEST_CASE("warpbook mutants says of each bound how near right and wrong solutions come", "[long]") {
  const json exercise = json::parse(warpbook({"mutants", "saxpy", "--json"}).out).at(0);
  std::size_t bounds = 0;
  for (const json& gap : exercise.at("gaps")) {
    CAPTURE(gap);
    ++bounds;
    const bool floor = gap.contains("floor");
    const double bound = gap.at(floor ? "floor" : "ceiling"), right = gap.at("right"),
                 wrong = gap.at("wrong");
    CHECK((floor ? right >= bound && wrong < bound : right <= bound && wrong > bound));
  }
  CHECK(bounds >= 2);
}

}  // namespace warpbook::tests::verbs_test
