#include "device/worker/device_worker.hpp"

#include <unistd.h>

#include "device/libraries/service.hpp"

namespace warpbook::device {

int run_device_worker(Channel channel) {
  constexpr int kMadeNoSense = 1;
  libraries::Service service;
  Message message;
  while (true) {
    const auto outcome = channel.receive(message);
    if (outcome == Channel::Outcome::closed) break;
    if (outcome != Channel::Outcome::frame || !service.answer(channel, message))
      return kMadeNoSense;
  }
  // Not through exit handlers: those of a driver that was lost may wait for it for ever.
  ::_exit(0);
}

}  // namespace warpbook::device
