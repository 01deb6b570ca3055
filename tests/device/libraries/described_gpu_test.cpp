#include "device/libraries/described_gpu.hpp"

#include <catch2/catch_test_macros.hpp>
#include <nlohmann/json.hpp>

#include "device/device.hpp"

namespace warpbook::tests::described_gpu_test {

using namespace device::libraries;

TEST_CASE("Every GPU of the table is described in cuDNN's 23 fields, or said not to be") {
  std::size_t described = 0;
  for (const device::Properties& row : device::gpu_table()) {
    CAPTURE(row.name);
    const auto gpu = describe(row);
    if (!gpu) {
      CHECK(gpu.error().code == device::ErrorCode::gpu_not_described);
      continue;
    }
    ++described;
    const auto json = nlohmann::json::parse(gpu->json);
    CHECK(json.size() == 23);
    CHECK(json.at("deviceVer") == row.compute_capability * 10);
    CHECK(json.at("multiProcessorCount") == row.multiprocessors);
    CHECK(json.at("totalGlobalMem") == row.global_bytes);
    CHECK(json.at("maxGridSize").size() == 3);
    CHECK(json.at("maxBlockSize").at(2) == 64);
    CHECK(json.at("warpSize") == 32);
    CHECK(json.at("deviceName") == "NVIDIA " + row.name);
    // Where its figures come from stands beside it.
    CHECK(gpu->how.find("CUDA C++ Programming Guide") != std::string::npos);
  }
  CHECK(described == described_gpus().size());
  CHECK(described >= 9);
}

TEST_CASE("A GPU whose figures are nowhere published is not made up") {
  device::Properties unknown;
  unknown.name = "RTX 9999";
  const auto gpu = describe(unknown);
  REQUIRE_FALSE(gpu);
  CHECK(gpu.error().english().starts_with(
      "there is no description of RTX 9999 to give to cuDNN; there are some of T4, "));
}

}  // namespace warpbook::tests::described_gpu_test
