// The constants that no document states. They were fitted on one half of the published timings in
// tests/device/simulator/estimate/published.toml (`bench_estimate fit` prints them, dram_piece aside); the other half
// judges them.
#pragma once

namespace warpbook::device {

struct Calibration {
  /// Of the rated bandwidth of DRAM, of L2, and of the multiply-add pipes, what well-written kernels reach.
  double dram = 0.91;
  double l2 = 0.96;
  double multiply_add = 1.00;
  /// Bytes in whose time DRAM turns to another place: one access of 64 bytes. Anything from 50 to 130 fits the transposes of the
  /// fitted half as well.
  double dram_piece = 64;
  /// Bounds do not hide behind each other wholly: times are joined as a norm, 1 being their sum and infinity the longest.
  double joining = 3.6;
  /// What a warp, or a block with barriers, needs beside others, as a multiple of what it would need alone.
  double latency = 1.20;
  /// Clocks between two atomic operations on one address.
  double atomic_clocks = 2.74;
  /// Seconds from launch to end of a kernel that does nothing. github.com/R100001/Programming-Massively-Parallel-Processors,
  /// Performance-Tests-NvBench/array_add/BenchResults/BenchResults3080.md: 1.67 us, four elements added, batched.
  double launch = 1.7e-6;
  /// The band. Four of five published timings of the fitted half lay between 0.91 and 1.18 times the estimate. They are of regular
  /// kernels that people chose to show; others scatter more, so the band begins at the square of the one, and ends at that of 1.25,
  /// which an earlier fit had left over: strided accesses on an A100 and a T4 last even longer.
  double low = 0.83, high = 1.56;
  double without_machine_code = 1.5;  ///< what widens it both ways where only PTX was counted
};

}  // namespace warpbook::device
