#include "device/gpu/gpu_memory.hpp"

#include <algorithm>

#include <fmt/format.h>

namespace warpbook::device::gpu {
namespace {

std::string hex(Pointer address) { return fmt::format("{:#x}", address); }

}  // namespace

void GpuMemory::add(AllocationInfo info, std::uint64_t generation, bool variable) {
  const std::lock_guard lock(mutex_);
  const Pointer address = info.address;
  // The variables of a module that was unloaded leave their memory to whoever allocates next.
  std::erase_if(pieces_, [&](const auto& entry) {
    const AllocationInfo& old = entry.second.info;
    return entry.second.variable && old.address < address + info.bytes &&
           address < old.address + old.bytes;
  });
  pieces_[address] = {std::move(info), generation, variable, false};
}

void GpuMemory::lose(std::uint64_t generation, const std::string& cause) {
  const std::lock_guard lock(mutex_);
  std::erase_if(pieces_, [&](const auto& entry) {
    return entry.second.variable && entry.second.generation < generation;
  });
  for (auto& [address, piece] : pieces_) {
    if (piece.generation >= generation || piece.lost) continue;
    piece.lost = true;
    cause_ = cause;
  }
}

const GpuMemory::Piece* GpuMemory::at(Pointer address) const {
  auto after = pieces_.upper_bound(address);
  if (after == pieces_.begin()) return nullptr;
  const Piece& piece = std::prev(after)->second;
  // One past the end counts, too, because an empty copy may start there.
  return address - piece.info.address <= piece.info.bytes ? &piece : nullptr;
}

Error GpuMemory::lost_error(const Piece& piece) const {
  return {ErrorCode::memory_lost, {{"name", piece.info.name}, {"cause", cause_}}, {}};
}

Expected<bool> GpuMemory::take(Pointer address, std::string_view call) {
  const std::lock_guard lock(mutex_);
  const auto found = pieces_.find(address);
  if (found == pieces_.end() || found->second.variable) {
    return failure(ErrorCode::bad_pointer,
                   {{"call", std::string(call)}, {"address", hex(address)}});
  }
  const bool lost = found->second.lost;
  pieces_.erase(found);
  return !lost;
}

Expected<void> GpuMemory::check(Pointer address, std::uint64_t bytes, std::string_view call) const {
  if (bytes == 0) return {};
  const std::lock_guard lock(mutex_);
  const Piece* const piece = at(address);
  if (!piece || address == piece->info.address + piece->info.bytes) {
    return failure(ErrorCode::bad_pointer,
                   {{"call", std::string(call)}, {"address", hex(address)}});
  }
  if (piece->lost) return tl::unexpected(lost_error(*piece));
  if (bytes <= piece->info.bytes - (address - piece->info.address)) return {};
  return failure(ErrorCode::copy_out_of_bounds, {{"call", std::string(call)},
                                                 {"bytes", std::to_string(bytes)},
                                                 {"address", hex(address)},
                                                 {"name", piece->info.name},
                                                 {"size", std::to_string(piece->info.bytes)}});
}

Expected<void> GpuMemory::check_lost(Pointer address) const {
  const std::lock_guard lock(mutex_);
  const Piece* const piece = at(address);
  if (piece && piece->lost) return tl::unexpected(lost_error(*piece));
  return {};
}

bool GpuMemory::was_lost(Pointer address, std::uint64_t bytes) const {
  const std::lock_guard lock(mutex_);
  return std::ranges::any_of(pieces_, [&](const auto& entry) {
    const AllocationInfo& old = entry.second.info;
    return entry.second.lost && old.address < address + std::max<std::uint64_t>(bytes, 1) &&
           address < old.address + std::max<std::uint64_t>(old.bytes, 1);
  });
}

std::optional<AllocationInfo> GpuMemory::holding(Pointer address) const {
  const std::lock_guard lock(mutex_);
  const Piece* const piece = at(address);
  if (!piece || piece->lost || address == piece->info.address + piece->info.bytes)
    return std::nullopt;
  return piece->info;
}

std::string GpuMemory::name_at(Pointer address) const {
  const std::lock_guard lock(mutex_);
  const Piece* const piece = at(address);
  return piece ? piece->info.name : hex(address);
}

std::vector<AllocationInfo> GpuMemory::buffers() const {
  const std::lock_guard lock(mutex_);
  std::vector<AllocationInfo> result;
  for (const auto& [address, piece] : pieces_) {
    if (!piece.lost && !piece.variable) result.push_back(piece.info);
  }
  return result;
}

}  // namespace warpbook::device::gpu
