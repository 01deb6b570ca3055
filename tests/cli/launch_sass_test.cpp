// `warpbook launch --sass`: the machine code with how often it ran, as JSON and in words, with and without nvdisasm.
#include <catch2/catch_test_macros.hpp>

#include "tests/cli/program.hpp"
#include "tests/device/sass/stand_in.hpp"
#include "tests/schema.hpp"
#include "tests/temporary_folder.hpp"

namespace warpbook::tests::launch_sass_test {

using nlohmann::json;

namespace {

const char* const kTwice = R"(__global__ void twice(const float* x, float* y, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) y[i] = 2 * x[i];
}
)";

std::vector<std::string> launch(const std::string& file, std::vector<std::string> more) {
  std::vector<std::string> line{"launch", file,      "--grid",   "4",       "--block",
                                "64",     "--arg",   "out:1024", "--arg",   "out:1024",
                                "--arg",  "i32:256", "--check",  "memcheck"};
  line.insert(line.end(), more.begin(), more.end());
  return line;
}

const std::map<std::string, std::string> kHidden{{"WARPBOOK_NVDISASM", "/nowhere/nvdisasm"}};

/// A paragraph as one line.
std::string unwrapped(std::string text) {
  for (std::size_t at = 0; (at = text.find("\n  ", at)) != std::string::npos;)
    text.replace(at, 3, " ");
  return text;
}

const json* load_in(const json& sass) {
  for (const json& one : sass.at("functions").at(0).at("instructions")) {
    if (one.at("text").get<std::string>().starts_with("LDG")) return &one;
  }
  return nullptr;
}

}  // namespace

TEST_CASE("launch --sass has each instruction's opcode where there is no nvdisasm, and says why",
          "[ci]") {
  const TemporaryFolder folder;
  const std::string file = folder.write("twice.cu", kTwice);
  const Outcome plain = warpbook(launch(file, {"--json"}), kHidden);
  CHECK_FALSE(json::parse(plain.out).contains("sass"));
  const Outcome asked = warpbook(launch(file, {"--sass", "--json"}), kHidden);
  CAPTURE(asked.err);
  CHECK(asked.code == 0);
  const json report = json::parse(asked.out);
  const json& sass = report.at("sass");
  CHECK(sass.at("architecture") == 90);
  CHECK(sass.at("disassembler") == "");
  CHECK(sass.at("why").at("code") == "library_missing");
  const json* load = load_in(sass);
  REQUIRE(load);
  CHECK(load->at("line") == 3);
  CHECK(load->at("executed") == 8);  // 4 blocks of 2 warps
  CHECK(load->at("write_barrier").is_number());
  CHECK(sass.at("functions").at(0).at("opcodes").at("LDG") == 1);
  CHECK(complaints("launch.schema.json", {json::parse(plain.out), report}) == "");
}

TEST_CASE("machine code for rare operands of a division is taken not to run", "[ci]") {
  // ptxas writes a branch past a call, and behind the kernel's EXIT the subroutine for subnormal and huge operands.
  const TemporaryFolder folder;
  const std::string file = folder.write("over.cu", R"(
__device__ __noinline__ float twice(float x, int n) {
  for (int k = 0; k < n; ++k) x = x * 0.5f + 1;
  return x;
}
__global__ void over(const float* x, float* y, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) y[i] = 1 / (1 + x[i]) + twice(x[i], n);
}
)");
  const Outcome asked = warpbook(launch(file, {"--sass", "--json"}), kHidden);
  CAPTURE(asked.err);
  REQUIRE(asked.code == 0);
  double calls = 0, reciprocals = 0, halves = 0, rare = 0;
  const json report = json::parse(asked.out);
  for (const json& one : report.at("sass").at("functions").at(0).at("instructions")) {
    const std::string text = one.at("text");
    const double executed = one.at("executed");
    if (text.starts_with("CALL") && executed == 0) ++calls;
    if (text.starts_with("MUFU") && executed > 0) ++reciprocals;
    if (text.starts_with("MUFU") && executed == 0) ++rare;
    if (text.starts_with("FFMA") && executed > 8)
      ++halves;  // the loop of the reader's own function
  }
  CHECK(calls == 1);
  CHECK(reciprocals == 1);
  CHECK(rare >= 1);
  CHECK(halves >= 1);
}

TEST_CASE("launch --sass speaks both languages, beside what the kernel prints", "[ci]") {
  const TemporaryFolder folder;
  const std::string file = folder.write("twice.cu", kTwice);
  const Outcome english = warpbook(launch(file, {"--sass", "--lang", "en"}), kHidden);
  CHECK(english.code == 0);
  CHECK(english.out.empty());
  CHECK_THAT(english.err, said("sass.of", {{"architecture", "sm_90"}}));
  CHECK(unwrapped(english.err).find("./warpbook fetch disassembler") != std::string::npos);
  CHECK(english.err.find("  LDG") != std::string::npos);
  CHECK(english.err.find('<') == std::string::npos);  // a string that is missing
  const Outcome chinese = warpbook(launch(file, {"--sass", "--lang", "zh"}), kHidden);
  CHECK(chinese.err.find("sm_90 的机器码") != std::string::npos);
}

TEST_CASE("launch --sass is as it was where nvdisasm writes nonsense, crashes or hangs on",
          "[ci]") {
  const TemporaryFolder folder;
  const std::string file = folder.write("twice.cu", kTwice);
  for (const char* script :
       {"echo .section .text._Z5twicePKfPfi; echo '/*0000*/ EXIT ; /* 0x1 */'", "kill -ABRT $$",
        "echo no >&2; exit 3", "head -c 100000 /dev/urandom"}) {
    CAPTURE(script);
    const std::string program = stand_in(folder, script);
    const Outcome asked =
        warpbook(launch(file, {"--sass", "--json"}), {{"WARPBOOK_NVDISASM", program}});
    CHECK(asked.code == 0);
    const json sass = json::parse(asked.out).at("sass");
    CHECK(sass.at("disassembler") == "");
    CHECK_FALSE(sass.at("why").is_null());
    CHECK(load_in(sass));
  }
}

TEST_CASE("launch --sass of a PTX file says that there is no machine code", "[ci]") {
  const TemporaryFolder folder;
  const std::string file = folder.write(
      "empty.ptx",
      ".version 8.0\n.target sm_80\n.address_size 64\n.visible .entry nothing() { ret; }\n");
  const Outcome asked = warpbook({"launch", file, "--sass", "--lang", "en"}, kHidden);
  CHECK(asked.code == 0);
  CHECK_THAT(asked.err, said("sass.none"));
}

TEST_CASE("run --sass adds the machine code of the sources, and run alone does not", "[ci]") {
  const Outcome plain = warpbook({"run", "first-kernel", "--json"}, kHidden);
  const Outcome asked = warpbook({"run", "first-kernel", "--sass", "--json"}, kHidden);
  const auto sass_of = [](const Outcome& outcome) {
    const json report = json::parse(outcome.out);
    for (const json& one : report.at("exhibits")) {
      if (one.at("kind") == "source") return one.at("value").at("sass");
    }
    return json("no source");
  };
  CHECK(sass_of(plain).is_null());
  const json sass = sass_of(asked);
  REQUIRE(sass.is_object());
  CHECK_FALSE(sass.at("functions").at(0).at("instructions").at(0).at("executed").is_null());
  CHECK(complaints("report.schema.json", {json::parse(asked.out)}) == "");
}

TEST_CASE("doctor says whether nvdisasm is here, and the command that gets it", "[ci]") {
  const json parts = json::parse(warpbook({"doctor", "--json"}, kHidden).out).at("parts");
  CHECK(parts.at("disassembler").at("here") == false);
  CHECK(parts.at("disassembler").at("remedy") == "./warpbook fetch disassembler");
  const TemporaryFolder folder;
  const std::string program =
      stand_in(folder, "echo 'Cuda compilation tools, release 13.2, V13.2.86'");
  const json here =
      json::parse(warpbook({"doctor", "--json"}, {{"WARPBOOK_NVDISASM", program}}).out).at("parts");
  CHECK(here.at("disassembler").at("found") == json::array({"13.2.86", program}));
}

}  // namespace warpbook::tests::launch_sass_test
