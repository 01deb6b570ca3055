// A GPU: what its renderers share.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "lab/exhibits/gpu/gpu.hpp"

namespace warpbook::lab {

/// Threads that the whole GPU has room for at once.
std::uint64_t resident_threads(const GpuExhibit& gpu);
/// "141 GiB"; "25.3 GB" where a driver tells a size that is no whole number of GiB.
std::string memory_text(const GpuExhibit& gpu);
/// "4,917": GB of memory a second.
std::string memory_rate_text(const GpuExhibit& gpu);
/// Where the figures are from.
std::string source_text(const GpuExhibit& gpu, const Strings& strings);

/// What it has: the name of it, as much as a multiprocessor has, and as much as the whole GPU has; the first row is the head.
std::vector<std::vector<std::string>> rows_of(const GpuExhibit& gpu, const Strings& strings);

}  // namespace warpbook::lab
