// Arithmetic: CUDA C++ Programming Guide, "Arithmetic Instructions", table "Throughput of Native Arithmetic Instructions"
// (results a clock and multiprocessor; packed halves count as two there, as one lane here). Tensor cores, the data path of L1
// and shared memory and their size: the whitepapers of Turing (WP-09183: 64 bytes a clock, 96 KB), A100 (128 bytes, 192 KB),
// GA102 (v2.1: "128 bytes/clock per SM versus 64 bytes/clock in Turing", 128 KB), Ada (v2.02, 128 KB) and H100 (256 KB).
//
// One line of L1 a clock: what the naive matrix products of the fitted half come to on GA10x and Ada (31 to 33 clocks for a warp's
// 32 lines and one; tests/device/simulator/estimate/published.toml, sgemm_rows).
//
// Latencies are measurements of others:
//   A100, GA10x: github.com/YKTian-x2b/AmpereArchViaMicroBenchMark, README.md, sections 1.1, 2.1 and 2.2 (shared 23, L1 33, L2 200
//     and 219; DRAM "GDDR 450-550, HBM 350-400": their middle, and 400), 2.3 for Turing (L2 212, shared 24).
//   Ada (4090: L1 40, L2 296, DRAM 636) and Hopper (GH200: 40, 281, 690): github.com/markdewing/AI_kernels, latency/README.md;
//     Hopper's shared memory (28.6): "CUDA Performance Study - NVIDIA H100 SXM5", README.md, section 3a.
//   Turing's L1 and Ada's shared memory: no source was at hand; those of the neighbouring architectures stand for them.
// L2: GA106 gives 1,276 GB/s from six controllers (YKTian, 1.1), which is 128 bytes a clock for each controller of 32 bits, and
// github.com/smallscientist1/cuda_microbenchmark, analysis_RTX4090.md, finds the same for the 4090 (1,536 bytes a clock of 12);
// so all boards with GDDR are taken. A100 and H100: "5.x TB/s" (github.com/RRZE-HPC/gpu-benches, README.md, gpu-l2-cache), taken
// as 5.5.
#include "device/gpu_rates.hpp"

namespace warpbook::device {
namespace {

constexpr double kL2BytesOfController = 128;
constexpr double kControllerBits = 32;
constexpr double kL2RateOfHbm = 5.5e12;  // bytes a second

GpuRates turing() {
  GpuRates r;
  r.multiply_add = 64;
  r.integer_multiply = 64;
  r.half = 64;
  r.wide = 2;
  r.tensor_half = 512;
  r.load_store = 16;
  r.shared_bytes = 64;
  r.l1_bytes = 64;
  r.l1_kib = 96;
  r.shared_latency = 24;
  r.l1_latency = 33;
  r.l2_latency = 212;
  r.dram_latency = 500;
  return r;
}

GpuRates ampere() {
  GpuRates r;
  r.multiply_add = 64;
  r.integer_multiply = 64;
  r.half = 128;
  r.wide = 32;
  r.tensor_half = 1024;
  r.tensor_single = 512;
  r.l1_kib = 192;
  r.shared_latency = 23;
  r.l1_latency = 33;
  r.l2_latency = 200;
  r.dram_latency = 400;
  return r;
}

GpuRates ampere_ga10x() {
  GpuRates r;
  r.multiply_add = 128;
  r.integer_multiply = 64;
  r.half = 64;
  r.wide = 2;
  r.tensor_half = 256;
  r.tensor_single = 128;
  r.l1_kib = 128;
  r.shared_latency = 23;
  r.l1_latency = 33;
  r.l2_latency = 219;
  r.dram_latency = 500;
  return r;
}

GpuRates ada() {
  GpuRates r = ampere_ga10x();
  r.l1_latency = 40;
  r.l2_latency = 296;
  r.dram_latency = 636;
  return r;
}

GpuRates hopper() {
  GpuRates r;
  r.multiply_add = 128;
  r.integer_multiply = 64;
  r.half = 128;
  r.wide = 64;
  r.tensor_half = 2048;
  r.tensor_single = 1024;
  r.l1_kib = 256;
  r.shared_latency = 28.6;
  r.l1_latency = 40;
  r.l2_latency = 281;
  r.dram_latency = 690;
  return r;
}

GpuRates of_architecture(int capability) {
  if (capability < 80) return turing();
  if (capability < 86) return ampere();
  if (capability < 89) return ampere_ga10x();
  return capability < 90 ? ada() : hopper();
}

}  // namespace

GpuRates rates_of(const Properties& gpu) {
  GpuRates rates = of_architecture(gpu.compute_capability);
  const bool hbm = gpu.compute_capability == 80 || gpu.compute_capability == 90;
  rates.l2_bytes = hbm ? kL2RateOfHbm / (gpu.clock_khz * 1e3)
                       : kL2BytesOfController * gpu.memory_bus_bits / kControllerBits;
  return rates;
}

double memory_rate(const Properties& gpu) {
  return 2.0 * gpu.memory_clock_khz * 1e3 * gpu.memory_bus_bits / 8;
}

}  // namespace warpbook::device
