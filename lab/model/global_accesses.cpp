#include "lab/model/global_accesses.hpp"

#include <algorithm>

namespace warpbook::lab {
namespace {

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

}  // namespace

void for_each_global_access(const device::LaunchRecord& record,
                            const std::function<void(const GlobalAccess&)>& visit) {
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

bool stopped_by_budget(const device::LaunchRecord& record) {
  using device::ErrorCode;
  if (!record.error) return false;
  const ErrorCode code = record.error->code;
  return code == ErrorCode::budget_instructions || code == ErrorCode::budget_time ||
         code == ErrorCode::budget_output || code == ErrorCode::budget_memory;
}

}  // namespace warpbook::lab
