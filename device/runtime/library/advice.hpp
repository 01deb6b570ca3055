// What programs advise about ranges of managed memory, and where they prefetched them: the simulator does nothing with it, but they
// may ask for it again.
#pragma once

#include <driver_types.h>

#include <cstdint>
#include <functional>
#include <map>
#include <mutex>
#include <optional>
#include <set>

namespace warpbook::device::runtime {

/// The number that stands for a host or for no device where a location is a single number (cudaCpuDeviceId, cudaInvalidDeviceId).
inline constexpr int kHostId = -1, kNoDeviceId = -2;

struct Advice {
  bool read_mostly = false;
  cudaMemLocation preferred{cudaMemLocationTypeInvalid, {kNoDeviceId}};
  cudaMemLocation prefetched{cudaMemLocationTypeInvalid, {kNoDeviceId}};
  std::set<int> accessed_by;
};

class AdvisedRanges {
 public:
  static AdvisedRanges& get();
  void change(std::uint64_t begin, std::uint64_t bytes, const std::function<void(Advice&)>& how);
  /// Memory that was freed: nothing is known about it any more.
  void forget(std::uint64_t begin, std::uint64_t bytes);
  /// Calls `each` with every advice that holds somewhere in the range.
  void visit(std::uint64_t begin, std::uint64_t bytes,
             const std::function<void(const Advice&)>& each);

 private:
  /// The part that begins at an address, split off if there is none yet. With the mutex held.
  std::map<std::uint64_t, Advice>::iterator split(std::uint64_t at);

  std::mutex mutex_;
  std::map<std::uint64_t, Advice> parts_{{0, {}}};  ///< from each address to the next
};

}  // namespace warpbook::device::runtime
