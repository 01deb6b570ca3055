// Whole launches, estimated.
#include <catch2/catch_test_macros.hpp>
#include <catch2/generators/catch_generators.hpp>
#include <catch2/matchers/catch_matchers_floating_point.hpp>

#include <algorithm>

#include "device/compiler/compiler.hpp"
#include "device/device.hpp"
#include "device/simulator/estimate/calibration.hpp"

namespace warpbook::device::estimate_test {
namespace {

using Catch::Matchers::WithinRel;

constexpr const char* kKernels = R"(
extern "C" __global__ void copy(const float* from, float* to, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) to[i] = from[i];
}
extern "C" __global__ void copy_strided(const float* from, float* to, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) to[i] = from[i * 33 % n];
}
extern "C" __global__ void multiply(float* to, int rounds) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  float a = i, b = i + 1, c = i + 2, d = i + 3, e = i + 4, f = i + 5, g = i + 6, h = i + 7;
  for (int k = 0; k < rounds; ++k) {
    a = a * a + a; b = b * b + b; c = c * c + c; d = d * d + d;
    e = e * e + e; f = f * f + f; g = g * g + g; h = h * h + h;
  }
  to[i] = a + b + c + d + e + f + g + h;
}
extern "C" __global__ void chase(const int* next, int* to, int steps) {
  int at = threadIdx.x;
  for (int k = 0; k < steps; ++k) at = next[at];
  to[threadIdx.x] = at;
}
extern "C" __global__ void conflicts(float* to, int rounds) {
  __shared__ float words[32 * 32];
  float sum = 0;
  for (int k = 0; k < rounds; ++k) {
    words[(threadIdx.x * 32 + k) % 1024] = sum;
    __syncthreads();
    sum += words[(threadIdx.x * 32 + k + 1) % 1024];
    __syncthreads();
  }
  to[blockIdx.x * blockDim.x + threadIdx.x] = sum;
}
extern "C" __global__ void sum_by_one(const float* from, float* to, int n) {
  if (blockIdx.x != 0 || threadIdx.x != 0) return;
  float sum = 0;
  for (int i = 0; i < n; ++i) sum += from[i];
  *to = sum;
}
extern "C" __global__ void sum_by_first(const float* from, float* to, int n) {
  if (threadIdx.x != 0) return;
  float sum = 0;
  for (int i = 0; i < n; ++i) sum += from[i];
  to[blockIdx.x] = sum;
}
extern "C" __global__ void count_threads(int* to) { atomicAdd(to, 1); }
extern "C" __global__ void add_floats(float* to) { atomicAdd(to, 1.5f); }
extern "C" __global__ void count_in_shared(int* to, int apart, int rounds) {
  __shared__ int bins[32];
  bins[threadIdx.x % 32] = 0;
  __syncthreads();
  const int bin = threadIdx.x % 32 * apart;
  for (int k = 0; k < rounds; ++k) atomicAdd(&bins[bin], k);
  __syncthreads();
  to[blockIdx.x * blockDim.x + threadIdx.x] = bins[threadIdx.x % 32];
}
extern "C" __global__ void add_in_shared(float* to, int apart, int rounds) {
  __shared__ float bins[32];
  bins[threadIdx.x % 32] = 0;
  __syncthreads();
  const int bin = threadIdx.x % 32 * apart;
  for (int k = 0; k < rounds; ++k) atomicAdd(&bins[bin], 1.5f);
  __syncthreads();
  to[blockIdx.x * blockDim.x + threadIdx.x] = bins[threadIdx.x % 32];
}
__constant__ int table[1024];
extern "C" __global__ void look_up(int* to, int apart, int rounds) {
  int sum = 0;
  for (int k = 0; k < rounds; ++k) sum += table[(threadIdx.x % 32 * apart + k) & 1023];
  to[blockIdx.x * blockDim.x + threadIdx.x] = sum;
}
extern "C" __global__ void count_all(unsigned* to) { atomicAdd(to + threadIdx.x / 1024, blockIdx.x + threadIdx.x); }
)";

/// The kernels above on one GPU of the table.
class Bench {
 public:
  explicit Bench(const char* gpu, bool cubin = true)
      : device_(make_simulated_device(*find_gpu(gpu))) {
    static Compiler compiler;
    CompileRequest request;
    request.name = "estimate.cu";
    request.source = kKernels;
    request.architecture = device_->properties().compute_capability;
    request.cubin = cubin;
    auto program = compiler.compile(request);
    if (!program) FAIL(program.error().error.english());
    auto module = device_->load(*program);
    REQUIRE(module);
    module_ = std::move(*module);
  }
  Pointer array(std::uint64_t words) {
    const auto address = device_->allocate("array", ElementType::f32, words);
    REQUIRE(address);
    return *address;
  }
  Pointer numbers(const std::vector<std::int32_t>& values) {
    const Pointer address = array(values.size());
    REQUIRE(device_->copy_in(address, std::as_bytes(std::span(values))).wait());
    return address;
  }
  LaunchRecord run(const char* kernel, std::uint32_t grid, std::uint32_t block,
                   std::vector<Argument> arguments, std::uint64_t blocks = 0,
                   std::uint32_t host_threads = 0) {
    const auto record = launch(kernel, grid, block, std::move(arguments), blocks, host_threads);
    if (record->error) FAIL(record->error->english());
    REQUIRE(record->estimate);
    return *record;
  }
  std::shared_ptr<const LaunchRecord> launch(const char* kernel, std::uint32_t grid,
                                             std::uint32_t block, std::vector<Argument> arguments,
                                             std::uint64_t blocks = 0,
                                             std::uint32_t host_threads = 0,
                                             const Budget& budget = {}) {
    Launch launch;
    launch.module = module_;
    launch.kernel = kernel;
    launch.grid = {grid, 1, 1};
    launch.block = {block, 1, 1};
    launch.arguments = std::move(arguments);
    launch.observe.initcheck = false;
    launch.host_threads = host_threads;
    launch.budget = budget;
    launch.estimate = {.wanted = true, .blocks = blocks};
    auto record = device_->launch(std::move(launch)).wait();
    if (!record) FAIL(record.error().english());
    return *record;
  }
  Estimate estimate(const char* kernel, std::uint32_t grid, std::uint32_t block,
                    std::vector<Argument> arguments, std::uint64_t blocks = 0,
                    std::uint32_t host_threads = 0) {
    return *run(kernel, grid, block, std::move(arguments), blocks, host_threads).estimate;
  }

 private:
  std::unique_ptr<Device> device_;
  std::shared_ptr<const Module> module_;
};

double bound(const Estimate& e, const std::string& name) {
  const auto found = std::ranges::find(e.bounds, name, &EstimateBound::name);
  return found == e.bounds.end() ? 0 : found->seconds;
}

}  // namespace

TEST_CASE("a large copy is held up by DRAM, and moves each byte once", "[ci]") {
  Bench bench("A100 40GB");
  const std::int32_t n = 1 << 25;
  const Pointer from = bench.array(n), to = bench.array(n);
  const Estimate e =
      bench.estimate("copy", n / 256, 256,
                     {Argument::pointer(from), Argument::pointer(to), Argument::of(n)}, 2048);
  CHECK(e.limiter == "dram");
  CHECK_THAT(e.dram_bytes, WithinRel(8.0 * n, 0.02));
  CHECK_THAT(e.l2_bytes, WithinRel(8.0 * n, 0.02));
  CHECK(e.low < e.seconds);
  CHECK(e.seconds < e.high);
  CHECK(e.time.kind == EvidenceKind::estimated);
  CHECK(e.time.on.text == "A100 40GB");
  CHECK(e.occupancy == 1);
  CHECK(e.resident_blocks == 8);
  CHECK_THAT(e.waves, WithinRel(static_cast<double>(e.blocks) / (8.0 * 108), 1e-9));
  CHECK(e.blocks == n / 256);
  CHECK(e.blocks_run == 2048);
  CHECK(e.machine_code);
  CHECK(std::ranges::is_sorted(e.bounds, std::greater(), &EstimateBound::seconds));
}

TEST_CASE("the band of an estimate does not go below the launch itself") {
  for (const bool cubin : {true, false}) {
    Bench bench("A100 40GB", cubin);
    const Pointer to = bench.array(1);
    const Estimate e = bench.estimate("count_threads", 1, 32, {Argument::pointer(to)});
    CHECK(e.low >= Calibration{}.launch);
    if (!cubin) CHECK(e.low == Calibration{}.launch);  // whose band is wider
    CHECK(e.low < e.seconds);
  }
}

TEST_CASE("accesses with a stride move whole sectors", "[ci]") {
  Bench bench("A100 40GB");
  const std::int32_t n = 1 << 25;
  const Pointer from = bench.array(n), to = bench.array(n);
  const Estimate e =
      bench.estimate("copy_strided", n / 256, 256,
                     {Argument::pointer(from), Argument::pointer(to), Argument::of(n)}, 1024);
  // A sector of 32 bytes for each float read, and 4 bytes written.
  CHECK_THAT(e.l2_bytes, WithinRel(36.0 * n, 0.05));
}

TEST_CASE("the constant cache serves one address of a warp after the other", "[ci]") {
  Bench bench("A100 40GB");
  constexpr int kGrid = 108 * 8, kRounds = 512;
  const Pointer to = bench.array(kGrid * 256);
  const auto look_up = [&](std::int32_t apart) {
    return bench.estimate("look_up", kGrid, 256,
                          {Argument::pointer(to), Argument::of(apart), Argument::of(kRounds)}, 64);
  };
  const Estimate uniform = look_up(0), by_lane = look_up(1);
  CHECK(bound(uniform, "constant") == 0);
  CHECK(uniform.limiter != "constant");
  CHECK(by_lane.limiter == "constant");
  // 32 words for each read of eight blocks of eight warps on each multiprocessor.
  CHECK_THAT(bound(by_lane, "constant"), WithinRel(32.0 * kRounds * 64 / 1.41e9, 0.01));
  CHECK(by_lane.seconds > 4 * uniform.seconds);
}

TEST_CASE("independent multiply-adds are held up by their pipe", "[ci]") {
  Bench bench("A100 40GB");
  const Pointer to = bench.array(108 * 8 * 256);
  const Estimate e =
      bench.estimate("multiply", 108 * 8, 256, {Argument::pointer(to), Argument::of(512)}, 64);
  CHECK(e.limiter == "fp32");
  CHECK_THAT(e.operations, WithinRel(108.0 * 8 * 256 * 512 * 16, 0.02));
  // Eight multiply-adds a round in 64 lanes, eight blocks on each multiprocessor.
  CHECK_THAT(bound(e, "fp32"), WithinRel(8.0 * 256 * 512 * 8 / 64 / 1.41e9, 0.1));
}

TEST_CASE("one warp that follows a list is held up by waiting", "[ci]") {
  Bench bench("RTX 3090");
  std::vector<std::int32_t> next(1 << 20);
  for (std::size_t i = 0; i < next.size(); ++i)
    next[i] = static_cast<std::int32_t>((i + 4099 * 32) % next.size());
  const Pointer list = bench.numbers(next), to = bench.array(32);
  const std::int32_t steps = 256;
  const Estimate e = bench.estimate(
      "chase", 1, 32, {Argument::pointer(list), Argument::pointer(to), Argument::of(steps)});
  CHECK(e.limiter == "latency");
  // Every step loads a new line from DRAM, which takes 500 clocks and more.
  CHECK(e.seconds > steps * 500 / 1.695e9);
  CHECK(e.seconds < steps * 1500 / 1.695e9);
}

TEST_CASE("bank conflicts show as wavefronts", "[ci]") {
  Bench bench("A100 40GB");
  const Pointer to = bench.array(108 * 16 * 128);
  const Estimate e =
      bench.estimate("conflicts", 108 * 16, 128, {Argument::pointer(to), Argument::of(64)}, 64);
  CHECK(e.limiter == "shared");
  // Two accesses a round, 32 wavefronts each, of four warps, sixteen blocks on each multiprocessor.
  CHECK_THAT(bound(e, "shared"), WithinRel(2.0 * 32 * 64 * 4 * 16 / 1.41e9, 0.05));
}

TEST_CASE("atomic operations on one address are held up by it", "[ci]") {
  Bench bench("RTX 3090");
  const Pointer to = bench.array(1);
  const Estimate e = bench.estimate("count_all", 4096, 256, {Argument::pointer(to)}, 256);
  CHECK(bound(e, "atomics") > 0);
}

TEST_CASE("one thread's work takes as long with idle threads and blocks beside it", "[ci]") {
  Bench bench("H200");
  const std::int32_t n = 1 << 14;
  const Pointer from = bench.array(n), to = bench.array(1056);
  const std::vector<Argument> arguments{Argument::pointer(from), Argument::pointer(to),
                                        Argument::of(n)};
  const double alone = bench.estimate("sum_by_one", 1, 1, arguments).seconds;
  const Estimate threads = bench.estimate("sum_by_one", 1, 1024, arguments);
  CHECK_THAT(threads.seconds, WithinRel(alone, 0.1));
  CHECK(threads.limiter == "longest");
  // The sample of many blocks may not include the one that loads.
  const Estimate blocks = bench.estimate("sum_by_one", 132, 1024, arguments);
  CHECK_THAT(blocks.seconds, WithinRel(alone, 0.4));
  CHECK(blocks.limiter == "longest");
  const Estimate first = bench.estimate("sum_by_first", 132, 1024, arguments);
  CHECK_THAT(first.seconds, WithinRel(alone, 0.4));
  CHECK(first.limiter == "longest");
}

TEST_CASE("lanes that add whole numbers to one address are one operation, as ptxas joins them",
          "[ci]") {
  Bench bench("H200");
  const Pointer to = bench.array(1);
  const double joined =
      bound(bench.estimate("count_threads", 1024, 256, {Argument::pointer(to)}), "atomics");
  CHECK(joined > 0);
  CHECK_THAT(bound(bench.estimate("add_floats", 1024, 256, {Argument::pointer(to)}), "atomics"),
             WithinRel(32 * joined, 1e-9));
}

TEST_CASE("atomic operations on one word of shared memory pass one lane at a time", "[ci]") {
  Bench bench("H200");
  const Pointer to = bench.array(132 * 256);
  const auto estimate = [&](const char* kernel, std::int32_t apart) {
    return bench.estimate(kernel, 132, 256,
                          {Argument::pointer(to), Argument::of(apart), Argument::of(200)});
  };
  CHECK(bound(estimate("count_in_shared", 0), "shared") >
        20 * bound(estimate("count_in_shared", 1), "shared"));
  // For floats it becomes a loop, which takes a round for each lane.
  CHECK(bound(estimate("add_in_shared", 0), "latency") >
        20 * bound(estimate("add_in_shared", 1), "latency"));
}

TEST_CASE("an empty grid's worth of work takes as long as a launch", "[ci]") {
  Bench bench("H200");
  const Pointer from = bench.array(32), to = bench.array(32);
  const Estimate e = bench.estimate(
      "copy", 1, 32, {Argument::pointer(from), Argument::pointer(to), Argument::of(32)});
  CHECK(e.limiter == "launch");
  CHECK(e.seconds > 1e-6);
  CHECK(e.seconds < 10e-6);
}

TEST_CASE("the same launch gives the same estimate, however many host threads run it", "[ci]") {
  Bench bench("RTX 4090");
  const std::int32_t n = 1 << 20;
  const Pointer from = bench.array(n), to = bench.array(n);
  const std::vector<Argument> arguments{Argument::pointer(from), Argument::pointer(to),
                                        Argument::of(n)};
  const std::uint64_t blocks = GENERATE(0, 777);
  const Estimate one = bench.estimate("copy_strided", n / 256, 256, arguments, blocks, 1);
  CHECK(bench.estimate("copy_strided", n / 256, 256, arguments, blocks, 2) == one);
  CHECK(bench.estimate("copy_strided", n / 256, 256, arguments, blocks, 5) == one);
}

TEST_CASE("a share of the blocks estimates the whole about as the whole does", "[ci]") {
  Bench bench("RTX 2080 Ti");
  const std::int32_t n = 1 << 22;
  const Pointer from = bench.array(n), to = bench.array(n);
  const std::vector<Argument> arguments{Argument::pointer(from), Argument::pointer(to),
                                        Argument::of(n)};
  const Estimate whole = bench.estimate("copy", n / 256, 256, arguments),
                 share = bench.estimate("copy", n / 256, 256, arguments, 512);
  CHECK(whole.blocks_run == whole.blocks);
  CHECK(share.blocks_run == 512);
  CHECK_THAT(share.seconds, WithinRel(whole.seconds, 0.05));
}

TEST_CASE("without machine code the estimate says so", "[ci]") {
  Bench bench("H200", false);
  const std::int32_t n = 1 << 20;
  const Pointer from = bench.array(n), to = bench.array(n);
  const Estimate e = bench.estimate(
      "copy", n / 256, 256, {Argument::pointer(from), Argument::pointer(to), Argument::of(n)}, 512);
  CHECK_FALSE(e.machine_code);
  CHECK(e.seconds > 2.0 * 4 * n / 4.8e12);
  CHECK(e.seconds < 50e-6);
}

TEST_CASE("of a launch that was stopped there is no estimate: it would be of a part", "[ci]") {
  Bench bench("H200");
  const Pointer to = bench.array(256);
  Budget budget;
  budget.thread_instructions = 50'000;
  const auto record =
      bench.launch("multiply", 1, 256, {Argument::pointer(to), Argument::of(1000)}, 0, 0, budget);
  REQUIRE(record->error);
  CHECK(record->error->code == ErrorCode::budget_instructions);
  CHECK_FALSE(record->estimate);
}

TEST_CASE("an estimate changes nothing that the launch computes or counts", "[ci]") {
  Bench bench("H200");
  const std::int32_t n = 5000;
  const Pointer from = bench.array(n), to = bench.array(n);
  const std::vector<Argument> arguments{Argument::pointer(from), Argument::pointer(to),
                                        Argument::of(n)};
  const LaunchRecord r = bench.run("copy", 20, 256, arguments);
  CHECK(r.total.global_requests == 2 * 157);  // 5,000 threads are 156 warps and a quarter
  CHECK(r.trace.size() == 2 * 5000);
}

}  // namespace warpbook::device::estimate_test
