// Global memory of one simulated device: a reserved region, its allocations, and which bytes were ever written.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "device/error.hpp"
#include "device/launch_memo.hpp"
#include "device/simulator/isa/address_windows.hpp"
#include "device/simulator/state/touched_memory.hpp"
#include "device/types.hpp"
#include "device/unique_fd.hpp"

namespace warpbook::device {

inline constexpr std::uint64_t kAllocationAlignment = 256;
inline constexpr std::uint64_t kRedZoneBytes = 256;  ///< before and after every allocation

class TextureObjects;

enum class AllocationKind : std::uint8_t {
  buffer,    ///< the host asked for it
  variable,  ///< a module's .global
  constant,  ///< a module's .const; kernels may not write it
  heap,      ///< malloc() in a kernel
  array      ///< a CUDA array; reached through texture and surface objects only
};

struct Allocation {
  std::string name;
  ElementType type = ElementType::u8;
  Pointer address = 0;
  std::uint64_t bytes = 0;
  AllocationKind kind = AllocationKind::buffer;
  bool freed =
      false;  ///< in quarantine: accesses are findings, the addresses are not given out again yet

  [[nodiscard]] Pointer end() const { return address + bytes; }
};

/// All allocations at one moment, live and freed, by address. Immutable, so that a running kernel reads it unlocked.
class AllocationTable {
 public:
  explicit AllocationTable(std::vector<Allocation> sorted) : sorted_(std::move(sorted)) {}
  /// The allocation that holds `address`, or null. May be a freed one.
  [[nodiscard]] const Allocation* at(Pointer address) const;
  /// The allocation whose edge is nearest to `address` and no further than `reach` bytes or its own size, or null.
  [[nodiscard]] const Allocation* near(Pointer address, std::uint64_t reach = 1u << 20) const;
  /// The allocation in use whose edge is nearest to `address` and no further than its own size, or null.
  [[nodiscard]] const Allocation* near_in_use(Pointer address) const;
  [[nodiscard]] std::span<const Allocation> all() const { return sorted_; }

 private:
  std::vector<Allocation> sorted_;
};

class RaceShadow;

/// A device's global memory. Host calls may come from any thread; kernels touch the bytes through base().
///
/// Validity: one byte for each 4-byte granule, whose low four bits say which of its bytes were written. It is at a
/// constant place: granule g = (address - kGlobalBase) / 4 is validity()[g].
class GlobalMemory {
 public:
  /// Reserves address space for `capacity` bytes and their validity; commits nothing. `shared`: the bytes lie in a memfd, which
  /// another process may map.
  explicit GlobalMemory(std::uint64_t capacity, bool shared = false);
  ~GlobalMemory();
  GlobalMemory(const GlobalMemory&) = delete;
  GlobalMemory& operator=(const GlobalMemory&) = delete;

  /// Aligned to 256, red zones around it, zeroed but not valid. 0 bytes give an address that no access may use.
  /// out_of_memory where the capacity does not suffice.
  /// `own_pages`: no other allocation lies in its pages of 4,096 bytes.
  Expected<Pointer> allocate(std::string name, ElementType type, std::uint64_t bytes,
                             AllocationKind kind = AllocationKind::buffer, bool own_pages = false);
  /// Frees what starts at `address` (0 does nothing) into quarantine. bad_pointer where nothing starts there, or nothing
  /// of the kind that is asked for; double_free where it is in quarantine already.
  Expected<void> release(Pointer address, std::string_view call = "free",
                         std::optional<AllocationKind> only = {});

  [[nodiscard]] std::shared_ptr<const AllocationTable> table() const;
  /// Grows with every allocate and release.
  [[nodiscard]] std::uint64_t version() const { return version_.load(std::memory_order_acquire); }

  // From the host. `call` names the caller's function in errors (copy_out_of_bounds). Writing marks bytes as valid;
  // copying copies validity.
  Expected<void> read(Pointer from, std::span<std::byte> to,
                      std::string_view call = "copy_out") const;
  Expected<void> write(Pointer to, std::span<const std::byte> from,
                       std::string_view call = "copy_in");
  Expected<void> fill(Pointer to, std::byte value, std::uint64_t bytes,
                      std::string_view call = "fill");
  Expected<void> copy(Pointer to, Pointer from, std::uint64_t bytes,
                      std::string_view call = "copy");

  [[nodiscard]] std::uint64_t capacity() const { return capacity_; }
  /// The memfd of shared memory, which holds the byte at kGlobalBase first, and its length; -1 of other memory.
  [[nodiscard]] int shared_fd() const { return shared_.get(); }
  [[nodiscard]] std::uint64_t region_bytes() const { return region_; }
  [[nodiscard]] std::uint64_t committed() const;
  [[nodiscard]] std::uint64_t free_bytes() const { return capacity_ - committed(); }

  /// The device's arrays, texture and surface objects.
  [[nodiscard]] TextureObjects& objects() const { return *objects_; }

  /// Host address of kGlobalBase. Only handlers use it, and only for accesses inside a live allocation.
  [[nodiscard]] std::byte* base() const { return base_; }
  [[nodiscard]] std::uint8_t* validity() const { return validity_; }
  void mark_valid(Pointer address, std::uint64_t bytes);
  [[nodiscard]] bool all_valid(Pointer address, std::uint64_t bytes) const;

  // What launches are recalled by; only of memory that is not shared.

  /// How many bytes fingerprint() has to look at, which is none where it is still known.
  [[nodiscard]] std::uint64_t bytes_to_look_at(const Allocation& allocation) const;
  /// Of the bytes of an allocation in use and their validity. It is kept until the host or a kernel writes there.
  [[nodiscard]] Fingerprint fingerprint(const Allocation& allocation);
  /// What a launch left in an allocation, and the same put there again.
  [[nodiscard]] ChangedAllocation changed(const Allocation& allocation);
  void restore(const Allocation& allocation, const ChangedAllocation& changed);
  /// A kernel has run. It may have written to these allocations, and to arrays, which are reached by other instructions.
  void kernel_wrote(const std::set<Pointer>& allocations);

  /// racecheck's cells, from one launch to the next: null where there are none, or a launch has them.
  [[nodiscard]] std::shared_ptr<RaceShadow> take_race_shadow();
  void keep_race_shadow(std::shared_ptr<RaceShadow> shadow);

 private:
  Expected<const Allocation*> range(Pointer address, std::uint64_t bytes,
                                    std::string_view call) const;
  [[nodiscard]] std::span<std::byte> bytes_of(Pointer address, std::uint64_t bytes) const;
  [[nodiscard]] std::span<std::byte> validity_of(Pointer address, std::uint64_t bytes) const;
  void table_changed();
  void forget_oldest(std::vector<Pointer>& quarantine);

  std::uint64_t capacity_ = 0, region_ = 0;
  UniqueFd shared_;
  std::byte* base_ = nullptr;
  std::uint8_t* validity_ = nullptr;
  mutable std::mutex mutex_;
  std::map<Pointer, Allocation> allocations_;
  std::vector<Pointer> quarantine_, heap_quarantine_;  ///< oldest first
  std::uint64_t committed_ = 0, quarantined_ = 0;
  Pointer next_ = 0;  ///< above every allocation made so far
  /// Made when it is asked for: a kernel's malloc and free change it thousands of times between.
  mutable std::shared_ptr<const AllocationTable> table_;
  std::atomic<std::uint64_t> version_{0};
  std::unique_ptr<TextureObjects> objects_;
  std::shared_ptr<RaceShadow> race_shadow_;
  std::map<Pointer, Fingerprint> fingerprints_;
};

}  // namespace warpbook::device
