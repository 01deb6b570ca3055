#include "device/simulator/observe/race/vector_clock.hpp"

#include <algorithm>

namespace warpbook::device {
namespace {

bool by_name(const std::pair<std::uint64_t, std::uint32_t>& entry, std::uint64_t name) {
  return entry.first < name;
}

}  // namespace

bool Clock::knows(std::uint64_t name, std::uint32_t segment) const {
  const auto found = std::lower_bound(known_.begin(), known_.end(), name, by_name);
  return found != known_.end() && found->first == name && segment < found->second;
}

bool Clock::orders(std::uint32_t block, std::uint32_t thread, std::uint32_t segment,
                   bool strong) const {
  return segment < everything_below_ || knows(whole_block(block), segment) ||
         knows(one_warp(block, thread / 32), segment) ||
         knows(one_thread(block, thread), segment) ||
         (strong && knows(strong_ones(block, thread), segment));
}

void Clock::learn(std::uint64_t name, std::uint32_t below) {
  const auto found = std::lower_bound(known_.begin(), known_.end(), name, by_name);
  if (found != known_.end() && found->first == name)
    found->second = std::max(found->second, below);
  else
    known_.insert(found, {name, below});
  bound();
}

void Clock::join(const Clock& other) {
  everything_below_ = std::max(everything_below_, other.everything_below_);
  copies_below_ = std::max(copies_below_, other.copies_below_);
  if (other.known_.empty()) return;
  std::vector<std::pair<std::uint64_t, std::uint32_t>> both;
  both.reserve(known_.size() + other.known_.size());
  auto a = known_.begin();
  auto b = other.known_.begin();
  while (a != known_.end() || b != other.known_.end()) {
    if (b == other.known_.end() || (a != known_.end() && a->first < b->first)) {
      both.push_back(*a++);
    } else if (a == known_.end() || b->first < a->first) {
      both.push_back(*b++);
    } else {
      both.emplace_back(a->first, std::max(a->second, b->second));
      ++a, ++b;
    }
  }
  known_ = std::move(both);
  bound();
}

void Clock::forget(std::uint32_t block) {
  std::erase_if(known_, [&](const auto& entry) { return entry.first >> 12 == block; });
}

void Clock::bound() {
  if (known_.size() <= kMost) return;
  for (const auto& [name, below] : known_) {
    std::uint32_t& all = name >> 63 != 0 ? copies_below_ : everything_below_;
    all = std::max(all, below);
  }
  known_.clear();
}

SharedClock joined(const SharedClock& a, const SharedClock& b) {
  if (!a || a == b) return b;
  if (!b) return a;
  auto both = std::make_shared<Clock>(*a);
  both->join(*b);
  return both;
}

}  // namespace warpbook::device
