// What a thread knows to have happened before it, beyond its own block's barriers: only threads that synchronise through
// memory have one.
#pragma once

#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

namespace warpbook::device {

/// Names of whom a clock knows: a block, a warp of it, or a thread of it.
[[nodiscard]] inline std::uint64_t whole_block(std::uint32_t block) {
  return std::uint64_t{block} << 12 | 0xfff;
}
[[nodiscard]] inline std::uint64_t one_warp(std::uint32_t block, std::uint32_t warp) {
  return std::uint64_t{block} << 12 | 0x800 | warp;
}
[[nodiscard]] inline std::uint64_t one_thread(std::uint32_t block, std::uint32_t thread) {
  return std::uint64_t{block} << 12 | thread;
}
/// A thread's strong accesses alone: whoever sees what one left knows of it, fence or no fence before it.
[[nodiscard]] inline std::uint64_t strong_ones(std::uint32_t block, std::uint32_t thread) {
  return std::uint64_t{block} << 12 | 0x400 | thread;
}

/// Of the asynchronous copies of a thread, those that are completed in one way (race.hpp, Completion).
[[nodiscard]] inline std::uint64_t one_copier(std::uint32_t block, std::uint32_t thread,
                                              std::uint32_t completion) {
  return std::uint64_t{1} << 63 | std::uint64_t{block} << 15 | completion << 10 | thread;
}

/// By name: all that it did in segments below the number happened before. Immutable once it is shared.
class Clock {
 public:
  [[nodiscard]] bool knows(std::uint64_t name, std::uint32_t segment) const;
  /// Whether `thread` of `block`'s segment happened before, by any of the names; of strong accesses more may be known.
  [[nodiscard]] bool orders(std::uint32_t block, std::uint32_t thread, std::uint32_t segment,
                            bool strong) const;
  /// Whether a copy is complete.
  [[nodiscard]] bool knows_copy(std::uint64_t copier, std::uint32_t copy) const {
    return copy < copies_below_ || knows(copier, copy);
  }
  void learn(std::uint64_t name, std::uint32_t below);
  void join(const Clock& other);
  /// Leaves out what threads of `block` did, but for their copies.
  void forget(std::uint32_t block);
  [[nodiscard]] bool empty() const {
    return known_.empty() && everything_below_ == 0 && copies_below_ == 0;
  }

 private:
  /// A clock that has grown beyond all use knows everything so far: races are missed then, none is made up.
  static constexpr std::size_t kMost = 1u << 14;
  void bound();

  std::vector<std::pair<std::uint64_t, std::uint32_t>> known_;  ///< by name, ascending
  std::uint32_t everything_below_ = 0, copies_below_ = 0;
};

using SharedClock = std::shared_ptr<const Clock>;

/// Both; one of them itself where that is enough.
[[nodiscard]] SharedClock joined(const SharedClock& a, const SharedClock& b);

}  // namespace warpbook::device
