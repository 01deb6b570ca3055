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

tl::unexpected<Failure> senseless(Frame frame) {
  return tl::unexpected(
      Failure{{ErrorCode::worker_protocol,
               {{"detail", fmt::format("request {}", static_cast<std::uint32_t>(frame))}},
               {}},
              Harm::none});
}

/// `call` with the request that the bytes hold.
template <class Request, class Call>
Result<std::string> with(Frame frame, const std::string& bytes, Call call) {
  const auto request = from_bytes<Request>(bytes);
  if (!request) return senseless(frame);
  return bytes_of(call(*request));
}

/// `call` with that many numbers.
template <std::size_t count, class Call>
Result<std::string> with_numbers(Frame frame, const std::string& bytes, Call call) {
  const auto numbers = from_bytes<Numbers>(bytes);
  if (!numbers || numbers->size() != count) return senseless(frame);
  return bytes_of(call(numbers->data()));
}

}  // namespace

bool Service::takes(const Message& message) {
  return message.kind >= static_cast<std::uint32_t>(Frame::first) &&
         message.kind <= static_cast<std::uint32_t>(Frame::last);
}

bool Service::answer(Channel& channel, Message message) {
  const std::uint32_t kind = message.kind;
  const auto value = value_of(static_cast<Frame>(kind), std::move(message));
  if (value) return channel.send(static_cast<std::uint32_t>(Frame::answer), *value);
  return channel.send(static_cast<std::uint32_t>(Frame::failed), to_bytes(value.error()));
}

Result<std::string> Service::value_of(Frame frame, Message message) {
  const std::string& bytes = message.bytes;
  if (frame == Frame::open) {
    auto context = Context::open();
    if (!context) return tl::unexpected(context.error());
    context_ = std::move(*context);
    return to_bytes(context_->opened());
  }
  if (!context_) return senseless(frame);
  Context& gpu = *context_;
  using Given = const std::uint64_t*;
  switch (frame) {
    case Frame::load:
      return with<LoadRequest>(frame, bytes, [&](const auto& r) { return gpu.load(r); });
    case Frame::global:
      return with<SymbolRequest>(frame, bytes, [&](const auto& r) { return gpu.global(r); });
    case Frame::launch:
      return with<LaunchRequest>(frame, bytes, [&](const auto& r) { return gpu.launch(r); });
    case Frame::occupancy:
      return with<OccupancyRequest>(frame, bytes, [&](const auto& r) { return gpu.occupancy(r); });
    case Frame::time:
      return with<TimeRequest>(frame, bytes, [&](const auto& r) { return gpu.time(r); });
    case Frame::unload:
      return with_numbers<1>(frame, bytes, [&](Given n) { return gpu.unload(n[0]); });
    case Frame::allocate:
      return with_numbers<1>(frame, bytes, [&](Given n) { return gpu.allocate(n[0]); });
    case Frame::release:
      return with_numbers<1>(frame, bytes, [&](Given n) { return gpu.release(n[0]); });
    case Frame::share:
      return with_numbers<2>(
          frame, bytes, [&](Given n) { return gpu.share(n[0], n[1], std::move(message.memory)); });
    case Frame::unshare:
      return with_numbers<1>(frame, bytes, [&](Given n) { return gpu.unshare(n[0]); });
    case Frame::copy_in:
      return with_numbers<4>(frame, bytes,
                             [&](Given n) { return gpu.copy_in(n[0], n[1], n[2], n[3]); });
    case Frame::copy_out:
      return with_numbers<4>(frame, bytes,
                             [&](Given n) { return gpu.copy_out(n[0], n[1], n[2], n[3]); });
    case Frame::copy:
      return with_numbers<3>(frame, bytes, [&](Given n) { return gpu.copy(n[0], n[1], n[2]); });
    case Frame::fill:
      return with_numbers<3>(frame, bytes, [&](Given n) {
        return gpu.fill(n[0], static_cast<std::uint8_t>(n[1]), n[2]);
      });
    case Frame::create_array:
      return with<ArrayRequest>(frame, bytes, [&](const auto& r) { return gpu.create_array(r); });
    case Frame::destroy_array:
      return with_numbers<1>(frame, bytes, [&](Given n) { return gpu.destroy_array(n[0]); });
    case Frame::copy_in_array:
      return with<ArrayCopy>(frame, bytes, [&](const auto& r) { return gpu.copy_in_array(r); });
    case Frame::copy_out_array:
      return with<ArrayCopy>(frame, bytes, [&](const auto& r) { return gpu.copy_out_array(r); });
    case Frame::create_texture:
      return with<TextureRequest>(frame, bytes,
                                  [&](const auto& r) { return gpu.create_texture(r); });
    case Frame::destroy_texture:
      return with_numbers<1>(frame, bytes, [&](Given n) { return gpu.destroy_texture(n[0]); });
    case Frame::create_surface:
      return with_numbers<2>(frame, bytes, [&](Given n) {
        return gpu.create_surface(n[0], static_cast<std::uint32_t>(n[1]));
      });
    case Frame::destroy_surface:
      return with_numbers<1>(frame, bytes, [&](Given n) { return gpu.destroy_surface(n[0]); });
    default: return senseless(frame);
  }
}

}  // namespace warpbook::device::gpu
