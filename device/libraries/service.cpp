#include "device/libraries/service.hpp"

#include "device/libraries/messages.hpp"
#include "device/libraries/opengl.hpp"

namespace warpbook::device::libraries {
namespace {

template <class T>
bool reply(Channel& channel, const Expected<T>& result) {
  if (!result)
    return channel.send(static_cast<std::uint32_t>(Frame::failed), to_bytes(result.error()));
  return channel.send(static_cast<std::uint32_t>(Frame::answer), to_bytes(*result));
}

bool reply(Channel& channel, const Expected<std::string>& text) {
  if (!text) return channel.send(static_cast<std::uint32_t>(Frame::failed), to_bytes(text.error()));
  return channel.send(static_cast<std::uint32_t>(Frame::answer), *text);
}

}  // namespace

bool Service::answer(Channel& channel, const Message& message) {
  const auto frame = static_cast<Frame>(message.kind);
  if (frame == Frame::driver) return reply(channel, Expected<DriverFacts>(driver_facts()));
  if (frame == Frame::opengl) return reply(channel, opengl_renderer());

  const auto request = request_from(message.bytes);
  if (!request) return false;
  if (frame == Frame::open) {
    auto opened = open(request->kind, request->file);
    if (!opened) return reply(channel, Expected<Identity>(tl::unexpected(opened.error())));
    library_ = std::move(*opened);
    return reply(channel, library_->identity());
  }
  if (!library_) return false;
  switch (frame) {
    case Frame::offer: return reply(channel, library_->offer(request->problem, request->target));
    case Frame::run:
      if (request->algorithms.size() != 1) return false;
      return reply(channel,
                   library_->run(request->problem, request->algorithms.front(), request->inputs));
    case Frame::time:
      return reply(channel, library_->time(request->problem, request->algorithms, request->limits));
    case Frame::describe: return reply(channel, library_->describe_device());
    default: return false;
  }
}

}  // namespace warpbook::device::libraries
