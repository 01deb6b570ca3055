// The device worker: the process in which the driver, cuDNN, cuBLAS and oneDNN run. It never forks.
#pragma once

#include "device/worker/channel.hpp"

namespace warpbook::device {

/// Answers until the owner hangs up, then ends the process: with 0, or with 1 after a message that made no sense.
[[noreturn]] void run_device_worker(Channel channel);

}  // namespace warpbook::device
