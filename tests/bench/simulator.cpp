// How fast the simulator runs: thread-instructions a second on one core, with counting and bounds checks on, and with
// initcheck, and racecheck, too; the latency of a launch of one block, in the machine and through device.hpp; two workers against
// one; and a plain C++ loop for the same arithmetic. Fails where a bar is missed: 0.5 G instructions/s on each kernel, 3 times as
// long with racecheck and initcheck, 20 us for one block.
#include <algorithm>
#include <chrono>
#include <cstring>
#include <functional>
#include <stdexcept>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "device/device.hpp"
#include "device/simulator/machine/machine.hpp"

namespace {

using namespace warpbook::device;

constexpr double kBar = 0.5e9;
constexpr double kLatencyBar = 20e-6;
constexpr double kCheckBar = 3;  ///< racecheck and initcheck together, against neither

const char* kVectorAdd = R"(
.visible .entry add(.param .u64 a, .param .u64 b, .param .u64 c, .param .u32 n) {
  .reg .pred %p; .reg .f32 %f<3>; .reg .b32 %r<6>; .reg .b64 %d<10>;
  ld.param.u64 %d0, [a]; ld.param.u64 %d1, [b]; ld.param.u64 %d2, [c]; ld.param.u32 %r0, [n];
  mov.u32 %r1, %ctaid.x; mov.u32 %r2, %ntid.x; mov.u32 %r3, %tid.x;
  mad.lo.s32 %r4, %r1, %r2, %r3;
  setp.ge.s32 %p, %r4, %r0;
  @%p bra done;
  cvta.to.global.u64 %d3, %d0; mul.wide.s32 %d4, %r4, 4; add.s64 %d5, %d3, %d4;
  cvta.to.global.u64 %d6, %d1; add.s64 %d7, %d6, %d4;
  ld.global.f32 %f0, [%d7]; ld.global.f32 %f1, [%d5]; add.f32 %f2, %f1, %f0;
  cvta.to.global.u64 %d8, %d2; add.s64 %d9, %d8, %d4;
  st.global.f32 [%d9], %f2;
done: ret;
})";

/// C = A B with tiles of 32 x 32 in shared memory, the inner loop unrolled as NVRTC does.
std::string tiled_sgemm() {
  std::string text = R"(
.visible .entry gemm(.param .u64 a, .param .u64 b, .param .u64 c, .param .u32 n) {
  .shared .align 4 .b8 tile_a[4096]; .shared .align 4 .b8 tile_b[4096];
  .reg .pred %p; .reg .f32 %f<100>; .reg .b32 %r<20>; .reg .b64 %d<12>;
  ld.param.u64 %d0, [a]; ld.param.u64 %d1, [b]; ld.param.u64 %d2, [c]; ld.param.u32 %r0, [n];
  mov.u32 %r1, %tid.x; mov.u32 %r2, %tid.y; mov.u32 %r3, %ctaid.x; mov.u32 %r4, %ctaid.y;
  shl.b32 %r3, %r3, 5; shl.b32 %r4, %r4, 5; add.u32 %r3, %r3, %r1; add.u32 %r4, %r4, %r2;
  mad.lo.u32 %r5, %r4, %r0, %r1; mul.wide.u32 %d3, %r5, 4; add.u64 %d3, %d0, %d3;
  mad.lo.u32 %r6, %r2, %r0, %r3; mul.wide.u32 %d4, %r6, 4; add.u64 %d4, %d1, %d4;
  shl.b32 %r7, %r0, 7; cvt.u64.u32 %d5, %r7;
  mov.u32 %r8, tile_a; mov.u32 %r9, tile_b; shl.b32 %r10, %r2, 7; shl.b32 %r11, %r1, 2;
  add.u32 %r12, %r8, %r10; add.u32 %r13, %r12, %r11; add.u32 %r14, %r9, %r10; add.u32 %r14, %r14, %r11; add.u32 %r15, %r9, %r11;
  mov.f32 %f0, 0f00000000; mov.u32 %r16, 0;
loop:
  ld.global.f32 %f1, [%d3]; st.shared.f32 [%r13], %f1; ld.global.f32 %f2, [%d4]; st.shared.f32 [%r14], %f2;
  bar.sync 0;
)";
  for (int k = 0; k < 32; ++k) {
    text += fmt::format(
        "ld.shared.f32 %f{0}, [%r15+{2}]; ld.shared.f32 %f{1}, [%r12+{3}]; fma.rn.f32 %f0, %f{1}, "
        "%f{0}, %f0;\n",
        3 + 2 * k, 4 + 2 * k, 128 * k, 4 * k);
  }
  return text + R"(
  bar.sync 0;
  add.u64 %d3, %d3, 128; add.u64 %d4, %d4, %d5; add.u32 %r16, %r16, 32;
  setp.lt.u32 %p, %r16, %r0;
  @%p bra loop;
  mad.lo.u32 %r17, %r4, %r0, %r3; mul.wide.u32 %d6, %r17, 4; add.u64 %d6, %d2, %d6;
  st.global.f32 [%d6], %f0;
  ret;
})";
}

/// Each warp sums 32 floats by shuffles, many times over; lane 0 writes.
std::string shuffle_reduction() {
  std::string text = R"(
.visible .entry reduce(.param .u64 a, .param .u64 b, .param .u64 c, .param .u32 n) {
  .reg .pred %p, %q<6>; .reg .f32 %f<20>; .reg .b32 %r<30>; .reg .b64 %d<6>;
  ld.param.u64 %d0, [a]; ld.param.u64 %d2, [c]; ld.param.u32 %r0, [n];
  mov.u32 %r1, %ctaid.x; mov.u32 %r2, %ntid.x; mov.u32 %r3, %tid.x; mov.u32 %r4, %nctaid.x;
  mad.lo.u32 %r5, %r1, %r2, %r3; mul.lo.u32 %r6, %r4, %r2; mov.u32 %r20, %r5;
  mov.f32 %f0, 0f00000000;
loop:
  mul.wide.u32 %d3, %r5, 4; add.u64 %d4, %d0, %d3; ld.global.f32 %f1, [%d4];
)";
  for (int step = 0; step < 5; ++step) {
    text += fmt::format(
        "mov.b32 %r{0}, %f1; shfl.sync.bfly.b32 %r{1}|%q{3}, %r{0}, {2}, 31, -1; mov.b32 %f2, "
        "%r{1}; add.f32 %f1, %f1, %f2;\n",
        7 + 2 * step, 8 + 2 * step, 16 >> step, step);
  }
  return text + R"(
  add.f32 %f0, %f0, %f1; add.u32 %r5, %r5, %r6; setp.lt.u32 %p, %r5, %r0;
  @%p bra loop;
  mul.wide.u32 %d5, %r20, 4; add.u64 %d5, %d2, %d5; st.global.f32 [%d5], %f0;
  ret;
})";
}

struct Machine {
  std::shared_ptr<GlobalMemory> memory = std::make_shared<GlobalMemory>(std::uint64_t{1} << 30);
  Properties gpu;
  Machine() {
    gpu.multiprocessors = 132;
    gpu.max_threads_per_multiprocessor = 2048;
  }
  RunRequest request(const std::string& text, Dim3 grid, Dim3 block,
                     std::vector<std::uint64_t> pointers, std::uint32_t n) {
    auto module = ptx::parse(".version 9.0\n.target sm_90\n.address_size 64\n" + text, "bench.ptx");
    if (!module) throw std::runtime_error(module.error().english());
    auto image = load_image(std::move(*module), gpu, memory);
    if (!image) throw std::runtime_error(image.error().english());
    RunRequest r;
    r.image = *image;
    r.kernel = (*image)->kernels()[0].mangled;
    r.grid = grid;
    r.block = block;
    r.parameters.resize(28);
    std::memcpy(r.parameters.data(), pointers.data(), 24);
    std::memcpy(r.parameters.data() + 24, &n, 4);
    r.workers = 1;
    return r;
  }
};

/// The best of several runs, in seconds, and what one run counted.
std::pair<double, std::uint64_t> best_of(const RunRequest& request, int runs) {
  double best = 1e9;
  std::uint64_t instructions = 0;
  for (int i = 0; i < runs; ++i) {
    const auto record = run(request);
    if (!record) throw std::runtime_error(record.error().english());
    if (record->error) throw std::runtime_error(record->error->english());
    best = std::min(best, record->seconds);
    instructions = record->total.thread_instructions;
  }
  return {best, instructions};
}

double seconds_of(const std::function<void()>& work) {
  double best = 1e9;
  for (int i = 0; i < 5; ++i) {
    const auto begin = std::chrono::steady_clock::now();
    work();
    best = std::min(
        best, std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count());
  }
  return best;
}

/// One block launched through device.hpp, each launch waited for before the next.
double seconds_waited_for() {
  const auto device = make_simulated_device(*find_gpu("h200"));
  auto program = std::make_shared<Program>();
  program->name = "bench.ptx";
  program->ptx = std::string(".version 9.0\n.target sm_90\n.address_size 64\n") + kVectorAdd;
  Launch launch;
  launch.module = device->load(program).value();
  launch.grid = {1, 1, 1};
  launch.block = {256, 1, 1};
  for (const char* name : {"a", "b", "c"}) {
    const Pointer p = device->allocate(name, ElementType::f32, 256).value();
    (void)device->fill(p, std::byte{0}, 1024).wait();
    launch.arguments.push_back(Argument::pointer(p));
  }
  launch.arguments.push_back(Argument::of(std::uint32_t{256}));
  constexpr int kLaunches = 200;
  return seconds_of([&] {
           for (int i = 0; i < kLaunches; ++i) (void)device->launch(launch).wait().value();
         }) /
         kLaunches;
}

}  // namespace

int main() {
  Machine m;
  constexpr std::uint32_t kCount = 1 << 20, kSide = 512;
  std::vector<float> x(kCount), y(kCount), z(kCount);
  for (std::uint32_t i = 0; i < kCount; ++i)
    x[i] = static_cast<float>(i % 17), y[i] = static_cast<float>(i % 5);
  std::vector<std::uint64_t> p;
  for (const char* name : {"a", "b", "c"})
    p.push_back(m.memory->allocate(name, ElementType::f32, 4 * kCount).value());
  (void)m.memory->write(p[0], std::as_bytes(std::span(x)));
  (void)m.memory->write(p[1], std::as_bytes(std::span(y)));

  struct Row {
    const char* name;
    RunRequest request;
    std::function<void()> plain;
  };
  std::vector<Row> rows;
  rows.push_back(
      {"vector add", m.request(kVectorAdd, {kCount / 256, 1, 1}, {256, 1, 1}, p, kCount), [&] {
         for (std::uint32_t i = 0; i < kCount; ++i) z[i] = x[i] + y[i];
         asm volatile("" ::"r"(z.data()) : "memory");
       }});
  rows.push_back({"tiled SGEMM 32x32",
                  m.request(tiled_sgemm(), {kSide / 32, kSide / 32, 1}, {32, 32, 1}, p, kSide),
                  [&] {
                    std::fill(z.begin(), z.begin() + kSide * kSide, 0.0f);
                    for (std::uint32_t i = 0; i < kSide; ++i) {
                      for (std::uint32_t k = 0; k < kSide; ++k) {
                        for (std::uint32_t j = 0; j < kSide; ++j)
                          z[i * kSide + j] += x[i * kSide + k] * y[k * kSide + j];
                      }
                    }
                    asm volatile("" ::"r"(z.data()) : "memory");
                  }});
  rows.push_back({"shuffle reduction",
                  m.request(shuffle_reduction(), {128, 1, 1}, {256, 1, 1}, p, kCount), [&] {
                    float sum = 0;
                    for (std::uint32_t i = 0; i < kCount; ++i) sum += x[i];
                    asm volatile("" ::"m"(sum) : "memory");
                  }});

  bool good = true;
  fmt::print("{:<20}{:>14}{:>14}{:>14}{:>14}{:>9}{:>12}{:>14}{:>12}\n", "kernel", "instructions",
             "G/s", "+initcheck", "+racecheck", "cost", "2 workers", "plain C++", "ratio");
  for (Row& row : rows) {
    row.request.observe.initcheck = false;
    const auto [seconds, instructions] = best_of(row.request, 5);
    row.request.observe.initcheck = true;
    const auto [checked, same] = best_of(row.request, 5);
    row.request.observe.racecheck = true;
    const auto [raced, thrice] = best_of(row.request, 5);
    row.request.observe.racecheck = false;
    row.request.workers = 2;
    const auto [two, again] = best_of(row.request, 5);
    const double plain = seconds_of(row.plain);
    const double rate = static_cast<double>(instructions) / seconds;
    fmt::print("{:<20}{:>14}{:>14.2f}{:>14.2f}{:>14.2f}{:>8.2f}x{:>11.2f}x{:>11.3f} ms{:>11.0f}x\n",
               row.name, instructions, rate / 1e9, static_cast<double>(same) / checked / 1e9,
               static_cast<double>(thrice) / raced / 1e9, raced / seconds, checked / two,
               plain * 1e3, seconds / plain);
    good = good && rate >= kBar && instructions == again && raced <= kCheckBar * seconds;
  }
  RunRequest one = m.request(kVectorAdd, {1, 1, 1}, {256, 1, 1}, p, 256);
  const double latency = seconds_of([&] {
                           for (int i = 0; i < 200; ++i) (void)run(one);
                         }) /
                         200;
  const double waited = seconds_waited_for();
  fmt::print(
      "one block of 256 threads: {:.1f} us a launch in the machine, {:.1f} us launched on a device "
      "and waited for\n",
      latency * 1e6, waited * 1e6);
  good = good && latency < kLatencyBar && waited < kLatencyBar;
  if (!good)
    fmt::print("a bar is missed: {} G instructions/s, {} x, {} us\n", kBar / 1e9, kCheckBar,
               kLatencyBar * 1e6);
  return good ? 0 : 1;
}
