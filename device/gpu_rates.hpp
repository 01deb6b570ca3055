// What a described GPU does in a clock, and how long its memories let one wait: what the timing model goes by.
#pragma once

#include <cstdint>
#include <string_view>

#include "device/device.hpp"

namespace warpbook::device {

/// Rates are those of one multiprocessor in one clock, unless something else is said; lanes are threads' results.
struct GpuRates {
  double issue = 4;             ///< warp instructions: one of each of four schedulers
  double multiply_add = 0;      ///< lanes of FFMA, FADD, FMUL, and of IMAD with them
  double integer_multiply = 0;  ///< lanes of IMAD alone
  double integer = 64;          ///< lanes of adds, logic, comparisons, selections, shifts
  double half = 0;              ///< lanes of two halves each: HFMA2 and its like
  double wide = 0;              ///< lanes of FP64
  double special = 16;          ///< lanes of MUFU and conversions
  double tensor_half = 0;       ///< multiply-adds of mma with f16 or bf16 operands, f32 sums
  double tensor_single = 0;     ///< of mma with tf32 operands
  double load_store = 32;       ///< lanes that the load-store units take in, shuffles included
  double shared_bytes = 128;    ///< one wavefront of 32 banks; half of that takes two clocks
  double l1_bytes = 128;        ///< data out of L1
  double l1_lines = 1;          ///< lines of 128 bytes that L1 looks up
  double texels = 4;            ///< lanes of texture fetches
  std::uint32_t l1_kib = 0;     ///< of L1 and shared memory together
  double l2_bytes = 0;          ///< of the whole GPU in a clock
  double l2_request = 64;       ///< of these, what a request for sectors of one line takes at least
  double dram_write = 1;        ///< what a byte takes DRAM to write, as a multiple of one read
  // Clocks from issue to use.
  double shared_latency = 0, l1_latency = 0, l2_latency = 0, dram_latency = 0;
};

/// For a row of the GPU table, and for any other GPU of compute capability 7.5 to 9.0, by its architecture.
GpuRates rates_of(const Properties& gpu);

/// Bytes a second that the memory chips move at their rated clock.
double memory_rate(const Properties& gpu);

}  // namespace warpbook::device
