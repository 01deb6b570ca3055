// What the kernels of a whole program store to global memory, with what they leave there: by it a check knows which results are
// theirs, and which the host's.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "device/runtime/service.hpp"

namespace warpbook::lab {

/// Bytes without a gap between them, each of which a kernel has stored, as they are when it has ended.
struct StoredRun {
  std::uint64_t address = 0;
  std::vector<std::byte> bytes;
};

/// All that one launch stores.
struct KernelStores {
  std::uint64_t call = 0;         ///< that launched it
  std::vector<StoredRun> runs;    ///< by address
  std::uint64_t allocations = 0;  ///< that its threads make, with malloc or new
  std::uint64_t kept_bytes =
      0;  ///< of such allocations, of earlier launches as well, that are not freed when it has ended
  std::uint64_t bytes = 0;                      ///< as often as its threads store them
  std::vector<device::runtime::Extent> used{};  ///< all that it loads or stores, by address
  std::uint32_t device = 0;                     ///< that it ran on
};

/// From the launch's trace, which has to hold all of its accesses.
KernelStores stores_of(const device::runtime::LaunchNote& note, const device::LaunchRecord& record,
                       const device::GlobalMemory& memory);

/// The first of `numbers` that the runs do not hold; their size where all are there. A number may be stored as an int, a long long, a
/// float or a double, and has to be there as often as it occurs.
std::size_t first_not_held(const std::vector<std::int64_t>& numbers,
                           const std::vector<StoredRun>& runs);

/// What all launches have left where they stored: of what several stored to, the last. Runs have gaps between them.
std::vector<StoredRun> left_by(std::vector<KernelStores> launches);

/// Whether one of the runs holds the numbers one after the other: as whole numbers of two, four or eight bytes, or as floats or doubles.
bool hold_in_order(const std::vector<StoredRun>& runs, const std::vector<std::int64_t>& numbers);

/// Whether the runs hold more than half of the different ones of `numbers`.
bool hold_most(const std::vector<StoredRun>& runs, const std::vector<std::int64_t>& numbers);

}  // namespace warpbook::lab
