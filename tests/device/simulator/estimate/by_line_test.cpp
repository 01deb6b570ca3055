// A launch's time, shared out among its lines.
#include "device/simulator/estimate/by_line.hpp"

#include <algorithm>

#include <catch2/catch_test_macros.hpp>
#include <catch2/generators/catch_generators.hpp>
#include <catch2/matchers/catch_matchers_floating_point.hpp>

#include "device/compiler/compiler.hpp"

namespace warpbook::device::by_line_test {
namespace {

using Catch::Matchers::WithinRel;

const GpuModel kModel(*find_gpu("A100 40GB"));

/// Two lines that share the work as 1 to 3, and machine code that stems from no line.
std::map<std::uint32_t, LineDemand> lines() {
  std::map<std::uint32_t, LineDemand> made;
  for (const auto& [number, part] : {std::pair{0u, 2.0}, {7u, 1.0}, {9u, 3.0}}) {
    LineDemand& line = made[number];
    line.memory.dram_read = part * 1e8;
    line.memory.l2_busy = part * 1e8;
    line.serial_warp_clocks = part * 1e8;
    at(line.pipes, Pipe::integer) = part * 1e6;
  }
  made[7].barriers = 5;
  return made;
}

Demand whole() {
  Demand d;
  d.blocks = 1080;
  d.warps_per_block = 8;
  d.resident = 5;
  d.dram_bytes = d.l2_busy = 6e8;
  d.serial_warp_clocks = 6e8;
  at(d.pipes, Pipe::integer) = 6e6;
  return d;
}

double sum(const TimesByLine& times) {
  double seconds = 0;
  for (const auto& [number, parts] : times)
    for (const EstimateBound& part : parts) seconds += part.seconds;
  return seconds;
}

double part_of(const TimesByLine& times, std::uint32_t line, const std::string& name) {
  for (const EstimateBound& part : times.at(line))
    if (part.name == name) return part.seconds;
  return 0;
}

constexpr const char* kKernel = R"(
__global__ void mean(const float* x, float* out, int n) {
  __shared__ float part[128];
  int t = threadIdx.x;
  float sum = 0;
  for (int i = t; i < n; i += 128) sum += x[blockIdx.x * n + i];
  part[t] = sum;
  __syncthreads();
  if (t == 0) for (int k = 1; k < 128; ++k) part[0] += part[k];
  __syncthreads();
  for (int i = t; i < n; i += 128) out[blockIdx.x * n + i] = x[blockIdx.x * n + i] - part[0] / n;
}
)";

}  // namespace

TEST_CASE("by line: parts add up to the launch's time, and line 0's are left to the others") {
  const Demand demand = whole();
  const auto bounds = bounds_of(kModel, demand);
  const TimesByLine times = times_by_line(kModel, demand, bounds, lines());
  CHECK(!times.contains(0));
  CHECK_THAT(sum(times), WithinRel(seconds_of(kModel, bounds) - kModel.calibration.launch, 1e-9));
  CHECK_THAT(part_of(times, 9, "dram"), WithinRel(3 * part_of(times, 7, "dram"), 1e-9));
  CHECK(times.at(9).front().name == bounds.front().name);
  CHECK(std::ranges::is_sorted(times.at(9), std::greater(), &EstimateBound::seconds));
}

TEST_CASE("by line: what barriers add to the waiting is the part of the lines that have them") {
  Demand demand = whole();
  demand.barriers = true;
  const auto bounds = bounds_of(kModel, demand);
  const TimesByLine times = times_by_line(kModel, demand, bounds, lines());
  const double at_barriers = part_of(times, 7, "barrier");
  CHECK(at_barriers > 0);
  CHECK(part_of(times, 9, "barrier") == 0);
  const double waiting = at_barriers + part_of(times, 7, "latency") + part_of(times, 9, "latency");
  CHECK_THAT(at_barriers / waiting,
             WithinRel(barrier_waiting(kModel, demand) / latency_bound(kModel, demand), 1e-9));
}

TEST_CASE("by line: waiting for the longest warp is the part of the barrier where warps wait") {
  const Demand demand = whole();
  const auto bounds = bounds_of(kModel, demand);
  auto uneven = lines();
  uneven[9].waiting_warp_clocks = 1e8;
  const TimesByLine times = times_by_line(kModel, demand, bounds, uneven);
  CHECK_THAT(sum(times), WithinRel(seconds_of(kModel, bounds) - kModel.calibration.launch, 1e-9));
  const double own = part_of(times, 7, "latency") + part_of(times, 9, "latency");
  CHECK_THAT(part_of(times, 9, "barrier") / own, WithinRel(0.25, 1e-9));  // 1e8 beside 4e8
  CHECK(part_of(times, 7, "barrier") == 0);
}

TEST_CASE("by line: a launch that does nothing has no line that takes time") {
  CHECK(times_by_line(kModel, {}, {}, {}).empty());
}

TEST_CASE("by line: lines and instructions of a record add up to its estimate", "[ci]") {
  const bool cubin = GENERATE(true, false);
  CAPTURE(cubin);
  const auto device = make_simulated_device(*find_gpu("A100 40GB"));
  Compiler compiler;
  CompileRequest request;
  request.name = "mean.cu";
  request.source = kKernel;
  request.architecture = device->properties().compute_capability;
  request.cubin = cubin;
  const auto program = compiler.compile(request);
  REQUIRE(program);
  const auto module = device->load(*program);
  REQUIRE(module);
  constexpr std::int32_t kRow = 4096;
  constexpr std::uint32_t kRows = 216;
  const auto x = device->allocate("x", ElementType::f32, std::uint64_t{kRow} * kRows),
             out = device->allocate("out", ElementType::f32, std::uint64_t{kRow} * kRows);
  REQUIRE((x && out));
  Launch launch;
  launch.module = *module;
  launch.grid = {kRows, 1, 1};
  launch.block = {128, 1, 1};
  launch.arguments = {Argument::pointer(*x), Argument::pointer(*out), Argument::of(kRow)};
  launch.observe.initcheck = false;
  launch.estimate = {.wanted = true, .blocks = 8};
  const auto launched = device->launch(std::move(launch)).wait();
  REQUIRE(launched);
  const LaunchRecord& record = **launched;
  REQUIRE(record.estimate);
  const double time = record.estimate->seconds - Calibration{}.launch;
  double of_lines = 0, of_instructions = 0, of_loads = 0, first_barrier = 0, second_barrier = 0;
  for (const LineCounters& line : record.lines)
    for (const EstimateBound& part : line.estimated) {
      of_lines += part.seconds;
      of_loads += line.line == 6 || line.line == 11 ? part.seconds : 0;
      first_barrier += line.line == 8 ? part.seconds : 0;
      second_barrier += line.line == 10 ? part.seconds : 0;
    }
  for (const InstructionCounters& i : record.instructions) of_instructions += i.estimated;
  CHECK_THAT(of_lines, WithinRel(time, 1e-9));
  CHECK_THAT(of_instructions, WithinRel(time, 1e-9));
  CHECK(of_loads > 0.6 * time);                 // the loops over the row, not the one of thread 0
  CHECK(second_barrier > 1.5 * first_barrier);  // where the others wait for thread 0
}

}  // namespace warpbook::device::by_line_test
