#include "device/runtime/library/graph_memory.hpp"

#include <algorithm>
#include <map>
#include <mutex>
#include <set>

namespace warpbook::device::runtime {
namespace {

/// What cudaDeviceGetGraphMemAttribute tells of a device.
struct Amounts {
  std::uint64_t used = 0, used_high = 0;
  std::uint64_t reserved = 0, reserved_high = 0;
};

struct Memories {
  std::mutex mutex;
  std::map<std::uint64_t, std::shared_ptr<GraphMemory>> allocated;  ///< by address
  std::set<std::uint64_t> known;
  std::map<int, Amounts> amounts;  ///< by device
};
Memories& memories() {
  static auto* const all = new Memories;
  return *all;
}

Amounts& amounts_of(const GraphMemory& memory) {
  return memories().amounts[memory.parameters.poolProps.location.id];
}

cudaError_t attribute_of(Amounts& amounts, cudaGraphMemAttributeType attribute,
                         std::uint64_t*& value) {
  switch (attribute) {
    case cudaGraphMemAttrUsedMemCurrent: value = &amounts.used; return cudaSuccess;
    case cudaGraphMemAttrUsedMemHigh: value = &amounts.used_high; return cudaSuccess;
    case cudaGraphMemAttrReservedMemCurrent: value = &amounts.reserved; return cudaSuccess;
    case cudaGraphMemAttrReservedMemHigh: value = &amounts.reserved_high; return cudaSuccess;
    default: return cudaErrorInvalidValue;
  }
}

}  // namespace

GraphMemory::~GraphMemory() {
  {
    const std::lock_guard lock(memories().mutex);
    memories().known.erase(address);
  }
  Session* const session = Session::get();
  if (!session || address == 0) return;
  // Whatever call it was that ended the last graph with this node is the latest one.
  (void)session->ask(Release{address, session->calls().calls.load() - 1});
  session->remove(address);
}

cudaError_t make_graph_memory(Call& call, const cudaMemAllocNodeParams& parameters,
                              std::shared_ptr<GraphMemory>& memory) {
  const cudaMemPoolProps& pool = parameters.poolProps;
  const std::uint64_t bytes = parameters.bytesize;
  if (bytes == 0 || pool.allocType != cudaMemAllocationTypePinned) return cudaErrorInvalidValue;
  if (pool.location.type != cudaMemLocationTypeDevice || pool.handleTypes != cudaMemHandleTypeNone)
    return cudaErrorNotSupported;
  const int device = pool.location.id;
  if (!is_device(call.session, device)) return cudaErrorInvalidValue;
  const auto place = call.session.ask(
      Allocate{MemoryKind::device, bytes, call.number(), static_cast<std::uint32_t>(device)});
  if (!place) return cudaErrorInitializationError;
  if (place->error != 0) return static_cast<cudaError_t>(place->error);
  call.session.add(place->address, {bytes, MemoryKind::device, device, 0, nullptr, nullptr});
  call.values(place->address, bytes);
  memory = std::make_shared<GraphMemory>();
  memory->address = place->address;
  memory->parameters = parameters;
  memory->parameters.dptr = reinterpret_cast<void*>(place->address);
  const std::lock_guard lock(memories().mutex);
  memories().known.insert(memory->address);
  return cudaSuccess;
}

cudaError_t begin_graph_memory(const std::shared_ptr<GraphMemory>& memory) {
  const std::lock_guard lock(memories().mutex);
  if (!memories().allocated.emplace(memory->address, memory).second) return cudaErrorInvalidValue;
  Amounts& amounts = amounts_of(*memory);
  amounts.used += memory->parameters.bytesize;
  amounts.used_high = std::max(amounts.used_high, amounts.used);
  amounts.reserved = std::max(amounts.reserved, amounts.used);
  amounts.reserved_high = std::max(amounts.reserved_high, amounts.reserved);
  return cudaSuccess;
}

cudaError_t end_graph_memory(std::uint64_t address) {
  // Destroyed, where it is the last, once the mutex is free.
  std::shared_ptr<GraphMemory> memory;
  const std::lock_guard lock(memories().mutex);
  const auto found = memories().allocated.find(address);
  if (found == memories().allocated.end()) return cudaErrorInvalidValue;
  memory = std::move(found->second);
  memories().allocated.erase(found);
  amounts_of(*memory).used -= memory->parameters.bytesize;
  return cudaSuccess;
}

bool is_allocated(const GraphMemory& memory) {
  const std::lock_guard lock(memories().mutex);
  return memories().allocated.contains(memory.address);
}

bool is_graph_memory(std::uint64_t address) {
  const std::lock_guard lock(memories().mutex);
  return memories().known.contains(address);
}

}  // namespace warpbook::device::runtime

using namespace warpbook::device::runtime;

cudaError_t cudaDeviceGetGraphMemAttribute(int device, cudaGraphMemAttributeType attribute,
                                           void* to) {
  return traced(Function::cudaDeviceGetGraphMemAttribute, [&](Call& call) {
    std::uint64_t* value = nullptr;
    if (!is_device(call.session, device)) return cudaErrorInvalidDevice;
    const std::lock_guard lock(memories().mutex);
    const cudaError_t error = attribute_of(memories().amounts[device], attribute, value);
    if (error != cudaSuccess || !to) return cudaErrorInvalidValue;
    *static_cast<std::uint64_t*>(to) = *value;
    return cudaSuccess;
  });
}

cudaError_t cudaDeviceSetGraphMemAttribute(int device, cudaGraphMemAttributeType attribute,
                                           void* from) {
  return traced(Function::cudaDeviceSetGraphMemAttribute, [&](Call& call) {
    if (!is_device(call.session, device)) return cudaErrorInvalidDevice;
    // High marks alone can be set, and to 0 alone: they mark what is there now.
    if (!from || *static_cast<const std::uint64_t*>(from) != 0) return cudaErrorInvalidValue;
    const std::lock_guard lock(memories().mutex);
    Amounts& amounts = memories().amounts[device];
    if (attribute == cudaGraphMemAttrUsedMemHigh)
      amounts.used_high = amounts.used;
    else if (attribute == cudaGraphMemAttrReservedMemHigh)
      amounts.reserved_high = amounts.reserved;
    else
      return cudaErrorInvalidValue;
    return cudaSuccess;
  });
}

cudaError_t cudaDeviceGraphMemTrim(int device) {
  return traced(Function::cudaDeviceGraphMemTrim, [&](Call& call) {
    if (!is_device(call.session, device)) return cudaErrorInvalidDevice;
    const std::lock_guard lock(memories().mutex);
    Amounts& amounts = memories().amounts[device];
    amounts.reserved = amounts.used;
    return cudaSuccess;
  });
}
