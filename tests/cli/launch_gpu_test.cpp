// `warpbook launch --device`: what runs a kernel, and what is said where a GPU cannot.
#include <catch2/catch_test_macros.hpp>
#include <nlohmann/json.hpp>

#include "tests/cli/program.hpp"
#include "tests/device/gpu/stand_in.hpp"
#include "tests/says.hpp"

namespace warpbook::tests::launch_gpu_test {

using nlohmann::json;

namespace {

constexpr const char* kSay = R"(.version 7.0
.target sm_75
.address_size 64
.visible .entry say() { ret; }
)";

Outcome say_on(const std::string& device, const std::vector<std::string>& more = {}) {
  const TemporaryFolder folder;
  std::vector<std::string> arguments{
      "launch", folder.write("say.ptx", kSay).string(), "--grid", "2", "--device", device};
  arguments.insert(arguments.end(), more.begin(), more.end());
  return warpbook(arguments);
}

}  // namespace

TEST_CASE("launch on a GPU without a driver says what is missing, and ends with 3") {
  const StandIn none{StandIn::Absent{}};
  const Outcome outcome = say_on("gpu");
  CHECK(outcome.code == 3);
  CHECK_THAT(outcome.err, Says("error.driver_missing.long"));
}

TEST_CASE("launch on auto takes the simulator where no GPU serves") {
  const StandIn none{StandIn::Absent{}};
  const Outcome outcome = say_on("auto", {"--json"});
  CHECK(outcome.code == 0);
  const json report = json::parse(outcome.out);
  CHECK(report["device"] == "simulator");
  CHECK(report["counted"] == true);
}

TEST_CASE("launch on a GPU gives its output and its time") {
  const StandIn driver;
  const Outcome outcome = say_on("auto");
  CHECK(outcome.code == 0);
  CHECK(outcome.out == "hello from block 0\nhello from block 1\n");
  CHECK(outcome.err.find("on Stand-in GPU, run once") != std::string::npos);

  const json report = json::parse(say_on("gpu", {"--json"}).out);
  CHECK(report["device"] == "gpu");
  CHECK(report["gpu"] == "Stand-in GPU");
  CHECK(report["counted"] == false);
  CHECK(report["errors"].empty());
  CHECK(report["registers"] == 20);
}

TEST_CASE("launch tells a GPU's fault as an error, with the way to find its place") {
  const StandIn driver("run 700");
  const Outcome outcome = say_on("gpu");
  CHECK(outcome.code == 1);
  CHECK_THAT(outcome.err, Says("error.gpu_illegal_address.long", {{"kernel", "say"}}));
  CHECK(outcome.err.find("--device simulator") != std::string::npos);
}

}  // namespace warpbook::tests::launch_gpu_test
