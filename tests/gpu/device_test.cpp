// What only a GPU shows of the back end: each failure as the driver really tells it, and each kind of launch.
#include <catch2/catch_test_macros.hpp>

#include <cstring>

#include "tests/gpu/on_gpu.hpp"

namespace warpbook::tests::device_test {

using namespace warpbook::device;
using namespace warpbook::tests;
using gpu::TimedRun;

namespace {

Pointer buffer(Device& gpu, std::uint64_t count) {
  const auto address = gpu.allocate("out", ElementType::u32, count);
  REQUIRE(address);
  REQUIRE(gpu.fill(*address, std::byte{0}, count * 4).wait());
  return *address;
}

std::vector<std::uint32_t> values(Device& gpu, Pointer address, std::size_t count) {
  std::vector<std::uint32_t> got(count);
  REQUIRE(gpu.copy_out(std::as_writable_bytes(std::span(got)), address).wait());
  return got;
}

Launch launch_of(std::shared_ptr<const Module> module, std::vector<Argument> arguments,
                 Dim3 grid = {}, Dim3 block = {}) {
  Launch launch;
  launch.module = std::move(module);
  launch.grid = grid;
  launch.block = block;
  launch.arguments = std::move(arguments);
  launch.budget.seconds = 20;
  return launch;
}

std::shared_ptr<const LaunchRecord> run(Device& gpu, Launch launch) {
  const auto record = gpu.launch(std::move(launch)).wait();
  if (!record) FAIL(record.error().english());
  return *record;
}

/// The error of `source`'s only kernel, which takes a pointer; afterwards the next launch must work.
Error error_of(const std::string& source, double seconds = 20) {
  const auto gpu = gpu_or_skip();
  const auto bad = load_on(*gpu, source);
  Launch launch = launch_of(bad, {Argument::pointer(buffer(*gpu, 4))});
  launch.budget.seconds = seconds;
  const auto record = run(*gpu, std::move(launch));
  REQUIRE(record->error);
  INFO(record->error->english());
  const auto good = load_on(*gpu, "__global__ void good(unsigned* p) { p[0] = 42; }");
  const Pointer fresh = buffer(*gpu, 1);
  CHECK(!run(*gpu, launch_of(good, {Argument::pointer(fresh)}))->error);
  CHECK(values(*gpu, fresh, 1).front() == 42);
  return *record->error;
}

}  // namespace

TEST_CASE("on the GPU: the self-test passes") {
  const auto gpu = gpu_or_skip();
  const auto opened = open_device("gpu");
  if (!opened) FAIL(opened.error().english());
  const auto chosen = open_device("auto");
  REQUIRE(chosen);
  CHECK(!(*chosen)->properties().simulated);
}

TEST_CASE("on the GPU: its properties are plausible") {
  const auto gpu = gpu_or_skip();
  const Properties& p = gpu->properties();
  CHECK(p.compute_capability >= 75);
  CHECK(p.multiprocessors > 0);
  CHECK(p.max_threads_per_block == 1024);
  CHECK(p.registers_per_multiprocessor == 65536);
  CHECK(p.shared_per_block == 49152);
  CHECK(p.shared_per_block_optin >= 65536 - 1024);
  CHECK(p.l2_bytes > (1u << 20));
  if (const Properties* row = find_gpu(p.name.substr(p.name.rfind(' ') + 1))) {
    CAPTURE(row->name);
    CHECK(p.compute_capability == row->compute_capability);
    CHECK(p.multiprocessors == row->multiprocessors);
    CHECK(p.shared_per_multiprocessor == row->shared_per_multiprocessor);
    CHECK(p.shared_per_block_optin == row->shared_per_block_optin);
    CHECK(p.max_blocks_per_multiprocessor == row->max_blocks_per_multiprocessor);
    CHECK(p.max_cluster_blocks == row->max_cluster_blocks);
  }
}

TEST_CASE("on the GPU: an access outside of all memory", "[fault]") {
  const Error error = error_of("__global__ void k(unsigned* p) { p[1ull << 40] = 1; }");
  CHECK(error.code == ErrorCode::gpu_illegal_address);
}

TEST_CASE("on the GPU: a misaligned access", "[fault]") {
  const Error error =
      error_of("__global__ void k(char* p) { *reinterpret_cast<volatile unsigned*>(p + 1) = 1; }");
  CHECK(error.code == ErrorCode::gpu_misaligned_address);
}

TEST_CASE("on the GPU: a trap", "[fault]") {
  const Error error = error_of("__global__ void k(unsigned*) { __trap(); }");
  CHECK(error.code == ErrorCode::gpu_fault);
}

TEST_CASE("on the GPU: a failed assertion names thread and line", "[fault]") {
  const Error error =
      error_of("#include <cassert>\n\n__global__ void k(unsigned* p) { assert(p == nullptr); }");
  CHECK(error.code == ErrorCode::assertion);
  CHECK(error.place.line == 3);
}

TEST_CASE("on the GPU: a kernel without end is stopped by its budget", "[fault]") {
  const Error error =
      error_of("__global__ void k(volatile unsigned* p) { while (p[0] == 0) { } }", 1.0);
  CHECK(error.code == ErrorCode::budget_time);
}

TEST_CASE("on the GPU: more memory than there is") {
  const auto gpu = gpu_or_skip();
  const auto refused = gpu->allocate("much", ElementType::u8, gpu->properties().global_bytes + 1);
  REQUIRE(!refused);
  CHECK(refused.error().code == ErrorCode::out_of_memory);
  CHECK(gpu->allocate("little", ElementType::u8, 1));
}

TEST_CASE("on the GPU: printf stands in the record") {
  const auto gpu = gpu_or_skip();
  const auto module = load_on(*gpu, R"(#include <cstdio>
__global__ void k(int n) { printf("n = %d, %.2f, %s\n", n, 1.5, "text"); })");
  const auto record = run(*gpu, launch_of(module, {Argument::of(std::int32_t{7})}));
  CHECK(!record->error);
  CHECK(record->output == "n = 7, 1.50, text\n");
  CHECK(record->seconds > 0);
  CHECK(record->time.kind == EvidenceKind::measured);
}

TEST_CASE("on the GPU: more than 48 KB of dynamic shared memory") {
  const auto gpu = gpu_or_skip();
  const auto module = load_on(*gpu, R"(
extern __shared__ unsigned tile[];
__global__ void k(unsigned* out, unsigned last) {
  for (unsigned i = threadIdx.x; i <= last; i += blockDim.x) tile[i] = i;
  __syncthreads();
  if (threadIdx.x == 0) out[0] = tile[last];
})");
  const Pointer out = buffer(*gpu, 1);
  const std::uint32_t bytes = gpu->properties().shared_per_block_optin & ~3u;
  Launch launch =
      launch_of(module, {Argument::pointer(out), Argument::of(bytes / 4 - 1)}, {}, {256, 1, 1});
  launch.dynamic_shared = bytes;
  CHECK(!run(*gpu, launch)->error);
  CHECK(values(*gpu, out, 1).front() == bytes / 4 - 1);
}

TEST_CASE("on the GPU: a cooperative grid meets") {
  const auto gpu = gpu_or_skip();
  const auto module = load_on(*gpu, R"(#include <cooperative_groups.h>
__global__ void k(unsigned* out) {
  if (threadIdx.x == 0) atomicAdd(out, 1u);
  cooperative_groups::this_grid().sync();
  if (threadIdx.x == 0) atomicMax(out + 1, out[0]);
})");
  const Pointer out = buffer(*gpu, 2);
  Launch launch = launch_of(module, {Argument::pointer(out)},
                            {gpu->properties().multiprocessors, 1, 1}, {64, 1, 1});
  launch.cooperative = true;
  CHECK(!run(*gpu, launch)->error);
  CHECK(values(*gpu, out, 2)[1] == gpu->properties().multiprocessors);
}

TEST_CASE("on the GPU: a cluster reads its neighbour's shared memory") {
  const auto gpu = gpu_or_skip();
  if (!gpu->supports(Feature::clusters)) SKIP("this GPU has no clusters");
  const auto module = load_on(*gpu, R"(#include <cooperative_groups.h>
__global__ void k(unsigned* out) {
  __shared__ unsigned mine;
  auto cluster = cooperative_groups::this_cluster();
  if (threadIdx.x == 0) mine = 100 + blockIdx.x;
  cluster.sync();
  if (threadIdx.x == 0) out[blockIdx.x] = *cluster.map_shared_rank(&mine, cluster.block_rank() ^ 1);
  cluster.sync();
})");
  const Pointer out = buffer(*gpu, 4);
  Launch launch = launch_of(module, {Argument::pointer(out)}, {4, 1, 1}, {32, 1, 1});
  launch.cluster = {2, 1, 1};
  CHECK(!run(*gpu, launch)->error);
  CHECK(values(*gpu, out, 4) == std::vector<std::uint32_t>{101, 100, 103, 102});
}

TEST_CASE("on the GPU: a module's variables keep their values between launches") {
  const auto gpu = gpu_or_skip();
  const auto module = load_on(*gpu, R"(
__device__ unsigned counter = 5;
__global__ void k(unsigned* out) { counter += 2; out[0] = counter; })");
  const Pointer out = buffer(*gpu, 1);
  CHECK(!run(*gpu, launch_of(module, {Argument::pointer(out)}))->error);
  CHECK(!run(*gpu, launch_of(module, {Argument::pointer(out)}))->error);
  CHECK(values(*gpu, out, 1).front() == 9);
  const auto counter = gpu->global(*module, "counter");
  REQUIRE(counter);
  CHECK(values(*gpu, counter->address, 1).front() == 9);
}

TEST_CASE("on the GPU: what a run uses up is set to 0 before each run that is timed") {
  const auto gpu = gpu_or_skip();
  const auto module = load_on(*gpu, R"(
__global__ void k(unsigned* p) { p[0] += 1; p[1] = p[0] > p[1] ? p[0] : p[1]; p[2] += 1; })");
  const Pointer out = buffer(*gpu, 3);
  const TimedRun run{{launch_of(module, {Argument::pointer(out)})}, {{out, sizeof(std::uint32_t)}}};
  const auto timings = gpu->time({{run}}, {}, true);
  if (!timings) FAIL(timings.error().english());
  const std::vector<std::uint32_t> got = values(*gpu, out, 3);
  CHECK(got[1] == 1);
  CHECK(got[2] > 1);
}

TEST_CASE("on the GPU: the driver fits as many blocks as our own count says") {
  const auto gpu = gpu_or_skip();
  const auto module = load_on(*gpu, R"(
__global__ void k(unsigned* out) {
  __shared__ unsigned tile[2048];
  tile[threadIdx.x] = out[threadIdx.x];
  __syncthreads();
  out[threadIdx.x] = tile[threadIdx.x ^ 1];
})");
  const auto simulated = make_simulated_device(gpu->properties());
  for (const std::uint32_t threads : {32u, 64u, 96u, 256u, 1000u, 1024u}) {
    for (const std::uint32_t dynamic : {0u, 1000u, 20000u, 40000u}) {
      CAPTURE(threads, dynamic);
      const auto driver = gpu->occupancy(*module, "k", threads, dynamic);
      REQUIRE(driver);
      const auto ours = simulated->occupancy(*module, "k", threads, dynamic);
      REQUIRE(ours);
      CHECK(driver->blocks == ours->blocks);
    }
  }
}

TEST_CASE("on the GPU: large copies come back, pinned and not") {
  const auto gpu = gpu_or_skip();
  constexpr std::uint64_t kBytes = (48u << 20) + 77;
  std::vector<std::byte> sent(kBytes), got(kBytes);
  for (std::size_t i = 0; i < sent.size(); ++i)
    sent[i] = static_cast<std::byte>((i * 2654435761u) >> 24);
  const auto x = gpu->allocate("x", ElementType::u8, kBytes);
  REQUIRE(x);
  REQUIRE(gpu->copy_in(*x, sent, {}).wait());
  const auto pinned = gpu->allocate_pinned(kBytes);
  REQUIRE(pinned);
  REQUIRE(gpu->copy_out({pinned->get(), kBytes}, *x, {}).wait());
  CHECK(std::memcmp(pinned->get(), sent.data(), kBytes) == 0);
  REQUIRE(gpu->copy_out(got, *x, {}).wait());
  CHECK(got == sent);
}

}  // namespace warpbook::tests::device_test
