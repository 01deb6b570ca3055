#include "device/libraries/described_gpu.hpp"

#include <catch2/catch_test_macros.hpp>
#include <nlohmann/json.hpp>

#include "device/device.hpp"
#include "device/gpu_table.hpp"

namespace warpbook::tests::described_gpu_test {

using namespace device::libraries;

TEST_CASE(
    "Every GPU of the table is described in cuDNN's 23 fields, and where its figures come from "
    "stands beside it") {
  for (const device::Properties& row : device::gpu_table()) {
    CAPTURE(row.name);
    const auto gpu = describe(row.name);
    REQUIRE(gpu);
    const auto json = nlohmann::json::parse(gpu->json);
    CHECK(json.size() == 23);
    CHECK(json.at("deviceVer") == row.compute_capability * 10);
    CHECK(json.at("multiProcessorCount") == row.multiprocessors);
    CHECK(json.at("totalGlobalMem") == row.global_bytes);
    CHECK(json.at("maxGridSize").size() == 3);
    CHECK(json.at("maxBlockSize").at(2) == 64);
    CHECK(json.at("warpSize") == 32);
    CHECK(json.at("deviceName") == "NVIDIA " + row.name);
    CHECK(gpu->how.english().find("CUDA C++ Programming Guide") != std::string::npos);
    CHECK(gpu->how.english().ends_with(device::source_of_gpu(row.name)));
  }
}

TEST_CASE("A GPU that is not of the table is not made up, and the one here needs no description") {
  const auto gpu = describe("RTX 9999");
  REQUIRE_FALSE(gpu);
  CHECK(
      gpu.error().english().starts_with("there is no GPU \"RTX 9999\" in the table; it has T4, "));
  const auto here = describe(kHere);
  REQUIRE(here);
  CHECK(here->json.empty());
}

}  // namespace warpbook::tests::described_gpu_test
