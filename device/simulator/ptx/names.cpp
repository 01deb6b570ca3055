#include "device/simulator/ptx/names.hpp"

#include <cstring>

namespace warpbook::device::ptx {
namespace {

std::uint32_t hash_of(std::string_view name) {
  constexpr std::uint64_t kMultiplier = 0x9E3779B97F4A7C15u;
  std::uint64_t hash = name.size() * kMultiplier;
  const char* data = name.data();
  std::size_t left = name.size();
  for (; left >= 8; left -= 8, data += 8) {
    std::uint64_t part = 0;
    std::memcpy(&part, data, 8);
    hash = (hash ^ part) * kMultiplier;
    hash ^= hash >> 29;
  }
  std::uint64_t part = 0;
  if (left > 0) {  // an empty name may have no address
    std::memcpy(&part, data, left);
  }
  hash = (hash ^ part) * kMultiplier;
  return static_cast<std::uint32_t>(hash >> 32);
}

}  // namespace

Names::Names() : slots_(256, kNobody), scopes_(1, kNobody) {}

std::size_t Names::slot_of(std::string_view name, std::uint32_t hash) const {
  const std::size_t mask = slots_.size() - 1;
  std::size_t slot = hash & mask;
  while (slots_[slot] != kNobody) {
    const Entry& entry = entries_[slots_[slot]];
    if (entry.hash == hash && entry.name == name) {
      break;
    }
    slot = (slot + 1) & mask;
  }
  return slot;
}

void Names::grow() {
  slots_.assign(slots_.size() * 2, kNobody);
  const std::size_t mask = slots_.size() - 1;
  for (std::uint32_t i = 0; i < entries_.size(); ++i) {
    std::size_t slot = entries_[i].hash & mask;
    while (slots_[slot] != kNobody) {
      slot = (slot + 1) & mask;
    }
    slots_[slot] = i;
  }
}

bool Names::declare_at(std::uint32_t depth, std::string_view name, std::uint8_t kind,
                       std::uint32_t index) {
  const std::uint32_t hash = hash_of(name);
  std::size_t slot = slot_of(name, hash);
  if (slots_[slot] == kNobody) {
    if ((entries_.size() + 1) * 2 > slots_.size()) {
      grow();
      slot = slot_of(name, hash);
    }
    slots_[slot] = static_cast<std::uint32_t>(entries_.size());
    entries_.push_back({name, hash, kNobody});
  }
  const std::uint32_t entry = slots_[slot];
  const std::uint32_t hidden = entries_[entry].innermost;
  if (hidden != kNobody && bindings_[hidden].meaning.depth >= depth) {
    return false;
  }
  std::uint32_t binding = static_cast<std::uint32_t>(bindings_.size());
  if (free_.empty()) {
    bindings_.emplace_back();
  } else {
    binding = free_.back();
    free_.pop_back();
  }
  bindings_[binding] = {{kind, index, depth}, entry, hidden, scopes_[depth]};
  scopes_[depth] = binding;
  entries_[entry].innermost = binding;
  return true;
}

const Meaning* Names::find(std::string_view name, std::uint32_t below) const {
  const std::uint32_t entry = slots_[slot_of(name, hash_of(name))];
  if (entry == kNobody) {
    return nullptr;
  }
  std::uint32_t binding = entries_[entry].innermost;
  while (binding != kNobody && bindings_[binding].meaning.depth >= below) {
    binding = bindings_[binding].outer;
  }
  return binding == kNobody ? nullptr : &bindings_[binding].meaning;
}

void Names::close_scope() {
  for (std::uint32_t binding = scopes_.back(); binding != kNobody;
       binding = bindings_[binding].next_in_scope) {
    entries_[bindings_[binding].entry].innermost = bindings_[binding].outer;
    free_.push_back(binding);
  }
  scopes_.pop_back();
}

}  // namespace warpbook::device::ptx
