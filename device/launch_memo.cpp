#include "device/launch_memo.hpp"

#include <xxhash.h>

#include "device/wire/held_bytes.hpp"

namespace warpbook::device {
namespace {

std::uint64_t bytes_of(const RememberedLaunch& launch) {
  std::uint64_t bytes = sizeof launch + held_bytes(launch.record) +
                        launch.changed.capacity() * sizeof(ChangedAllocation);
  for (const ChangedAllocation& changed : launch.changed) {
    for (const MemoryImage* image : {&changed.bytes, &changed.validity})
      bytes += held_bytes(image->parts) + held_bytes(image->contents);
  }
  return bytes;
}

}  // namespace

Fingerprint fingerprint_of(std::span<const std::byte> bytes) {
  const XXH128_hash_t hash = XXH3_128bits(bytes.data(), bytes.size());
  return {hash.low64, hash.high64};
}

std::shared_ptr<const RememberedLaunch> LaunchMemo::find(const Fingerprint& launch) {
  std::lock_guard lock(mutex_);
  const auto found = by_launch_.find(launch);
  if (found == by_launch_.end()) return nullptr;
  kept_.splice(kept_.begin(), kept_, found->second);
  return found->second->what;
}

std::uint64_t LaunchMemo::bytes() const {
  std::lock_guard lock(mutex_);
  return bytes_;
}

void LaunchMemo::keep(const Fingerprint& launch,
                      std::shared_ptr<const RememberedLaunch> remembered) {
  const std::uint64_t bytes = bytes_of(*remembered);
  std::lock_guard lock(mutex_);
  if (bytes > room_ || by_launch_.contains(launch)) return;
  kept_.push_front({launch, std::move(remembered), bytes});
  by_launch_[launch] = kept_.begin();
  bytes_ += bytes;
  while (bytes_ > room_) {
    bytes_ -= kept_.back().bytes;
    by_launch_.erase(kept_.back().launch);
    kept_.pop_back();
  }
}

}  // namespace warpbook::device
