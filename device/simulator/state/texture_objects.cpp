#include "device/simulator/state/texture_objects.hpp"

#include <utility>

namespace warpbook::device {
namespace {

// No pointer, no small number and no array looks like the handle of an object.
constexpr std::uint64_t kObjects = 0x7e00'0000'0000'0000;
constexpr std::uint64_t kArrays = 0xa000'0000'0000'0000;

}  // namespace

std::string_view name_of(TextureShape shape) {
  switch (shape) {
    case TextureShape::linear: return "linear memory";
    case TextureShape::d1: return "one-dimensional";
    case TextureShape::d2: return "two-dimensional";
    case TextureShape::d3: return "three-dimensional";
    case TextureShape::a1d: return "one-dimensional in layers";
    case TextureShape::a2d: return "two-dimensional in layers";
    case TextureShape::cube: return "a cubemap";
    case TextureShape::acube: return "a cubemap in layers";
  }
  return {};
}

const TextureObject* ObjectTable::find(std::uint64_t handle, bool& destroyed) const {
  const auto found = objects_.find(handle);
  destroyed = found == objects_.end() && handle > kObjects && handle <= kObjects + made_;
  return found == objects_.end() ? nullptr : found->second.get();
}

TextureObjects::TextureObjects() : table_(std::make_shared<const ObjectTable>()) {}

std::uint64_t TextureObjects::add(ArrayState array) {
  std::lock_guard lock(mutex_);
  const std::uint64_t handle = kArrays + ++last_array_;
  arrays_[handle] = std::move(array);
  return handle;
}

std::uint64_t TextureObjects::add(TextureObject object) {
  std::lock_guard lock(mutex_);
  auto next = std::make_shared<ObjectTable>(*table_);
  const std::uint64_t handle = kObjects + ++next->made_;
  next->objects_[handle] = std::make_shared<const TextureObject>(std::move(object));
  table_ = std::move(next);
  return handle;
}

std::optional<ArrayState> TextureObjects::array(std::uint64_t handle) const {
  std::lock_guard lock(mutex_);
  const auto found = arrays_.find(handle);
  if (found == arrays_.end()) return std::nullopt;
  return found->second;
}

bool TextureObjects::remove_array(std::uint64_t handle) {
  std::lock_guard lock(mutex_);
  return arrays_.erase(handle) == 1;
}

bool TextureObjects::remove_object(std::uint64_t handle, bool surface) {
  std::lock_guard lock(mutex_);
  const auto found = table_->objects_.find(handle);
  if (found == table_->objects_.end() || found->second->surface != surface) return false;
  auto next = std::make_shared<ObjectTable>(*table_);
  next->objects_.erase(handle);
  table_ = std::move(next);
  return true;
}

std::shared_ptr<const ObjectTable> TextureObjects::table() const {
  std::lock_guard lock(mutex_);
  return table_;
}

}  // namespace warpbook::device
