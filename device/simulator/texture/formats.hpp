// How the texels of each channel format are read.
#pragma once

#include "device/simulator/state/texture_objects.hpp"
#include "device/texture.hpp"

namespace warpbook::device {

/// Reads a texel of the format; nullptr where no texture can have it.
Unpack unpack_of(ChannelFormat format, bool normalised, bool srgb);

}  // namespace warpbook::device
