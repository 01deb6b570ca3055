// The forms of `warpbook launch --arg` that make a texture or a surface object.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "device/device.hpp"

namespace warpbook::lab {

/// The error of an ARG, or of another option's value: `text` as it was written, and what is wrong with it.
tl::unexpected<device::Error> refused(std::string_view text, device::Message why);

/// One ARG:
///   texSHAPE:FORMAT:EXTENT:FILE[,OPTION]...      a texture object over an array filled from the file
///   surfSHAPE:FORMAT:EXTENT[:FILE][=FILE]        a surface object; written to the second file after the launch
///   texlinear:FORMAT:FILE                        a texture object over linear memory, for tex1Dfetch
/// SHAPE: 1d, 2d, 3d, 1dlayered, 2dlayered, cube. FORMAT: an element type, x2 or x4 for more channels: f32, u8x4.
/// EXTENT: 64, 64x48, 64x48x3; layers last; of a cube its side. OPTION: filter=linear, address=wrap, clamp, mirror or
/// border, border=NUMBER, normalized (coordinates), read=normalized (integers as fractions), srgb.
struct TextureArgument {
  bool surface = false, linear = false;
  device::ArrayDescription array;
  device::TextureDescription texture;
  std::string read_from, written_to;  ///< empty: none
};

/// True where `text` begins with one of the forms.
bool is_texture_argument(std::string_view text);
/// bad_argument.
device::Expected<TextureArgument> parse_texture_argument(std::string_view text);

/// An object made on a device.
struct BoundTexture {
  std::uint64_t handle = 0;
  device::Array array;  ///< of a surface: what is written back
  std::uint64_t bytes = 0;
  std::string file;  ///< empty: not written
};
/// bad_argument, file_unreadable, and what the device refuses.
device::Expected<BoundTexture> bind_texture(device::Device& device, const TextureArgument& argument,
                                            const std::string& name);

}  // namespace warpbook::lab
