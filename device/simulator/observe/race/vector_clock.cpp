#include "device/simulator/observe/race/vector_clock.hpp"

#include <algorithm>

namespace warpbook::device {
namespace {

bool by_component(const std::pair<std::uint64_t, std::uint32_t>& entry, std::uint64_t component) {
  return entry.first < component;
}

}  // namespace

bool VectorClock::covers(std::uint64_t component, std::uint32_t segment) const {
  const auto found = std::lower_bound(entries_.begin(), entries_.end(), component, by_component);
  return found != entries_.end() && found->first == component && segment < found->second;
}

bool VectorClock::orders(std::uint32_t block, std::uint32_t thread, std::uint32_t segment,
                         bool strong) const {
  return segment < all_below_ || covers(block_component(block), segment) ||
         covers(warp_component(block, thread / 32), segment) ||
         covers(thread_component(block, thread), segment) ||
         (strong && covers(strong_component(block, thread), segment));
}

void VectorClock::raise(std::uint64_t component, std::uint32_t below) {
  const auto found = std::lower_bound(entries_.begin(), entries_.end(), component, by_component);
  if (found != entries_.end() && found->first == component)
    found->second = std::max(found->second, below);
  else
    entries_.insert(found, {component, below});
  bound();
}

void VectorClock::join(const VectorClock& other) {
  all_below_ = std::max(all_below_, other.all_below_);
  copies_below_ = std::max(copies_below_, other.copies_below_);
  if (other.entries_.empty()) return;
  std::vector<std::pair<std::uint64_t, std::uint32_t>> both;
  both.reserve(entries_.size() + other.entries_.size());
  auto a = entries_.begin();
  auto b = other.entries_.begin();
  while (a != entries_.end() || b != other.entries_.end()) {
    if (b == other.entries_.end() || (a != entries_.end() && a->first < b->first)) {
      both.push_back(*a++);
    } else if (a == entries_.end() || b->first < a->first) {
      both.push_back(*b++);
    } else {
      both.emplace_back(a->first, std::max(a->second, b->second));
      ++a, ++b;
    }
  }
  entries_ = std::move(both);
  bound();
}

void VectorClock::forget(std::uint32_t block) {
  std::erase_if(entries_, [&](const auto& entry) { return entry.first >> 12 == block; });
}

void VectorClock::bound() {
  if (entries_.size() <= kMostEntries) return;
  for (const auto& [component, below] : entries_) {
    std::uint32_t& all = component >> 63 != 0 ? copies_below_ : all_below_;
    all = std::max(all, below);
  }
  entries_.clear();
}

SharedClock joined(const SharedClock& a, const SharedClock& b) {
  if (!a || a == b) return b;
  if (!b) return a;
  auto both = std::make_shared<VectorClock>(*a);
  both->join(*b);
  return both;
}

}  // namespace warpbook::device
