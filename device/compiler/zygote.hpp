// The compile worker: a process that has loaded and warmed NVRTC, and forks one boxed child for
// each compile.
#pragma once

#include "device/worker/channel.hpp"

namespace warpbook::device {

/// Serves until the owner hangs up. Returns the exit code.
int run_compile_zygote(Channel channel);

}  // namespace warpbook::device
