// How long a launch would take on a GPU of the table. demand_of() says what the launch asks of each part of the GPU, the bounds say how
// long each part alone would need for that, and seconds_of() joins them (bounds.cpp has the equations). Every bound is a plain function
// of the demand and the rates.
#pragma once

#include <map>
#include <vector>

#include "device/device.hpp"
#include "device/gpu_table.hpp"
#include "device/simulator/estimate/caches.hpp"
#include "device/simulator/estimate/calibration.hpp"
#include "device/simulator/estimate/executed.hpp"
#include "device/simulator/estimate/traffic.hpp"
#include "device/simulator/state/launch_observer.hpp"

namespace warpbook::device {

/// What a line has of a launch's time, by what takes it, the longest first.
using TimesByLine = std::map<std::uint32_t, std::vector<EstimateBound>>;

/// What a whole launch asks of the GPU.
struct Demand {
  double blocks = 0;  ///< of the grid
  double warps_per_block = 0;
  double resident = 1;                        ///< blocks on a multiprocessor at once
  PipeCounts pipes{};                         ///< warp instructions
  double tensor_half = 0, tensor_single = 0;  ///< multiply-adds
  double shared_wavefronts = 0;
  double constant_words = 0;  ///< that the constant cache reads one after the other
  double l1_lines = 0;        ///< lines looked up
  double l1_bytes = 0;        ///< requested by lanes, of global and local memory
  double l2_bytes = 0, dram_bytes = 0;
  double l2_busy = 0;       ///< bytes that L2 could have moved in the time that its requests take
  double dram_written = 0;  ///< of dram_bytes
  double dram_runs = 0;     ///< runs of neighbouring lines that DRAM moves one at a time
  double atomic_turns = 0;  ///< that atomic operations take on the line of L2 that has the most
  double atomics = 0;       ///< lanes
  double serial_warp_clocks = 0;  ///< of all warps, if each ran alone on its scheduler
  double waiting_warp_clocks =
      0;  ///< besides, of all warps: until the longest warp of their block has come to a barrier, or has ended
  double unevenness = 1;  ///< work of a block's longest warp, as a multiple of its mean warp's
  double longest_warp_clocks = 0;   ///< of the launch's longest warp, alone on its scheduler
  double heaviest_block_share = 0;  ///< of all instructions of the launch
  bool barriers = false;            ///< the warps of a block wait for each other
};

/// What a launch, or one instruction of it, asks of the memories.
struct MemoryDemand {
  double shared_wavefronts = 0, constant_words = 0, l1_lines = 0, l1_bytes = 0, l2_bytes = 0,
         l2_busy = 0, dram_read = 0, written = 0, atomics = 0, loads_requested = 0, l1_missed = 0,
         l2_missed = 0;

  MemoryDemand& operator+=(const MemoryDemand& other);
};

/// What the instructions of one line of PTX ask of the GPU, of those blocks that ran. All lines together ask what the launch asks.
struct LineDemand {
  PipeCounts pipes{};
  TensorWork tensor;
  MemoryDemand memory;
  double serial_warp_clocks = 0;
  double barriers = 0;             ///< warp instructions
  double waiting_warp_clocks = 0;  ///< at its barriers, for the longest warp of the block
};

/// A GPU with the figures that the bounds use.
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
/// Seconds of the busiest multiprocessor, where all of them together need `clocks` clocks. Its share is that of its blocks or, if that is
/// more, of the heaviest block, since a block stays on one multiprocessor.
double seconds_on_busiest(const GpuModel& model, const Demand& demand, double clocks);

// The bounds, each in seconds for the whole launch.
double issue_bound(const GpuModel& model, const Demand& demand);
double multiply_add_bound(const GpuModel& model, const Demand& demand);  ///< FP32 and IMAD
double integer_bound(const GpuModel& model, const Demand& demand);
double half_bound(const GpuModel& model, const Demand& demand);
double wide_bound(const GpuModel& model, const Demand& demand);  ///< FP64
double special_bound(const GpuModel& model, const Demand& demand);
double tensor_bound(const GpuModel& model, const Demand& demand);
double load_store_bound(const GpuModel& model, const Demand& demand);
double texture_bound(const GpuModel& model, const Demand& demand);
double constant_bound(const GpuModel& model, const Demand& demand);  ///< words of by-lane reads
double shared_bound(const GpuModel& model, const Demand& demand);    ///< wavefronts
double l1_bound(const GpuModel& model, const Demand& demand);        ///< lines and bytes
double l2_bound(const GpuModel& model, const Demand& demand);
double dram_bound(const GpuModel& model, const Demand& demand);
double atomic_bound(const GpuModel& model, const Demand& demand);  ///< on one line of L2
/// The longest of the bounds that are within a multiprocessor.
double multiprocessor_bound(const GpuModel& model, const Demand& demand);
/// The time that warps wait for their own results: as many rounds of resident blocks as it takes, each as long as one warp needs alone.
/// With barriers, the warps of a block wait together and only other blocks can work meanwhile, so less is hidden. Where warps are uneven, a
/// block stays until its longest warp ends. What barriers make its other warps wait counts for nothing where other work hides it.
double latency_bound(const GpuModel& model, const Demand& demand);
/// Of latency_bound(): what barriers add to it.
double barrier_waiting(const GpuModel& model, const Demand& demand);
/// Whether a few warps have so much more to do than the others that the launch waits for them.
bool is_uneven(const GpuModel& model, const Demand& demand);

/// All bounds by name, the longest first: "issue", "fp32", "integer", "half", "fp64", "special", "tensor", "lsu", "texture", "constant",
/// "shared", "l1", "l2", "dram", "atomics", and "latency", which is called "longest" if the launch is uneven. Bounds of zero are left out.
std::vector<EstimateBound> bounds_of(const GpuModel& model, const Demand& demand);

/// The bounds joined by a p-norm, and the time to launch.
double seconds_of(const GpuModel& model, const std::vector<EstimateBound>& bounds);

/// What one launch did, from which it is estimated. `machine` may be nullptr: then the PTX stands for the machine code.
struct ExecutedLaunch {
  const LaunchRecord& record;
  const isa::Code& code;
  const ptx::Module& module;
  const MachineCode* machine;
  const Traffic& traffic;
  Balance balance;
  std::uint64_t blocks = 0, blocks_run = 0;
  Occupancy occupancy;
};

/// `lines`: as demand_by_line() gives them.
Demand demand_of(const GpuModel& model, const ExecutedLaunch& launch, const CacheTotals& caches,
                 const std::map<std::uint32_t, LineDemand>& lines);
/// By line of PTX; 0: machine code that stems from none, and the waiting for the end of a block.
std::map<std::uint32_t, LineDemand> demand_by_line(const GpuModel& model,
                                                   const ExecutedLaunch& launch,
                                                   const CacheTotals& caches);

struct EstimatedLaunch {
  Estimate whole;
  TimesByLine by_ptx_line;
};
EstimatedLaunch estimate(const GpuModel& model, const ExecutedLaunch& launch);

}  // namespace warpbook::device
