#include "device/assembly/device_worker.hpp"

#include <poll.h>
#include <unistd.h>

#include <cerrno>
#include <thread>
#include <utility>

#include "device/gpu/service.hpp"
#include "device/libraries/service.hpp"

namespace warpbook::device {
namespace {

/// Ends this process when its owner ends. A thread of its own watches, because a library that runs for minutes does not
/// read the channel meanwhile.
void end_with_owner(int channel) {
  std::thread([channel] {
    pollfd hung_up{channel, 0, 0};  // poll() reports a hang-up without being asked to
    while (::poll(&hung_up, 1, -1) < 0 && errno == EINTR) {
    }
    ::_exit(0);
  }).detach();
}

}  // namespace

void run_device_worker(Channel channel) {
  constexpr int kMadeNoSense = 1;
  libraries::Service libraries_service;
  gpu::Service gpu_service;
  Packet message;
  end_with_owner(channel.fd());
  bool sense = true;
  while (sense) {
    const auto outcome = channel.receive(message);
    if (outcome == Channel::Outcome::closed) break;
    sense = outcome == Channel::Outcome::message &&
            (gpu::Service::takes(message) ? gpu_service.answer(channel, std::move(message))
                                          : libraries_service.answer(channel, message));
  }
  // Exit handlers are skipped, because those of a driver that was lost may wait for it for ever. The channel stays open, since
  // the other thread would take its end for the owner's.
  ::_exit(sense ? 0 : kMadeNoSense);
}

}  // namespace warpbook::device
