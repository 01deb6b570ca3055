// Copies to and from the GPU go through memory that the worker shares. Pinned memory is such memory already; the rest goes in pieces
// through one staging buffer.
#include <algorithm>
#include <cstring>
#include <map>

#include "device/gpu/gpu_device.hpp"

namespace warpbook::device::gpu {

/// The pinned memory that its users hold, by its first byte.
struct GpuDevice::Pinned {
  std::mutex mutex;
  std::map<const std::byte*, std::weak_ptr<SharedMemory>> memories;
};

void GpuDevice::make_pinned() { pinned_ = std::make_shared<Pinned>(); }

Expected<std::shared_ptr<std::byte[]>> GpuDevice::allocate_pinned(std::uint64_t bytes) {
  auto memory = SharedMemory::make(bytes);
  if (!memory) return tl::unexpected(memory.error());
  log("allocate_pinned", "", bytes, 0);
  const std::byte* const begin = (*memory)->bytes().data();
  {
    const std::lock_guard lock(pinned_->mutex);
    pinned_->memories[begin] = *memory;
  }
  // The worker lets go of it, too, where there is still one.
  auto deleter = [memory = *memory, pinned = pinned_,
                  connection = std::weak_ptr(connection_)](std::byte* gone) {
    {
      const std::lock_guard lock(pinned->mutex);
      pinned->memories.erase(gone);
    }
    if (const auto alive = connection.lock()) alive->forget(memory->number());
  };
  return std::shared_ptr<std::byte[]>((*memory)->bytes().data(), std::move(deleter));
}

std::pair<std::shared_ptr<SharedMemory>, std::uint64_t> GpuDevice::pinned(
    const std::byte* begin, std::uint64_t bytes) const {
  const std::lock_guard lock(pinned_->mutex);
  auto after = pinned_->memories.upper_bound(begin);
  if (after == pinned_->memories.begin()) return {};
  const auto memory = std::prev(after)->second.lock();
  if (!memory) return {};
  const auto offset = static_cast<std::uint64_t>(begin - memory->bytes().data());
  if (offset > memory->bytes().size() || bytes > memory->bytes().size() - offset) return {};
  return {memory, offset};
}

CopyTicket GpuDevice::queue_transfer(HostCall call, CopyWork work) {
  return queue_copy(std::move(call), [this, copy = std::move(work)] {
    auto copied = copy();
    note_losses();
    return copied;
  });
}

Expected<void> GpuDevice::write(Pointer to, std::span<const std::byte> from,
                                std::string_view call) {
  if (auto ok = memory_.check(to, from.size(), call); !ok) return ok;
  if (from.empty()) return {};
  if (const auto [memory, offset] = pinned(from.data(), from.size()); memory) {
    const auto number = connection_->number_of(*memory);
    if (!number) return tl::unexpected(number.error());
    return connection_->tell(MessageKind::copy_in,
                             to_bytes(Numbers{to, *number, offset, from.size()}));
  }
  const std::lock_guard lock(staging_mutex_);
  if (auto ok = stage(); !ok) return ok;
  for (std::uint64_t at = 0; at < from.size(); at += kStagingBytes) {
    const auto part = from.subspan(at, std::min<std::uint64_t>(kStagingBytes, from.size() - at));
    const auto number = connection_->number_of(*staging_);
    if (!number) return tl::unexpected(number.error());
    std::memcpy(staging_->bytes().data(), part.data(), part.size());
    if (auto told = connection_->tell(MessageKind::copy_in,
                                      to_bytes(Numbers{to + at, *number, 0, part.size()}));
        !told)
      return told;
  }
  return {};
}

Expected<void> GpuDevice::read(std::span<std::byte> to, Pointer from, std::string_view call) {
  if (auto ok = memory_.check(from, to.size(), call); !ok) return ok;
  if (to.empty()) return {};
  if (const auto [memory, offset] = pinned(to.data(), to.size()); memory) {
    const auto number = connection_->number_of(*memory);
    if (!number) return tl::unexpected(number.error());
    return connection_->tell(MessageKind::copy_out,
                             to_bytes(Numbers{from, *number, offset, to.size()}));
  }
  const std::lock_guard lock(staging_mutex_);
  if (auto ok = stage(); !ok) return ok;
  for (std::uint64_t at = 0; at < to.size(); at += kStagingBytes) {
    const auto part = to.subspan(at, std::min<std::uint64_t>(kStagingBytes, to.size() - at));
    const auto number = connection_->number_of(*staging_);
    if (!number) return tl::unexpected(number.error());
    if (auto told = connection_->tell(MessageKind::copy_out,
                                      to_bytes(Numbers{from + at, *number, 0, part.size()}));
        !told)
      return told;
    std::memcpy(part.data(), staging_->bytes().data(), part.size());
  }
  return {};
}

/// The staging buffer, made when it is first wanted.
Expected<void> GpuDevice::stage() {
  if (staging_) return {};
  auto memory = SharedMemory::make(kStagingBytes);
  if (!memory) return tl::unexpected(memory.error());
  staging_ = std::move(*memory);
  return {};
}

CopyTicket GpuDevice::copy_in(Pointer to, std::span<const std::byte> from, Stream stream) {
  return queue_transfer({"copy_in", memory_.name_at(to), from.size(), stream.id},
                        [this, to, from] { return write(to, from, "copy_in"); });
}

CopyTicket GpuDevice::copy_out(std::span<std::byte> to, Pointer from, Stream stream) {
  return queue_transfer({"copy_out", memory_.name_at(from), to.size(), stream.id},
                        [this, to, from] { return read(to, from, "copy_out"); });
}

CopyTicket GpuDevice::copy(Pointer to, Pointer from, std::uint64_t bytes, Stream stream) {
  return queue_transfer(
      {"copy", memory_.name_at(to), bytes, stream.id}, [this, to, from, bytes]() -> Expected<void> {
        for (const Pointer end : {from, to}) {
          if (auto ok = memory_.check(end, bytes, "copy"); !ok) return ok;
        }
        if (bytes == 0) return {};
        return connection_->tell(MessageKind::copy, to_bytes(Numbers{to, from, bytes}));
      });
}

CopyTicket GpuDevice::fill(Pointer to, std::byte value, std::uint64_t bytes, Stream stream) {
  return queue_transfer({"fill", memory_.name_at(to), bytes, stream.id},
                        [this, to, value, bytes]() -> Expected<void> {
                          if (auto ok = memory_.check(to, bytes, "fill"); !ok) return ok;
                          if (bytes == 0) return {};
                          return connection_->tell(
                              MessageKind::fill,
                              to_bytes(Numbers{to, std::to_integer<std::uint64_t>(value), bytes}));
                        });
}

CopyTicket GpuDevice::copy_peer(Device& to_device, Pointer to, Pointer from, std::uint64_t bytes,
                                Stream stream) {
  if (&to_device == this) return copy(to, from, bytes, stream);
  auto* const other = dynamic_cast<GpuDevice*>(&to_device);
  if (!other) {
    return refused(
        {ErrorCode::not_supported,
         {{"what", Message{"phrase.what.peer-back", {}, {}}}, {"device", properties().name}},
         {}});
  }
  // The mark and its order: as SimulatedDevice::copy_peer has it. The bytes go by way of the host.
  const CopyTicket reached = other->mark();
  return queue_transfer({"copy_peer", memory_.name_at(from), bytes, stream.id},
                        [this, other, reached, to, from, bytes]() -> Expected<void> {
                          if (const auto& there = reached.wait(); !there)
                            return tl::unexpected(there.error());
                          if (auto ok = memory_.check(from, bytes, "copy_peer"); !ok) return ok;
                          if (auto ok = other->memory_.check(to, bytes, "copy_peer"); !ok)
                            return ok;
                          std::vector<std::byte> piece(std::min(bytes, kStagingBytes));
                          for (std::uint64_t at = 0; at < bytes; at += kStagingBytes) {
                            const auto part =
                                std::span(piece).first(std::min(kStagingBytes, bytes - at));
                            if (auto ok = read(part, from + at, "copy_peer"); !ok) return ok;
                            if (auto ok = other->write(to + at, part, "copy_peer"); !ok) return ok;
                          }
                          return {};
                        });
}

}  // namespace warpbook::device::gpu
