#include "device/runtime/library/advice.hpp"

#include <algorithm>
#include <cstddef>
#include <iterator>
#include <vector>

#include "device/runtime/library/api.hpp"

namespace warpbook::device::runtime {

AdvisedRanges& AdvisedRanges::get() {
  static auto* const all = new AdvisedRanges;
  return *all;
}

std::map<std::uint64_t, Advice>::iterator AdvisedRanges::split(std::uint64_t at) {
  const auto holder = std::prev(parts_.upper_bound(at));
  return holder->first == at ? holder : parts_.emplace(at, holder->second).first;
}

void AdvisedRanges::change(std::uint64_t begin, std::uint64_t bytes,
                           const std::function<void(Advice&)>& how) {
  const std::lock_guard lock(mutex_);
  const auto end = split(begin + bytes);
  for (auto part = split(begin); part != end; ++part) how(part->second);
}

void AdvisedRanges::forget(std::uint64_t begin, std::uint64_t bytes) {
  const std::lock_guard lock(mutex_);
  const auto end = split(begin + bytes);
  const auto first = split(begin);
  first->second = {};
  parts_.erase(std::next(first), end);
}

void AdvisedRanges::visit(std::uint64_t begin, std::uint64_t bytes,
                          const std::function<void(const Advice&)>& each) {
  const std::lock_guard lock(mutex_);
  auto part = std::prev(parts_.upper_bound(begin));
  for (; part != parts_.end() && part->first < begin + bytes; ++part) each(part->second);
}

namespace {

/// The managed memory that a whole range lies in. Error: cudaErrorInvalidValue.
cudaError_t check_range(const Session& session, const void* pointer, std::size_t bytes) {
  const auto found = session.find(address_of(pointer));
  const bool managed = found && found->second.kind == MemoryKind::managed;
  if (!managed || bytes == 0 || address_of(pointer) + bytes > found->first + found->second.bytes)
    return cudaErrorInvalidValue;
  return cudaSuccess;
}

/// A device, or the host under one of its names.
bool is_location(const Session& session, const cudaMemLocation& location) {
  switch (location.type) {
    case cudaMemLocationTypeDevice: return is_device(session, location.id);
    case cudaMemLocationTypeHost:
    case cudaMemLocationTypeHostNuma:
    case cudaMemLocationTypeHostNumaCurrent: return true;
    default: return false;
  }
}

int id_of(const cudaMemLocation& location) {
  if (location.type == cudaMemLocationTypeDevice) return location.id;
  return location.type == cudaMemLocationTypeInvalid ? kNoDeviceId : kHostId;
}

/// What is the same in all of a range; `otherwise` where it is not.
template <class T, class Part>
T common(std::uint64_t begin, std::uint64_t bytes, T otherwise, const Part& part) {
  std::optional<T> same;
  bool differs = false;
  AdvisedRanges::get().visit(begin, bytes, [&](const Advice& advice) {
    const T value = part(advice);
    differs = differs || (same && *same != value);
    same = value;
  });
  return differs || !same ? otherwise : *same;
}

/// The devices that have access by advice everywhere in a range.
std::vector<int> accessed_by(std::uint64_t begin, std::uint64_t bytes) {
  std::optional<std::vector<int>> common;
  AdvisedRanges::get().visit(begin, bytes, [&](const Advice& advice) {
    if (!common) common.emplace(advice.accessed_by.begin(), advice.accessed_by.end());
    std::erase_if(*common, [&](int id) { return !advice.accessed_by.contains(id); });
  });
  return common.value_or(std::vector<int>{});
}

cudaError_t give(void* to, std::size_t room, int value) {
  if (room != sizeof value) return cudaErrorInvalidValue;
  *static_cast<int*>(to) = value;
  return cudaSuccess;
}

cudaError_t give_devices(void* to, std::size_t room, const std::vector<int>& devices) {
  if (room % sizeof(int) != 0) return cudaErrorInvalidValue;
  auto* const ids = static_cast<int*>(to);
  for (std::size_t i = 0; i < room / sizeof(int); ++i)
    ids[i] = i < devices.size() ? devices[i] : kNoDeviceId;
  return cudaSuccess;
}

cudaError_t give_attribute(void* to, std::size_t room, cudaMemRangeAttribute attribute,
                           std::uint64_t begin, std::uint64_t bytes) {
  const auto number = [&](int otherwise, auto part) {
    return give(to, room, common<int>(begin, bytes, otherwise, part));
  };
  switch (attribute) {
    case cudaMemRangeAttributeReadMostly:
      return number(0, [](const Advice& a) { return a.read_mostly ? 1 : 0; });
    case cudaMemRangeAttributePreferredLocation:
    case cudaMemRangeAttributePreferredLocationId:
      return number(kNoDeviceId, [](const Advice& a) { return id_of(a.preferred); });
    case cudaMemRangeAttributeLastPrefetchLocation:
    case cudaMemRangeAttributeLastPrefetchLocationId:
      return number(kNoDeviceId, [](const Advice& a) { return id_of(a.prefetched); });
    case cudaMemRangeAttributePreferredLocationType:
      return number(cudaMemLocationTypeInvalid,
                    [](const Advice& a) { return static_cast<int>(a.preferred.type); });
    case cudaMemRangeAttributeLastPrefetchLocationType:
      return number(cudaMemLocationTypeInvalid,
                    [](const Advice& a) { return static_cast<int>(a.prefetched.type); });
    case cudaMemRangeAttributeAccessedBy: return give_devices(to, room, accessed_by(begin, bytes));
    default: return cudaErrorInvalidValue;
  }
}

/// Changes an advice as cudaMemAdvise says.
void follow(Advice& advice, cudaMemoryAdvise what, const cudaMemLocation& location) {
  switch (what) {
    case cudaMemAdviseSetReadMostly: advice.read_mostly = true; break;
    case cudaMemAdviseUnsetReadMostly: advice.read_mostly = false; break;
    case cudaMemAdviseSetPreferredLocation: advice.preferred = location; break;
    case cudaMemAdviseUnsetPreferredLocation: advice.preferred = Advice{}.preferred; break;
    case cudaMemAdviseSetAccessedBy: advice.accessed_by.insert(id_of(location)); break;
    case cudaMemAdviseUnsetAccessedBy: advice.accessed_by.erase(id_of(location)); break;
  }
}

bool needs_location(cudaMemoryAdvise what) {
  return what == cudaMemAdviseSetPreferredLocation || what == cudaMemAdviseSetAccessedBy ||
         what == cudaMemAdviseUnsetAccessedBy;
}

}  // namespace
}  // namespace warpbook::device::runtime

using namespace warpbook::device::runtime;

cudaError_t cudaMemPrefetchAsync(const void* pointer, std::size_t bytes, cudaMemLocation location,
                                 unsigned flags, cudaStream_t stream) {
  return traced(Function::cudaMemPrefetchAsync, [&](Call& call) {
    std::uint32_t number = 0;
    if (const cudaError_t error = stream_number(call, stream, number)) return error;
    call.values(address_of(pointer), 0, bytes, number);
    if (flags != 0) return cudaErrorInvalidValue;
    if (const cudaError_t error = check_range(call.session, pointer, bytes)) return error;
    if (!is_location(call.session, location)) return cudaErrorInvalidDevice;
    AdvisedRanges::get().change(address_of(pointer), bytes,
                                [&](Advice& advice) { advice.prefetched = location; });
    return cudaSuccess;
  });
}

cudaError_t cudaMemAdvise(const void* pointer, std::size_t bytes, cudaMemoryAdvise advice,
                          cudaMemLocation location) {
  return traced(Function::cudaMemAdvise, [&](Call& call) {
    if (const cudaError_t error = check_range(call.session, pointer, bytes)) return error;
    if (advice < cudaMemAdviseSetReadMostly || advice > cudaMemAdviseUnsetAccessedBy)
      return cudaErrorInvalidValue;
    if (needs_location(advice) && !is_location(call.session, location))
      return cudaErrorInvalidDevice;
    AdvisedRanges::get().change(address_of(pointer), bytes,
                                [&](Advice& known) { follow(known, advice, location); });
    return cudaSuccess;
  });
}

cudaError_t cudaMemRangeGetAttribute(void* data, std::size_t room, cudaMemRangeAttribute attribute,
                                     const void* pointer, std::size_t bytes) {
  return traced(Function::cudaMemRangeGetAttribute, [&](Call& call) {
    if (!data || room == 0) return cudaErrorInvalidValue;
    if (const cudaError_t error = check_range(call.session, pointer, bytes)) return error;
    return give_attribute(data, room, attribute, address_of(pointer), bytes);
  });
}

cudaError_t cudaMemRangeGetAttributes(void** data, std::size_t* rooms,
                                      cudaMemRangeAttribute* attributes, std::size_t count,
                                      const void* pointer, std::size_t bytes) {
  return traced(Function::cudaMemRangeGetAttributes, [&](Call& call) {
    if (!data || !rooms || !attributes || count == 0) return cudaErrorInvalidValue;
    if (const cudaError_t error = check_range(call.session, pointer, bytes)) return error;
    for (std::size_t i = 0; i < count; ++i) {
      const cudaError_t error =
          data[i] && rooms[i] != 0
              ? give_attribute(data[i], rooms[i], attributes[i], address_of(pointer), bytes)
              : cudaErrorInvalidValue;
      if (error != cudaSuccess) return error;
    }
    return cudaSuccess;
  });
}
