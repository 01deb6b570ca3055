#include "lab/from_trace.hpp"

#include <algorithm>
#include <unordered_map>
#include <vector>

namespace warpbook::lab {

AccessesExhibit accesses_of(const device::LaunchRecord& record, std::vector<AccessesExhibit::Array> arrays) {
  AccessesExhibit exhibit{record.grid, record.block, std::move(arrays), {}, record.trace_cut};
  std::unordered_map<std::string_view, std::uint32_t> array_of;
  for (std::uint32_t a = 0; a < exhibit.arrays.size(); ++a) array_of[exhibit.arrays[a].tensor.name] = a;
  std::unordered_map<std::uint64_t, const device::Finding*> finding_at;
  for (const device::Finding& finding : record.findings) finding_at.emplace(finding.address, &finding);

  const auto add = [&](const device::Access& access, std::string_view name, std::int64_t element) {
    const auto array = array_of.find(name);
    if (array == array_of.end()) return;
    exhibit.wires.push_back({access.block, access.thread, array->second, element, access.kind,
                             record.instructions[access.instruction].place.line});
  };
  for (const device::Access& access : record.trace) {
    if (access.space != device::Space::global) continue;
    const auto home = std::ranges::find_if(record.allocations, [&](const device::AllocationInfo& allocation) {
      return access.address >= allocation.address && access.address < allocation.address + allocation.bytes;
    });
    if (home != record.allocations.end()) {
      add(access, home->name, static_cast<std::int64_t>((access.address - home->address) / size_of(home->type)));
    } else if (const auto finding = finding_at.find(access.address); finding != finding_at.end()) {
      add(access, finding->second->allocation, finding->second->element);
    }
  }
  return exhibit;
}

GeometryExhibit geometry_of(const device::LaunchRecord& record) {
  const std::uint64_t threads = record.grid.count() * record.block.count();
  std::vector<std::uint64_t> storing;
  for (const device::Access& access : record.trace) {
    if (access.kind != device::AccessKind::load && access.space == device::Space::global) {
      storing.push_back(access.block * record.block.count() + access.thread);
    }
  }
  std::ranges::sort(storing);
  const auto repeated = std::ranges::unique(storing);
  storing.erase(repeated.begin(), repeated.end());
  return {record.kernel, record.grid, record.block, threads, threads - storing.size(), !record.trace_cut};
}

}  // namespace warpbook::lab
