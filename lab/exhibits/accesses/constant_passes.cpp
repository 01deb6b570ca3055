#include "lab/exhibits/accesses/constant_passes.hpp"

#include <set>
#include <tuple>
#include <utility>

namespace warpbook::lab {

std::optional<double> constant_passes_a_request(const device::LaunchRecord& record) {
  std::set<std::pair<std::uint32_t, std::uint32_t>> requests;
  std::set<std::tuple<std::uint32_t, std::uint32_t, std::uint64_t>> words;
  for (const device::Access& access : record.trace) {
    if (access.space != device::Space::constant) continue;
    requests.emplace(access.block, access.request);
    words.emplace(access.block, access.request, access.address);
  }
  if (requests.empty()) return {};
  return static_cast<double>(words.size()) / static_cast<double>(requests.size());
}

}  // namespace warpbook::lab
