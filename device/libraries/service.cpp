#include "device/libraries/service.hpp"

#include "device/libraries/messages.hpp"
#include "device/libraries/opengl.hpp"

namespace warpbook::device::libraries {
namespace {

template <class T>
bool reply(Channel& channel, const Expected<T>& result) {
  if (!result)
    return channel.send(static_cast<std::uint32_t>(MessageKind::failed), to_bytes(result.error()));
  return channel.send(static_cast<std::uint32_t>(MessageKind::answer), to_bytes(*result));
}

bool reply(Channel& channel, const Expected<std::string>& text) {
  if (!text)
    return channel.send(static_cast<std::uint32_t>(MessageKind::failed), to_bytes(text.error()));
  return channel.send(static_cast<std::uint32_t>(MessageKind::answer), *text);
}

}  // namespace

bool Service::answer(Channel& channel, const Packet& message) {
  const auto kind = static_cast<MessageKind>(message.kind);
  if (kind == MessageKind::driver) return reply(channel, Expected<DriverFacts>(driver_facts()));
  if (kind == MessageKind::opengl) return reply(channel, opengl_renderer());

  const auto request = from_bytes<Request>(message.bytes);
  if (!request) return false;
  if (kind == MessageKind::open) {
    auto opened = open(request->kind, request->file);
    if (!opened) return reply(channel, Expected<Identity>(tl::unexpected(opened.error())));
    library_ = std::move(*opened);
    return reply(channel, library_->identity());
  }
  if (!library_) return false;
  switch (kind) {
    case MessageKind::offer:
      return reply(channel, library_->offer(request->problem, request->target));
    case MessageKind::run:
      if (request->algorithms.size() != 1) return false;
      return reply(channel,
                   library_->run(request->problem, request->algorithms.front(), request->inputs));
    case MessageKind::time:
      return reply(channel, library_->time(request->problem, request->algorithms, request->limits));
    case MessageKind::describe: return reply(channel, library_->describe_device());
    default: return false;
  }
}

}  // namespace warpbook::device::libraries
