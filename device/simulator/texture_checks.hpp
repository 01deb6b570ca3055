// What CUDA refuses when arrays, textures and surfaces are made, and how an array is laid out.
#pragma once

#include "device/device.hpp"
#include "device/simulator/machine/memory.hpp"
#include "device/simulator/texture/objects.hpp"

namespace warpbook::device {

/// Shape and levels of an array, at address 0. invalid_channel, invalid_value.
Expected<ArrayState> lay_array_out(const ArrayDescription& description);

/// The object of a texture over `array`, or over a buffer where that is null. invalid_value, invalid_channel,
/// invalid_filter.
Expected<TextureObject> make_texture(const TextureDescription& description, const ArrayState* array,
                                     const AllocationTable& table);

/// invalid_value.
Expected<TextureObject> make_surface(const ArrayState& array, std::uint32_t level);

/// `region` with its zeros filled in; invalid_value where it reaches outside.
Expected<ArrayRegion> check_region(const ArrayState& array, ArrayRegion region);

}  // namespace warpbook::device
