#include "device/simulator/estimate/estimate.hpp"

#include <algorithm>
#include <unordered_map>
#include <utility>

#include "device/occupancy.hpp"
#include "device/simulator/estimate/by_line.hpp"

namespace warpbook::device {
namespace {

constexpr std::uint16_t kLdc = 0x182, kLdg = 0x181, kLdgsts = 0x1ae, kLds = 0x184, kLdsm = 0x03b,
                        kShfl = 0x189;
constexpr double kSmallestL1 = 16 * 1024;
constexpr double kOtherLatency = 25;  // MUFU, conversions, S2R and their like

/// L1 has what the shared memory of the resident blocks leaves of their common memory.
std::uint64_t l1_bytes_of(const GpuModel& model, const ExecutedLaunch& launch) {
  const double all = model.rates.l1_kib * 1024.0;
  const double shared =
      static_cast<double>(
          shared_of_block(model.gpu, launch.record.static_shared + launch.record.dynamic_shared)) *
      launch.occupancy.blocks;
  return static_cast<std::uint64_t>(std::max(kSmallestL1, all - shared));
}

double mean_latency(const GpuModel& model, const FarthestLevels& r) {
  if (r.requests == 0) return model.rates.dram_latency;
  const double l2 = static_cast<double>(r.l2) / static_cast<double>(r.requests),
               dram = static_cast<double>(r.dram) / static_cast<double>(r.requests);
  return (1 - l2 - dram) * model.rates.l1_latency + l2 * model.rates.l2_latency +
         dram * model.rates.dram_latency;
}

/// The mean latencies of a launch's accesses, by line of PTX.
class Latencies {
 public:
  Latencies(const GpuModel& model, const ExecutedLaunch& launch, const CacheTotals& caches)
      : model_(model) {
    for (std::size_t k = 0; k < launch.code.instructions.size(); ++k) {
      const std::uint32_t leader = launch.code.instructions[k].issued_with;
      if (leader < caches.reached.size() && caches.reached[leader].requests != 0)
        of_line_[launch.record.instructions[k].ptx_line] =
            mean_latency(model, caches.reached[leader]);
      if (const InstructionTraffic& t = launch.traffic.instructions[k]; t.constant_words != 0)
        of_constants_[launch.record.instructions[k].ptx_line] =
            kOtherLatency + static_cast<double>(t.constant_words) /
                                static_cast<double>(t.constant_requests) /
                                model.rates.constant_words;
    }
  }
  double operator()(const MachineInstruction& i) const {
    switch (i.opcode) {
      case kLds:
      case kLdsm:
      case kShfl: return model_.rates.shared_latency;
      case kLdc: {
        const auto split = of_constants_.find(i.ptx_line);
        return split != of_constants_.end() ? split->second : kOtherLatency;
      }
      case kLdg:
      case kLdgsts: break;
      default:
        if (pipe_of(i.opcode) != Pipe::load_store && pipe_of(i.opcode) != Pipe::texture)
          return kOtherLatency;
    }
    const auto known = of_line_.find(i.ptx_line);
    return known != of_line_.end() ? known->second : model_.rates.l2_latency;
  }

 private:
  const GpuModel& model_;
  std::unordered_map<std::uint32_t, double> of_line_;
  std::unordered_map<std::uint32_t, double> of_constants_;  // of reads of several addresses
};

/// By line of PTX: rounds of the loop that an atomic operation on shared memory may become. Each round serves one of the lanes that share a
/// word.
std::unordered_map<std::uint32_t, double> retries_of(const ExecutedLaunch& launch) {
  std::unordered_map<std::uint32_t, double> retries;
  for (std::size_t k = 0; k < launch.code.instructions.size(); ++k) {
    const InstructionTraffic& t = launch.traffic.instructions[k];
    if (t.shared_retries != 0)
      retries[launch.record.instructions[k].ptx_line] =
          static_cast<double>(t.shared_retries) / static_cast<double>(t.shared_requests);
  }
  return retries;
}

/// What one instruction asks of the memories. Its sample is scaled to the number of times that the launch executed it.
MemoryDemand memory_of(const GpuModel& model, const ExecutedLaunch& launch,
                       const CacheTotals& caches, std::size_t k) {
  MemoryDemand m;
  const Counters& c = launch.record.instructions[k].counters;
  const InstructionTraffic& t = launch.traffic.instructions[k];
  if (t.shared_requests != 0) {
    m.shared_wavefronts = static_cast<double>(c.shared_requests) *
                          static_cast<double>(t.shared_wavefronts) /
                          static_cast<double>(t.shared_requests);
  } else if (launch.code.instructions[k].issued_with == k) {
    m.shared_wavefronts = static_cast<double>(c.shared_wavefronts);
  }
  if (t.constant_requests != 0)
    m.constant_words = static_cast<double>(c.constant_requests) *
                       static_cast<double>(t.constant_words) /
                       static_cast<double>(t.constant_requests);
  m.l1_lines = static_cast<double>(c.local_requests);
  m.l1_bytes = static_cast<double>(c.local_bytes);
  if (t.global_requests == 0) {
    // No sampled block executed this instruction: count it as if its data were in no cache.
    if (c.global_requests == 0 || launch.code.instructions[k].issued_with != k) return m;
    const double bytes = static_cast<double>(c.global_sectors) * kSectorBytes;
    m.l1_lines += static_cast<double>(c.global_sectors) / 4;
    m.l1_bytes += static_cast<double>(c.global_bytes_asked);
    m.l2_bytes = bytes;
    m.l2_busy = bytes;
    (launch.code.instructions[k].load ? m.dram_read : m.written) = bytes;
    return m;
  }
  const double executed = static_cast<double>(c.global_requests);
  const double per_request = executed / static_cast<double>(t.global_requests);
  m.l1_lines += per_request * static_cast<double>(t.global_lines);
  m.l1_bytes += per_request * static_cast<double>(t.global_bytes);
  m.atomics = per_request * static_cast<double>(t.atomic_lanes);
  const CacheTotals::Sectors& s = caches.sectors[k];
  if (s.requests == 0) return m;
  const double kept = executed / static_cast<double>(s.requests) * kSectorBytes;
  m.loads_requested = kept * static_cast<double>(s.requested);
  m.l1_missed = kept * static_cast<double>(s.l1_missed);
  m.l2_missed = kept * static_cast<double>(s.l2_missed);
  const auto at_l2 = static_cast<double>(s.l1_missed + s.written);
  m.l2_bytes = kept * at_l2;
  m.l2_busy = kept * std::max(at_l2, static_cast<double>(s.l2_lines) * model.rates.l2_request /
                                         kSectorBytes);
  m.dram_read = kept * static_cast<double>(s.l2_missed);
  m.written = kept * static_cast<double>(s.written);
  return m;
}

MemoryDemand memory_of(const GpuModel& model, const ExecutedLaunch& launch,
                       const CacheTotals& caches) {
  MemoryDemand all;
  for (std::size_t k = 0; k < launch.code.instructions.size(); ++k)
    all += memory_of(model, launch, caches, k);
  return all;
}

double warps_run(const ExecutedLaunch& launch) {
  const std::uint64_t warps = (launch.record.block.count() + kLanes - 1) / kLanes;
  return static_cast<double>(launch.blocks_run * warps);
}

/// By machine instruction, retries included.
std::vector<double> machine_executions(const ExecutedLaunch& launch) {
  std::vector<double> executions =
      executions_of(*launch.machine, launch.code, launch.module, launch.record, warps_run(launch));
  repeat_retries(*launch.machine, retries_of(launch), executions);
  return executions;
}

/// Of a PTX instruction that loads, without machine code.
double ptx_latency(const GpuModel& model, const ExecutedLaunch& launch, const CacheTotals& caches,
                   std::uint32_t k) {
  const bool global =
      launch.traffic.instructions[k].global_requests != 0 && k < caches.reached.size();
  return global ? mean_latency(model, caches.reached[k]) : model.rates.shared_latency;
}

/// Adds what warps wait for the longest warp of their block to the lines of the barriers where they do, and to line 0 where the block
/// ends. A line's clocks are those of its executions, of which the sampled blocks tell who did them.
void add_waiting(const ExecutedLaunch& launch, std::map<std::uint32_t, LineDemand>& lines) {
  const auto line_of = [&](std::uint32_t k) { return launch.record.instructions[k].ptx_line; };
  std::unordered_map<std::uint32_t, double> executions;
  for (std::uint32_t k = 0; k < launch.code.instructions.size(); ++k)
    executions[line_of(k)] +=
        static_cast<double>(launch.record.instructions[k].counters.warp_instructions);
  std::vector<double> clocks;  // of one execution, by Code::blocks
  for (const BasicBlock& block : launch.code.blocks) {
    double of_block = 0;
    for (std::uint32_t k = block.first_instruction;
         k < block.first_instruction + block.instructions; ++k) {
      if (const double n = executions[line_of(k)]; n > 0)
        of_block += lines[line_of(k)].serial_warp_clocks / n;
    }
    clocks.push_back(of_block);
  }
  const double scale = static_cast<double>(launch.blocks_run) /
                       static_cast<double>(std::max<std::uint64_t>(1, launch.traffic.plan.blocks));
  for (const auto& [barrier, of_interval] : launch.traffic.intervals) {
    double waiting = 0;
    for (std::size_t b = 0; b < clocks.size(); ++b)
      waiting += clocks[b] * (static_cast<double>(of_interval.awaited[b]) -
                              static_cast<double>(of_interval.done[b]));
    const std::uint32_t line =
        barrier == kNone ? 0 : line_of(launch.code.blocks[barrier].last_instruction());
    // The warp with the most instructions is not always the one with the most clocks.
    lines[line].waiting_warp_clocks += scale * std::max(0.0, waiting);
  }
}

}  // namespace

MemoryDemand& MemoryDemand::operator+=(const MemoryDemand& other) {
  shared_wavefronts += other.shared_wavefronts;
  constant_words += other.constant_words;
  l1_lines += other.l1_lines;
  l1_bytes += other.l1_bytes;
  l2_bytes += other.l2_bytes;
  l2_busy += other.l2_busy;
  dram_read += other.dram_read;
  written += other.written;
  atomics += other.atomics;
  loads_requested += other.loads_requested;
  l1_missed += other.l1_missed;
  l2_missed += other.l2_missed;
  return *this;
}

Demand demand_of(const GpuModel& model, const ExecutedLaunch& launch, const CacheTotals& caches,
                 const std::map<std::uint32_t, LineDemand>& lines) {
  Demand d;
  d.blocks = static_cast<double>(launch.blocks);
  const double scale = static_cast<double>(launch.blocks) /
                       std::max<double>(1, static_cast<double>(launch.blocks_run));
  const std::uint64_t warps_per_block = (launch.record.block.count() + kLanes - 1) / kLanes;
  d.warps_per_block = static_cast<double>(warps_per_block);
  d.resident = std::max(1u, launch.occupancy.blocks);
  d.barriers = launch.record.total.barriers != 0;

  const Latencies latencies(model, launch, caches);
  if (launch.machine) {
    const std::vector<double> executions = machine_executions(launch);
    d.pipes = pipes_of(*launch.machine, executions);
    d.serial_warp_clocks = scale * serial_warp_clocks(*launch.machine, executions, latencies);
  } else {
    d.pipes = pipes_of_ptx(launch.code, launch.record);
    d.serial_warp_clocks =
        scale * serial_warp_clocks_of_ptx(launch.code, launch.record, [&](std::uint32_t k) {
          return ptx_latency(model, launch, caches, k);
        });
  }
  for (const auto& [number, line] : lines)
    d.waiting_warp_clocks += scale * line.waiting_warp_clocks;
  for (double& n : d.pipes) n *= scale;
  if (const Balance& b = launch.balance; b.instructions != 0) {
    const auto all = static_cast<double>(b.instructions);
    d.unevenness = static_cast<double>(b.longest * warps_per_block) / all;
    d.longest_warp_clocks =
        d.serial_warp_clocks / scale * static_cast<double>(launch.record.longest_warp) / all;
    d.heaviest_block_share = static_cast<double>(b.heaviest) / all / scale;
  }
  const TensorWork tensor = tensor_work_of(launch.code, launch.module, launch.record);
  d.tensor_half = scale * tensor.half;
  d.tensor_single = scale * tensor.single;

  const MemoryDemand m = memory_of(model, launch, caches);
  d.shared_wavefronts = scale * m.shared_wavefronts;
  d.constant_words = scale * m.constant_words;
  d.l1_lines = scale * m.l1_lines;
  d.l1_bytes = scale * m.l1_bytes;
  d.l2_bytes = scale * m.l2_bytes;
  d.l2_busy = scale * m.l2_busy;
  // Written data stay in L2 until others evict them, so writes that fit into L2 do not reach DRAM.
  const double written_back = scale * m.written * caches.written_back;
  if (written_back > static_cast<double>(model.gpu.l2_bytes)) d.dram_written = written_back;
  d.dram_bytes = scale * m.dram_read + d.dram_written;
  d.dram_runs = (scale * m.dram_read * caches.runs_per_sector_read +
                 d.dram_written * caches.runs_per_sector_written) /
                kSectorBytes;
  d.atomics = scale * m.atomics;
  d.atomic_turns = static_cast<double>(launch.traffic.most_atomic_turns) *
                   static_cast<double>(launch.blocks) /
                   std::max<double>(1, static_cast<double>(launch.traffic.plan.blocks));
  return d;
}

std::map<std::uint32_t, LineDemand> demand_by_line(const GpuModel& model,
                                                   const ExecutedLaunch& launch,
                                                   const CacheTotals& caches) {
  std::map<std::uint32_t, LineDemand> lines;
  for (std::uint32_t k = 0; k < launch.code.instructions.size(); ++k) {
    LineDemand& line = lines[launch.record.instructions[k].ptx_line];
    line.memory += memory_of(model, launch, caches, k);
    const TensorWork tensor = tensor_work_of(launch.code, launch.module, launch.record, k);
    line.tensor.half += tensor.half;
    line.tensor.single += tensor.single;
    line.barriers += static_cast<double>(launch.record.instructions[k].counters.barriers);
    if (launch.machine) continue;
    add_pipes_of_ptx(launch.code, launch.record, k, line.pipes);
    line.serial_warp_clocks +=
        serial_clocks_of_ptx(launch.code, launch.record, k, ptx_latency(model, launch, caches, k));
  }
  if (!launch.machine) {
    add_waiting(launch, lines);
    return lines;
  }
  const std::vector<double> executions = machine_executions(launch);
  const std::vector<double> clocks =
      serial_clocks_by_instruction(*launch.machine, executions, Latencies(model, launch, caches));
  for (std::size_t i = 0; i < executions.size(); ++i) {
    const MachineInstruction& instruction = launch.machine->instructions[i];
    const bool known = lines.contains(instruction.ptx_line);
    LineDemand& line = lines[known ? instruction.ptx_line : 0];
    at(line.pipes, pipe_of(instruction.opcode)) += executions[i];
    line.serial_warp_clocks += clocks[i];
  }
  add_waiting(launch, lines);
  return lines;
}

EstimatedLaunch estimate(const GpuModel& model, const ExecutedLaunch& launch) {
  const CacheTotals caches = replay(launch.traffic, l1_bytes_of(model, launch), model.gpu.l2_bytes,
                                    model.gpu.multiprocessors);
  const std::map<std::uint32_t, LineDemand> lines = demand_by_line(model, launch, caches);
  const Demand demand = demand_of(model, launch, caches, lines);
  const MemoryDemand memory = memory_of(model, launch, caches);

  Estimate e;
  e.bounds = bounds_of(model, demand);
  e.seconds = seconds_of(model, e.bounds);
  TimesByLine by_line = times_by_line(model, demand, e.bounds, lines);
  const double wider = launch.machine ? 1 : model.calibration.without_machine_code;
  // No launch is shorter than one that does nothing.
  e.low = std::max(model.calibration.launch, e.seconds * model.calibration.low / wider);
  e.high = e.seconds * model.calibration.high * wider;
  e.bounds.push_back({"launch", model.calibration.launch});
  std::ranges::stable_sort(e.bounds, std::greater(), &EstimateBound::seconds);
  e.limiter = e.bounds.front().name;
  e.time = {EvidenceKind::estimated, Message::plain(model.gpu.name), ""};
  e.resident_blocks = launch.occupancy.blocks;
  e.occupancy = launch.occupancy.fraction;
  e.occupancy_limiter = launch.occupancy.limiter;
  e.waves = demand.blocks / (demand.resident * std::max(1u, model.gpu.multiprocessors));
  e.operations = operations_of(launch.code, launch.module, launch.record) * demand.blocks /
                 std::max<double>(1, static_cast<double>(launch.blocks_run));
  e.l2_bytes = demand.l2_bytes;
  e.dram_bytes = demand.dram_bytes;
  if (memory.loads_requested > 0) e.l1_hits = 1 - memory.l1_missed / memory.loads_requested;
  if (memory.l1_missed > 0) e.l2_hits = 1 - memory.l2_missed / memory.l1_missed;
  e.peak_operations = 2 * model.rates.multiply_add * model.gpu.multiprocessors * model.clock();
  e.peak_bytes = memory_rate(model.gpu);
  e.blocks = launch.blocks;
  e.blocks_run = launch.blocks_run;
  e.machine_code = launch.machine != nullptr;
  return {std::move(e), std::move(by_line)};
}

}  // namespace warpbook::device
