// The device worker: the process in which the driver, cuDNN, cuBLAS and oneDNN run. It never forks.
#pragma once

#include "device/worker/channel.hpp"

namespace warpbook::device {

/// Answers until the owner hangs up; gives the exit code.
int run_device_worker(Channel channel);

}  // namespace warpbook::device
