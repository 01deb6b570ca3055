#include "device/gpu/service.hpp"

#include <fmt/format.h>

namespace warpbook::device::gpu {
namespace {

Result<std::string> bytes_of(const Result<void>& done) {
  if (!done) return tl::unexpected(done.error());
  return std::string();
}

template <class T>
Result<std::string> bytes_of(const Result<T>& value) {
  if (!value) return tl::unexpected(value.error());
  return to_bytes(*value);
}

tl::unexpected<Failure> senseless(MessageKind kind) {
  return tl::unexpected(
      Failure{{ErrorCode::worker_protocol,
               {{"detail", Message{"phrase.protocol.request",
                                   {{"kind", std::to_string(static_cast<std::uint32_t>(kind))}}}}},
               {}},
              Harm::none});
}

/// `call` with the request that the bytes hold.
template <class Request, class Call>
Result<std::string> with(MessageKind kind, const std::string& bytes, Call call) {
  const auto request = from_bytes<Request>(bytes);
  if (!request) return senseless(kind);
  return bytes_of(call(*request));
}

/// `call` with that many numbers.
template <std::size_t count, class Call>
Result<std::string> with_numbers(MessageKind kind, const std::string& bytes, Call call) {
  const auto numbers = from_bytes<Numbers>(bytes);
  if (!numbers || numbers->size() != count) return senseless(kind);
  return bytes_of(call(numbers->data()));
}

}  // namespace

bool Service::takes(const Packet& message) {
  return message.kind >= static_cast<std::uint32_t>(MessageKind::first) &&
         message.kind <= static_cast<std::uint32_t>(MessageKind::last);
}

bool Service::answer(Channel& channel, Packet message) {
  const std::uint32_t kind = message.kind;
  const auto value = value_of(static_cast<MessageKind>(kind), std::move(message));
  if (value) return channel.send(static_cast<std::uint32_t>(MessageKind::answer), *value);
  return channel.send(static_cast<std::uint32_t>(MessageKind::failed), to_bytes(value.error()));
}

Result<std::string> Service::value_of(MessageKind kind, Packet message) {
  const std::string& bytes = message.bytes;
  if (kind == MessageKind::open) {
    auto context = Context::open();
    if (!context) return tl::unexpected(context.error());
    context_ = std::move(*context);
    return to_bytes(context_->opened());
  }
  if (!context_) return senseless(kind);
  Context& gpu = *context_;
  using Given = const std::uint64_t*;
  switch (kind) {
    case MessageKind::load:
      return with<LoadRequest>(kind, bytes, [&](const auto& r) { return gpu.load(r); });
    case MessageKind::global:
      return with<SymbolRequest>(kind, bytes, [&](const auto& r) { return gpu.global(r); });
    case MessageKind::launch:
      return with<LaunchRequest>(kind, bytes, [&](const auto& r) { return gpu.launch(r); });
    case MessageKind::occupancy:
      return with<OccupancyRequest>(kind, bytes, [&](const auto& r) { return gpu.occupancy(r); });
    case MessageKind::time:
      return with<TimeRequest>(kind, bytes, [&](const auto& r) { return gpu.time(r); });
    case MessageKind::unload:
      return with_numbers<1>(kind, bytes, [&](Given n) { return gpu.unload(n[0]); });
    case MessageKind::allocate:
      return with_numbers<1>(kind, bytes, [&](Given n) { return gpu.allocate(n[0]); });
    case MessageKind::release:
      return with_numbers<1>(kind, bytes, [&](Given n) { return gpu.release(n[0]); });
    case MessageKind::share:
      return with_numbers<2>(
          kind, bytes, [&](Given n) { return gpu.share(n[0], n[1], std::move(message.memory)); });
    case MessageKind::unshare:
      return with_numbers<1>(kind, bytes, [&](Given n) { return gpu.unshare(n[0]); });
    case MessageKind::copy_in:
      return with_numbers<4>(kind, bytes,
                             [&](Given n) { return gpu.copy_in(n[0], n[1], n[2], n[3]); });
    case MessageKind::copy_out:
      return with_numbers<4>(kind, bytes,
                             [&](Given n) { return gpu.copy_out(n[0], n[1], n[2], n[3]); });
    case MessageKind::copy:
      return with_numbers<3>(kind, bytes, [&](Given n) { return gpu.copy(n[0], n[1], n[2]); });
    case MessageKind::fill:
      return with_numbers<3>(kind, bytes, [&](Given n) {
        return gpu.fill(n[0], static_cast<std::uint8_t>(n[1]), n[2]);
      });
    case MessageKind::create_array:
      return with<ArrayRequest>(kind, bytes, [&](const auto& r) { return gpu.create_array(r); });
    case MessageKind::destroy_array:
      return with_numbers<1>(kind, bytes, [&](Given n) { return gpu.destroy_array(n[0]); });
    case MessageKind::copy_in_array:
      return with<ArrayCopy>(kind, bytes, [&](const auto& r) { return gpu.copy_in_array(r); });
    case MessageKind::copy_out_array:
      return with<ArrayCopy>(kind, bytes, [&](const auto& r) { return gpu.copy_out_array(r); });
    case MessageKind::create_texture:
      return with<TextureRequest>(kind, bytes,
                                  [&](const auto& r) { return gpu.create_texture(r); });
    case MessageKind::destroy_texture:
      return with_numbers<1>(kind, bytes, [&](Given n) { return gpu.destroy_texture(n[0]); });
    case MessageKind::create_surface:
      return with_numbers<2>(kind, bytes, [&](Given n) {
        return gpu.create_surface(n[0], static_cast<std::uint32_t>(n[1]));
      });
    case MessageKind::destroy_surface:
      return with_numbers<1>(kind, bytes, [&](Given n) { return gpu.destroy_surface(n[0]); });
    default: return senseless(kind);
  }
}

}  // namespace warpbook::device::gpu
