#include "device/simulator/state/memory.hpp"

#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <cstring>
#include <new>
#include <utility>

#include <fmt/format.h>

#include "device/simulator/state/texture_objects.hpp"

namespace warpbook::device {
namespace {

constexpr std::uint64_t kPage = 4096;
constexpr std::size_t kQuarantinedAllocations = 4096;
/// Kernels allocate thousands of times in a launch, and each time the table of all allocations is made anew.
constexpr std::size_t kQuarantinedOnHeap = 128;

std::uint64_t round_up(std::uint64_t value, std::uint64_t to) { return (value + to - 1) / to * to; }

std::byte* reserve(std::uint64_t bytes, int shared = -1) {
  const int kind = shared < 0 ? MAP_PRIVATE | MAP_ANONYMOUS : MAP_SHARED;
  void* p = mmap(nullptr, bytes, PROT_READ | PROT_WRITE, kind | MAP_NORESERVE, shared, 0);
  if (p == MAP_FAILED) throw std::bad_alloc();
  return static_cast<std::byte*>(p);
}

UniqueFd make_shared_memory(std::uint64_t bytes) {
  UniqueFd memory(memfd_create("warpbook-device", MFD_CLOEXEC));
  if (!memory || ftruncate(memory.get(), static_cast<off_t>(bytes)) != 0) throw std::bad_alloc();
  return memory;
}

/// Returns the pages that are entirely inside to the system and zeroes the rest.
void zero(std::byte* begin, std::uint64_t bytes, bool shared) {
  const auto first = reinterpret_cast<std::uintptr_t>(begin);
  const std::uintptr_t page_begin = round_up(first, kPage),
                       page_end = (first + bytes) / kPage * kPage;
  if (page_begin >= page_end) {
    std::memset(begin, 0, bytes);
    return;
  }
  std::memset(begin, 0, page_begin - first);
  madvise(reinterpret_cast<void*>(page_begin), page_end - page_begin,
          shared ? MADV_REMOVE : MADV_DONTNEED);
  std::memset(reinterpret_cast<void*>(page_end), 0, first + bytes - page_end);
}

}  // namespace

const Allocation* AllocationTable::at(Pointer address) const {
  auto after = std::upper_bound(sorted_.begin(), sorted_.end(), address,
                                [](Pointer a, const Allocation& b) { return a < b.address; });
  if (after == sorted_.begin()) return nullptr;
  const Allocation& before = *std::prev(after);
  return address < before.end() ? &before : nullptr;
}

const Allocation* AllocationTable::near(Pointer address, std::uint64_t reach) const {
  if (const Allocation* inside = at(address)) return inside;
  auto after = std::upper_bound(sorted_.begin(), sorted_.end(), address,
                                [](Pointer a, const Allocation& b) { return a < b.address; });
  const Allocation* nearest = nullptr;
  std::uint64_t distance = ~std::uint64_t{0};
  // Most stray accesses run past an end, so a tie goes to the allocation before.
  if (after != sorted_.begin()) {
    const Allocation& before = *std::prev(after);
    distance = address - before.end();
    if (distance <= std::max(reach, before.bytes)) nearest = &before;
  }
  if (after != sorted_.end() && after->address - address < distance &&
      after->address - address <= std::max(reach, after->bytes)) {
    nearest = &*after;
  }
  return nearest;
}

const Allocation* AllocationTable::near_in_use(Pointer address) const {
  const Allocation* nearest = nullptr;
  std::uint64_t least = ~std::uint64_t{0};
  for (const Allocation& a : sorted_) {
    const std::uint64_t distance = address < a.address  ? a.address - address
                                   : address >= a.end() ? address - a.end()
                                                        : 0;
    if (a.freed || distance > a.bytes || distance >= least) continue;
    least = distance;
    nearest = &a;
  }
  return nearest;
}

GlobalMemory::GlobalMemory(std::uint64_t capacity, bool shared)
    // Twice the capacity, so that quarantine and red zones never make an allocation fail that a GPU would grant.
    : capacity_(capacity),
      region_(round_up(2 * capacity + (64u << 20), kPage)),
      next_(kGlobalBase + kPage),
      objects_(std::make_unique<TextureObjects>()) {
  if (shared) shared_ = make_shared_memory(region_);
  base_ = reserve(region_, shared_.get());
  try {
    validity_ = reinterpret_cast<std::uint8_t*>(reserve(region_ / 4));
  } catch (...) {
    munmap(base_, region_);
    throw;
  }
}

GlobalMemory::~GlobalMemory() {
  munmap(base_, region_);
  munmap(validity_, region_ / 4);
}

void GlobalMemory::table_changed() {
  table_.reset();
  version_.fetch_add(1, std::memory_order_release);
}

void GlobalMemory::forget_oldest(std::vector<Pointer>& quarantine) {
  const Pointer oldest = quarantine.front();
  quarantine.erase(quarantine.begin());
  quarantined_ -= allocations_.at(oldest).bytes;
  allocations_.erase(oldest);
}

Expected<Pointer> GlobalMemory::allocate(std::string name, ElementType type, std::uint64_t bytes,
                                         AllocationKind kind, bool own_pages) {
  const std::uint64_t alignment = own_pages ? kPage : kAllocationAlignment;
  std::lock_guard lock(mutex_);
  const auto refuse = [&] {
    return failure(ErrorCode::out_of_memory, {{"bytes", std::to_string(bytes)},
                                              {"name", name},
                                              {"free", std::to_string(capacity_ - committed_)}});
  };
  if (bytes > capacity_ - committed_) return refuse();
  const std::uint64_t span = round_up(bytes, alignment) + kRedZoneBytes;
  // Where another process maps the memory, an allocation begins at a page just if that page is its own.
  const auto place = [&](Pointer from) {
    const Pointer at = round_up(from, alignment);
    return shared_ && !own_pages && at % kPage == 0 ? at + kAllocationAlignment : at;
  };
  Pointer address = place(next_ + kRedZoneBytes);
  if (address + span > kGlobalBase + region_) {
    // The top is reached: look for a gap, letting go of the oldest freed ranges until there is one.
    for (;;) {
      Pointer candidate = place(kGlobalBase + kPage + kRedZoneBytes);
      for (const auto& [start, allocation] : allocations_) {
        if (start >= candidate + span) break;
        candidate = place(allocation.end() + kRedZoneBytes);
      }
      if (candidate + span <= kGlobalBase + region_) {
        address = candidate;
        break;
      }
      std::vector<Pointer>& quarantine = quarantine_.empty() ? heap_quarantine_ : quarantine_;
      if (quarantine.empty()) return refuse();
      forget_oldest(quarantine);
    }
  } else {
    next_ = own_pages ? address + round_up(bytes, kPage) : address + bytes;
  }
  if (name.empty()) name = "unnamed";
  allocations_[address] = Allocation{std::move(name), type, address, bytes, kind, false};
  committed_ += bytes;
  table_changed();
  return address;
}

Expected<void> GlobalMemory::release(Pointer address, std::string_view call,
                                     std::optional<AllocationKind> only) {
  if (address == 0) return {};
  std::lock_guard lock(mutex_);
  const auto found = allocations_.find(address);
  if (found != allocations_.end() && found->second.freed &&
      (!only || found->second.kind == *only)) {
    return failure(ErrorCode::double_free, {{"call", std::string(call)},
                                            {"name", found->second.name},
                                            {"address", fmt::format("{:#x}", address)}});
  }
  if (found == allocations_.end() || (only && found->second.kind != *only)) {
    return failure(ErrorCode::bad_pointer,
                   {{"call", std::string(call)}, {"address", fmt::format("{:#x}", address)}});
  }
  Allocation& allocation = found->second;
  allocation.freed = true;
  fingerprints_.erase(address);
  committed_ -= allocation.bytes;
  quarantined_ += allocation.bytes;
  zero(base_ + (address - kGlobalBase), allocation.bytes, static_cast<bool>(shared_));
  zero(reinterpret_cast<std::byte*>(validity_) + (address - kGlobalBase) / 4,
       (allocation.bytes + 3) / 4, false);
  const bool heap = allocation.kind == AllocationKind::heap;
  std::vector<Pointer>& quarantine = heap ? heap_quarantine_ : quarantine_;
  quarantine.push_back(address);
  if (quarantine.size() > (heap ? kQuarantinedOnHeap : kQuarantinedAllocations))
    forget_oldest(quarantine);
  table_changed();
  return {};
}

std::shared_ptr<const AllocationTable> GlobalMemory::table() const {
  std::lock_guard lock(mutex_);
  if (!table_) {
    std::vector<Allocation> sorted;
    sorted.reserve(allocations_.size());
    for (const auto& [address, allocation] : allocations_) sorted.push_back(allocation);
    table_ = std::make_shared<const AllocationTable>(std::move(sorted));
  }
  return table_;
}

std::span<std::byte> GlobalMemory::bytes_of(Pointer address, std::uint64_t bytes) const {
  return {base_ + (address - kGlobalBase), bytes};
}

std::span<std::byte> GlobalMemory::validity_of(Pointer address, std::uint64_t bytes) const {
  return std::as_writable_bytes(
      std::span(validity_ + (address - kGlobalBase) / 4, (bytes + 3) / 4));
}

std::uint64_t GlobalMemory::bytes_to_look_at(const Allocation& allocation) const {
  std::lock_guard lock(mutex_);
  if (fingerprints_.contains(allocation.address)) return 0;
  std::uint64_t bytes = 0;
  for (const auto memory : {bytes_of(allocation.address, allocation.bytes),
                            validity_of(allocation.address, allocation.bytes)}) {
    for (const Stretch& stretch : touched(memory)) bytes += stretch.bytes;
  }
  return bytes;
}

Fingerprint GlobalMemory::fingerprint(const Allocation& allocation) {
  std::lock_guard lock(mutex_);
  const auto kept = fingerprints_.find(allocation.address);
  if (kept != fingerprints_.end()) return kept->second;
  const auto bytes = bytes_of(allocation.address, allocation.bytes),
             validity = validity_of(allocation.address, allocation.bytes);
  const Fingerprint both[] = {fingerprint_of_pages(bytes, touched(bytes)),
                              fingerprint_of_pages(validity, touched(validity))};
  return fingerprints_[allocation.address] = fingerprint_of(std::as_bytes(std::span(both)));
}

ChangedAllocation GlobalMemory::changed(const Allocation& allocation) {
  ChangedAllocation changed{allocation.address, {}, {}, fingerprint(allocation)};
  std::lock_guard lock(mutex_);
  const auto bytes = bytes_of(allocation.address, allocation.bytes),
             validity = validity_of(allocation.address, allocation.bytes);
  changed.bytes = image_of(bytes, touched(bytes));
  changed.validity = image_of(validity, touched(validity));
  return changed;
}

void GlobalMemory::restore(const Allocation& allocation, const ChangedAllocation& changed) {
  std::lock_guard lock(mutex_);
  put_back(changed.bytes, bytes_of(allocation.address, allocation.bytes));
  put_back(changed.validity, validity_of(allocation.address, allocation.bytes));
  fingerprints_[allocation.address] = changed.fingerprint;
}

void GlobalMemory::kernel_wrote(const std::set<Pointer>& allocations) {
  std::lock_guard lock(mutex_);
  std::erase_if(fingerprints_, [&](const auto& kept) {
    return allocations.contains(kept.first) ||
           allocations_.at(kept.first).kind == AllocationKind::array;
  });
}

std::shared_ptr<RaceShadow> GlobalMemory::take_race_shadow() {
  std::lock_guard lock(mutex_);
  return std::exchange(race_shadow_, nullptr);
}

void GlobalMemory::keep_race_shadow(std::shared_ptr<RaceShadow> shadow) {
  std::lock_guard lock(mutex_);
  race_shadow_ = std::move(shadow);
}

std::uint64_t GlobalMemory::committed() const {
  std::lock_guard lock(mutex_);
  return committed_;
}

Expected<const Allocation*> GlobalMemory::range(Pointer address, std::uint64_t bytes,
                                                std::string_view call) const {
  auto after = allocations_.upper_bound(address);
  const Allocation* a = after == allocations_.begin() ? nullptr : &std::prev(after)->second;
  if (!a || address > a->end() || a->freed) {
    return failure(ErrorCode::bad_pointer,
                   {{"call", std::string(call)}, {"address", fmt::format("{:#x}", address)}});
  }
  if (bytes > a->end() - address) {
    return failure(ErrorCode::copy_out_of_bounds, {{"call", std::string(call)},
                                                   {"bytes", std::to_string(bytes)},
                                                   {"address", fmt::format("{:#x}", address)},
                                                   {"name", a->name},
                                                   {"size", std::to_string(a->bytes)}});
  }
  return a;
}

Expected<void> GlobalMemory::read(Pointer from, std::span<std::byte> to,
                                  std::string_view call) const {
  if (to.empty()) return {};
  std::lock_guard lock(mutex_);
  if (auto ok = range(from, to.size(), call); !ok) return tl::unexpected(ok.error());
  std::memcpy(to.data(), base_ + (from - kGlobalBase), to.size());
  return {};
}

Expected<void> GlobalMemory::write(Pointer to, std::span<const std::byte> from,
                                   std::string_view call) {
  if (from.empty()) return {};
  std::lock_guard lock(mutex_);
  const auto written = range(to, from.size(), call);
  if (!written) return tl::unexpected(written.error());
  fingerprints_.erase((*written)->address);
  std::memcpy(base_ + (to - kGlobalBase), from.data(), from.size());
  mark_valid(to, from.size());
  return {};
}

Expected<void> GlobalMemory::fill(Pointer to, std::byte value, std::uint64_t bytes,
                                  std::string_view call) {
  if (bytes == 0) return {};
  std::lock_guard lock(mutex_);
  const auto written = range(to, bytes, call);
  if (!written) return tl::unexpected(written.error());
  fingerprints_.erase((*written)->address);
  if (value == std::byte{0} && !shared_) {
    fill_with_zeros(bytes_of(to, bytes));
  } else {
    std::memset(base_ + (to - kGlobalBase), static_cast<int>(value), bytes);
  }
  mark_valid(to, bytes);
  return {};
}

Expected<void> GlobalMemory::copy(Pointer to, Pointer from, std::uint64_t bytes,
                                  std::string_view call) {
  if (bytes == 0) return {};
  std::lock_guard lock(mutex_);
  if (auto ok = range(from, bytes, call); !ok) return tl::unexpected(ok.error());
  const auto written = range(to, bytes, call);
  if (!written) return tl::unexpected(written.error());
  fingerprints_.erase((*written)->address);
  std::memmove(base_ + (to - kGlobalBase), base_ + (from - kGlobalBase), bytes);
  std::uint8_t* target = validity_ + (to - kGlobalBase) / 4;
  const std::uint8_t* source = validity_ + (from - kGlobalBase) / 4;
  if (to % 4 == 0 && from % 4 == 0 && bytes % 4 == 0) {
    std::memmove(target, source, bytes / 4);
    return {};
  }
  std::vector<bool> valid(bytes);
  for (std::uint64_t i = 0; i < bytes; ++i) valid[i] = all_valid(from + i, 1);
  for (std::uint64_t i = 0; i < bytes; ++i) {
    const std::uint64_t at = to + i - kGlobalBase;
    const auto bit = static_cast<std::uint8_t>(1u << (at % 4));
    validity_[at / 4] =
        static_cast<std::uint8_t>(valid[i] ? validity_[at / 4] | bit : validity_[at / 4] & ~bit);
  }
  return {};
}

void GlobalMemory::mark_valid(Pointer address, std::uint64_t bytes) {
  std::uint64_t at = address - kGlobalBase;
  const std::uint64_t end = at + bytes;
  for (; at < end && at % 4 != 0; ++at)
    validity_[at / 4] |= static_cast<std::uint8_t>(1u << (at % 4));
  const std::uint64_t whole = at < end ? (end - at) / 4 : 0;
  std::memset(validity_ + at / 4, 0xf, whole);
  for (at += whole * 4; at < end; ++at)
    validity_[at / 4] |= static_cast<std::uint8_t>(1u << (at % 4));
}

bool GlobalMemory::all_valid(Pointer address, std::uint64_t bytes) const {
  const std::uint64_t begin = address - kGlobalBase, end = begin + bytes;
  for (std::uint64_t at = begin; at < end;) {
    if (at % 4 == 0 && end - at >= 4) {
      if (validity_[at / 4] != 0xf) return false;
      at += 4;
    } else {
      if (!(validity_[at / 4] >> (at % 4) & 1)) return false;
      ++at;
    }
  }
  return true;
}

}  // namespace warpbook::device
