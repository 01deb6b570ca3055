#include "lab/exhibits/spaces/spaces_of.hpp"

#include <algorithm>
#include <cmath>
#include <set>
#include <tuple>

#include "device/gpu_table.hpp"
#include "lab/model/ptx_words.hpp"

namespace warpbook::lab {
namespace {

using Space = SpacesExhibit::Space;
using SpacesRow = SpacesExhibit::Row;

constexpr std::uint64_t kRegisterBytes = 4, kKiB = 1024;

SpacesRow row_of(Space space, std::uint64_t bytes, double latency) {
  SpacesRow row;
  row.space = space;
  row.bytes = bytes;
  row.latency = latency;
  return row;
}

/// What lanes asked of constant memory, and how many different addresses they named, request by request.
void add_constant_trace(const device::LaunchRecord& record, SpacesRow& row) {
  if (record.trace_cut) return;
  std::uint64_t asked = 0;
  std::set<std::tuple<std::uint32_t, std::uint32_t, std::uint64_t>> addresses;
  for (const device::Access& access : record.trace) {
    if (access.space != device::Space::constant) continue;
    asked += access.bytes;
    addresses.emplace(access.block, access.request, access.address);
  }
  // A launch that was not traced at all has requests and no access.
  if (addresses.empty() && record.total.constant_requests != 0) return;
  row.asked = asked;
  row.passes = addresses.size();
}

/// What stores sent to shared and to local memory: bytes.
void add_stores(const device::LaunchRecord& record, SpacesRow& shared, SpacesRow& local) {
  shared.stored = local.stored = 0;
  for (const device::InstructionCounters& instruction : record.instructions) {
    if (!ptx_words(instruction.text).opcode.starts_with("st")) continue;
    *shared.stored += instruction.counters.shared_bytes;
    *local.stored += instruction.counters.local_bytes;
  }
}

/// Static: how many loads and stores of local memory the machine code has.
std::optional<std::uint32_t> local_instructions(const device::KernelInfo& kernel) {
  if (kernel.machine_mix.empty()) return {};
  std::uint32_t found = 0;
  for (const device::KernelInfo::Machine& machine : kernel.machine_mix) {
    if (machine.name == "LDL" || machine.name == "STL") found += machine.count;
  }
  return found;
}

std::uint64_t rounded(double bytes) {
  return bytes > 0 ? static_cast<std::uint64_t>(std::llround(bytes)) : 0;
}

}  // namespace

SpacesExhibit spaces_of(const device::LaunchRecord& record, const device::KernelInfo& kernel,
                        const device::Properties& gpu) {
  const device::GpuRates rates = device::rates_of(gpu);
  SpacesExhibit made;
  made.kernel = record.kernel;
  made.gpu = gpu.name;
  made.registers = kernel.registers;
  made.spilled_bytes = kernel.spilled_bytes;
  made.machine_local = local_instructions(kernel);
  made.local_bytes = kernel.local_bytes;
  made.shared_bytes = record.static_shared + record.dynamic_shared;

  SpacesRow registers =
      row_of(Space::registers, gpu.registers_per_multiprocessor * kRegisterBytes, 0);
  SpacesRow local = row_of(Space::local, 0, 0);
  SpacesRow shared = row_of(Space::shared, gpu.shared_per_multiprocessor, rates.shared_latency);
  SpacesRow l1 = row_of(Space::l1, rates.l1_kib * kKiB, rates.l1_latency);
  SpacesRow l2 = row_of(Space::l2, gpu.l2_bytes, rates.l2_latency);
  SpacesRow dram = row_of(Space::dram, gpu.global_bytes, rates.dram_latency);
  SpacesRow constant = row_of(Space::constant, gpu.constant_bytes, 0);
  SpacesRow texture = row_of(Space::texture, 0, 0);
  if (record.counted) {
    const device::Counters& total = record.total;
    local.requests = total.local_requests;
    local.asked = total.local_bytes;
    shared.requests = total.shared_requests;
    shared.asked = total.shared_bytes;
    shared.passes = total.shared_wavefronts;
    l1.requests = total.global_requests;
    l1.asked = total.global_bytes_asked;
    l1.moved = total.global_sectors * device::kSectorBytes;
    l1.stored = total.global_store_sectors * device::kSectorBytes;
    add_stores(record, shared, local);
    constant.requests = total.constant_requests;
    add_constant_trace(record, constant);
    texture.requests = total.texture_requests;
  }
  l2.estimated = dram.estimated = true;
  if (record.estimate) {
    l2.moved = rounded(record.estimate->l2_bytes);
    dram.moved = rounded(record.estimate->dram_bytes);
    made.l1_hits = record.estimate->l1_hits;
    made.l2_hits = record.estimate->l2_hits;
  }
  made.rows = {registers, local, shared, l1, l2, dram, constant, texture};
  return made;
}

}  // namespace warpbook::lab
