// `warpbook launch --estimate`: the time on a described GPU, as JSON and in words.
#include <algorithm>

#include <catch2/catch_test_macros.hpp>

#include "tests/cli/program.hpp"
#include "tests/schema.hpp"
#include "tests/temporary_folder.hpp"

namespace warpbook::tests::launch_estimate_test {

using nlohmann::json;

namespace {

const char* const kDouble = R"(__global__ void twice(const float* x, float* y, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) y[i] = 2 * x[i];
}
)";

std::vector<std::string> launch(const std::string& file, std::vector<std::string> more) {
  std::vector<std::string> line{"launch", file,        "--grid",     "256",     "--block",
                                "256",    "--arg",     "out:262144", "--arg",   "out:262144",
                                "--arg",  "i32:65536", "--check",    "memcheck"};
  line.insert(line.end(), more.begin(), more.end());
  return line;
}

}  // namespace

TEST_CASE("launch --estimate says how long the kernel would take, on which GPU and why", "[ci]") {
  const TemporaryFolder folder;
  const std::string file = folder.write("twice.cu", kDouble);
  const Outcome plain = warpbook(launch(file, {"--json"}));
  CHECK_FALSE(json::parse(plain.out).contains("estimate"));

  const Outcome own = warpbook(launch(file, {"--estimate", "--json"}));
  CAPTURE(own.err);
  CHECK(own.code == 0);
  const json report = json::parse(own.out);
  CHECK(report.at("gpu") == "H200");
  const json& estimate = report.at("estimate");
  CHECK(estimate.at("time").at("kind") == "estimated");
  CHECK(estimate.at("time").at("on") == "H200");
  CHECK(estimate.at("low") < estimate.at("seconds"));
  CHECK(estimate.at("seconds") < estimate.at("high"));
  CHECK(estimate.at("limiter") == estimate.at("bounds").at(0).at("name"));
  CHECK_FALSE(estimate.at("bottleneck").get<std::string>().empty());
  CHECK(estimate.at("occupancy").at("limiter") == "threads");
  CHECK(estimate.at("machine_code") == true);
  CHECK(estimate.at("blocks_run") == 256);

  const Outcome other =
      warpbook(launch(file, {"--estimate", "t4", "--estimate-blocks", "64", "--json"}));
  const json on_t4 = json::parse(other.out);
  CHECK(on_t4.at("gpu") == "T4");
  CHECK(on_t4.at("estimate").at("blocks_run") == 64);
  CHECK(on_t4.at("estimate").at("seconds") > estimate.at("seconds"));
  CHECK(complaints("launch.schema.json", {json::parse(plain.out), report, on_t4}) == "");
}

TEST_CASE("launch --estimate speaks both languages, beside what the kernel prints", "[ci]") {
  const TemporaryFolder folder;
  const std::string file = folder.write("twice.cu", kDouble);
  const Outcome english = warpbook(launch(file, {"--estimate", "rtx4090", "--lang", "en"}));
  CHECK(english.code == 0);
  CHECK(english.out.empty());
  CHECK(english.err.find("Estimated on RTX 4090: ") != std::string::npos);
  CHECK(english.err.find('<') == std::string::npos);  // a string that is missing
  const Outcome chinese = warpbook(launch(file, {"--estimate", "rtx4090", "--lang", "zh"}));
  CHECK(chinese.err.find("RTX 4090 上的估算用时") != std::string::npos);
}

TEST_CASE("launch --estimate refuses a GPU that is not there, and two at once", "[ci]") {
  const TemporaryFolder folder;
  const std::string file = folder.write("twice.cu", kDouble);
  CHECK(warpbook(launch(file, {"--estimate", "voodoo"})).code == 2);
  const Outcome two = warpbook(launch(file, {"--estimate", "t4", "--gpu", "h200"}));
  CHECK(two.code == 2);
  CHECK(two.err.find("--estimate t4") != std::string::npos);
  CHECK(warpbook(launch(file, {"--estimate", "t4", "--gpu", "T4"})).code == 0);
}

TEST_CASE(
    "an estimate for no GPU is bad usage, and what a launch did is said in Chinese throughout",
    "[ci]") {
  const TemporaryFolder folder;
  const std::string file = folder.write("twice.cu", kDouble);
  const Outcome empty = warpbook(launch(file, {"--estimate", ""}));
  CHECK(empty.code == 2);
  CHECK(empty.err.find("--estimate") != std::string::npos);

  const Outcome chinese = warpbook(launch(file, {"--estimate", "--lang", "zh"}));
  CAPTURE(chinese.err);
  CHECK(chinese.code == 0);
  for (const char* english : {"blocks", "threads", "registers", "limited", "simulation"})
    CHECK(chinese.err.find(english) == std::string::npos);
  std::vector<std::string> large = launch(file, {"--lang", "zh"});
  std::ranges::replace(large, "256", "2048");
  const Outcome refused = warpbook(large);
  CAPTURE(refused.err);
  CHECK(refused.code != 0);
  CHECK(refused.err.find("线程") != std::string::npos);
}

}  // namespace warpbook::tests::launch_estimate_test
