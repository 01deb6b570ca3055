// The arrays, texture objects and surface objects of a device, to which its handles refer.
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "device/error.hpp"
#include "device/texture.hpp"
#include "device/types.hpp"

namespace warpbook::device {

/// The arrangement of an object's texels. `linear`: a one-dimensional buffer, which only tex1Dfetch can read.
enum class TextureShape : std::uint8_t { linear, d1, d2, d3, a1d, a2d, cube, acube };
std::string_view name_of(TextureShape shape);

/// One level of detail. Rows, then planes: slices of three dimensions, layers, or faces of cubes.
struct TexelLevel {
  Pointer address = 0;
  std::uint32_t width = 1, height = 1, planes = 1;
  std::uint64_t row_bytes = 0, plane_bytes = 0;
};

/// The four 32-bit values that a fetch of one texel gives, from the texel's bytes.
using Unpack = void (*)(const std::byte* texel, std::uint32_t (&to)[4]);

/// A texture or surface object. Immutable.
struct TextureObject {
  bool surface = false;
  std::string name;  ///< of its memory
  TextureShape shape = TextureShape::d2;
  ChannelFormat format;
  std::uint32_t texel_bytes = 4;
  bool mipmapped = false;
  std::vector<TexelLevel> levels;  ///< of a surface: one
  Pointer memory = 0;              ///< the allocation that holds them all
  std::uint64_t memory_end = 0;

  // How a texture is read.
  std::array<AddressMode, 3> address_mode{};
  bool linear_filter = false, normalised_coordinates = false, linear_mip_filter = false;
  bool floating = false;  ///< it gives floats, not integers
  Unpack unpack = nullptr;
  std::uint32_t border[4] = {};  ///< the value of texels outside
  float mip_bias = 0, mip_least = 0, mip_most = 0;
};

/// All objects at one moment. Immutable, so that a running kernel reads it unlocked.
class ObjectTable {
 public:
  /// Null where there is no such object now; `destroyed` then says whether there once was.
  [[nodiscard]] const TextureObject* find(std::uint64_t handle, bool& destroyed) const;
  /// By handle; without those that were destroyed.
  [[nodiscard]] const std::map<std::uint64_t, std::shared_ptr<const TextureObject>>& all() const {
    return objects_;
  }
  /// How many there ever were.
  [[nodiscard]] std::uint64_t made() const { return made_; }

 private:
  friend class TextureObjects;
  std::map<std::uint64_t, std::shared_ptr<const TextureObject>> objects_;
  std::uint64_t made_ = 0;
};

struct ArrayState {
  ArrayDescription description;
  TextureShape shape = TextureShape::d2;
  Pointer address = 0;
  std::uint64_t bytes = 0;
  std::vector<TexelLevel> levels;
};

/// A device's arrays and objects. Calls may come from any thread.
class TextureObjects {
 public:
  TextureObjects();
  std::uint64_t add(ArrayState array);
  std::uint64_t add(TextureObject object);
  [[nodiscard]] std::optional<ArrayState> array(std::uint64_t handle) const;
  bool remove_array(std::uint64_t handle);
  bool remove_object(std::uint64_t handle, bool surface);
  [[nodiscard]] std::shared_ptr<const ObjectTable> table() const;

 private:
  mutable std::mutex mutex_;
  std::map<std::uint64_t, ArrayState> arrays_;
  std::uint64_t last_array_ = 0;
  std::shared_ptr<const ObjectTable> table_;  ///< replaced, never changed
};

}  // namespace warpbook::device
