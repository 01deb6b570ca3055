// What doctor looks for beside what kernels need: what the window is drawn with.
#pragma once

#include <string>

#include "device/error.hpp"
#include "lab/exhibits/stack/machine.hpp"

namespace warpbook::cli {

/// Adds what OpenGL said, the fonts and the display.
void look_at_window(const device::Expected<std::string>& opengl, lab::Machine& machine);

}  // namespace warpbook::cli
