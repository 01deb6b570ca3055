#include "lab/exhibits/accesses/from_trace.hpp"

#include <algorithm>
#include <map>
#include <optional>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "lab/model/warps.hpp"

namespace warpbook::lab {
namespace {
constexpr std::uint64_t kMostWarps = 65'536;  ///< whose lanes a geometry tells apart

/// A lane's access to global memory: where it went, by allocation and element.
struct GlobalAccess {
  std::uint32_t block = 0, thread = 0;
  std::string_view allocation;
  std::int64_t element = 0;
  device::AccessKind kind = device::AccessKind::load;
  std::uint32_t line = 0;
  std::int64_t elements = 1;  ///< of the allocation's type that it reached
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

std::vector<std::uint64_t> sorted(std::vector<std::uint64_t> numbers) {
  std::ranges::sort(numbers);
  return numbers;
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
        access.kind, record.instructions[access.instruction].place.line,
        std::max<std::int64_t>(1, static_cast<std::int64_t>(access.bytes / size_of(home->type)))});
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

SlidingWindowExhibit sliding_window_of(const device::LaunchRecord& record,
                                       const SlidingWindowRun& run) {
  SlidingWindowExhibit exhibit{run.input,  run.weights, run.channels_last, 0,  0, 0,
                               run.stride, run.pad,     run.dilation,      {}, 0, record.trace_cut};
  const auto& shape = run.output.shape;
  if (shape.size() == 3) {
    exhibit.filters = shape[run.channels_last ? 2 : 0];
    exhibit.out_rows = shape[run.channels_last ? 0 : 1];
    exhibit.out_columns = shape[run.channels_last ? 1 : 2];
  }
  struct Thread {
    std::vector<std::int64_t> inputs, weights;  ///< read since its last store of an output
    std::optional<std::int64_t> stored;
  };
  std::unordered_map<std::uint64_t, Thread> threads;
  std::map<std::int64_t, SlidingWindowExhibit::Output> outputs;
  const auto elements = static_cast<std::int64_t>(count(run.output));
  const std::vector<std::uint64_t> wrong = sorted(run.output.wrong);
  for_each_global_access(record, [&](const GlobalAccess& access) {
    Thread& thread = threads[access.block * record.block.count() + access.thread];
    if (access.kind == device::AccessKind::load) {
      const bool input = access.allocation == run.input.name;
      if (!input && access.allocation != run.weights.name) return;
      // What comes after a thread's last store is what the checker suppressed: a part of that output all the same.
      auto& reads = input ? thread.inputs : thread.weights;
      for (std::int64_t i = 0; i < access.elements; ++i) reads.push_back(access.element + i);
      return;
    }
    if (access.allocation != run.output.name || access.element < 0 || access.element >= elements)
      return;
    const auto at = static_cast<std::uint64_t>(access.element);
    outputs[access.element] = {at,
                               element(run.output, at),
                               std::ranges::binary_search(wrong, at),
                               access.block,
                               access.thread,
                               std::exchange(thread.inputs, {}),
                               std::exchange(thread.weights, {})};
    thread.stored = access.element;
  });
  for (auto& [number, thread] : threads) {
    if (!thread.stored) continue;
    SlidingWindowExhibit::Output& last = outputs.at(*thread.stored);
    last.inputs.insert(last.inputs.end(), thread.inputs.begin(), thread.inputs.end());
    last.weights.insert(last.weights.end(), thread.weights.begin(), thread.weights.end());
  }
  for (auto& [at, output] : outputs) exhibit.outputs.push_back(std::move(output));
  const auto next = std::ranges::lower_bound(exhibit.outputs, run.chosen, {},
                                             &SlidingWindowExhibit::Output::element);
  if (next != exhibit.outputs.end())
    exhibit.chosen = static_cast<std::uint32_t>(next - exhibit.outputs.begin());
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
  GeometryExhibit geometry{
      record.kernel,     record.grid, record.block, threads, threads - storing.size(),
      !record.trace_cut, {}};
  const std::uint64_t warps = warps_in(record.block);
  if (record.trace_cut || record.grid.count() * warps > kMostWarps) return geometry;
  geometry.stored.resize(record.grid.count() * warps);
  for (const std::uint64_t who : storing) {
    const std::uint64_t block = who / record.block.count(), thread = who % record.block.count();
    geometry.stored[block * warps + thread / device::kLanes] |= 1u << thread % device::kLanes;
  }
  return geometry;
}

}  // namespace warpbook::lab
