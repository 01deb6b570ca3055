// The GPUs that the simulator can pretend to be. Each is one row of kRows; what GPUs of one architecture share is in kArchitectures.
//
// Limits by compute capability: CUDA C++ Programming Guide, "Compute Capabilities", table "Technical Specifications per Compute
// Capability"; the kilobyte of shared memory that every block loses from 8.0 on, the same chapter ("Shared Memory" of 8.x and 9.0);
// 8 blocks as the largest portable cluster, "Thread Block Clusters".
//
// Figures of a board are NVIDIA's, from the document named in its row. Where a document states a rate and not the clock behind it, the
// clock is derived and the row says how. The memory clock is the one that the CUDA runtime reports: two transfers per clock, so
// bytes/s = 2 x clock x bus / 8.
//
// Memory: what data sheets call GB are GiB, for every board. nvidia-smi shows it, less what the driver or ECC keeps: 40,960 MiB of an
// A100's 40, 81,559 of an H100's 80 x 1,024 = 81,920, 15,360 of a T4's 16,384 and 23,034 of an L4's 24,576
// (github.com/modal-labs/modal-client/pull/2797), and 143,771 of an H200's 141 x 1,024 = 144,384
// (github.com/ggml-org/llama.cpp/issues/14692). The table has the board's.
//
// Blackwell (10.0 and 12.0). The CUDA runtime confirms the threads and the shared memory of a multiprocessor (an RTX 5090: 1,536 and
// 100 KB, github.com/NVIDIA/nccl/issues/1637; a B200: 2,048 and 228 KB, github.com/pytorch/ao/pull/4002), and the Blackwell Tuning Guide
// the 227 KB that a block of 10.0 may have and the 256 KB of L1. The 32 and 24 resident blocks are from the Programming Guide, and were
// not looked up again for these rows. The remaining rates and all latencies are those of the neighbouring architecture, Hopper for 10.0
// and Ada for 12.0, because no measurement of them was at hand. Two of them are lower than the best that NVIDIA states: additions of
// integers in 12.0, whose whitepaper doubles them, and tensor cores in 10.0, which reach their full rate only through tcgen05.
//
// Laptops: the maker of the laptop sets the power, and with it the clock. The clock is that of the row's source, and a real laptop may
// run well below or above it.
//
// Arithmetic rates: CUDA C++ Programming Guide, "Arithmetic Instructions", table "Throughput of Native Arithmetic Instructions" (results
// per clock and multiprocessor; packed halves count as two there, as one lane here). Tensor cores, the data path of L1 and shared
// memory and their size: the whitepapers of Turing (WP-09183: 64 bytes per clock, 96 KB), A100 (128 bytes, 192 KB), GA102 (v2.1:
// "128 bytes/clock per SM versus 64 bytes/clock in Turing", 128 KB), Ada (v2.02, 128 KB) and H100 (256 KB).
//
// L1 looks up one line per clock: the naive matrix products of the fitted half show it on GA10x and Ada (31 to 33 clocks for a warp's
// 32 lines and one; tests/device/simulator/estimate/published.toml, sgemm_rows).
//
// Constant memory: a request of a warp is split into one for each different address (CUDA C++ Programming Guide, "Device Memory
// Accesses"; not looked up here). That each of them takes a clock is an assumption, because no measurement of it was at hand. The small
// cache in front of the 64 KB is not modelled, so every read counts as a hit.
//
// Latencies are measurements of others:
//   A100, GA10x: github.com/YKTian-x2b/AmpereArchViaMicroBenchMark, README.md, sections 1.1, 2.1 and 2.2 (shared 23, L1 33, L2 200
//     and 219; DRAM "GDDR 450-550, HBM 350-400": their middle, and 400), 2.3 for Turing (L2 212, shared 24).
//   Ada (4090: L1 40, L2 296, DRAM 636) and Hopper (GH200: 40, 281, 690): github.com/markdewing/AI_kernels, latency/README.md;
//     Hopper's shared memory (28.6): "CUDA Performance Study - NVIDIA H100 SXM5", README.md, section 3a.
//   Turing's L1 and Ada's shared memory: no source was at hand, so they have the latencies of the neighbouring architectures.
//
// Bytes of L2: GA106 gives 1,276 GB/s from six controllers (YKTian, 1.1), which is 128 bytes per clock for each controller of 32 bits,
// and github.com/smallscientist1/cuda_microbenchmark, analysis_RTX4090.md, finds the same for the 4090 (1,536 bytes per clock of 12);
// so all boards with GDDR have that rate. A100 and H100: "5.x TB/s" (github.com/RRZE-HPC/gpu-benches, README.md, gpu-l2-cache), taken
// as 5.5 for five stacks of HBM; an H200 has six stacks, and therefore the slices of six.
//
// Requests of L2: a slice takes one request per clock, of whatever size, and moves 64 bytes per clock (A100 whitepaper: 5,120 bytes per
// clock, 80 slices). Writes down the columns take Turing's T4 twice as long for each controller as they take GA10x, as if its slices were
// half as many and twice as wide (published.toml); so the times of an RTX 2080 Ti, held back, are predicted within 15 %. An RTX 2060 is
// faster, by a fifth, at 4096 words per row, and slower at 8192 (R100001/.../array_add/BenchResults/BenchResults2060.md).
//
// Writes to DRAM: on H100 and H200 BabelStream's sum of products, which only reads, has a tenth more bandwidth than its copy
// (published.toml, the fitted half). GDDR6 has no room for check bits beside the data, so a board with ECC keeps them among the data, in
// one sixteenth of its memory (docs.nvidia.com/igx/user-guide/latest/HW/dram-ecc.html describes it as inline ECC). The memory that
// nvidia-smi shows tells that T4 and L4 do. The cost is measured on the T4: it reaches 91 % of the rated bandwidth where it only
// reads, 79 % where a third is written, 73 % where half is (published.toml, its report).
//
// Atomic operations: an H100 adds 65,536 floats to one word in 118 us (device/records/h100-80gb-hbm3.json, reduction, atomics), which is
// 3.5 of its clocks each. Calibration::atomic_clocks is of an RTX 3090 (published.toml, sum_atomic).
#include "device/gpu_table.hpp"

#include <algorithm>
#include <array>
#include <cctype>
#include <vector>

#include "device/device.hpp"

namespace warpbook::device {
namespace {

constexpr std::uint32_t kKiB = 1024;
constexpr std::uint64_t kMiB = 1024 * kKiB;
constexpr std::uint64_t kGiB = 1024 * kMiB;
constexpr std::uint32_t kPortableCluster = 8;

constexpr double kL2BytesOfController = 128;  // per clock
constexpr double kControllerBits = 32;
constexpr double kL2RateOfHbm = 5.5e12;  // bytes per second, of kHbmBits
constexpr double kHbmBits = 5120;        // of five stacks

enum class Memory : std::uint8_t { gddr6, gddr6_with_inline_ecc, gddr7, hbm2, hbm3 };

constexpr bool is_hbm(Memory memory) { return memory == Memory::hbm2 || memory == Memory::hbm3; }

constexpr double write_cost(Memory memory) {
  switch (memory) {
    case Memory::gddr6_with_inline_ecc: return 1.45;
    case Memory::hbm3: return 1.1;
    case Memory::gddr6:
    case Memory::gddr7:
    case Memory::hbm2: return 1;
  }
  return 1;
}

struct Architecture {
  int compute_capability;
  std::uint32_t threads, blocks;   // resident on a multiprocessor
  std::uint32_t shared_kib;        // of a multiprocessor
  std::uint32_t shared_block_kib;  // the most that a block may opt in to
  std::uint32_t reserved_kib;      // of every block
  std::uint32_t cluster;
  Memory usual_memory;  // of boards that are not in the table
  GpuRates rates;       // but for those that depend on the board's memory
};

constexpr Architecture kTuring{75,
                               1024,
                               16,
                               64,
                               64,
                               0,
                               0,
                               Memory::gddr6,
                               {.multiply_add = 64,
                                .integer_multiply = 64,
                                .half = 64,
                                .wide = 2,
                                .tensor_half = 512,
                                .load_store = 16,
                                .shared_bytes = 64,
                                .l1_bytes = 64,
                                .l1_kib = 96,
                                .l2_request = 128,
                                .shared_latency = 24,
                                .l1_latency = 33,
                                .l2_latency = 212,
                                .dram_latency = 500}};
constexpr Architecture kAmpere{80,
                               2048,
                               32,
                               164,
                               163,
                               1,
                               0,
                               Memory::hbm2,
                               {.multiply_add = 64,
                                .integer_multiply = 64,
                                .half = 128,
                                .wide = 32,
                                .tensor_half = 1024,
                                .tensor_single = 512,
                                .l1_kib = 192,
                                .shared_latency = 23,
                                .l1_latency = 33,
                                .l2_latency = 200,
                                .dram_latency = 400}};
constexpr GpuRates kGa10xRates{.multiply_add = 128,
                               .integer_multiply = 64,
                               .half = 64,
                               .wide = 2,
                               .tensor_half = 256,
                               .tensor_single = 128,
                               .l1_kib = 128,
                               .shared_latency = 23,
                               .l1_latency = 33,
                               .l2_latency = 219,
                               .dram_latency = 500};
constexpr GpuRates kAdaRates = [] {
  GpuRates rates = kGa10xRates;
  rates.l1_latency = 40;
  rates.l2_latency = 296;
  rates.dram_latency = 636;
  return rates;
}();
constexpr Architecture kAmpereGa10x{86, 1536, 16, 100, 99, 1, 0, Memory::gddr6, kGa10xRates};
constexpr Architecture kAda{89, 1536, 24, 100, 99, 1, 0, Memory::gddr6, kAdaRates};
constexpr GpuRates kHopperRates{.multiply_add = 128,
                                .integer_multiply = 64,
                                .half = 128,
                                .wide = 64,
                                .tensor_half = 2048,
                                .tensor_single = 1024,
                                .l1_kib = 256,
                                .atomic = 1.28,
                                .shared_latency = 28.6,
                                .l1_latency = 40,
                                .l2_latency = 281,
                                .dram_latency = 690};
constexpr Architecture kHopper{90,           2048,        32, 228, 227, 1, kPortableCluster,
                               Memory::hbm3, kHopperRates};
constexpr Architecture kBlackwell{100,          2048,        32, 228, 227, 1, kPortableCluster,
                                  Memory::hbm3, kHopperRates};
constexpr Architecture kBlackwellRtx{120,           1536,     24, 100, 99, 1, kPortableCluster,
                                     Memory::gddr7, kAdaRates};

constexpr std::array<const Architecture*, 7> kArchitectures{
    &kTuring, &kAmpere, &kAmpereGa10x, &kAda, &kHopper, &kBlackwell, &kBlackwellRtx};

struct Board {
  std::uint32_t multiprocessors;
  std::uint32_t clock_mhz, memory_mhz, bus_bits;
  std::uint64_t memory_bytes, l2_bytes;
  Memory memory;
};

struct Row {
  const char* name;
  const Architecture& architecture;
  Board board;
  std::string_view source;
};

// One row per GPU. Adding one touches nothing else.
const Row kRows[] = {
    // "Tesla T4": 40 multiprocessors, boost 1,590 MHz, 16 GB GDDR6, 320 GB/s: 5,001 MHz at 256 bits; L2: 512 KB for each of 8
    // controllers of 32 bits.
    {"T4",
     kTuring,
     {40, 1590, 5001, 256, 16 * kGiB, 4 * kMiB, Memory::gddr6_with_inline_ecc},
     "Turing whitepaper (WP-09183), table 5"},
    // "Comparison of NVIDIA Pascal GP102 and Turing TU102", Founders Edition: 68 multiprocessors, boost 1,635 MHz, 11 GB at 14 Gbit/s
    // and 352 bits; L2: 512 KB for each of 11 controllers of 32 bits.
    {"RTX 2080 Ti",
     kTuring,
     {68, 1635, 7000, 352, 11 * kGiB, 5632 * kKiB, Memory::gddr6},
     "Turing whitepaper (WP-09183), table 1"},
    // "Comparison of NVIDIA Data Center GPUs": 108 multiprocessors, boost 1,410 MHz, 5,120 bits at 1,215 MHz: 1,555 GB/s, L2 40,960 KB.
    {"A100 40GB",
     kAmpere,
     {108, 1410, 1215, 5120, 40 * kGiB, 40 * kMiB, Memory::hbm2},
     "A100 whitepaper, table 4"},
    // Data sheet, SXM: 80 GB, 2,039 GB/s: at 5,120 bits that is 1,593 MHz; the rest as above.
    {"A100 80GB",
     kAmpere,
     {108, 1410, 1593, 5120, 80 * kGiB, 40 * kMiB, Memory::hbm2},
     "A100 data sheet and A100 whitepaper, table 4"},
    // 82 multiprocessors, boost 1,695 MHz, 24 GB at 19.5 Gbit/s and 384 bits; L2: 512 KB for each of 12 controllers of 32 bits.
    {"RTX 3090",
     kAmpereGa10x,
     {82, 1695, 9750, 384, 24 * kGiB, 6 * kMiB, Memory::gddr6},
     "GA102 whitepaper v2.1, GeForce RTX 3090"},
    // 68 multiprocessors, boost 1,710 MHz, 10 GB at 19 Gbit/s and 320 bits; L2: 512 KB for each of 10 controllers of 32 bits.
    {"RTX 3080",
     kAmpereGa10x,
     {68, 1710, 9500, 320, 10 * kGiB, 5 * kMiB, Memory::gddr6},
     "GA102 whitepaper v2.1, GeForce RTX 3080 10 GB"},
    // RTX 3070 Ti and 3060: github.com/R100001/Programming-Massively-Parallel-Processors/Performance-Tests-NvBench/array_add. The boost
    // clock is a board maker's: these ran at 1,800 and 1,882 MHz.
    {"RTX 3070 Ti",
     kAmpereGa10x,
     {48, 1800, 9501, 256, 8 * kGiB, 4 * kMiB, Memory::gddr6},
     "CUDA runtime, by R100001's BenchResults3070ti.md"},
    {"RTX 3060",
     kAmpereGa10x,
     {28, 1882, 7501, 192, 12 * kGiB, 2304 * kKiB, Memory::gddr6},
     "CUDA runtime, by R100001's BenchResults3060.md"},
    // 84 multiprocessors, boost 1,800 MHz, 48 GB at 16 Gbit/s and 384 bits, L2 6,144 KB.
    {"RTX A6000",
     kAmpereGa10x,
     {84, 1800, 8000, 384, 48 * kGiB, 6 * kMiB, Memory::gddr6},
     "GA102 whitepaper v2.1, appendix on the RTX A6000"},
    // 128 multiprocessors, boost 2,520 MHz, 24 GB at 21 Gbit/s and 384 bits, L2 73,728 KB.
    {"RTX 4090",
     kAda,
     {128, 2520, 10500, 384, 24 * kGiB, 72 * kMiB, Memory::gddr6},
     "Ada whitepaper v2.02, GeForce RTX 4090"},
    // Product brief: 7,424 cores: 58 multiprocessors of 128; boost 2,040 MHz; 24 GB GDDR6 at 6,251 MHz and 192 bits: 300 GB/s.
    // Whitepaper: L2 49,152 KB.
    {"L4",
     kAda,
     {58, 2040, 6251, 192, 24 * kGiB, 48 * kMiB, Memory::gddr6_with_inline_ecc},
     "L4 product brief (PB-11316-001) and Ada whitepaper v2.02"},
    // Whitepaper: 132 multiprocessors, 5,120 bits; "H100 L2 Cache": 50 MB of GH100's 60. The clocks are derived from the data sheet:
    // 67 TFLOPS = 132 x 128 x 2 x 1,980 MHz; 3.35 TB/s at 5,120 bits = 2,619 MHz.
    {"H100 SXM",
     kHopper,
     {132, 1980, 2619, 5120, 80 * kGiB, 50 * kMiB, Memory::hbm3},
     "H100 data sheet and H100 whitepaper"},
    // Data sheet, SXM: 141 GB, 4.8 TB/s, 67 TFLOPS: as many multiprocessors and as fast as the H100 SXM. Six stacks of HBM3e are 6,144
    // bits; all twelve memory controllers of GH100 are then in use, whose whole L2 the H100 whitepaper gives as 60 MB. The driver runs the
    // memory at 3,201 MHz, which is 4.9 TB/s (output of nvidia-smi in github.com/awslabs/amazon-eks-ami/pull/1985).
    {"H200",
     kHopper,
     {132, 1980, 3201, 6144, 141 * kGiB, 60 * kMiB, Memory::hbm3},
     "H200 data sheet, H100 whitepaper, nvidia-smi"},
    // As the CUDA runtime and nvidia-smi report it (github.com/pytorch/ao/pull/4002): 148 multiprocessors, 7,680 bits at 3,996 MHz, L2
    // 126.5 MB, and 178.35 GiB of the 180 GB that it is sold with. The clock, as nvidia-smi reports it, was not looked up here.
    {"B200",
     kBlackwell,
     {148, 1965, 3996, 7680, 180 * kGiB, 129536 * kKiB, Memory::hbm3},
     "CUDA runtime and nvidia-smi, by pytorch/ao #4002; clock from memory"},
    // 170 multiprocessors, boost 2,407 MHz, 32 GB at 28 Gbit/s and 512 bits, L2 96 MB (Linux Format, May 2025); the CUDA runtime reports
    // the same, and a board maker's clock (github.com/NVIDIA/nccl/issues/1637).
    {"RTX 5090",
     kBlackwellRtx,
     {170, 2407, 14001, 512, 32 * kGiB, 96 * kMiB, Memory::gddr7},
     "CUDA runtime, by NVIDIA/nccl #1637; clock by Linux Format, May 2025"},
    // 188 multiprocessors, 96 GB at 28 Gbit/s and 512 bits, L2 128 MB, 125 TFLOPS (NVIDIA's announcement at GTC 2025, as reported). The
    // clock is derived: 125 TFLOPS = 188 x 128 x 2 x 2,597 MHz. nvidia-smi shows 97,887 of the 98,304 MiB, so ECC keeps no sixteenth.
    {"RTX PRO 6000 Blackwell",
     kBlackwellRtx,
     {188, 2597, 14001, 512, 96 * kGiB, 128 * kMiB, Memory::gddr7},
     "NVIDIA's announcement of March 2025, as reported"},
    // 1,920 cores: 30 multiprocessors of 64; 6 GB at 14 Gbit/s and 192 bits; L2: 512 KB for each of 6 controllers of 32 bits. The clock is
    // the upper end of NVIDIA's range for laptops.
    {"RTX 2060 Laptop",
     kTuring,
     {30, 1560, 7000, 192, 6 * kGiB, 3 * kMiB, Memory::gddr6},
     "NVIDIA's specification page, not looked up here"},
    // 2,048 cores: 16 multiprocessors of 128; 1,740 MHz at 80 W (hmc-tech.com); L2 2 MB. 4 GB at 12 Gbit/s and 128 bits: 192 GB/s, the
    // slower of the memories that it is built with.
    {"RTX 3050 Laptop",
     kAmpereGa10x,
     {16, 1740, 6000, 128, 4 * kGiB, 2 * kMiB, Memory::gddr6},
     "hmc-tech.com; memory by NVIDIA's specification page, not looked up here"},
    // 24 multiprocessors, 1,890 MHz, 128 bits at 16 Gbit/s, L2 32 MB, as read from a laptop
    // (github.com/accel-sim/gpgpu-sim_distribution/pull/135).
    {"RTX 4060 Laptop",
     kAda,
     {24, 1890, 8000, 128, 8 * kGiB, 32 * kMiB, Memory::gddr6},
     "a laptop, by accel-sim/gpgpu-sim_distribution #135"},
    // 4,608 cores: 36 multiprocessors of 128; 8 GB GDDR7; 1,425 MHz at 50 W, the lower end of its range; L2 32 MB (hmc-tech.com and
    // technical.city). 128 bits at 24 Gbit/s: 384 GB/s.
    {"RTX 5070 Laptop",
     kBlackwellRtx,
     {36, 1425, 12000, 128, 8 * kGiB, 32 * kMiB, Memory::gddr7},
     "technical.city; memory by NVIDIA's specification page, not looked up here"},
};

Properties properties_of(const Row& row) {
  const Architecture& architecture = row.architecture;
  const Board& board = row.board;
  Properties p;
  p.name = row.name;
  p.compute_capability = architecture.compute_capability;
  p.multiprocessors = board.multiprocessors;
  p.max_threads_per_multiprocessor = architecture.threads;
  p.max_blocks_per_multiprocessor = architecture.blocks;
  p.shared_per_multiprocessor = architecture.shared_kib * kKiB;
  p.shared_per_block_optin = architecture.shared_block_kib * kKiB;
  p.reserved_shared_per_block = architecture.reserved_kib * kKiB;
  p.max_cluster_blocks = architecture.cluster;
  p.global_bytes = board.memory_bytes;
  p.l2_bytes = board.l2_bytes;
  p.clock_khz = board.clock_mhz * 1000;
  p.memory_clock_khz = board.memory_mhz * 1000;
  p.memory_bus_bits = board.bus_bits;
  return p;
}

/// As kRows.
const std::vector<Properties>& table() {
  static const std::vector<Properties> all = [] {
    std::vector<Properties> made;
    for (const Row& row : kRows) made.push_back(properties_of(row));
    return made;
  }();
  return all;
}

/// The newest architecture that is not newer than the GPU.
const Architecture& architecture_of(int compute_capability) {
  const Architecture* found = kArchitectures.front();
  for (const Architecture* a : kArchitectures) {
    if (a->compute_capability <= compute_capability) found = a;
  }
  return *found;
}

/// Letters and digits only, in lower case, without the words that people leave out.
std::string folded(std::string_view name) {
  std::string s;
  for (const char c : name) {
    const auto u = static_cast<unsigned char>(c);
    if (std::isalnum(u)) s += static_cast<char>(std::tolower(u));
  }
  for (const std::string_view word : {"nvidia", "geforce", "tesla"}) {
    if (s.starts_with(word)) s.erase(0, word.size());
  }
  constexpr std::string_view kLast = "laptopgpu";
  if (s.ends_with(kLast)) s.resize(s.size() - std::string_view("gpu").size());
  return s;
}

}  // namespace

std::span<const Properties> gpu_table() { return table(); }

const Properties* find_gpu(std::string_view name) {
  const std::string wanted = folded(name);
  if (wanted.empty()) return nullptr;
  const auto find = [&](auto&& matches) -> const Properties* {
    const auto found = std::ranges::find_if(table(), matches);
    return found == table().end() ? nullptr : &*found;
  };
  if (const auto* exact = find([&](const Properties& p) { return folded(p.name) == wanted; }))
    return exact;
  // "a100", "h100", and "4090": the model without its size or its family.
  return find([&](const Properties& p) {
    const std::string full = folded(p.name);
    return full == "rtx" + wanted || (full.starts_with(wanted) && wanted.size() >= 4);
  });
}

Expected<const Properties*> known_gpu(std::string_view name) {
  if (const Properties* found = find_gpu(name)) return found;
  std::string known;
  for (const Properties& row : table()) known += (known.empty() ? "" : ", ") + row.name;
  return failure(ErrorCode::no_such_gpu, {{"name", std::string(name)}, {"known", known}});
}

GpuRates rates_of(const Properties& gpu) {
  const Architecture& architecture = architecture_of(gpu.compute_capability);
  const Properties* row = find_gpu(gpu.name);
  const Memory memory = row ? kRows[row - table().data()].board.memory : architecture.usual_memory;
  GpuRates rates = architecture.rates;
  rates.l2_bytes = is_hbm(memory) ? kL2RateOfHbm * gpu.memory_bus_bits / kHbmBits /
                                        (std::max(gpu.clock_khz, 1u) * 1e3)
                                  : kL2BytesOfController * gpu.memory_bus_bits / kControllerBits;
  rates.dram_write = write_cost(memory);
  return rates;
}

double memory_rate(const Properties& gpu) {
  return 2.0 * gpu.memory_clock_khz * 1e3 * gpu.memory_bus_bits / 8;
}

std::string_view source_of_gpu(std::string_view name) {
  const auto* const found = std::ranges::find(kRows, name, &Row::name);
  return found == std::end(kRows) ? std::string_view() : found->source;
}

}  // namespace warpbook::device
