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
// as 5.5; an H200 has six stacks, and the slices of six.
//
// A slice of L2 takes one request a clock, of whatever size, and has 64 bytes a clock (A100 whitepaper: 5,120 bytes a clock, 80
// slices). Writes down the columns take Turing's T4 twice as long for each controller as they take GA10x, as if its slices were half
// as many and twice as wide (published.toml); an RTX 2080 Ti's, held back, are foretold within 15 % so. An RTX 2060's are faster, by
// a fifth, at 4096 words a row, and slower at 8192 (R100001/.../array_add/BenchResults/BenchResults2060.md).
//
// Writes to DRAM. On H100 and H200 BabelStream's sum of products, which only reads, has a tenth more bandwidth than its copy
// (published.toml, the fitted half). GDDR6 has no room for check bits beside the data: a board with ECC keeps them among it, in one
// sixteenth of its memory (docs.nvidia.com/igx/user-guide/latest/HW/dram-ecc.html describes it as inline ECC). Of the table's boards
// those are T4 and L4: nvidia-smi shows 15,360 of the one's 16,384 MiB, and 23,034 of the other's 24,576. What that costs is the T4's:
// 91 % of the rated bandwidth where it only reads, 79 % where a third is written, 73 % where half is (published.toml, its report).
#include "device/gpu_rates.hpp"

#include <algorithm>

namespace warpbook::device {
namespace {

constexpr double kL2BytesOfController = 128;
constexpr double kControllerBits = 32;
constexpr double kL2RateOfHbm = 5.5e12;  // bytes a second, of five stacks
constexpr double kHbmBits = 5120;
constexpr double kWriteOfHbm3 = 1.1, kWriteWithInlineEcc = 1.45;

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
  r.l2_request = 128;
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
  r.dram_write = kWriteOfHbm3;
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
  rates.l2_bytes =
      hbm ? kL2RateOfHbm * gpu.memory_bus_bits / kHbmBits / (std::max(gpu.clock_khz, 1u) * 1e3)
          : kL2BytesOfController * gpu.memory_bus_bits / kControllerBits;
  const bool inline_ecc = gpu.name.ends_with("T4") || gpu.name.ends_with("L4");  // also "Tesla T4"
  if (inline_ecc) rates.dram_write = kWriteWithInlineEcc;
  return rates;
}

double memory_rate(const Properties& gpu) {
  return 2.0 * gpu.memory_clock_khz * 1e3 * gpu.memory_bus_bits / 8;
}

}  // namespace warpbook::device
