// The units of allocation are those of NVIDIA's occupancy calculator (cuda_occupancy.h of the CUDA
// toolkit 13.0): registers go to warps in units of 256 and come from one of four partitions of the
// multiprocessor; shared memory goes to blocks in units of 256 bytes on 7.x and of 128 bytes from
// 8.0 on.
#include "device/occupancy.hpp"

#include <algorithm>
#include <array>
#include <limits>

namespace warpbook::device {
namespace {

constexpr std::uint32_t kRegisterUnit = 256;
constexpr std::uint32_t kPartitions = 4;
constexpr std::uint32_t kNoLimit = std::numeric_limits<std::uint32_t>::max();

std::uint64_t round_up(std::uint64_t value, std::uint64_t unit) {
  return (value + unit - 1) / unit * unit;
}

std::uint32_t warps_of(std::uint32_t threads) { return (threads + kLanes - 1) / kLanes; }

std::uint64_t registers_of_warp(std::uint32_t registers_per_thread) {
  return round_up(std::uint64_t{registers_per_thread} * kLanes, kRegisterUnit);
}

std::uint32_t register_limit(const Properties& gpu, const BlockDemand& demand) {
  if (!demand.registers || *demand.registers == 0) return kNoLimit;
  if (*demand.registers > gpu.max_registers_per_thread) return 0;
  if (registers_of_block(demand.threads, *demand.registers) > gpu.registers_per_multiprocessor)
    return 0;
  const std::uint64_t warps_of_partition =
      gpu.registers_per_multiprocessor / kPartitions / registers_of_warp(*demand.registers);
  return static_cast<std::uint32_t>(warps_of_partition * kPartitions / warps_of(demand.threads));
}

std::uint32_t shared_limit(const Properties& gpu, const BlockDemand& demand) {
  if (demand.shared > gpu.shared_per_block_optin) return 0;
  const std::uint64_t bytes = shared_of_block(gpu, demand.shared);
  return bytes == 0 ? kNoLimit : static_cast<std::uint32_t>(gpu.shared_per_multiprocessor / bytes);
}

}  // namespace

std::uint64_t registers_of_block(std::uint32_t threads, std::uint32_t registers_per_thread) {
  return registers_of_warp(registers_per_thread) * round_up(warps_of(threads), kPartitions);
}

std::uint64_t shared_of_block(const Properties& gpu, std::uint32_t bytes) {
  const std::uint32_t unit = gpu.compute_capability < 80 ? 256 : 128;
  return round_up(std::uint64_t{bytes} + gpu.reserved_shared_per_block, unit);
}

Occupancy occupancy_of(const Properties& gpu, const BlockDemand& demand) {
  Occupancy result;
  if (demand.threads == 0 || demand.threads > gpu.max_threads_per_block) {
    result.limiter = "threads";
    return result;
  }
  const std::uint32_t warps = warps_of(demand.threads);
  const std::uint32_t warps_possible = gpu.max_threads_per_multiprocessor / kLanes;
  struct Limit {
    const char* name;
    std::uint32_t blocks;
  };
  const std::array limits{
      Limit{"threads", warps_possible / warps}, Limit{"blocks", gpu.max_blocks_per_multiprocessor},
      Limit{"registers", register_limit(gpu, demand)}, Limit{"shared", shared_limit(gpu, demand)}};
  const auto least = std::ranges::min_element(limits, {}, &Limit::blocks);
  result.blocks = least->blocks;
  result.limiter = least->name;
  result.fraction = static_cast<double>(result.blocks) * warps / warps_possible;
  return result;
}

}  // namespace warpbook::device
