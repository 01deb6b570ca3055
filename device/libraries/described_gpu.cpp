#include "device/libraries/described_gpu.hpp"

#include <algorithm>
#include <array>

#include <fmt/format.h>

#include "device/device.hpp"

namespace warpbook::device::libraries {
namespace {

/// Whose figures of the board are published, and where. Those of the multiprocessor are of its compute capability: CUDA
/// C++ Programming Guide, "Technical Specifications per Compute Capability". The figures themselves stand in the GPU
/// table, each with its source.
struct Published {
  std::string_view gpu;
  std::string_view board;
};
constexpr std::array kPublished{
    Published{"T4", "Turing whitepaper, WP-09183"},
    Published{"RTX 2080 Ti", "Turing whitepaper, WP-09183"},
    Published{"A100 40GB", "A100 whitepaper"},
    Published{"A100 80GB", "A100 whitepaper and data sheet"},
    Published{"RTX 3090", "GA102 whitepaper, v2.1"},
    Published{"RTX 4090", "Ada whitepaper, v2.02"},
    Published{"L4", "L4 product brief, PB-11316-001, and Ada whitepaper, v2.02"},
    Published{"H100 SXM", "H100 whitepaper and data sheet; clocks derived from its rates"},
    Published{"H200", "H200 data sheet and H100 whitepaper; clocks and L2 derived from its rates"},
};

// What no specification tells is where the imagined board is: the first device, in slot 0, under Linux' driver of CUDA
// 13.0.
constexpr int kSlot = 0, kOrdinal = 0, kDriver = 13000, kWindowsComputeDriver = 0;

}  // namespace

Expected<DescribedGpu> describe(const Properties& p) {
  const auto published =
      std::ranges::find_if(kPublished, [&](const Published& row) { return row.gpu == p.name; });
  if (published == kPublished.end()) {
    std::string known;
    for (const std::string& name : described_gpus()) known += (known.empty() ? "" : ", ") + name;
    return failure(ErrorCode::gpu_not_described, {{"gpu", p.name}, {"known", known}});
  }
  DescribedGpu described;
  described.name = p.name;
  described.how = fmt::format(
      "written from the CUDA C++ Programming Guide (compute capability {}.{}) and NVIDIA's {}",
      p.compute_capability / 10, p.compute_capability % 10, published->board);
  described.json = fmt::format(
      R"({{"maxGridSize":[{},{},{}],"maxBlockSize":[{},{},{}],"regsPerBlock":{},)"
      R"("multiProcessorCount":{},"warpSize":{},"maxSharedMemoryPerBlock":{},)"
      R"("maxSharedMemoryPerBlockOptin":{},"reservedSharedMemoryPerBlock":{},)"
      R"("maxRegistersPerSM":{},"maxCtasPerSM":{},"maxThreadsPerBlock":{},"maxThreadsPerSM":{},)"
      R"("pciDeviceId":{},"isTccDriver":{},"supportCoopLaunch":{},"smClockRateKHz":{},)"
      R"("memClockRateKHz":{},"l2CacheSize":{},"deviceName":"NVIDIA {}","deviceVer":{},)"
      R"("driverVer":{},"totalGlobalMem":{},"cudaDeviceId":{}}})",
      p.max_grid.x, p.max_grid.y, p.max_grid.z, p.max_block.x, p.max_block.y, p.max_block.z,
      p.registers_per_multiprocessor, p.multiprocessors, kLanes, p.shared_per_block,
      p.shared_per_block_optin, p.reserved_shared_per_block, p.registers_per_multiprocessor,
      p.max_blocks_per_multiprocessor, p.max_threads_per_block, p.max_threads_per_multiprocessor,
      kSlot, kWindowsComputeDriver, 1, p.clock_khz, p.memory_clock_khz, p.l2_bytes, p.name,
      p.compute_capability * 10, kDriver, p.global_bytes, kOrdinal);
  return described;
}

std::vector<std::string> described_gpus() {
  std::vector<std::string> names;
  for (const Properties& row : gpu_table()) {
    if (std::ranges::any_of(kPublished, [&](const Published& p) { return p.gpu == row.name; }))
      names.push_back(row.name);
  }
  return names;
}

}  // namespace warpbook::device::libraries
