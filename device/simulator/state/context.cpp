#include "device/simulator/state/context.hpp"

#include <utility>

#include "device/simulator/state/launch_stop.hpp"

namespace warpbook::device {

void Context::stop(Error why) { launch_stop->stop(std::move(why), block_index); }

bool Context::stopped() const { return launch_stop->stopped(block_index); }

}  // namespace warpbook::device
