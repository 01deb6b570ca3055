// The device worker's answers to requests for libraries.
#pragma once

#include <memory>

#include "device/libraries/library.hpp"
#include "device/worker/channel.hpp"

namespace warpbook::device::libraries {

/// One library at most, opened by the first request, for as long as the process lives.
class Service {
 public:
  /// Answers one message. False: the owner is gone, or the message is no request.
  bool answer(Channel& channel, const Packet& message);

 private:
  std::unique_ptr<Library> library_;
};

}  // namespace warpbook::device::libraries
