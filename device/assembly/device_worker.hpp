// The device worker: the process in which the driver, cuDNN, cuBLAS and oneDNN run. It never forks.
#pragma once

#include "device/worker/channel.hpp"

namespace warpbook::device {

/// Answers until the owner hangs up, and ends the process then: with 0, or with 1 where what it was asked made no sense.
[[noreturn]] void run_device_worker(Channel channel);

}  // namespace warpbook::device
