// What launches on the simulator did, kept for the same launches of later runs: who changes one parameter of a chapter has the
// kernels that it does not reach run again as they ran before.
#pragma once

#include <compare>
#include <cstddef>
#include <cstdint>
#include <list>
#include <map>
#include <memory>
#include <mutex>
#include <span>
#include <utility>
#include <vector>

#include "device/launch_record.hpp"
#include "device/types.hpp"

namespace warpbook::device {

/// 128 bits of XXH3, by which contents of memory and whole launches are told apart.
struct Fingerprint {
  std::uint64_t low = 0, high = 0;
  friend auto operator<=>(const Fingerprint&, const Fingerprint&) = default;
};

Fingerprint fingerprint_of(std::span<const std::byte> bytes);

/// What memory holds besides zeros.
struct MemoryImage {
  struct Part {
    std::uint64_t offset = 0, bytes = 0;
    bool uniform = false;  ///< all of its bytes have one value
  };
  std::vector<Part> parts;          ///< in ascending order
  std::vector<std::byte> contents;  ///< of the parts, one after the other; of a uniform one a byte
};

/// An allocation after a launch that changed it.
struct ChangedAllocation {
  Pointer address = 0;
  MemoryImage bytes;
  MemoryImage validity;     ///< as GlobalMemory has it
  Fingerprint fingerprint;  ///< of both
};

struct RememberedLaunch {
  LaunchRecord record;
  std::vector<ChangedAllocation> changed;
};

/// Launches by the fingerprint of all that they depend on. Calls may come from any thread.
class LaunchMemo {
 public:
  /// Keeps so many bytes of them, those that were asked for last.
  explicit LaunchMemo(std::uint64_t bytes) : room_(bytes) {}

  /// Null where it is not kept.
  std::shared_ptr<const RememberedLaunch> find(const Fingerprint& launch);
  void keep(const Fingerprint& launch, std::shared_ptr<const RememberedLaunch> remembered);
  /// That are kept now.
  [[nodiscard]] std::uint64_t bytes() const;

 private:
  struct Kept {
    Fingerprint launch;
    std::shared_ptr<const RememberedLaunch> what;
    std::uint64_t bytes = 0;
  };

  std::uint64_t room_;
  mutable std::mutex mutex_;
  std::list<Kept> kept_;  ///< the one that was asked for last first
  std::map<Fingerprint, std::list<Kept>::iterator> by_launch_;
  std::uint64_t bytes_ = 0;
};

}  // namespace warpbook::device
