// warpbook engines and doctor as their users meet them: texts and exit codes, with what is here and with what is not.
#include <fcntl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <csignal>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <stdexcept>
#include <thread>
#include <tuple>
#include <utility>
#include <vector>

#include <catch2/catch_test_macros.hpp>
#include <catch2/matchers/catch_matchers_string.hpp>
#include <nlohmann/json.hpp>

#include "tests/cli/program.hpp"
#include "tests/says.hpp"

namespace warpbook::tests::engines_test {
namespace {

using Catch::Matchers::ContainsSubstring;
using Catch::Matchers::StartsWith;
using nlohmann::json;

const std::string kStandIns = WARPBOOK_STAND_INS;

Outcome engines(std::vector<std::string> more, const std::string& shape = "2x16x10x10",
                const std::map<std::string, std::string>& environment = {}) {
  std::vector<std::string> words{"engines", "conv", "--shape", shape, "--lang", "en"};
  words.insert(words.end(), more.begin(), more.end());
  return warpbook(words, environment);
}

const json& library(const json& found, const std::string& name) {
  for (const json& each : found.at("libraries")) {
    if (each.at("library") == name) return each;
  }
  throw std::runtime_error("no " + name);
}

/// Of all its threads.
std::vector<pid_t> children_of(pid_t program) {
  std::vector<pid_t> children;
  const auto tasks = std::filesystem::path("/proc") / std::to_string(program) / "task";
  for (const auto& task : std::filesystem::directory_iterator(tasks)) {
    std::istringstream listed(read_whole(task.path() / "children"));
    for (pid_t child = 0; listed >> child;) children.push_back(child);
  }
  return children;
}

/// What has ended may still wait for somebody to ask how.
bool runs(pid_t process) {
  std::ifstream stat("/proc/" + std::to_string(process) + "/stat");
  std::string line;
  if (!std::getline(stat, line)) return false;
  return line.at(line.rfind(')') + 2) != 'Z';
}

/// The line by which a problem is refused; `why` is a key below phrase.why.
std::string bad(const std::string& what, const std::string& value, const std::string& why,
                device::MessageArguments arguments = {}) {
  const device::Message said{
      "error.bad_problem.long",
      {{"what", device::Message{"phrase.what." + what, {}, {}}},
       {"value", value},
       {"why", device::Message{"phrase.why." + why, std::move(arguments), {}}}},
      {}};
  return "warpbook: " + said.english() + "\n";
}

bool is_missing(const json& found) {
  return found.contains("error") && found.at("error").at("code") == "library_missing";
}

}  // namespace

TEST_CASE("warpbook engines conv lists cuDNN's engines for a GPU that is not here, as reported") {
  const Outcome outcome = engines({"--filters", "64x3x3", "--pad", "1", "--gpu", "h200",
                                   "--precision", "tf32", "--no-time", "--json"},
                                  "16x64x56x56");
  CAPTURE(outcome.err);
  const json found = json::parse(outcome.out);
  CHECK(found.at("problem").at("result") == json({16, 64, 56, 56}));
  const json& cudnn = library(found, "cuDNN");
  if (is_missing(cudnn)) SKIP(cudnn.at("error").at("text").get<std::string>());
  CHECK(outcome.code == 0);
  CHECK(cudnn.at("evidence") == "reported");
  CHECK(cudnn.at("on") == "H200");
  CHECK_THAT(cudnn.at("description").get<std::string>(),
             StartsWith("written from the CUDA C++ Programming Guide"));
  CHECK(cudnn.at("algorithms").size() >= 30);
  for (const json& algorithm : cudnn.at("algorithms")) {
    CHECK(algorithm.contains("workspace_bytes"));
    CHECK_FALSE(algorithm.contains("time"));
  }
}

TEST_CASE("warpbook engines conv gives oneDNN's implementations with times measured on this CPU",
          "[ci]") {
  const Outcome outcome = engines({"--filters", "16x3x3", "--json"});
  CAPTURE(outcome.err);
  REQUIRE(outcome.code == 0);
  const json found = json::parse(outcome.out);
  const json& onednn = library(found, "oneDNN");
  if (is_missing(onednn)) SKIP(onednn.at("error").at("text").get<std::string>());
  CHECK(onednn.at("evidence") == "measured");
  CHECK_THAT(onednn.at("on").get<std::string>(), ContainsSubstring("threads"));
  REQUIRE(onednn.at("algorithms").size() >= 2);
  for (const json& algorithm : onednn.at("algorithms"))
    CHECK((algorithm.contains("time") || algorithm.contains("slower_than_seconds")));
  const json& time = onednn.at("algorithms").at(0).at("time");
  CHECK(time.at("median_seconds") > 0);
  CHECK(time.at("unsteady") ==
        (time.at("p80_seconds") > 1.5 * time.at("p20_seconds").get<double>()));

  const Outcome text = engines({"--filters", "16x3x3", "--time-limit", "1"});
  CHECK(text.code == 0);
  CHECK_THAT(text.out, ContainsSubstring("measured on ") && ContainsSubstring("ref:any"));
  const Outcome chinese = warpbook(
      {"engines", "conv", "--shape", "1x3x8x8", "--filters", "4x3x3", "--no-time", "--lang", "zh"});
  CHECK(chinese.code == 0);
  CHECK_THAT(chinese.out, ContainsSubstring("卷积"));
}

TEST_CASE("A workspace cap of 0 leaves the engines that need none, and says how many need more") {
  const Outcome outcome = engines(
      {"--filters", "64x3x3", "--no-time", "--workspace-cap", "0", "--json"}, "16x64x56x56");
  CHECK(outcome.code == 0);
  const json found = json::parse(outcome.out);
  for (const json& each : found.at("libraries")) {
    CAPTURE(each.at("library").get<std::string>());
    if (is_missing(each)) continue;
    CHECK_FALSE(each.at("algorithms").empty());
    for (const json& algorithm : each.at("algorithms")) CHECK(algorithm.at("workspace_bytes") == 0);
    CHECK(each.at("over_the_workspace_cap") > 0);
  }
}

TEST_CASE("warpbook engines says what is wrong with a problem in one line, with exit code 2") {
  const auto refused = [](const std::vector<std::string>& more, const std::string& shape,
                          const std::string& text) {
    const Outcome outcome = engines(more, shape);
    CAPTURE(shape, outcome.err);
    CHECK(outcome.code == 2);
    CHECK(outcome.out.empty());
    CHECK(outcome.err == text);
  };
  refused({"--filters", "4x3x3"}, "0x3x8x8", bad("the-shape", "0x3x8x8", "extents"));
  refused({"--filters", "4x3x3"}, "3x8x8",
          bad("the-shape", "3x8x8", "write-as", {{"form", "NxCxHxW"}}));
  refused({"--filters", "4x3x3"}, "1x3x8x8x",
          bad("the-shape", "1x3x8x8x", "write-as", {{"form", "NxCxHxW"}}));
  refused({"--filters", "4x5x3x3"}, "1x3x8x8",
          bad("the-filter", "4x5x3x3", "filter-channels", {{"got", 5}, {"expected", 3}}));
  refused({"--filters", "4x9x9"}, "1x3x8x8",
          bad("the-filter", "9x9", "filter-covers", {{"covers", "9x9"}, {"image", "8x8"}}));
  refused({"--filters", "4x3x3", "--stride", "0"}, "1x3x8x8",
          bad("the-stride", "0x0", "at-least-one"));
  refused({"--filters", "4x3x3", "--pad", "x"}, "1x3x8x8",
          bad("the-padding", "x", "write-as", {{"form", "N or HxW"}}));
  const device::Message no_gpu{
      "error.no_such_gpu.long",
      {{"name", "voodoo2"},
       {"known",
        "T4, RTX 2080 Ti, A100 40GB, A100 80GB, RTX 3090, RTX 3080, RTX 3070 Ti, RTX "
        "3060, RTX A6000, RTX 4090, L4, H100 SXM, H200, B200, RTX 5090, RTX PRO 6000 Blackwell, "
        "RTX "
        "2060 Laptop, RTX 3050 Laptop, RTX 4060 Laptop, RTX 5070 Laptop"}},
      {}};
  refused({"--filters", "4x3x3", "--gpu", "voodoo2"}, "1x3x8x8",
          "warpbook: " + no_gpu.english() + "\n");
  const Outcome chinese =
      warpbook({"engines", "conv", "--shape", "0x3x8x8", "--filters", "4x3x3", "--lang", "zh"});
  CHECK(chinese.code == 2);
  CHECK(chinese.err == "warpbook: 形状不能是 0x3x8x8：每一维至少是 1\n");
}

TEST_CASE("warpbook engines conv lists grouped and depthwise convolutions") {
  for (const char* groups : {"1", "2", "16"}) {
    CAPTURE(groups);
    const Outcome outcome =
        engines({"--filters", "32x3x3", "--pad", "1", "--groups", groups, "--no-time", "--json"});
    CHECK(outcome.code == 0);
    const json found = json::parse(outcome.out);
    const json& problem = found.at("problem");
    CHECK(problem.at("groups") == std::stoi(groups));
    CHECK(problem.at("filters") == json({32, 16 / std::stoi(groups), 3, 3}));
    CHECK(problem.at("multiply_adds") == 2 * 32 * 10 * 10 * 16 / std::stoi(groups) * 9);
    for (const json& each : found.at("libraries"))
      CHECK((is_missing(each) || each.at("algorithms").size() >= 1));
  }
  const Outcome text = engines({"--filters", "32x8x3x3", "--groups", "2", "--no-time"});
  CHECK(text.code == 0);
  CHECK_THAT(text.out, said("cli.engines.problem-grouped",
                            {{"filters", "32x8x3x3"}, {"groups", 2}, {"stride", "1"}}));
}

TEST_CASE("warpbook engines says what groups cannot be") {
  const auto said = [](const std::vector<std::string>& more) { return engines(more).err; };
  CHECK(said({"--filters", "4x3x3", "--groups", "3"}) ==
        bad("the-groups", "3", "uneven-channels", {{"count", 16}}));
  CHECK(said({"--filters", "4x16x3x3", "--groups", "2"}) ==
        bad("the-filter", "4x16x3x3", "filter-channels-grouped", {{"got", 16}, {"expected", 8}}));
  CHECK(said({"--filters", "4x3x3", "--groups", "0"}) == bad("the-groups", "0", "few-groups"));
  const Outcome chinese = warpbook({"engines", "conv", "--shape", "1x3x8x8", "--filters", "4x3x3",
                                    "--groups", "2", "--lang", "zh"});
  CHECK(chinese.err == "warpbook: 分组数不能是 2：图像的 3 个通道分不成这么多等份\n");
}

TEST_CASE("One pixel, one channel, three channels and a stride beyond the image have lists, too") {
  for (const auto& [shape, filters, stride] : {std::tuple{"1x1x1x1", "1x1x1", "1"},
                                               {"2x1x9x9", "4x3x3", "1"},
                                               {"2x3x9x9", "4x3x3", "1"},
                                               {"1x3x8x8", "4x3x3", "100"}}) {
    const Outcome outcome =
        engines({"--filters", filters, "--stride", stride, "--no-time", "--json"}, shape);
    CAPTURE(shape, outcome.err);
    CHECK(outcome.code == 0);
    const json found = json::parse(outcome.out);
    for (const json& each : found.at("libraries"))
      CHECK((is_missing(each) || each.at("algorithms").size() >= 1));
  }
}

TEST_CASE("An absent, old or broken cuDNN is a sentence with its remedy, and oneDNN goes on") {
  const TemporaryFolder folder;
  const std::string own = "/usr/lib/x86_64-linux-gnu/libdnnl.so.2";
  if (!std::filesystem::exists(own)) SKIP("no oneDNN at its usual place");
  std::filesystem::create_symlink(own, folder.path() / "libdnnl.so.2");
  const std::map<std::string, std::string> there{{"WARPBOOK_LIBRARIES", folder.path().string()}};
  const auto asked = [&] {
    const Outcome outcome = engines({"--filters", "16x3x3", "--no-time"}, "1x16x8x8", there);
    CHECK(outcome.code == 0);
    CHECK_THAT(outcome.out, ContainsSubstring("oneDNN 2.") && ContainsSubstring("ref:any"));
    return outcome.out;
  };
  CHECK_THAT(asked(), Says("error.library_missing.long", {{"library", "cuDNN"}}) &&
                          ContainsSubstring("libcudnn.so.9") &&
                          ContainsSubstring("./warpbook fetch libraries"));
  const std::filesystem::path cudnn = folder.path() / "libcudnn.so.9";
  std::filesystem::copy_file(kStandIns + "/old_cudnn/libcudnn.so.9", cudnn);
  CHECK_THAT(asked(), Says("error.library_version.long",
                           {{"library", "cuDNN"}, {"found", "8.9.7"}, {"needed", 9}}));
  std::filesystem::resize_file(cudnn, 100);
  CHECK_THAT(asked(), Says("error.library_damaged.long", {{"library", "cuDNN"}}) &&
                          ContainsSubstring("./warpbook fetch libraries"));

  std::filesystem::remove(folder.path() / "libdnnl.so.2");
  std::filesystem::remove(cudnn);
  const Outcome none = engines({"--filters", "16x3x3", "--no-time"}, "1x16x8x8", there);
  CHECK(none.code == 3);
  CHECK_THAT(none.out, Says("error.library_missing.long", {{"library", "oneDNN"}}));
}

TEST_CASE("A library's run ends with the program that asked for it, however that ended") {
  const pid_t program = ::fork();
  REQUIRE(program >= 0);
  if (program == 0) {
    for (const int stream : {1, 2}) ::dup2(::open("/dev/null", O_WRONLY), stream);
    // Ten seconds of multiply-adds and more, in little memory.
    ::execl(WARPBOOK_BINARY, "warpbook", "engines", "conv", "--shape", "8x256x96x96", "--filters",
            "256x13x13", "--time-limit", "60", nullptr);
    ::_exit(1);
  }
  std::this_thread::sleep_for(std::chrono::seconds(3));
  const std::vector<pid_t> workers = children_of(program);
  CHECK_FALSE(workers.empty());
  ::kill(program, SIGKILL);
  ::waitpid(program, nullptr, 0);
  for (const pid_t worker : workers) {
    CAPTURE(worker);
    for (int i = 0; i < 200 && runs(worker); ++i)
      std::this_thread::sleep_for(std::chrono::milliseconds(100));
    CHECK_FALSE(runs(worker));
  }
}

TEST_CASE("warpbook engines --gpu here says what keeps this machine's GPU from being used") {
  const Outcome outcome = engines({"--filters", "16x3x3", "--no-time", "--gpu", "here", "--json"},
                                  "1x16x8x8", {{"LD_LIBRARY_PATH", kStandIns + "/old_driver"}});
  CHECK(outcome.code == 0);
  const json found = json::parse(outcome.out);
  const json& cudnn = library(found, "cuDNN");
  if (is_missing(cudnn)) SKIP(cudnn.at("error").at("text").get<std::string>());
  CHECK(cudnn.at("error").at("code") == "driver_too_old");
}

TEST_CASE(
    "warpbook doctor names every part, and each that is missing with the command that mends it") {
  const Outcome outcome = warpbook({"doctor", "--json"});
  REQUIRE(outcome.code == 0);
  const json found = json::parse(outcome.out);
  for (const char* part : {"gpu", "driver", "toolkit", "nvrtc", "cudnn", "cublas", "onednn",
                           "opengl", "fonts", "display"}) {
    CAPTURE(part);
    const json& entry = found.at("parts").at(part);
    CHECK((entry.at("here") == true || entry.contains("problem")));
  }
  for (const auto& [name, fit] : found.at("fits").items()) CHECK(fit.at("fits") == true);
}

TEST_CASE("warpbook doctor never fails, whatever is missing, old or broken") {
  const TemporaryFolder empty;
  const std::string here = empty.path().string();
  const Outcome nothing = warpbook({"doctor", "--json"}, {{"WARPBOOK_LIBRARIES", here},
                                                          {"WARPBOOK_CUDA", here},
                                                          {"WARPBOOK_HOME", here},
                                                          {"DISPLAY", ""}});
  REQUIRE(nothing.code == 0);
  const json parts = json::parse(nothing.out).at("parts");
  CHECK(parts.at("cudnn").at("remedy") == "./warpbook fetch libraries");
  CHECK(parts.at("onednn").at("remedy") == "sudo apt-get install libdnnl-dev");
  CHECK(parts.at("nvrtc").at("remedy") == "./warpbook");
  CHECK_THAT(parts.at("display").at("problem").get<std::string>(), StartsWith("none: "));

  for (const auto& [stand_in, key, arguments] :
       {std::tuple{"old_driver", "error.driver_too_old.long",
                   device::MessageArguments{{"found", "12.4"}, {"cuda", "13.0"}, {"needed", 580}}},
        {"no_gpu", "error.no_device.long", {}},
        {"dying_driver", "error.library_died.long", {}}}) {
    const Outcome outcome =
        warpbook({"doctor", "--lang", "en"},
                 {{"LD_LIBRARY_PATH", kStandIns + "/" + stand_in}, {"DISPLAY", ":97"}});
    CAPTURE(stand_in, outcome.err);
    CHECK(outcome.code == 0);
    CHECK_THAT(outcome.out, Says(key, arguments));
    CHECK_THAT(outcome.out, said("machine.missing.dead-display", {{"name", ":97"}}));
  }
  CHECK_THAT(
      warpbook({"doctor", "--lang", "en"}, {{"LD_LIBRARY_PATH", kStandIns + "/old_driver"}}).out,
      said("machine.misfits"));
  CHECK_THAT(warpbook({"doctor", "--lang", "zh"}, {{"DISPLAY", ""}}).out,
             ContainsSubstring("显示器") && ContainsSubstring("窗口打不开"));
}

}  // namespace warpbook::tests::engines_test
