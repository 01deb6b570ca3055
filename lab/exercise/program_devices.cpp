#include "lab/exercise/program_devices.hpp"

#include <algorithm>
#include <map>
#include <utility>

namespace warpbook::lab {
namespace {

using device::runtime::AllocationRecord;
using device::runtime::Engine;
using device::runtime::Extent;
using device::runtime::MemoryKind;
using device::runtime::OperationNote;
using device::runtime::ProgramRecord;

/// The allocation that the address was in when the call was made; null where there was none. An address may be given out again.
const AllocationRecord* allocation_at(const ProgramRecord& record, std::uint64_t address,
                                      std::uint64_t call) {
  const auto found = std::ranges::find_if(record.allocations, [&](const AllocationRecord& each) {
    return each.call <= call && each.freed_by.value_or(call) >= call && each.address <= address &&
           address < each.address + each.bytes;
  });
  return found == record.allocations.end() ? nullptr : &*found;
}

/// The device in whose own memory the extent begins, where it is one's own.
std::optional<std::uint32_t> device_of(const ProgramRecord& record, const Extent& extent,
                                       std::uint64_t call) {
  const AllocationRecord* allocation = allocation_at(record, extent.begin, call);
  if (!allocation || allocation->kind != MemoryKind::device) return std::nullopt;
  return allocation->device;
}

}  // namespace

std::vector<LinkUse> links_of(const ProgramRecord& record) {
  std::map<std::pair<std::uint32_t, std::uint32_t>, LinkUse> links;
  for (const OperationNote& copy : record.operations) {
    const auto& [reads, writes] = copy.footprint;
    if (copy.engine != Engine::copy || reads.empty() || writes.empty()) continue;
    const auto from = device_of(record, reads.front(), copy.call),
               to = device_of(record, writes.front(), copy.call);
    if (!from || !to || *from == *to) continue;
    LinkUse& link =
        links.try_emplace({*from, *to}, LinkUse{*from, *to, 0, 0, copy.call}).first->second;
    link.bytes += copy.bytes;
    ++link.copies;
  }
  std::vector<LinkUse> all;
  for (const auto& [ends, link] : links) all.push_back(link);
  return all;
}

std::optional<std::uint64_t> first_reaching_out(const ProgramRecord& record,
                                                const std::vector<KernelStores>& launches) {
  for (const KernelStores& launch : launches) {
    const bool is_at_home = std::ranges::all_of(launch.used, [&](const Extent& extent) {
      return device_of(record, extent, launch.call) == launch.device;
    });
    if (!is_at_home) return launch.call;
  }
  return std::nullopt;
}

std::vector<double> work_by_device(const ProgramRecord& record, std::uint32_t devices) {
  std::vector<double> work(devices);
  for (const auto& launch : record.launches)
    if (launch.device < devices)
      work[launch.device] += static_cast<double>(launch.thread_instructions);
  return work;
}

}  // namespace warpbook::lab
