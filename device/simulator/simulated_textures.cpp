// Arrays, texture objects and surface objects of the simulated device.
#include <optional>

#include <fmt/format.h>

#include "device/simulator/simulated_device.hpp"
#include "device/simulator/texture_checks.hpp"

namespace warpbook::device {
namespace {

/// Calls `row(device address, offset in host memory, bytes)` for every row of a checked region.
template <class Row>
Expected<void> for_each_row(const ArrayState& array, const ArrayRegion& r, Row&& row) {
  const TexelLevel& l = array.levels[r.level];
  const std::uint64_t texel = array.description.format.bytes(), bytes = r.width * texel;
  std::uint64_t at = 0;
  for (std::uint32_t z = 0; z < r.depth; ++z) {
    for (std::uint32_t y = 0; y < r.height; ++y, at += r.pitch_bytes) {
      const Pointer address =
          l.address + (r.z + z) * l.plane_bytes + (r.y + y) * l.row_bytes + r.x * texel;
      if (auto ok = row(address, at, bytes); !ok) return ok;
    }
  }
  return {};
}

/// The live buffer or variable that holds that address.
std::optional<AllocationInfo> buffer_at(const AllocationTable& table, Pointer address) {
  const Allocation* const a = table.at(address);
  const bool hosts =
      a && !a->freed && (a->kind == AllocationKind::buffer || a->kind == AllocationKind::variable);
  if (!hosts) return std::nullopt;
  return AllocationInfo{a->name, a->address, a->bytes, a->type};
}

}  // namespace

Expected<ArrayState> SimulatedDevice::array_of(Array array) const {
  auto state = memory_->objects().array(array.handle);
  if (state) return *state;
  return failure(ErrorCode::invalid_handle, {{"what", Message{"phrase.what.array", {}, {}}},
                                             {"id", fmt::format("{:#x}", array.handle)},
                                             {"device", properties().name}});
}

Expected<Array> SimulatedDevice::create_array(const ArrayDescription& description) {
  auto array = lay_array_out(description);
  if (!array) return tl::unexpected(array.error());
  if (array->description.name.empty()) array->description.name = "unnamed";
  const std::string& name = array->description.name;
  log("create_array", name, array->bytes, 0);
  const auto address =
      memory_->allocate(name, description.format.type, array->bytes, AllocationKind::array);
  if (!address) return tl::unexpected(address.error());
  array->address = *address;
  for (TexelLevel& level : array->levels) level.address += *address;
  return Array{memory_->objects().add(std::move(*array))};
}

Expected<Done> SimulatedDevice::destroy(Array array) {
  const auto state = array_of(array);
  log("destroy_array", state ? state->description.name : "", 0, 0);
  if (!state) return tl::unexpected(state.error());
  finish_work();
  {
    const std::lock_guard lock(views_mutex_);
    std::erase_if(views_, [&](const auto& view) {
      return view.first.first == array.handle &&
             memory_->objects().remove_array(view.second.handle);
    });
  }
  memory_->objects().remove_array(array.handle);
  if (auto ok = memory_->release(state->address, "destroy", AllocationKind::array); !ok)
    return tl::unexpected(ok.error());
  return Done{};
}

Expected<Array> SimulatedDevice::view_level(Array array, std::uint32_t level) {
  auto state = array_of(array);
  if (!state) return tl::unexpected(state.error());
  if (auto region = check_copy("view_level", *state, {.level = level}, ~std::uint64_t{0}); !region)
    return tl::unexpected(region.error());
  const std::lock_guard lock(views_mutex_);
  const auto [view, fresh] = views_.try_emplace({array.handle, level});
  if (fresh) {
    const TexelLevel shown = state->levels[level];
    ArrayDescription& d = state->description;
    d.levels = 0;
    d.width = shown.width;
    d.height = d.height == 0 ? 0 : shown.height;
    d.depth = d.depth == 0 ? 0 : shown.planes;
    state->levels = {shown};
    view->second.handle = memory_->objects().add(std::move(*state));
  }
  return view->second;
}

CopyTicket SimulatedDevice::copy_array(const char* call, Array array, ArrayRegion region,
                                       std::uint64_t bytes, Stream stream, ArrayWork work) {
  const auto state = array_of(array);
  const auto checked =
      state ? check_copy(call, *state, region, bytes) : tl::unexpected(state.error());
  if (!checked) return refused(checked.error());
  return queue_copy(
      {call, state->description.name, bytes, stream.id},
      [array = *state, r = *checked, work = std::move(work)] { return work(array, r); });
}

CopyTicket SimulatedDevice::copy_in_array(Array to, std::span<const std::byte> from,
                                          ArrayRegion region, Stream stream) {
  return copy_array(
      "copy_in_array", to, region, from.size(), stream,
      [this, from](const ArrayState& array, const ArrayRegion& r) {
        return for_each_row(array, r, [&](Pointer address, std::uint64_t at, std::uint64_t bytes) {
          return memory_->write(address, from.subspan(at, bytes), "copy_in_array");
        });
      });
}

CopyTicket SimulatedDevice::copy_out_array(std::span<std::byte> to, Array from, ArrayRegion region,
                                           Stream stream) {
  return copy_array("copy_out_array", from, region, to.size(), stream,
                    [this, to](const ArrayState& array, const ArrayRegion& r) {
                      return for_each_row(
                          array, r, [&](Pointer address, std::uint64_t at, std::uint64_t bytes) {
                            return memory_->read(address, to.subspan(at, bytes), "copy_out_array");
                          });
                    });
}

Expected<Texture> SimulatedDevice::create_texture(const TextureDescription& description) {
  Expected<ArrayState> array{ArrayState{}};
  const bool of_array = description.array.handle != 0;
  if (of_array) array = array_of(description.array);
  if (!array) return tl::unexpected(array.error());
  const auto buffer = buffer_at(*memory_->table(), description.address);
  auto object =
      make_texture(description, of_array ? &*array : nullptr, buffer ? &*buffer : nullptr);
  if (!object) return tl::unexpected(object.error());
  log("create_texture", object->name, 0, 0);
  return Texture{memory_->objects().add(std::move(*object))};
}

Expected<Surface> SimulatedDevice::create_surface(Array array, std::uint32_t level) {
  const auto state = array_of(array);
  if (!state) return tl::unexpected(state.error());
  auto object = make_surface(*state, level);
  if (!object) return tl::unexpected(object.error());
  log("create_surface", object->name, 0, 0);
  return Surface{memory_->objects().add(std::move(*object))};
}

Expected<Done> SimulatedDevice::destroy_object(const char* what, std::uint64_t handle) {
  log(fmt::format("destroy_{}", what), "", 0, 0);
  finish_work();
  if (memory_->objects().remove_object(handle, std::string_view(what) == "surface")) return Done{};
  return failure(ErrorCode::invalid_handle,
                 {{"what", Message{"phrase.what." + std::string(what), {}, {}}},
                  {"id", fmt::format("{:#x}", handle)},
                  {"device", properties().name}});
}

Expected<Done> SimulatedDevice::destroy(Texture texture) {
  return destroy_object("texture", texture.handle);
}

Expected<Done> SimulatedDevice::destroy(Surface surface) {
  return destroy_object("surface", surface.handle);
}

}  // namespace warpbook::device
