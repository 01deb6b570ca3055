// Arrays, textures and surfaces of the GPU. They are checked as the simulator checks them, with CUDA's error names, before the
// driver is asked.
#include <algorithm>
#include <cstring>

#include "device/gpu/gpu_device.hpp"
#include "device/simulator/texture_checks.hpp"

namespace warpbook::device::gpu {
namespace {

constexpr std::size_t kMostHeldObjects = 64;  // kept back because lost ones had their handles

/// Calls `move(piece, offset of its first row in host memory)` for pieces of a checked region whose rows, without gaps, take
/// at most `most` bytes: some planes, or, where one is too large, some rows of it.
template <class Move>
Expected<void> for_each_piece(const ArrayRegion& region, std::uint64_t row_bytes,
                              std::uint64_t most, Move&& move) {
  const std::uint64_t plane_bytes = row_bytes * region.height;
  const auto planes = static_cast<std::uint32_t>(std::max<std::uint64_t>(most / plane_bytes, 1));
  const auto rows =
      static_cast<std::uint32_t>(std::clamp<std::uint64_t>(most / row_bytes, 1, region.height));
  for (std::uint32_t z = 0; z < region.depth; z += planes) {
    for (std::uint32_t y = 0; y < region.height; y += rows) {
      ArrayRegion piece = region;
      piece.z += z;
      piece.y += y;
      piece.depth = std::min(planes, region.depth - z);
      piece.height = std::min(rows, region.height - y);
      const std::uint64_t row = std::uint64_t{z} * region.height + y;
      if (auto ok = move(piece, row * region.pitch_bytes); !ok) return ok;
    }
  }
  return {};
}

}  // namespace

Expected<Array> GpuDevice::create_array(const ArrayDescription& description) {
  auto array = lay_array_out(description);
  if (!array) return tl::unexpected(array.error());
  if (array->description.name.empty()) array->description.name = "unnamed";
  log("create_array", array->description.name, array->bytes, 0);
  const auto alone = connection_->hold();  // so that the generation is that of the answer
  const std::uint64_t number = GpuObjects::new_number();
  const auto made = connection_->tell(
      MessageKind::create_array, to_bytes(ArrayRequest{number, array->bytes, array->description}));
  note_losses();
  if (!made) return tl::unexpected(made.error());
  objects_.add(number, std::move(*array), connection_->generation());
  return Array{number};
}

Expected<Done> GpuDevice::destroy(Array array) {
  log("destroy_array", objects_.name_of_array(array.handle), 0, 0);
  finish_work();
  const auto there = objects_.take_array(array.handle);
  if (!there) return tl::unexpected(there.error());
  if (!*there) return Done{};
  const auto destroyed =
      connection_->tell(MessageKind::destroy_array, to_bytes(Numbers{array.handle}));
  note_losses();
  if (!destroyed) return tl::unexpected(destroyed.error());
  return Done{};
}

Expected<void> GpuDevice::move_piece(Array array, const ArrayRegion& piece, MessageKind kind) {
  const auto number = connection_->number_of(*staging_);
  if (!number) return tl::unexpected(number.error());
  return connection_->tell(kind, to_bytes(ArrayCopy{array.handle, *number, piece}));
}

GpuDevice::CopyWork GpuDevice::piece_by_piece(Array array, const ArrayRegion& region,
                                              std::uint64_t row_bytes, MovePiece move) {
  return [this, array, region, row_bytes, move = std::move(move)]() -> Expected<void> {
    if (const auto there = objects_.array(array.handle); !there)
      return tl::unexpected(there.error());
    const std::lock_guard lock(staging_mutex_);
    if (auto ok = stage(); !ok) return ok;
    return for_each_piece(region, row_bytes, kStagingBytes, move);
  };
}

CopyTicket GpuDevice::copy_in_array(Array to, std::span<const std::byte> from, ArrayRegion region,
                                    Stream stream) {
  const auto state = objects_.array(to.handle);
  const auto checked = state ? check_copy("copy_in_array", *state, region, from.size())
                             : tl::unexpected(state.error());
  if (!checked) return refused(checked.error());
  const std::uint64_t row_bytes = checked->width * state->description.format.bytes();
  const auto copy = [this, to, from, row_bytes, pitch = checked->pitch_bytes](
                        const ArrayRegion& piece, std::uint64_t at) {
    std::byte* packed = staging_->bytes().data();
    for (std::uint64_t row = 0; row < std::uint64_t{piece.height} * piece.depth; ++row)
      std::memcpy(packed + row * row_bytes, from.data() + at + row * pitch, row_bytes);
    return move_piece(to, piece, MessageKind::copy_in_array);
  };
  return queue_transfer({"copy_in_array", state->description.name, from.size(), stream.id},
                        piece_by_piece(to, *checked, row_bytes, copy));
}

CopyTicket GpuDevice::copy_out_array(std::span<std::byte> to, Array from, ArrayRegion region,
                                     Stream stream) {
  const auto state = objects_.array(from.handle);
  const auto checked = state ? check_copy("copy_out_array", *state, region, to.size())
                             : tl::unexpected(state.error());
  if (!checked) return refused(checked.error());
  const std::uint64_t row_bytes = checked->width * state->description.format.bytes();
  const auto copy = [this, to, from, row_bytes, pitch = checked->pitch_bytes](
                        const ArrayRegion& piece, std::uint64_t at) -> Expected<void> {
    if (auto ok = move_piece(from, piece, MessageKind::copy_out_array); !ok) return ok;
    const std::byte* packed = staging_->bytes().data();
    for (std::uint64_t row = 0; row < std::uint64_t{piece.height} * piece.depth; ++row)
      std::memcpy(to.data() + at + row * pitch, packed + row * row_bytes, row_bytes);
    return {};
  };
  return queue_transfer({"copy_out_array", state->description.name, to.size(), stream.id},
                        piece_by_piece(from, *checked, row_bytes, copy));
}

/// Asks for an object, whose handle no lost one that somebody may still hold has.
Expected<std::uint64_t> GpuDevice::create_object(ObjectKind kind, const std::string& name,
                                                 const std::string& bytes) {
  const bool texture = kind == ObjectKind::texture;
  const MessageKind create = texture ? MessageKind::create_texture : MessageKind::create_surface;
  const MessageKind destroy = texture ? MessageKind::destroy_texture : MessageKind::destroy_surface;
  const auto alone = connection_->hold();
  std::vector<std::uint64_t> held;
  Expected<std::uint64_t> result = 0;
  while (true) {
    const auto answer = connection_->ask<Numbers>(create, bytes);
    note_losses();
    if (!answer) {
      result = tl::unexpected(answer.error());
      break;
    }
    if (answer->size() != 1) {
      result =
          failure(ErrorCode::worker_protocol, {{"detail", Message{"phrase.protocol.handle", {}}}});
      break;
    }
    if (held.size() == kMostHeldObjects || !objects_.was_lost(kind, answer->front())) {
      objects_.add(kind, answer->front(), name, connection_->generation());
      result = answer->front();
      break;
    }
    held.push_back(answer->front());
  }
  for (const std::uint64_t handle : held)
    (void)connection_->tell(destroy, to_bytes(Numbers{handle}));
  return result;
}

Expected<Texture> GpuDevice::create_texture(const TextureDescription& description) {
  Expected<ArrayState> array{ArrayState{}};
  const bool of_array = description.array.handle != 0;
  if (of_array) array = objects_.array(description.array.handle);
  if (!array) return tl::unexpected(array.error());
  if (auto there = memory_.check_lost(of_array ? 0 : description.address); !there)
    return tl::unexpected(there.error());
  const auto buffer = memory_.holding(description.address);
  const auto object =
      make_texture(description, of_array ? &*array : nullptr, buffer ? &*buffer : nullptr);
  if (!object) return tl::unexpected(object.error());
  log("create_texture", object->name, 0, 0);
  TextureRequest request{object->name, description};
  request.description.address_mode = object->address_mode;  // as far as its coordinates allow them
  const auto handle = create_object(ObjectKind::texture, object->name, to_bytes(request));
  if (!handle) return tl::unexpected(handle.error());
  return Texture{*handle};
}

Expected<Surface> GpuDevice::create_surface(Array array, std::uint32_t level) {
  const auto state = objects_.array(array.handle);
  if (!state) return tl::unexpected(state.error());
  const auto object = make_surface(*state, level);
  if (!object) return tl::unexpected(object.error());
  log("create_surface", object->name, 0, 0);
  const auto handle =
      create_object(ObjectKind::surface, object->name, to_bytes(Numbers{array.handle, level}));
  if (!handle) return tl::unexpected(handle.error());
  return Surface{*handle};
}

Expected<Done> GpuDevice::destroy_object(ObjectKind kind, std::uint64_t handle) {
  const bool texture = kind == ObjectKind::texture;
  log(texture ? "destroy_texture" : "destroy_surface", "", 0, 0);
  finish_work();
  const auto there = objects_.take(kind, handle);
  if (!there) return tl::unexpected(there.error());
  if (!*there) return Done{};
  const auto destroyed =
      connection_->tell(texture ? MessageKind::destroy_texture : MessageKind::destroy_surface,
                        to_bytes(Numbers{handle}));
  note_losses();
  if (!destroyed) return tl::unexpected(destroyed.error());
  return Done{};
}

Expected<Done> GpuDevice::destroy(Texture texture) {
  return destroy_object(ObjectKind::texture, texture.handle);
}

Expected<Done> GpuDevice::destroy(Surface surface) {
  return destroy_object(ObjectKind::surface, surface.handle);
}

}  // namespace warpbook::device::gpu
