// What CUDA refuses when arrays, textures and surfaces are made, and how an array is laid out. The simulator and the owner of
// a GPU check alike.
#pragma once

#include <cstdint>
#include <string_view>

#include "device/device.hpp"
#include "device/simulator/state/memory.hpp"
#include "device/simulator/state/texture_objects.hpp"

namespace warpbook::device {

/// Shape and levels of an array, at address 0. invalid_channel, invalid_value.
Expected<ArrayState> lay_array_out(const ArrayDescription& description);

/// The object of a texture over `array`, or, where that is null, over `buffer`: the allocation that the description's address
/// points into, null where there is none. invalid_value, invalid_channel, invalid_filter.
Expected<TextureObject> make_texture(const TextureDescription& description, const ArrayState* array,
                                     const AllocationInfo* buffer);

/// invalid_value.
Expected<TextureObject> make_surface(const ArrayState& array, std::uint32_t level);

/// `region` with its zeros filled in, for a copy (named `call`) from or to that much host memory. invalid_value where it reaches
/// outside of the array or of the host memory.
Expected<ArrayRegion> check_copy(std::string_view call, const ArrayState& array,
                                 const ArrayRegion& region, std::uint64_t host_bytes);

}  // namespace warpbook::device
