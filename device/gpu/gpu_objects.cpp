#include "device/gpu/gpu_objects.hpp"

#include <atomic>

#include <fmt/format.h>

namespace warpbook::device::gpu {

std::string_view name_of(ObjectKind kind) {
  return kind == ObjectKind::texture ? "texture" : "surface";
}

std::uint64_t GpuObjects::new_number() {
  static std::atomic<std::uint64_t> last_number = 0;
  return ++last_number;
}

tl::unexpected<Error> GpuObjects::unknown(std::string_view what, std::uint64_t handle) const {
  return failure(ErrorCode::invalid_handle,
                 {{"what", Message{"phrase.what." + std::string(what), {}, {}}},
                  {"id", fmt::format("{:#x}", handle)},
                  {"device", device_}});
}

Error GpuObjects::lost_error(const std::string& name) const {
  return {ErrorCode::memory_lost, {{"name", name}, {"cause", cause_}}, {}};
}

void GpuObjects::add(std::uint64_t number, ArrayState array, std::uint64_t generation) {
  const std::lock_guard lock(mutex_);
  arrays_[number] = {std::move(array), generation, false};
}

void GpuObjects::add(ObjectKind kind, std::uint64_t handle, std::string name,
                     std::uint64_t generation) {
  const std::lock_guard lock(mutex_);
  objects_.at(static_cast<std::size_t>(kind))[handle] = {std::move(name), generation, false};
}

void GpuObjects::lose(std::uint64_t generation, const std::string& cause) {
  const std::lock_guard lock(mutex_);
  const auto lose_old = [&](auto& kept) {
    if (kept.generation >= generation || kept.lost) return;
    kept.lost = true;
    cause_ = cause;
  };
  for (auto& [number, kept] : arrays_) lose_old(kept);
  for (auto& of_kind : objects_) {
    for (auto& [handle, kept] : of_kind) lose_old(kept);
  }
}

Expected<ArrayState> GpuObjects::array(std::uint64_t number) const {
  const std::lock_guard lock(mutex_);
  const auto found = arrays_.find(number);
  if (found == arrays_.end()) return unknown("array", number);
  if (found->second.lost) return tl::unexpected(lost_error(found->second.state.description.name));
  return found->second.state;
}

std::string GpuObjects::name_of_array(std::uint64_t number) const {
  const std::lock_guard lock(mutex_);
  const auto found = arrays_.find(number);
  return found == arrays_.end() ? std::string() : found->second.state.description.name;
}

Expected<bool> GpuObjects::take_array(std::uint64_t number) {
  const std::lock_guard lock(mutex_);
  const auto found = arrays_.find(number);
  if (found == arrays_.end()) return unknown("array", number);
  const bool lost = found->second.lost;
  arrays_.erase(found);
  return !lost;
}

Expected<bool> GpuObjects::take(ObjectKind kind, std::uint64_t handle) {
  const std::lock_guard lock(mutex_);
  auto& of_kind = objects_.at(static_cast<std::size_t>(kind));
  const auto found = of_kind.find(handle);
  if (found == of_kind.end()) return unknown(name_of(kind), handle);
  const bool lost = found->second.lost;
  of_kind.erase(found);
  return !lost;
}

bool GpuObjects::was_lost(ObjectKind kind, std::uint64_t handle) const {
  const std::lock_guard lock(mutex_);
  const auto& of_kind = objects_.at(static_cast<std::size_t>(kind));
  const auto found = of_kind.find(handle);
  return found != of_kind.end() && found->second.lost;
}

Expected<void> GpuObjects::check_lost(std::uint64_t handle) const {
  const std::lock_guard lock(mutex_);
  const KeptObject* lost = nullptr;
  for (const auto& of_kind : objects_) {
    const auto found = of_kind.find(handle);
    if (found == of_kind.end()) continue;
    if (!found->second.lost) return {};
    lost = &found->second;
  }
  if (lost == nullptr) return {};
  return tl::unexpected(lost_error(lost->name));
}

}  // namespace warpbook::device::gpu
