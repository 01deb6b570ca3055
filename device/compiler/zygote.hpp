// The compile worker: a process that has loaded and warmed NVRTC, and forks a boxed child for each compile. (A process
// whose purpose is to be forked is called a zygote.)
#pragma once

#include "device/worker/channel.hpp"

namespace warpbook::device {

/// Serves until the owner hangs up. Returns the exit code.
int run_compile_zygote(Channel channel);

}  // namespace warpbook::device
