// The GPUs that the simulator can pretend to be.
//
// Limits by compute capability are those of the CUDA C++ Programming Guide, "Compute Capabilities",
// table "Technical Specifications per Compute Capability"; the kilobyte of shared memory that every
// block loses from 8.0 on is from the same chapter ("Shared Memory" of 8.x and 9.0); 8 blocks as
// the largest portable cluster from "Thread Block Clusters".
//
// Figures of a board are NVIDIA's, from the document named at its row. Where a document states a
// rate and not the clock behind it, the clock is derived and the row says how. The memory clock is
// the one that the CUDA runtime reports: two transfers a clock, so bytes/s = 2 x clock x bus / 8.
// Memory is the board's; the driver keeps a little of it.
#include <algorithm>
#include <array>
#include <cctype>

#include "device/device.hpp"

namespace warpbook::device {
namespace {

constexpr std::uint32_t kKiB = 1024;
constexpr std::uint64_t kMiB = 1024 * kKiB;
constexpr std::uint64_t kGiB = 1024 * kMiB;
constexpr std::uint32_t kPortableCluster = 8;

struct Architecture {
  int compute_capability;
  std::uint32_t threads, blocks;   // resident on a multiprocessor
  std::uint32_t shared_kib;        // of a multiprocessor
  std::uint32_t shared_block_kib;  // the most a block may opt in to
  std::uint32_t reserved_kib;      // of every block
  std::uint32_t cluster;
};

constexpr Architecture kTuring{75, 1024, 16, 64, 64, 0, 0};
constexpr Architecture kAmpere{80, 2048, 32, 164, 163, 1, 0};
constexpr Architecture kAmpereGa10x{86, 1536, 16, 100, 99, 1, 0};
constexpr Architecture kAda{89, 1536, 24, 100, 99, 1, 0};
constexpr Architecture kHopper{90, 2048, 32, 228, 227, 1, kPortableCluster};

struct Board {
  std::uint32_t multiprocessors;
  std::uint32_t clock_mhz, memory_mhz, bus_bits;
  std::uint64_t memory_bytes, l2_bytes;
};

Properties row(std::string name, const Architecture& architecture, const Board& board) {
  Properties p;
  p.name = std::move(name);
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

const std::array<Properties, 13>& rows() {
  static const std::array<Properties, 13> table{
      // Turing whitepaper (WP-09183), table 5, "Tesla T4" (40 multiprocessors, boost 1,590 MHz, 16 GB
      // GDDR6, 320 GB/s: 5,001 MHz at 256 bits; L2: 512 KB for each of 8 controllers of 32 bits).
      row("T4", kTuring, {40, 1590, 5001, 256, 16 * kGiB, 4 * kMiB}),
      // Turing whitepaper, table 1, "Comparison of NVIDIA Pascal GP102 and Turing TU102", Founders
      // Edition (68 multiprocessors, boost 1,635 MHz, 11 GB at 14 Gbit/s and 352 bits; L2: 512 KB for
      // each of 11 controllers of 32 bits).
      row("RTX 2080 Ti", kTuring, {68, 1635, 7000, 352, 11 * kGiB, 5632 * kKiB}),
      // A100 whitepaper, table 4, "Comparison of NVIDIA Data Center GPUs" (108 multiprocessors, boost
      // 1,410 MHz, 5,120 bits at 1,215 MHz: 1,555 GB/s, L2 40,960 KB).
      row("A100 40GB", kAmpere, {108, 1410, 1215, 5120, 40 * kGiB, 40 * kMiB}),
      // A100 data sheet, SXM (80 GB, 2,039 GB/s: at 5,120 bits that is 1,593 MHz); the rest as
      // above.
      row("A100 80GB", kAmpere, {108, 1410, 1593, 5120, 80 * kGiB, 40 * kMiB}),
      // GA102 whitepaper, v2.1, GeForce RTX 3090 (82 multiprocessors, boost 1,695 MHz, 24 GB at 19.5
      // Gbit/s and 384 bits; L2: 512 KB for each of 12 controllers of 32 bits).
      row("RTX 3090", kAmpereGa10x, {82, 1695, 9750, 384, 24 * kGiB, 6 * kMiB}),
      // GA102 whitepaper, v2.1, GeForce RTX 3080 10 GB (68 multiprocessors, boost 1,710 MHz, 10 GB at 19
      // Gbit/s and 320 bits; L2: 512 KB for each of 10 controllers of 32 bits).
      row("RTX 3080", kAmpereGa10x, {68, 1710, 9500, 320, 10 * kGiB, 5 * kMiB}),
      // RTX 3070 Ti and 3060: as the CUDA runtime describes them, in BenchResults3070ti.md and BenchResults3060.md of
      // github.com/R100001/Programming-Massively-Parallel-Processors/Performance-Tests-NvBench/array_add. The boost clock is a
      // board maker's: these ran at 1,800 and 1,882 MHz.
      row("RTX 3070 Ti", kAmpereGa10x, {48, 1800, 9501, 256, 8 * kGiB, 4 * kMiB}),
      row("RTX 3060", kAmpereGa10x, {28, 1882, 7501, 192, 12 * kGiB, 2304 * kKiB}),
      // GA102 whitepaper, v2.1, appendix on the RTX A6000 (84 multiprocessors, boost 1,800 MHz, 48 GB at
      // 16 Gbit/s and 384 bits, L2 6,144 KB).
      row("RTX A6000", kAmpereGa10x, {84, 1800, 8000, 384, 48 * kGiB, 6 * kMiB}),
      // Ada whitepaper, v2.02, GeForce RTX 4090 (128 multiprocessors, boost 2,520 MHz, 24 GB at 21
      // Gbit/s and 384 bits, L2 73,728 KB).
      row("RTX 4090", kAda, {128, 2520, 10500, 384, 24 * kGiB, 72 * kMiB}),
      // L4 product brief, PB-11316-001 (7,424 cores: 58 multiprocessors of 128; boost 2,040 MHz; 24 GB
      // GDDR6 at 6,251 MHz and 192 bits: 300 GB/s), Ada whitepaper, v2.02, L4 (L2 49,152 KB).
      row("L4", kAda, {58, 2040, 6251, 192, 24 * kGiB, 48 * kMiB}),
      // H100 whitepaper (132 multiprocessors, 5,120 bits; "H100 L2 Cache": 50 MB of GH100's 60). The
      // clocks are derived from the data sheet: 67 TFLOPS = 132 x 128 x 2 x 1,980 MHz; 3.35 TB/s at
      // 5,120 bits = 2,619 MHz.
      row("H100 SXM", kHopper, {132, 1980, 2619, 5120, 80 * kGiB, 50 * kMiB}),
      // H200 data sheet, SXM (141 GB, 4.8 TB/s, 67 TFLOPS: as many multiprocessors and as fast as
      // the H100 SXM). Six stacks of HBM3e are 6,144 bits; all twelve memory controllers of GH100 are
      // then in use, whose whole L2 the H100 whitepaper gives as 60 MB. The driver runs the memory at
      // 3,201 MHz, which is 4.9 TB/s (output of nvidia-smi in
      // github.com/awslabs/amazon-eks-ami/pull/1985).
      row("H200", kHopper, {132, 1980, 3201, 6144, 141'000'000'000ull, 60 * kMiB}),
  };
  return table;
}

/// Letters and digits only, small, without the words that people leave out.
std::string folded(std::string_view name) {
  std::string s;
  for (const char c : name) {
    const auto u = static_cast<unsigned char>(c);
    if (std::isalnum(u)) s += static_cast<char>(std::tolower(u));
  }
  for (const std::string_view word : {"nvidia", "geforce", "tesla"}) {
    if (s.starts_with(word)) s.erase(0, word.size());
  }
  return s;
}

}  // namespace

std::span<const Properties> gpu_table() { return rows(); }

const Properties* find_gpu(std::string_view name) {
  const std::string wanted = folded(name);
  if (wanted.empty()) return nullptr;
  const auto find = [&](auto&& matches) -> const Properties* {
    const auto found = std::ranges::find_if(rows(), matches);
    return found == rows().end() ? nullptr : &*found;
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
  for (const Properties& row : rows()) known += (known.empty() ? "" : ", ") + row.name;
  return failure(ErrorCode::no_such_gpu, {{"name", std::string(name)}, {"known", known}});
}

}  // namespace warpbook::device
