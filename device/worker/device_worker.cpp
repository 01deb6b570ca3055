#include "device/worker/device_worker.hpp"

#include <unistd.h>

#include <utility>

#include "device/gpu/service.hpp"
#include "device/libraries/service.hpp"

namespace warpbook::device {

int run_device_worker(Channel channel) {
  constexpr int kMadeNoSense = 1;
  libraries::Service libraries_service;
  gpu::Service gpu_service;
  Message message;
  while (true) {
    const auto outcome = channel.receive(message);
    if (outcome == Channel::Outcome::closed) break;
    if (outcome != Channel::Outcome::frame) return kMadeNoSense;
    const bool answered = gpu::Service::takes(message)
                              ? gpu_service.answer(channel, std::move(message))
                              : libraries_service.answer(channel, message);
    if (!answered) return kMadeNoSense;
  }
  // Not through exit handlers: those of a driver that was lost may wait for it for ever.
  ::_exit(0);
}

}  // namespace warpbook::device
