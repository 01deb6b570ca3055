// Vector clocks: what a thread knows to have happened before it beyond what its block's barriers order. Only threads that
// synchronise through memory, mbarriers or a part of their block have one.
//
// A clock maps components to segment numbers. The entry {component, n} says: everything that this component did in segments below n
// happened before. Joining two clocks takes the greater number of each component (C. Fidge, "Timestamps in Message-Passing Systems",
// 1988; F. Mattern, "Virtual Time and Global States of Distributed Systems", 1989). Components are whole blocks, warps or
// single threads, because a barrier orders all threads of a block at once and one entry should suffice to say so.
#pragma once

#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

namespace warpbook::device {

// Components of a clock. The bits from 12 on are the block; the low ones are all ones for the whole block, or name a warp or a thread.
[[nodiscard]] inline std::uint64_t block_component(std::uint32_t block) {
  return std::uint64_t{block} << 12 | 0xfff;
}
[[nodiscard]] inline std::uint64_t warp_component(std::uint32_t block, std::uint32_t warp) {
  return std::uint64_t{block} << 12 | 0x800 | warp;
}
[[nodiscard]] inline std::uint64_t thread_component(std::uint32_t block, std::uint32_t thread) {
  return std::uint64_t{block} << 12 | thread;
}
/// A thread's strong accesses alone: a thread that reads the value which a strong write left is ordered after that write itself, even
/// if no fence came before it.
[[nodiscard]] inline std::uint64_t strong_component(std::uint32_t block, std::uint32_t thread) {
  return std::uint64_t{block} << 12 | 0x400 | thread;
}
/// Those asynchronous copies of a thread that one mechanism completes (checker.hpp, Completion). Their numbers are those of copies.
[[nodiscard]] inline std::uint64_t copy_component(std::uint32_t block, std::uint32_t thread,
                                                  std::uint32_t completion) {
  return std::uint64_t{1} << 63 | std::uint64_t{block} << 15 | completion << 10 | thread;
}

/// Immutable once it is shared.
class VectorClock {
 public:
  /// Whether `segment` of this component happened before.
  [[nodiscard]] bool covers(std::uint64_t component, std::uint32_t segment) const;
  /// Whether this segment of `thread` of `block` happened before, by any of the components that include it. `strong`: it was a strong
  /// access, of which a clock may know more.
  [[nodiscard]] bool orders(std::uint32_t block, std::uint32_t thread, std::uint32_t segment,
                            bool strong) const;
  /// Whether a copy completed before.
  [[nodiscard]] bool covers_copy(std::uint64_t component, std::uint32_t copy) const {
    return copy < copies_below_ || covers(component, copy);
  }
  /// Raises a component's entry to `below`, unless it is as high already.
  void raise(std::uint64_t component, std::uint32_t below);
  void join(const VectorClock& other);
  /// Removes all entries of `block`'s threads, but not of their copies.
  void forget(std::uint32_t block);
  [[nodiscard]] bool empty() const {
    return entries_.empty() && all_below_ == 0 && copies_below_ == 0;
  }

 private:
  /// A clock that grows beyond so many entries is replaced by one that covers everything up to its highest number. Races may be
  /// missed then, but none is invented.
  static constexpr std::size_t kMostEntries = 1u << 14;
  void bound();

  std::vector<std::pair<std::uint64_t, std::uint32_t>> entries_;  ///< by component, ascending
  std::uint32_t all_below_ = 0, copies_below_ = 0;
};

/// Empty stands for the clock without entries.
using SharedClock = std::shared_ptr<const VectorClock>;

/// The join of both, which is one of them itself where the other is empty or the same.
[[nodiscard]] SharedClock joined(const SharedClock& a, const SharedClock& b);

}  // namespace warpbook::device
