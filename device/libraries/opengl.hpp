// Which OpenGL draws on this machine. Asked in the device worker: the driver's own code answers.
#pragma once

#include <string>

#include "device/error.hpp"

namespace warpbook::device::libraries {

/// "llvmpipe (LLVM 15.0.6, 256 bits), OpenGL 4.5 ..., <file>": of a context without a display. Error: no_offscreen.
Expected<std::string> opengl_renderer();

}  // namespace warpbook::device::libraries
