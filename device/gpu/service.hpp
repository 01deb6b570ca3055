// The device worker's answers to requests for the GPU.
#pragma once

#include <memory>

#include "device/gpu/context.hpp"
#include "device/worker/channel.hpp"

namespace warpbook::device::gpu {

class Service {
 public:
  /// Whether a message is one of those that answer() takes.
  static bool takes(const Packet& message);
  /// Answers one message. False: the owner is gone, or the message is no request.
  bool answer(Channel& channel, Packet message);

 private:
  Result<std::string> value_of(MessageKind kind, Packet message);
  std::unique_ptr<Context> context_;
};

}  // namespace warpbook::device::gpu
