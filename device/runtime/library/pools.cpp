#include <algorithm>
#include <cstddef>
#include <map>
#include <memory>
#include <mutex>
#include <utility>

#include "device/runtime/library/graph_memory.hpp"
#include "device/runtime/library/work.hpp"

namespace warpbook::device::runtime {

/// A memory pool, as cudaMemPool_t points to it. What it gives out is allocated one by one, and it counts what a pool would hold.
struct Pool {
  int device = 0;
  bool is_default = false;
  std::uint64_t most_bytes = 0;  ///< 0: no limit of its own
  std::uint64_t used = 0, used_high = 0;
  std::uint64_t reserved = 0, reserved_high = 0;
  std::uint64_t release_threshold = 0;
  int follow_events = 1, opportunistic = 1, internal_dependencies = 1;
  std::map<int, cudaMemAccessFlags> access;  ///< of other devices
  bool destroyed = false;                    ///< it goes with the last memory that came from it
};

namespace {

constexpr std::uint64_t kReservedAtOnce = std::uint64_t{2} << 20;  ///< pages of 2 MB

struct Pools {
  std::mutex mutex;
  std::map<const void*, std::unique_ptr<Pool>> all;
  std::map<int, Pool*> defaults, current;  ///< by device
};
Pools& pools() {
  static auto* const all = new Pools;
  return *all;
}

cudaMemPool_t handle_of(Pool* pool) { return reinterpret_cast<cudaMemPool_t>(pool); }

// With the mutex held:

Pool* find(cudaMemPool_t pool) {
  const auto found = pools().all.find(pool);
  return found == pools().all.end() || found->second->destroyed ? nullptr : found->second.get();
}

Pool* add(Pool pool) {
  auto made = std::make_unique<Pool>(std::move(pool));
  Pool* const at = made.get();
  pools().all[at] = std::move(made);
  return at;
}

Pool* default_of(int device) {
  Pool*& pool = pools().defaults[device];
  if (!pool) {
    Pool made;
    made.device = device;
    made.is_default = true;
    pool = add(std::move(made));
  }
  return pool;
}

Pool* current_of(int device) {
  const auto found = pools().current.find(device);
  return found == pools().current.end() ? default_of(device) : found->second;
}

void reserve(Pool& pool, std::uint64_t at_least) {
  const std::uint64_t pages = (pool.used + kReservedAtOnce - 1) / kReservedAtOnce * kReservedAtOnce;
  pool.reserved = std::max(pages, at_least);
  pool.reserved_high = std::max(pool.reserved_high, pool.reserved);
}

void give_back(Pool& pool, std::uint64_t bytes) {
  pool.used -= bytes;
  // The threshold is what the pool keeps when it gives memory back to the system.
  reserve(pool, std::min(pool.reserved, pool.release_threshold));
  if (pool.destroyed && pool.used == 0) pools().all.erase(&pool);
}

/// In a stream that captures, an allocation becomes a node of the graph.
cudaError_t capture_allocation(Call& call, void** pointer, std::size_t bytes, const Pool& pool,
                               cudaStream_t stream) {
  cudaMemAllocNodeParams parameters{};
  parameters.poolProps.allocType = cudaMemAllocationTypePinned;
  parameters.poolProps.location = {cudaMemLocationTypeDevice, {pool.device}};
  parameters.bytesize = bytes;
  std::shared_ptr<GraphMemory> memory;
  if (const cudaError_t error = make_graph_memory(call, parameters, memory)) return error;
  *pointer = memory->parameters.dptr;
  return submit(call, stream, AllocationWork{std::move(memory)});
}

cudaError_t allocate(Call& call, void** pointer, std::size_t bytes, Pool* pool,
                     cudaStream_t stream) {
  std::uint32_t number = 0;
  if (!pointer || !pool) return cudaErrorInvalidValue;
  if (const cudaError_t error = stream_number(call, stream, number)) return error;
  if (bytes == 0) {
    *pointer = nullptr;
    return cudaSuccess;
  }
  if (is_capturing(number)) return capture_allocation(call, pointer, bytes, *pool, stream);
  {
    const std::lock_guard lock(pools().mutex);
    if (pool->most_bytes != 0 && bytes > pool->most_bytes - std::min(pool->used, pool->most_bytes))
      return cudaErrorMemoryAllocation;
  }
  const auto place = call.session.ask(
      Allocate{MemoryKind::device, bytes, call.number(), static_cast<std::uint32_t>(pool->device)});
  if (!place) return cudaErrorInitializationError;
  if (place->error != 0) return static_cast<cudaError_t>(place->error);
  call.session.add(place->address,
                   {bytes, MemoryKind::device, pool->device, 0, pool, current_context()});
  const std::lock_guard lock(pools().mutex);
  pool->used += bytes;
  pool->used_high = std::max(pool->used_high, pool->used);
  reserve(*pool, pool->reserved);
  *pointer = reinterpret_cast<void*>(place->address);
  call.values(place->address, bytes, 0, number);
  return cudaSuccess;
}

cudaError_t release(Call& call, void* pointer, cudaStream_t stream) {
  std::uint32_t number = 0;
  if (const cudaError_t error = stream_number(call, stream, number)) return error;
  const std::uint64_t address = address_of(pointer);
  call.values(address, 0, 0, number);
  if (is_graph_memory(address)) return submit(call, stream, FreeingWork{address});
  // A graph frees what graphs allocate, and nothing else.
  if (is_capturing(number)) return cudaErrorInvalidValue;
  const auto found = call.session.find(address);
  if (!found || found->first != address || !found->second.pool) return cudaErrorInvalidValue;
  const cudaError_t error = call.ask(Release{address, call.number(), true, number});
  if (error != cudaSuccess) return error;
  call.session.remove(address);
  return_to_pool(found->second);
  return cudaSuccess;
}

/// The only pools here are of device memory.
cudaError_t check_location(Call& call, const cudaMemLocation* location,
                           cudaMemAllocationType type) {
  if (!location) return cudaErrorInvalidValue;
  if (type != cudaMemAllocationTypePinned && type != cudaMemAllocationTypeManaged)
    return cudaErrorInvalidValue;
  if (location->type == cudaMemLocationTypeHostNumaCurrent) return cudaErrorInvalidValue;
  if (location->type != cudaMemLocationTypeDevice || type != cudaMemAllocationTypePinned)
    return cudaErrorNotSupported;
  return is_device(call.session, location->id) ? cudaSuccess : cudaErrorInvalidValue;
}

template <class T>
cudaError_t give(void* to, T value) {
  *static_cast<T*>(to) = value;
  return cudaSuccess;
}

cudaError_t get_attribute(const Pool& pool, cudaMemPoolAttr attribute, void* value) {
  switch (attribute) {
    case cudaMemPoolReuseFollowEventDependencies: return give(value, pool.follow_events);
    case cudaMemPoolReuseAllowOpportunistic: return give(value, pool.opportunistic);
    case cudaMemPoolReuseAllowInternalDependencies: return give(value, pool.internal_dependencies);
    case cudaMemPoolAttrReleaseThreshold: return give(value, pool.release_threshold);
    case cudaMemPoolAttrReservedMemCurrent: return give(value, pool.reserved);
    case cudaMemPoolAttrReservedMemHigh: return give(value, pool.reserved_high);
    case cudaMemPoolAttrUsedMemCurrent: return give(value, pool.used);
    case cudaMemPoolAttrUsedMemHigh: return give(value, pool.used_high);
    default: return cudaErrorInvalidValue;
  }
}

/// A high mark may only be reset, to what it marks now.
cudaError_t reset_high(std::uint64_t& high, std::uint64_t now, const void* value) {
  if (*static_cast<const std::uint64_t*>(value) != 0) return cudaErrorInvalidValue;
  high = now;
  return cudaSuccess;
}

cudaError_t set_attribute(Pool& pool, cudaMemPoolAttr attribute, const void* value) {
  const auto flag = [value](int& to) {
    to = *static_cast<const int*>(value) != 0 ? 1 : 0;
    return cudaSuccess;
  };
  switch (attribute) {
    case cudaMemPoolReuseFollowEventDependencies: return flag(pool.follow_events);
    case cudaMemPoolReuseAllowOpportunistic: return flag(pool.opportunistic);
    case cudaMemPoolReuseAllowInternalDependencies: return flag(pool.internal_dependencies);
    case cudaMemPoolAttrReleaseThreshold:
      pool.release_threshold = *static_cast<const std::uint64_t*>(value);
      return cudaSuccess;
    case cudaMemPoolAttrReservedMemHigh:
      return reset_high(pool.reserved_high, pool.reserved, value);
    case cudaMemPoolAttrUsedMemHigh: return reset_high(pool.used_high, pool.used, value);
    default: return cudaErrorInvalidValue;
  }
}

cudaError_t current_pool(Call& call, cudaMemPool_t* pool, int device) {
  if (!pool) return cudaErrorInvalidValue;
  if (!is_device(call.session, device)) return cudaErrorInvalidDevice;
  const std::lock_guard lock(pools().mutex);
  *pool = handle_of(current_of(device));
  return cudaSuccess;
}

cudaError_t default_pool(Call& call, cudaMemPool_t* pool, int device) {
  if (!pool) return cudaErrorInvalidValue;
  if (!is_device(call.session, device)) return cudaErrorInvalidDevice;
  const std::lock_guard lock(pools().mutex);
  *pool = handle_of(default_of(device));
  return cudaSuccess;
}

cudaError_t set_pool(Call& call, int device, cudaMemPool_t pool) {
  if (!is_device(call.session, device)) return cudaErrorInvalidDevice;
  const std::lock_guard lock(pools().mutex);
  Pool* const known = find(pool);
  if (!known || known->device != device) return cudaErrorInvalidValue;
  pools().current[device] = known;
  return cudaSuccess;
}

}  // namespace

void return_to_pool(const Memory& memory) {
  const std::lock_guard lock(pools().mutex);
  const auto pool = pools().all.find(memory.pool);
  if (pool != pools().all.end()) give_back(*pool->second, memory.bytes);
}

}  // namespace warpbook::device::runtime

using namespace warpbook::device::runtime;

cudaError_t cudaMallocAsync(void** pointer, std::size_t bytes, cudaStream_t stream) {
  return traced(Function::cudaMallocAsync, [&](Call& call) {
    Pool* pool = nullptr;
    {
      const std::lock_guard lock(pools().mutex);
      pool = current_of(current_device());
    }
    return allocate(call, pointer, bytes, pool, stream);
  });
}

cudaError_t cudaMallocFromPoolAsync(void** pointer, std::size_t bytes, cudaMemPool_t from,
                                    cudaStream_t stream) {
  return traced(Function::cudaMallocFromPoolAsync, [&](Call& call) {
    Pool* pool = nullptr;
    {
      const std::lock_guard lock(pools().mutex);
      pool = find(from);
    }
    return allocate(call, pointer, bytes, pool, stream);
  });
}

cudaError_t cudaFreeAsync(void* pointer, cudaStream_t stream) {
  return traced(Function::cudaFreeAsync,
                [&](Call& call) { return release(call, pointer, stream); });
}

cudaError_t cudaMemPoolCreate(cudaMemPool_t* pool, const cudaMemPoolProps* properties) {
  return traced(Function::cudaMemPoolCreate, [&](Call& call) {
    if (!pool || !properties) return cudaErrorInvalidValue;
    if (const cudaError_t error =
            check_location(call, &properties->location, properties->allocType)) {
      return error;
    }
    // Nothing here is shared with other processes.
    if (properties->handleTypes != cudaMemHandleTypeNone) return cudaErrorNotSupported;
    Pool made;
    made.device = properties->location.id;
    made.most_bytes = properties->maxSize;
    const std::lock_guard lock(pools().mutex);
    *pool = handle_of(add(std::move(made)));
    return cudaSuccess;
  });
}

cudaError_t cudaMemPoolDestroy(cudaMemPool_t pool) {
  return traced(Function::cudaMemPoolDestroy, [&](Call&) {
    const std::lock_guard lock(pools().mutex);
    Pool* const known = find(pool);
    if (!known || known->is_default) return cudaErrorInvalidValue;
    std::erase_if(pools().current, [known](const auto& entry) { return entry.second == known; });
    known->destroyed = true;
    if (known->used == 0) pools().all.erase(known);
    return cudaSuccess;
  });
}

cudaError_t cudaMemPoolGetAttribute(cudaMemPool_t pool, cudaMemPoolAttr attribute, void* value) {
  return traced(Function::cudaMemPoolGetAttribute, [&](Call&) {
    const std::lock_guard lock(pools().mutex);
    const Pool* const known = find(pool);
    return known && value ? get_attribute(*known, attribute, value) : cudaErrorInvalidValue;
  });
}

cudaError_t cudaMemPoolSetAttribute(cudaMemPool_t pool, cudaMemPoolAttr attribute, void* value) {
  return traced(Function::cudaMemPoolSetAttribute, [&](Call&) {
    const std::lock_guard lock(pools().mutex);
    Pool* const known = find(pool);
    return known && value ? set_attribute(*known, attribute, value) : cudaErrorInvalidValue;
  });
}

cudaError_t cudaMemPoolSetAccess(cudaMemPool_t pool, const cudaMemAccessDesc* descriptions,
                                 std::size_t count) {
  return traced(Function::cudaMemPoolSetAccess, [&](Call& call) {
    const std::lock_guard lock(pools().mutex);
    Pool* const known = find(pool);
    if (!known || (count != 0 && !descriptions)) return cudaErrorInvalidValue;
    for (std::size_t i = 0; i < count; ++i) {
      const cudaMemLocation& location = descriptions[i].location;
      const bool other = location.id != known->device;
      if (location.type != cudaMemLocationTypeDevice || !is_device(call.session, location.id))
        return cudaErrorInvalidValue;
      // Its own device always has access.
      if (!other && descriptions[i].flags != cudaMemAccessFlagsProtReadWrite)
        return cudaErrorInvalidValue;
    }
    for (std::size_t i = 0; i < count; ++i)
      known->access[descriptions[i].location.id] = descriptions[i].flags;
    return cudaSuccess;
  });
}

cudaError_t cudaMemPoolGetAccess(cudaMemAccessFlags* flags, cudaMemPool_t pool,
                                 cudaMemLocation* location) {
  return traced(Function::cudaMemPoolGetAccess, [&](Call& call) {
    const std::lock_guard lock(pools().mutex);
    const Pool* const known = find(pool);
    if (!known || !flags || !location || location->type != cudaMemLocationTypeDevice ||
        !is_device(call.session, location->id)) {
      return cudaErrorInvalidValue;
    }
    const auto set = known->access.find(location->id);
    *flags = location->id == known->device ? cudaMemAccessFlagsProtReadWrite
             : set != known->access.end()  ? set->second
                                           : cudaMemAccessFlagsProtNone;
    return cudaSuccess;
  });
}

cudaError_t cudaMemPoolTrimTo(cudaMemPool_t pool, std::size_t least) {
  return traced(Function::cudaMemPoolTrimTo, [&](Call&) {
    const std::lock_guard lock(pools().mutex);
    Pool* const known = find(pool);
    if (!known) return cudaErrorInvalidValue;
    reserve(*known, std::min<std::uint64_t>(known->reserved, least));
    return cudaSuccess;
  });
}

cudaError_t cudaDeviceGetDefaultMemPool(cudaMemPool_t* pool, int device) {
  return traced(Function::cudaDeviceGetDefaultMemPool,
                [&](Call& call) { return default_pool(call, pool, device); });
}

cudaError_t cudaDeviceGetMemPool(cudaMemPool_t* pool, int device) {
  return traced(Function::cudaDeviceGetMemPool,
                [&](Call& call) { return current_pool(call, pool, device); });
}

cudaError_t cudaDeviceSetMemPool(int device, cudaMemPool_t pool) {
  return traced(Function::cudaDeviceSetMemPool,
                [&](Call& call) { return set_pool(call, device, pool); });
}

cudaError_t cudaMemGetDefaultMemPool(cudaMemPool_t* pool, cudaMemLocation* location,
                                     cudaMemAllocationType type) {
  return traced(Function::cudaMemGetDefaultMemPool, [&](Call& call) {
    const cudaError_t error = check_location(call, location, type);
    return error != cudaSuccess ? error : default_pool(call, pool, location->id);
  });
}

cudaError_t cudaMemGetMemPool(cudaMemPool_t* pool, cudaMemLocation* location,
                              cudaMemAllocationType type) {
  return traced(Function::cudaMemGetMemPool, [&](Call& call) {
    const cudaError_t error = check_location(call, location, type);
    return error != cudaSuccess ? error : current_pool(call, pool, location->id);
  });
}

cudaError_t cudaMemSetMemPool(cudaMemLocation* location, cudaMemAllocationType type,
                              cudaMemPool_t pool) {
  return traced(Function::cudaMemSetMemPool, [&](Call& call) {
    const cudaError_t error = check_location(call, location, type);
    return error != cudaSuccess ? error : set_pool(call, location->id, pool);
  });
}
