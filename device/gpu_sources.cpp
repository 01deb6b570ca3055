#include "device/gpu_sources.hpp"

#include <algorithm>
#include <array>

namespace warpbook::device {
namespace {

struct Source {
  std::string_view gpu, document;
};

constexpr std::array<Source, 13> kSources{
    {{"T4", "Turing whitepaper (WP-09183), table 5"},
     {"RTX 2080 Ti", "Turing whitepaper (WP-09183), table 1"},
     {"A100 40GB", "A100 whitepaper, table 4"},
     {"A100 80GB", "A100 data sheet and A100 whitepaper, table 4"},
     {"RTX 3090", "GA102 whitepaper v2.1, GeForce RTX 3090"},
     {"RTX 3080", "GA102 whitepaper v2.1, GeForce RTX 3080 10 GB"},
     {"RTX 3070 Ti", "CUDA runtime, by R100001's BenchResults3070ti.md"},
     {"RTX 3060", "CUDA runtime, by R100001's BenchResults3060.md"},
     {"RTX A6000", "GA102 whitepaper v2.1, appendix on the RTX A6000"},
     {"RTX 4090", "Ada whitepaper v2.02, GeForce RTX 4090"},
     {"L4", "L4 product brief (PB-11316-001) and Ada whitepaper v2.02"},
     {"H100 SXM", "H100 data sheet and H100 whitepaper"},
     {"H200", "H200 data sheet, H100 whitepaper, nvidia-smi"}}};

}  // namespace

std::string_view source_of_gpu(std::string_view name) {
  const auto found = std::ranges::find(kSources, name, &Source::gpu);
  return found == kSources.end() ? std::string_view() : found->document;
}

}  // namespace warpbook::device
