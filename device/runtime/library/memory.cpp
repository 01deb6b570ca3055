#include <algorithm>
#include <cstddef>
#include <cstring>
#include <iterator>
#include <map>
#include <mutex>
#include <string>

#include "device/runtime/library/advice.hpp"
#include "device/runtime/library/graph_memory.hpp"
#include "device/runtime/library/registry.hpp"
#include "device/runtime/library/work.hpp"

namespace warpbook::device::runtime {
namespace {

constexpr std::uint64_t kPiece = 64u << 20;  ///< of a copy between the processes
constexpr std::uint64_t kPitch = 512;        ///< rows of cudaMallocPitch begin at its multiples

/// Host memory that cudaHostRegister locked.
struct Registered {
  std::mutex mutex;
  std::map<std::uint64_t, std::uint64_t> bytes;

  bool holds(std::uint64_t address) {
    const std::lock_guard lock(mutex);
    const auto after = bytes.upper_bound(address);
    if (after == bytes.begin()) return false;
    const auto& [begin, length] = *std::prev(after);
    return address - begin < length;
  }
};
Registered& registered() {
  static auto* const all = new Registered;
  return *all;
}

/// How a side of a copy is reached.
struct Side {
  bool device = false;  ///< its address is one of the devices' region
  bool pinned = false;  ///< it is host memory all the same
  bool host = true;     ///< the host may use it, as it may managed memory
};

Side side_of(const Session& session, std::uint64_t address) {
  if (!session.is_device_address(address)) return {};
  const auto found = session.find(address);
  const bool own = !found || found->second.kind == MemoryKind::device;
  return {true, found && found->second.kind == MemoryKind::pinned, !own};
}

/// The kind does not contradict what the addresses are.
bool fits(cudaMemcpyKind kind, const Side& to, const Side& from) {
  switch (kind) {
    case cudaMemcpyHostToHost: return to.host && from.host;
    case cudaMemcpyHostToDevice: return to.device && from.host;
    case cudaMemcpyDeviceToHost: return from.device && to.host;
    case cudaMemcpyDeviceToDevice: return to.device && from.device;
    case cudaMemcpyDefault: return true;
  }
  return false;
}

bool is_line(const Shape& shape) { return shape.height == 1 && shape.depth == 1; }

/// From host memory that the service cannot see.
cudaError_t copy_in(Call& call, std::uint64_t to, const char* from, const Shape& shape,
                    const Order& order) {
  if (is_line(shape)) {
    for (std::uint64_t at = 0; at < shape.width; at += kPiece) {
      const std::uint64_t bytes = std::min(kPiece, shape.width - at);
      Order part = order;
      part.wait = order.wait && at + bytes == shape.width;
      const cudaError_t error =
          call.ask(CopyIn{to + at, line(bytes), part, std::string(from + at, bytes)});
      if (error != cudaSuccess) return error;
    }
    return cudaSuccess;
  }
  std::string packed;
  for_rows(shape, [&](std::uint64_t, std::uint64_t, std::uint64_t at) {
    packed.append(from + at, shape.width);
  });
  Shape there = shape;
  there.from_pitch = shape.width;
  there.from_slice = shape.width * shape.height;
  return call.ask(CopyIn{to, there, order, std::move(packed)});
}

cudaError_t copy_out(Call& call, char* to, std::uint64_t from, const Shape& shape,
                     const Order& order) {
  const auto fetch = [&](std::uint64_t address, const Shape& there, std::string& bytes) {
    auto copied = call.session.ask(CopyOut{address, there, order});
    if (!copied) return cudaErrorInitializationError;
    bytes = std::move(copied->bytes);
    return Call::error_of(copied->answer);
  };
  std::string bytes;
  if (is_line(shape)) {
    for (std::uint64_t at = 0; at < shape.width; at += kPiece) {
      const Shape part = line(std::min(kPiece, shape.width - at));
      const cudaError_t error = fetch(from + at, part, bytes);
      // What comes after a kernel that failed is no data.
      if (error != cudaSuccess) return error;
      std::ranges::copy(bytes, to + at);
    }
    return cudaSuccess;
  }
  Shape there = shape;
  there.to_pitch = shape.width;
  there.to_slice = shape.width * shape.height;
  const cudaError_t error = fetch(from, there, bytes);
  if (error != cudaSuccess) return error;
  for_rows(shape, [&](std::uint64_t packed, std::uint64_t at, std::uint64_t) {
    std::memcpy(to + at, bytes.data() + packed, shape.width);
  });
  return cudaSuccess;
}

cudaError_t allocate(Call& call, void** pointer, std::uint64_t bytes, MemoryKind kind,
                     unsigned flags = 0) {
  if (!pointer) return cudaErrorInvalidValue;
  if (const cudaError_t error = check_unsafe()) return error;
  if (bytes == 0) {
    *pointer = nullptr;
    return kind == MemoryKind::managed ? cudaErrorInvalidValue : cudaSuccess;
  }
  const auto place = call.session.ask(
      Allocate{kind, bytes, call.number(), static_cast<std::uint32_t>(current_device())});
  if (!place) return cudaErrorInitializationError;
  if (place->error != 0) return static_cast<cudaError_t>(place->error);
  if (kind != MemoryKind::device) call.session.open_pages(place->address, bytes, true);
  call.session.add(place->address,
                   {bytes, kind, current_device(), flags, nullptr, current_context()});
  *pointer = reinterpret_cast<void*>(place->address);
  call.values(place->address, bytes);
  return cudaSuccess;
}

/// Gives memory back to the service, and closes its pages.
cudaError_t give_back(Call& call, std::uint64_t address, const Memory& memory) {
  const cudaError_t error = call.ask(Release{address, call.number()});
  if (error != cudaSuccess) return error;
  call.session.remove(address);
  return_to_pool(memory);
  if (memory.kind != MemoryKind::device) call.session.open_pages(address, memory.bytes, false);
  if (memory.kind == MemoryKind::managed) AdvisedRanges::get().forget(address, memory.bytes);
  return cudaSuccess;
}

/// Frees memory of the kinds that the call is for.
cudaError_t release(Call& call, void* pointer, bool host) {
  const std::uint64_t address = address_of(pointer);
  call.values(address);
  // cudaFree(nullptr) is what programs say to have the device initialised.
  if (!pointer) return cudaSuccess;
  if (const cudaError_t error = check_unsafe()) return error;
  const auto found = call.session.find(address);
  const bool begins = found && found->first == address;
  if (!begins || (found->second.kind == MemoryKind::pinned) != host) return cudaErrorInvalidValue;
  if (is_graph_memory(address)) {
    if (const cudaError_t error = call.ask(Synchronise{})) return error;
    return end_graph_memory(address);
  }
  return give_back(call, address, found->second);
}

cudaError_t fill(Call& call, void* to, int value, const Shape& shape, cudaStream_t stream,
                 bool wait) {
  Order order{0, wait, call.number()};
  if (const cudaError_t error = stream_number(call, stream, order.stream)) return error;
  call.values(address_of(to), 0, bytes_of(shape), order.stream);
  if (bytes_of(shape) == 0) return cudaSuccess;
  if (!is_line(shape) && shape.width > shape.to_pitch) return cudaErrorInvalidValue;
  const FillWork work{to, static_cast<std::uint8_t>(value), 1, shape};
  if (!wait) return submit(call, stream, work);
  if (const cudaError_t error = check_synchronous()) return error;
  return run(call, work, order);
}

Shape rows(std::uint64_t width, std::uint64_t height, std::uint64_t to_pitch,
           std::uint64_t from_pitch) {
  return {width, height, 1, to_pitch, to_pitch * height, from_pitch, from_pitch * height};
}

cudaError_t copy_rows(Call& call, void* to, std::size_t to_pitch, const void* from,
                      std::size_t from_pitch, std::size_t width, std::size_t height,
                      cudaMemcpyKind kind, cudaStream_t stream, bool wait) {
  const std::uint64_t most = properties_of(call.session, current_device()).memPitch;
  if (width > to_pitch || width > from_pitch || to_pitch > most || from_pitch > most)
    return cudaErrorInvalidPitchValue;
  return copy(call, to, from, rows(width, height, to_pitch, from_pitch), kind, stream, wait);
}

/// A symbol's memory from `offset` on, of which `count` bytes are copied.
cudaError_t place_in(Call& call, const void* symbol, std::size_t count, std::size_t offset,
                     char*& at) {
  MemoryPlace place;
  if (const cudaError_t error = find_variable(call, symbol, place)) return error;
  if (offset > place.bytes || count > place.bytes - offset) return cudaErrorInvalidValue;
  at = reinterpret_cast<char*>(place.address) + offset;
  return cudaSuccess;
}

cudaError_t copy_to_symbol(Call& call, const void* symbol, const void* from, std::size_t count,
                           std::size_t offset, cudaMemcpyKind kind, cudaStream_t stream,
                           bool wait) {
  char* to = nullptr;
  if (kind != cudaMemcpyHostToDevice && kind != cudaMemcpyDeviceToDevice &&
      kind != cudaMemcpyDefault)
    return cudaErrorInvalidMemcpyDirection;
  if (const cudaError_t error = place_in(call, symbol, count, offset, to)) return error;
  return copy(call, to, from, line(count), kind, stream, wait);
}

cudaError_t copy_from_symbol(Call& call, void* to, const void* symbol, std::size_t count,
                             std::size_t offset, cudaMemcpyKind kind, cudaStream_t stream,
                             bool wait) {
  char* from = nullptr;
  if (kind != cudaMemcpyDeviceToHost && kind != cudaMemcpyDeviceToDevice &&
      kind != cudaMemcpyDefault)
    return cudaErrorInvalidMemcpyDirection;
  if (const cudaError_t error = place_in(call, symbol, count, offset, from)) return error;
  return copy(call, to, from, line(count), kind, stream, wait);
}

}  // namespace

Shape line(std::uint64_t bytes) { return {bytes, 1, 1, bytes, bytes, bytes, bytes}; }

void release_memory_of(Call& call, const Context& context) {
  for (const auto& [address, memory] : call.session.allocations()) {
    if (memory.context == &context) (void)give_back(call, address, memory);
  }
}

cudaError_t work_of(Call& call, const Transfer& transfer, CopyWork& work) {
  if (!transfer.to || !transfer.from) return cudaErrorInvalidValue;
  if (transfer.kind < cudaMemcpyHostToHost || transfer.kind > cudaMemcpyDefault)
    return cudaErrorInvalidMemcpyDirection;
  const Side to = side_of(call.session, address_of(transfer.to));
  const Side from = side_of(call.session, address_of(transfer.from));
  if (!fits(transfer.kind, to, from)) return cudaErrorInvalidValue;
  work.transfer = transfer;
  return cudaSuccess;
}

cudaError_t work_of(const cudaMemsetParams& parameters, FillWork& work) {
  const unsigned element = parameters.elementSize;
  if (!parameters.dst || (element != 1 && element != 2 && element != 4))
    return cudaErrorInvalidValue;
  const std::uint64_t width = parameters.width * element;
  // The pitch of a single row does not matter.
  const std::uint64_t pitch = parameters.height > 1 ? parameters.pitch : width;
  if (width == 0 || parameters.height == 0 || address_of(parameters.dst) % element != 0)
    return cudaErrorInvalidValue;
  if (width > pitch || pitch % element != 0) return cudaErrorInvalidValue;
  work = {parameters.dst, parameters.value, element, rows(width, parameters.height, pitch, pitch)};
  return cudaSuccess;
}

cudaError_t run(Call& call, const FillWork& work, const Order& order) {
  return call.ask(Fill{address_of(work.to), work.value, work.element_bytes, work.shape, order});
}

cudaError_t run(Call& call, const CopyWork& work, const Order& order) {
  const auto& [to, from, shape, kind] = work.transfer;
  const Side target = side_of(call.session, address_of(to));
  const Side source = side_of(call.session, address_of(from));
  if (target.device && source.device)
    return call.ask(
        Copy{address_of(to), address_of(from), shape, order, target.pinned, source.pinned});
  if (target.device)
    return copy_in(call, address_of(to), static_cast<const char*>(from), shape, order);
  if (source.device) return copy_out(call, static_cast<char*>(to), address_of(from), shape, order);
  if (const cudaError_t error = call.ask(Synchronise{order.stream})) return error;
  for_rows(shape, [to = to, from = from, bytes = shape.width](std::uint64_t, std::uint64_t at,
                                                              std::uint64_t source_at) {
    std::memmove(static_cast<char*>(to) + at, static_cast<const char*>(from) + source_at, bytes);
  });
  return cudaSuccess;
}

cudaError_t copy(Call& call, void* to, const void* from, const Shape& shape, cudaMemcpyKind kind,
                 cudaStream_t stream, bool wait) {
  Order order{0, wait, call.number()};
  if (const cudaError_t error = stream_number(call, stream, order.stream)) return error;
  const std::uint64_t bytes = bytes_of(shape);
  call.values(address_of(to), address_of(from), bytes, order.stream,
              static_cast<std::uint64_t>(kind));
  if (bytes == 0) return cudaSuccess;
  CopyWork work;
  if (const cudaError_t error = work_of(call, {to, from, shape, kind}, work)) return error;
  if (!wait) return submit(call, stream, work);
  if (const cudaError_t error = check_synchronous()) return error;
  return run(call, work, order);
}

}  // namespace warpbook::device::runtime

using namespace warpbook::device::runtime;

cudaError_t cudaMalloc(void** pointer, std::size_t bytes) {
  return traced(Function::cudaMalloc,
                [&](Call& call) { return allocate(call, pointer, bytes, MemoryKind::device); });
}

cudaError_t cudaMallocPitch(void** pointer, std::size_t* pitch, std::size_t width,
                            std::size_t height) {
  return traced(Function::cudaMallocPitch, [&](Call& call) {
    if (!pitch) return cudaErrorInvalidValue;
    *pitch = (width + kPitch - 1) / kPitch * kPitch;
    return allocate(call, pointer, *pitch * height, MemoryKind::device);
  });
}

cudaError_t cudaMalloc3D(cudaPitchedPtr* pitched, cudaExtent extent) {
  return traced(Function::cudaMalloc3D, [&](Call& call) {
    if (!pitched) return cudaErrorInvalidValue;
    pitched->pitch = (extent.width + kPitch - 1) / kPitch * kPitch;
    pitched->xsize = extent.width;
    pitched->ysize = extent.height;
    return allocate(call, &pitched->ptr, pitched->pitch * extent.height * extent.depth,
                    MemoryKind::device);
  });
}

cudaError_t cudaMallocManaged(void** pointer, std::size_t bytes, unsigned flags) {
  return traced(Function::cudaMallocManaged, [&](Call& call) {
    if (flags != cudaMemAttachGlobal && flags != cudaMemAttachHost) return cudaErrorInvalidValue;
    return allocate(call, pointer, bytes, MemoryKind::managed, flags);
  });
}

cudaError_t cudaMallocHost(void** pointer, std::size_t bytes) {
  return traced(Function::cudaMallocHost,
                [&](Call& call) { return allocate(call, pointer, bytes, MemoryKind::pinned); });
}

cudaError_t cudaHostAlloc(void** pointer, std::size_t bytes, unsigned flags) {
  return traced(Function::cudaHostAlloc, [&](Call& call) {
    constexpr unsigned kKnown =
        cudaHostAllocPortable | cudaHostAllocMapped | cudaHostAllocWriteCombined;
    if ((flags & ~kKnown) != 0) return cudaErrorInvalidValue;
    return allocate(call, pointer, bytes, MemoryKind::pinned, flags);
  });
}

cudaError_t cudaFree(void* pointer) {
  return traced(Function::cudaFree, [&](Call& call) { return release(call, pointer, false); });
}

cudaError_t cudaFreeHost(void* pointer) {
  return traced(Function::cudaFreeHost, [&](Call& call) { return release(call, pointer, true); });
}

cudaError_t cudaHostGetDevicePointer(void** device, void* host, unsigned flags) {
  return traced(Function::cudaHostGetDevicePointer, [&](Call& call) {
    const auto found = call.session.find(address_of(host));
    if (!device || flags != 0 || !found || found->second.kind == MemoryKind::device)
      return cudaErrorInvalidValue;
    *device = host;
    return cudaSuccess;
  });
}

cudaError_t cudaHostGetFlags(unsigned* flags, void* host) {
  return traced(Function::cudaHostGetFlags, [&](Call& call) {
    const auto found = call.session.find(address_of(host));
    if (!flags || !found || found->second.kind != MemoryKind::pinned) return cudaErrorInvalidValue;
    *flags = found->second.flags;
    return cudaSuccess;
  });
}

cudaError_t cudaHostRegister(void* pointer, std::size_t bytes, unsigned) {
  return traced(Function::cudaHostRegister, [&](Call&) {
    if (!pointer || bytes == 0) return cudaErrorInvalidValue;
    const std::lock_guard lock(registered().mutex);
    return registered().bytes.emplace(address_of(pointer), bytes).second
               ? cudaSuccess
               : cudaErrorHostMemoryAlreadyRegistered;
  });
}

cudaError_t cudaHostUnregister(void* pointer) {
  return traced(Function::cudaHostUnregister, [&](Call&) {
    if (!pointer) return cudaErrorInvalidValue;
    const std::lock_guard lock(registered().mutex);
    return registered().bytes.erase(address_of(pointer)) != 0 ? cudaSuccess
                                                              : cudaErrorHostMemoryNotRegistered;
  });
}

cudaError_t cudaMemGetInfo(std::size_t* free, std::size_t* total) {
  return traced(Function::cudaMemGetInfo, [&](Call& call) {
    const auto counted =
        call.session.ask(CountMemory{static_cast<std::uint32_t>(current_device())});
    if (!counted) return cudaErrorInitializationError;
    if (!free || !total) return cudaErrorInvalidValue;
    *free = counted->free;
    *total = counted->total;
    return static_cast<cudaError_t>(counted->error);
  });
}

cudaError_t cudaPointerGetAttributes(cudaPointerAttributes* attributes, const void* pointer) {
  return traced(Function::cudaPointerGetAttributes, [&](Call& call) {
    if (!attributes) return cudaErrorInvalidValue;
    *attributes = {};
    attributes->type = cudaMemoryTypeUnregistered;
    attributes->device = -2;  // cudaInvalidDeviceId
    attributes->hostPointer = const_cast<void*>(pointer);
    const auto found = call.session.find(address_of(pointer));
    if (registered().holds(address_of(pointer))) {
      attributes->type = cudaMemoryTypeHost;
      attributes->device = current_device();
      return cudaSuccess;
    }
    if (!found) {
      if (call.session.is_device_address(address_of(pointer))) return cudaErrorInvalidValue;
      return cudaSuccess;
    }
    const Memory& memory = found->second;
    attributes->device = memory.device;
    attributes->devicePointer = const_cast<void*>(pointer);
    switch (memory.kind) {
      case MemoryKind::device:
        attributes->type = cudaMemoryTypeDevice;
        attributes->hostPointer = nullptr;
        break;
      case MemoryKind::managed: attributes->type = cudaMemoryTypeManaged; break;
      case MemoryKind::pinned: attributes->type = cudaMemoryTypeHost; break;
    }
    return cudaSuccess;
  });
}

cudaError_t cudaStreamAttachMemAsync(cudaStream_t stream, void* pointer, std::size_t bytes,
                                     unsigned flags) {
  return traced(Function::cudaStreamAttachMemAsync, [&](Call& call) {
    std::uint32_t number = 0;
    if (const cudaError_t error = stream_number(call, stream, number)) return error;
    if (flags != cudaMemAttachGlobal && flags != cudaMemAttachHost && flags != cudaMemAttachSingle)
      return cudaErrorInvalidValue;
    // A single owner is a stream, which the default one is not.
    if (flags == cudaMemAttachSingle && number == 0) return cudaErrorInvalidValue;
    const auto found = call.session.find(address_of(pointer));
    const bool whole = found && found->first == address_of(pointer) &&
                       found->second.kind == MemoryKind::managed &&
                       (bytes == 0 || bytes == found->second.bytes);
    // Managed memory can be used from everywhere at once, so that who owns it changes nothing.
    return whole ? cudaSuccess : cudaErrorInvalidValue;
  });
}

// Copies

cudaError_t cudaMemcpy(void* to, const void* from, std::size_t bytes, cudaMemcpyKind kind) {
  return traced(Function::cudaMemcpy,
                [&](Call& call) { return copy(call, to, from, line(bytes), kind, nullptr, true); });
}

cudaError_t cudaMemcpyAsync(void* to, const void* from, std::size_t bytes, cudaMemcpyKind kind,
                            cudaStream_t stream) {
  return traced(Function::cudaMemcpyAsync,
                [&](Call& call) { return copy(call, to, from, line(bytes), kind, stream, false); });
}

cudaError_t cudaMemcpyPeer(void* to, int to_device, const void* from, int from_device,
                           std::size_t bytes) {
  return traced(Function::cudaMemcpyPeer, [&](Call& call) {
    if (!is_device(call.session, to_device) || !is_device(call.session, from_device))
      return cudaErrorInvalidDevice;
    return copy(call, to, from, line(bytes), cudaMemcpyDeviceToDevice, nullptr, true);
  });
}

cudaError_t cudaMemcpyPeerAsync(void* to, int to_device, const void* from, int from_device,
                                std::size_t bytes, cudaStream_t stream) {
  return traced(Function::cudaMemcpyPeerAsync, [&](Call& call) {
    if (!is_device(call.session, to_device) || !is_device(call.session, from_device))
      return cudaErrorInvalidDevice;
    return copy(call, to, from, line(bytes), cudaMemcpyDeviceToDevice, stream, false);
  });
}

cudaError_t cudaMemcpyBatchAsync(void* const* to, const void* const* from, const std::size_t* bytes,
                                 std::size_t count, cudaMemcpyAttributes* attributes,
                                 std::size_t* first_of, std::size_t attribute_count,
                                 cudaStream_t stream) {
  return traced(Function::cudaMemcpyBatchAsync, [&](Call& call) {
    if (!to || !from || !bytes || count == 0 || stream == nullptr || stream == cudaStreamLegacy)
      return cudaErrorInvalidValue;
    if (!attributes || !first_of || attribute_count == 0 || attribute_count > count)
      return cudaErrorInvalidValue;
    for (std::size_t i = 0; i < attribute_count; ++i) {
      const bool in_order = i == 0 ? first_of[i] == 0 : first_of[i] > first_of[i - 1];
      const cudaMemcpySrcAccessOrder order = attributes[i].srcAccessOrder;
      const bool known =
          order >= cudaMemcpySrcAccessOrderStream && order <= cudaMemcpySrcAccessOrderAny;
      if (!in_order || first_of[i] >= count || !known) return cudaErrorInvalidValue;
    }
    for (std::size_t i = 0; i < count; ++i) {
      const cudaError_t error =
          copy(call, to[i], from[i], line(bytes[i]), cudaMemcpyDefault, stream, false);
      if (error != cudaSuccess) return error;
    }
    return cudaSuccess;
  });
}

cudaError_t cudaMemcpy2D(void* to, std::size_t to_pitch, const void* from, std::size_t from_pitch,
                         std::size_t width, std::size_t height, cudaMemcpyKind kind) {
  return traced(Function::cudaMemcpy2D, [&](Call& call) {
    return copy_rows(call, to, to_pitch, from, from_pitch, width, height, kind, nullptr, true);
  });
}

cudaError_t cudaMemcpy2DAsync(void* to, std::size_t to_pitch, const void* from,
                              std::size_t from_pitch, std::size_t width, std::size_t height,
                              cudaMemcpyKind kind, cudaStream_t stream) {
  return traced(Function::cudaMemcpy2DAsync, [&](Call& call) {
    return copy_rows(call, to, to_pitch, from, from_pitch, width, height, kind, stream, false);
  });
}

cudaError_t cudaMemcpyToSymbol(const void* symbol, const void* from, std::size_t count,
                               std::size_t offset, cudaMemcpyKind kind) {
  return traced(Function::cudaMemcpyToSymbol, [&](Call& call) {
    return copy_to_symbol(call, symbol, from, count, offset, kind, nullptr, true);
  });
}

cudaError_t cudaMemcpyToSymbolAsync(const void* symbol, const void* from, std::size_t count,
                                    std::size_t offset, cudaMemcpyKind kind, cudaStream_t stream) {
  return traced(Function::cudaMemcpyToSymbolAsync, [&](Call& call) {
    return copy_to_symbol(call, symbol, from, count, offset, kind, stream, false);
  });
}

cudaError_t cudaMemcpyFromSymbol(void* to, const void* symbol, std::size_t count,
                                 std::size_t offset, cudaMemcpyKind kind) {
  return traced(Function::cudaMemcpyFromSymbol, [&](Call& call) {
    return copy_from_symbol(call, to, symbol, count, offset, kind, nullptr, true);
  });
}

cudaError_t cudaMemcpyFromSymbolAsync(void* to, const void* symbol, std::size_t count,
                                      std::size_t offset, cudaMemcpyKind kind,
                                      cudaStream_t stream) {
  return traced(Function::cudaMemcpyFromSymbolAsync, [&](Call& call) {
    return copy_from_symbol(call, to, symbol, count, offset, kind, stream, false);
  });
}

cudaError_t cudaMemset(void* to, int value, std::size_t bytes) {
  return traced(Function::cudaMemset,
                [&](Call& call) { return fill(call, to, value, line(bytes), nullptr, true); });
}

cudaError_t cudaMemsetAsync(void* to, int value, std::size_t bytes, cudaStream_t stream) {
  return traced(Function::cudaMemsetAsync,
                [&](Call& call) { return fill(call, to, value, line(bytes), stream, false); });
}

cudaError_t cudaMemset2D(void* to, std::size_t pitch, int value, std::size_t width,
                         std::size_t height) {
  return traced(Function::cudaMemset2D, [&](Call& call) {
    return fill(call, to, value, rows(width, height, pitch, pitch), nullptr, true);
  });
}

cudaError_t cudaMemset2DAsync(void* to, std::size_t pitch, int value, std::size_t width,
                              std::size_t height, cudaStream_t stream) {
  return traced(Function::cudaMemset2DAsync, [&](Call& call) {
    return fill(call, to, value, rows(width, height, pitch, pitch), stream, false);
  });
}

cudaError_t cudaMemset3D(cudaPitchedPtr to, int value, cudaExtent extent) {
  return traced(Function::cudaMemset3D, [&](Call& call) {
    Shape shape = rows(extent.width, extent.height, to.pitch, to.pitch);
    shape.depth = extent.depth;
    shape.to_slice = to.pitch * to.ysize;
    return fill(call, to.ptr, value, shape, nullptr, true);
  });
}

cudaError_t cudaMemset3DAsync(cudaPitchedPtr to, int value, cudaExtent extent,
                              cudaStream_t stream) {
  return traced(Function::cudaMemset3DAsync, [&](Call& call) {
    Shape shape = rows(extent.width, extent.height, to.pitch, to.pitch);
    shape.depth = extent.depth;
    shape.to_slice = to.pitch * to.ysize;
    return fill(call, to.ptr, value, shape, stream, false);
  });
}
