#include "device/libraries/described_gpu.hpp"

#include <string_view>

#include <fmt/format.h>

#include "device/device.hpp"
#include "device/gpu_table.hpp"

namespace warpbook::device::libraries {
namespace {

// No specification says where the imagined board is, so it is here: the first device, in slot 0, under Linux' driver of CUDA
// 13.0.
constexpr int kSlot = 0, kOrdinal = 0, kDriver = 13000, kWindowsComputeDriver = 0;

}  // namespace

Expected<DescribedGpu> describe(std::string_view gpu) {
  if (gpu == kHere) return DescribedGpu{};
  const auto row = known_gpu(gpu);
  if (!row) return tl::unexpected(row.error());
  const Properties& p = **row;
  DescribedGpu described;
  described.name = p.name;
  described.how = {
      "phrase.how.written",
      {{"capability", fmt::format("{}.{}", p.compute_capability / 10, p.compute_capability % 10)},
       {"board", std::string(source_of_gpu(p.name))}},
      {}};
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

}  // namespace warpbook::device::libraries
