#include "device/launch_memo.hpp"

#include <xxhash.h>

namespace warpbook::device {
namespace {

template <class T>
std::uint64_t bytes_in(const std::vector<T>& values) {
  return values.size() * sizeof(T);
}

std::uint64_t bytes_in(const MemoryImage& image) {
  return bytes_in(image.parts) + bytes_in(image.contents);
}

/// Of what may be large; the rest of a record is a few kilobytes.
std::uint64_t bytes_of(const RememberedLaunch& launch) {
  const LaunchRecord& record = launch.record;
  std::uint64_t bytes = sizeof launch + bytes_in(record.instructions) + bytes_in(record.lines) +
                        bytes_in(record.trace) + bytes_in(record.issues) +
                        bytes_in(record.findings) + record.output.size();
  for (const WriteMap& map : record.written) bytes += bytes_in(map.writes) + bytes_in(map.writer);
  for (const ChangedAllocation& changed : launch.changed)
    bytes += bytes_in(changed.bytes) + bytes_in(changed.validity);
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
