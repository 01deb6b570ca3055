// The constants of the timing model that no document states. They were fitted on one half of the published timings in
// tests/device/simulator/estimate/published.toml (`bench_estimate fit` prints them, dram_run_bytes aside), and the other half tests
// them.
#pragma once

namespace warpbook::device {

struct Calibration {
  /// The part of the rated bandwidth of DRAM, of L2, and of the rate of the multiply-add pipes that well-written kernels reach.
  double dram = 0.91;
  double l2 = 0.96;
  double multiply_add = 1.00;
  /// Bytes that DRAM could have moved in the time it takes to turn to another place: one access of 64 bytes. The transposes of the fitted
  /// half fit anything from 50 to 130 as well.
  double dram_run_bytes = 64;
  /// The exponent of the p-norm that joins the bounds (bounds.cpp): 1 would be their sum, infinity the longest.
  double joining = 3.6;
  /// How much longer a warp, or a block with barriers, takes beside others than alone.
  double latency = 1.20;
  /// Clocks that a sector of L2 takes for an atomic operation on its words.
  double atomic_clocks = 2.74;
  /// Seconds from launch to end of a kernel that does nothing. github.com/R100001/Programming-Massively-Parallel-Processors,
  /// Performance-Tests-NvBench/array_add/BenchResults/BenchResults3080.md: 1.67 us for adding four elements, batched.
  double launch = 1.7e-6;
  /// The band around the estimate. Four of five published timings of the fitted half were between 0.91 and 1.18 times the estimate. But
  /// they are of regular kernels that people chose to show, and others scatter more. Therefore the band begins at 0.91 x 0.91 and ends at
  /// 1.25 x 1.25, 1.25 being the upper end that an earlier fit left; strided accesses on an A100 and a T4 take even longer. On an H100 it
  /// holds for 35 of 44 rungs (docs/accuracy.md).
  double low = 0.83, high = 1.56;
  double without_machine_code = 1.5;  ///< widens the band both ways where only PTX was counted
};

}  // namespace warpbook::device
