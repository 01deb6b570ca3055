// What the device worker does with requests for the GPU.
#pragma once

#include <memory>

#include "device/gpu/context.hpp"
#include "device/worker/channel.hpp"

namespace warpbook::device::gpu {

class Service {
 public:
  /// Whether a frame is one of those that answer() takes.
  static bool takes(const Message& message);
  /// Answers one frame. False: the owner is gone, or what it sends is no request.
  bool answer(Channel& channel, Message message);

 private:
  Result<std::string> value_of(Frame frame, Message message);
  std::unique_ptr<Context> context_;
};

}  // namespace warpbook::device::gpu
