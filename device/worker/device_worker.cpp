#include "device/worker/device_worker.hpp"

#include <poll.h>
#include <unistd.h>

#include <cerrno>
#include <thread>
#include <utility>

#include "device/gpu/service.hpp"
#include "device/libraries/service.hpp"

namespace warpbook::device {
namespace {

/// Ends this process with its owner. A library that runs for minutes would read no end of its channel meanwhile.
void end_with_owner(int channel) {
  std::thread([channel] {
    pollfd hung_up{channel, 0, 0};  // that is told unasked
    while (::poll(&hung_up, 1, -1) < 0 && errno == EINTR) {
    }
    ::_exit(0);
  }).detach();
}

}  // namespace

int run_device_worker(Channel channel) {
  constexpr int kMadeNoSense = 1;
  libraries::Service libraries_service;
  gpu::Service gpu_service;
  Message message;
  end_with_owner(channel.fd());
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
