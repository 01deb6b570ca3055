// What the GPU table (device.hpp, gpu_table()) says of a GPU beyond its Properties: its rates, by which launches are estimated, and
// its sources. Each GPU is one row of gpu_table.cpp.
#pragma once

#include <cstdint>
#include <string_view>

#include "device/device.hpp"

namespace warpbook::device {

/// Rates are per multiprocessor and clock, unless something else is said. "Lanes" are results of threads.
struct GpuRates {
  double issue = 4;             ///< warp instructions: one by each of four schedulers
  double multiply_add = 0;      ///< lanes of FFMA, FADD, FMUL, and of IMAD with them
  double integer_multiply = 0;  ///< lanes of IMAD alone
  double integer = 64;          ///< lanes of adds, logic, comparisons, selections, shifts
  double half = 0;              ///< lanes of two halves each: HFMA2 and its like
  double wide = 0;              ///< lanes of FP64
  double special = 16;          ///< lanes of MUFU and conversions
  double tensor_half = 0;       ///< multiply-adds of mma with f16 or bf16 operands and f32 sums
  double tensor_single = 0;     ///< multiply-adds of mma with tf32 operands
  double load_store = 32;       ///< lanes that the load-store units take in, shuffles included
  double shared_bytes = 128;    ///< one wavefront of 32 banks; at half the rate it takes two clocks
  double l1_bytes = 128;        ///< data out of L1
  double l1_lines = 1;          ///< lines of 128 bytes that L1 looks up
  double texels = 4;            ///< lanes of texture fetches
  double constant_words = 1;    ///< words of constant memory, where lanes read different ones
  std::uint32_t l1_kib = 0;     ///< of L1 and shared memory together
  double l2_bytes = 0;          ///< of the whole GPU per clock
  double l2_request =
      64;                 ///< the least of these bytes that a request for sectors of one line takes
  double dram_write = 1;  ///< DRAM's time to write a byte, as a multiple of that to read one
  double atomic =
      1;  ///< L2's time for an atomic operation, as a multiple of Calibration::atomic_clocks
  // Clocks from issue to use.
  double shared_latency = 0, l1_latency = 0, l2_latency = 0, dram_latency = 0;
};

/// For a GPU of the table, also by the name that its driver gives it, and for any other of compute capability 7.5 to 12.0, by its
/// architecture.
GpuRates rates_of(const Properties& gpu);

/// Bytes per second that the memory chips move at their rated clock.
double memory_rate(const Properties& gpu);

/// Where the row of this name is from, "H200": mostly NVIDIA's documents. Empty for any other name.
std::string_view source_of_gpu(std::string_view name);

}  // namespace warpbook::device
