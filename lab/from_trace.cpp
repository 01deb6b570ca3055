#include "lab/from_trace.hpp"

#include <algorithm>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace warpbook::lab {
namespace {

/// A lane's access to global memory: where it went, by allocation and element.
struct GlobalAccess {
  std::uint32_t block = 0, thread = 0;
  std::string_view allocation;
  std::int64_t element = 0;
  device::AccessKind kind = device::AccessKind::load;
  std::uint32_t line = 0;
};

/// True for a finding whose access was suppressed, so that the trace lacks it.
bool is_stray(const device::Finding& finding) {
  switch (finding.error.code) {
    case device::ErrorCode::out_of_bounds_read:
    case device::ErrorCode::out_of_bounds_write:
    case device::ErrorCode::out_of_bounds_atomic:
    case device::ErrorCode::use_after_free: return finding.space == device::Space::global;
    default: return false;
  }
}

/// The element of its allocation's own type: a finding may count wider ones.
std::int64_t element_of(const device::Finding& finding, const device::LaunchRecord& record) {
  const auto home =
      std::ranges::find(record.allocations, finding.allocation, &device::AllocationInfo::name);
  if (home == record.allocations.end()) return finding.element;
  const auto size = static_cast<std::int64_t>(size_of(home->type));
  const auto offset = static_cast<std::int64_t>(finding.address - home->address);
  return offset >= 0 ? offset / size : -((-offset + size - 1) / size);
}

/// Visits the accesses of the trace in its order, then the stray ones that the checker suppressed.
template <class Visit>
void for_each_global_access(const device::LaunchRecord& record, const Visit& visit) {
  for (const device::Access& access : record.trace) {
    if (access.space != device::Space::global) continue;
    const auto home =
        std::ranges::find_if(record.allocations, [&](const device::AllocationInfo& allocation) {
          return access.address >= allocation.address &&
                 access.address < allocation.address + allocation.bytes;
        });
    if (home == record.allocations.end()) continue;
    visit(GlobalAccess{
        access.block, access.thread, home->name,
        static_cast<std::int64_t>((access.address - home->address) / size_of(home->type)),
        access.kind, record.instructions[access.instruction].place.line});
  }
  for (const device::Finding& finding : record.findings) {
    if (!is_stray(finding)) continue;
    visit(GlobalAccess{finding.by.block, finding.by.thread, finding.allocation,
                       element_of(finding, record), finding.by.kind, finding.by.place.line});
  }
}

}  // namespace

AccessesExhibit accesses_of(const device::LaunchRecord& record,
                            std::vector<AccessesExhibit::Array> arrays) {
  AccessesExhibit exhibit{record.grid, record.block, std::move(arrays), {}, record.trace_cut};
  std::unordered_map<std::string_view, std::uint32_t> array_of;
  for (std::uint32_t a = 0; a < exhibit.arrays.size(); ++a)
    array_of[exhibit.arrays[a].tensor.name] = a;
  for_each_global_access(record, [&](const GlobalAccess& access) {
    const auto array = array_of.find(access.allocation);
    if (array == array_of.end()) return;
    exhibit.wires.push_back(
        {access.block, access.thread, array->second, access.element, access.kind, access.line});
  });
  return exhibit;
}

ImageExhibit image_of(const device::LaunchRecord& record, TensorExhibit pixels,
                      ImageExhibit::By by) {
  const auto elements = static_cast<std::size_t>(count(pixels));
  ImageExhibit exhibit{by, record.grid, record.block, std::move(pixels), {}, {}};
  const auto map = std::ranges::find(record.written, exhibit.pixels.name, &device::WriteMap::name);
  if (map != record.written.end()) {
    exhibit.writes = map->writes;
    exhibit.writer = map->writer;
  }
  exhibit.writes.resize(elements, 0);
  exhibit.writer.resize(elements, -1);
  return exhibit;
}

GeometryExhibit geometry_of(const device::LaunchRecord& record) {
  const std::uint64_t threads = record.grid.count() * record.block.count();
  std::vector<std::uint64_t> storing;
  for_each_global_access(record, [&](const GlobalAccess& access) {
    if (access.kind != device::AccessKind::load) {
      storing.push_back(access.block * record.block.count() + access.thread);
    }
  });
  std::ranges::sort(storing);
  const auto repeated = std::ranges::unique(storing);
  storing.erase(repeated.begin(), repeated.end());
  return {record.kernel,    record.grid, record.block, threads, threads - storing.size(),
          !record.trace_cut};
}

}  // namespace warpbook::lab
