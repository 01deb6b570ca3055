// How long a launch would take on a described GPU: what it asks of each part of the GPU, how long each part alone would need for
// that (the bounds), and the bounds joined. Every bound is a plain function of the demand and the rates.
#pragma once

#include <vector>

#include "device/device.hpp"
#include "device/gpu_rates.hpp"
#include "device/simulator/estimate/caches.hpp"
#include "device/simulator/estimate/calibration.hpp"
#include "device/simulator/estimate/executed.hpp"
#include "device/simulator/estimate/traffic.hpp"
#include "device/simulator/state/launch_observer.hpp"

namespace warpbook::device {

/// What a whole launch asks of the GPU.
struct Demand {
  double blocks = 0;  ///< of the grid
  double warps_a_block = 0;
  double resident = 1;                        ///< blocks on a multiprocessor at once
  PipeCounts pipes{};                         ///< warp instructions
  double tensor_half = 0, tensor_single = 0;  ///< multiply-adds
  double shared_wavefronts = 0;
  double l1_lines = 0;  ///< lines looked up
  double l1_bytes = 0;  ///< asked for by lanes, global and local
  double l2_bytes = 0, dram_bytes = 0;
  double l2_busy = 0;          ///< bytes, small requests counted as what they keep L2 from
  double dram_written = 0;     ///< of dram_bytes
  double dram_pieces = 0;      ///< runs of neighbouring lines that DRAM moves one at a time
  double hottest_atomics = 0;  ///< operations on one address
  double atomics = 0;          ///< lanes
  double lonely_clocks = 0;    ///< of all warps, each alone on its scheduler
  double unevenness = 1;       ///< how many times as long as its mean warp a block's longest is
  double longest_clocks = 0;   ///< of the launch's longest warp, alone on its scheduler
  double heaviest = 0;         ///< the heaviest block's share of all instructions
  bool barriers = false;       ///< the warps of a block wait for each other
};

/// A GPU as the bounds see it.
struct GpuModel {
  Properties gpu;
  GpuRates rates;
  Calibration calibration;

  explicit GpuModel(const Properties& row, const Calibration& fitted = {})
      : gpu(row), rates(rates_of(row)), calibration(fitted) {}
  [[nodiscard]] double clock() const { return gpu.clock_khz * 1e3; }
};

/// Blocks of the busiest multiprocessor.
double busiest_blocks(const GpuModel& model, const Demand& demand);
/// Seconds for `clocks` that a launch needs of all multiprocessors together, at the busiest one's share; one block stays on one.
double spread(const GpuModel& model, const Demand& demand, double clocks);

// Each in seconds, for the whole launch.
double issue_bound(const GpuModel& model, const Demand& demand);
double multiply_add_bound(const GpuModel& model, const Demand& demand);  ///< FP32 and IMAD
double integer_bound(const GpuModel& model, const Demand& demand);
double half_bound(const GpuModel& model, const Demand& demand);
double wide_bound(const GpuModel& model, const Demand& demand);  ///< FP64
double special_bound(const GpuModel& model, const Demand& demand);
double tensor_bound(const GpuModel& model, const Demand& demand);
double load_store_bound(const GpuModel& model, const Demand& demand);
double texture_bound(const GpuModel& model, const Demand& demand);
double shared_bound(const GpuModel& model, const Demand& demand);  ///< wavefronts
double l1_bound(const GpuModel& model, const Demand& demand);      ///< lines and bytes
double l2_bound(const GpuModel& model, const Demand& demand);
double dram_bound(const GpuModel& model, const Demand& demand);
double atomic_bound(const GpuModel& model, const Demand& demand);  ///< on one address
/// The longest of the bounds that are within a multiprocessor.
double multiprocessor_bound(const GpuModel& model, const Demand& demand);
/// Rounds of resident blocks, each as long as its warps are. Behind a barrier no warp works while another still waits, so that what
/// one block does does not hide what it waits for; only other blocks do. Where warps are uneven, a block stays until its longest
/// ends.
double latency_bound(const GpuModel& model, const Demand& demand);
/// Whether few warps have so much more to do than the others that the launch waits for them.
bool is_uneven(const GpuModel& model, const Demand& demand);

/// All of them by name, the longest first: "issue", "fp32", "integer", "half", "fp64", "special", "tensor", "lsu", "texture",
/// "shared", "l1", "l2", "dram", "atomics", "latency" (where few warps have the work, "longest" in its place). Those that are
/// nothing are left out.
std::vector<EstimateBound> bounds_of(const GpuModel& model, const Demand& demand);

/// The bounds joined, and the launch itself.
double seconds_of(const GpuModel& model, const std::vector<EstimateBound>& bounds);

/// What one launch did, for estimating it. `machine` may be nullptr.
struct LaunchFindings {
  const LaunchRecord& record;
  const isa::Code& code;
  const ptx::Module& module;
  const MachineCode* machine;
  const Traffic& traffic;
  Balance balance;
  std::uint64_t blocks = 0, blocks_run = 0;
  Occupancy occupancy;
};

Demand demand_of(const GpuModel& model, const LaunchFindings& launch, const CacheTotals& caches);
Estimate estimate(const GpuModel& model, const LaunchFindings& launch);

}  // namespace warpbook::device
