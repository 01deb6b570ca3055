#include "device/queued_device.hpp"

#include <fmt/format.h>

namespace warpbook::device {
namespace {

constexpr std::size_t kMaxHostCalls = 1u << 20;

}  // namespace

void QueuedDevice::finish_work() {
  if (!queue_.on_own_thread()) queue_.wait_idle();
}

void QueuedDevice::log(std::string call, std::string subject, std::uint64_t bytes,
                       std::uint32_t stream) {
  const std::lock_guard lock(mutex_);
  if (calls_.size() < kMaxHostCalls)
    calls_.push_back({std::move(call), std::move(subject), bytes, stream});
}

std::vector<HostCall> QueuedDevice::host_calls() const {
  const std::lock_guard lock(mutex_);
  return calls_;
}

Error QueuedDevice::unknown(const char* what, std::uint32_t id) const {
  return {ErrorCode::invalid_handle,
          {{"what", Message{"phrase.what." + std::string(what), {}, {}}},
           {"id", std::to_string(id)},
           {"device", gpu_.name}},
          {}};
}

Error QueuedDevice::foreign_module() const {
  return {ErrorCode::invalid_value,
          {{"why", Message{"phrase.why.foreign-module", {{"gpu", gpu_.name}}, {}}}},
          {}};
}

Expected<Done> QueuedDevice::check(Stream stream) const {
  const std::lock_guard lock(mutex_);
  if (stream.id == 0 || streams_.contains(stream.id)) return Done{};
  return tl::unexpected(unknown("stream", stream.id));
}

Expected<QueuedDevice::Admitted> QueuedDevice::admit(const Launch& launch,
                                                     std::string& kernel_name) const {
  if (!launch.module) {
    return failure(ErrorCode::invalid_value, {{"why", Message{"phrase.why.no-module", {}, {}}}});
  }
  if (auto own = check_own(*launch.module); !own) return tl::unexpected(own.error());
  const auto kernel = launch.module->kernel(launch.kernel);
  if (!kernel) return tl::unexpected(kernel.error());
  kernel_name = (*kernel)->name;
  if (auto ok = check_arguments(**kernel, launch.arguments); !ok) return tl::unexpected(ok.error());
  const auto admission = check_geometry(gpu_, **kernel, launch);
  if (!admission) return tl::unexpected(admission.error());
  return Admitted{*kernel, *admission, pack_arguments(**kernel, launch.arguments)};
}

LaunchTicket QueuedDevice::launch(Launch launch, Stream stream) {
  LaunchTicket ticket;
  std::string kernel_name = launch.kernel;
  const auto exists = check(stream);
  const auto admitted = exists ? admit(launch, kernel_name) : tl::unexpected(exists.error());
  auto work = admitted ? prepare(launch, *admitted) : tl::unexpected(admitted.error());
  log("launch", kernel_name, 0, stream.id);
  if (!work) {
    queue_.note(stream.id, work.error());
    ticket.deliver(tl::unexpected(work.error()));
    return ticket;
  }
  auto run = [ticket, kernel_name, module = launch.module, user_stop = launch.stop,
              prepared = std::move(*work)](
                 const std::stop_token& device_stop) mutable -> std::optional<Error> {
    // Both the launch's own stop request and the end of the device stop the kernel.
    std::stop_source stop;
    const auto pass_on = [&stop] { stop.request_stop(); };
    const std::stop_callback on_user(user_stop, pass_on);
    const std::stop_callback on_device(device_stop, pass_on);
    auto record = prepared(stop.get_token());
    if (!record) {
      ticket.deliver(tl::unexpected(record.error()));
      return record.error();
    }
    record->kernel = kernel_name;
    std::optional<Error> error = record->error;
    ticket.deliver(std::make_shared<const LaunchRecord>(std::move(*record)));
    return error;
  };
  queue_.push({.stream = stream.id, .run = std::move(run), .drop = [ticket]() mutable {
                 ticket.deliver(failure(ErrorCode::cancelled));
               }});
  return ticket;
}

CopyTicket QueuedDevice::refused(Error error) {
  CopyTicket ticket;
  ticket.deliver(tl::unexpected(std::move(error)));
  return ticket;
}

CopyTicket QueuedDevice::queue_copy(HostCall call, CopyWork work) {
  const Stream stream{call.stream};
  log(std::move(call.call), std::move(call.subject), call.bytes, call.stream);
  if (const auto exists = check(stream); !exists) return refused(exists.error());
  CopyTicket ticket;
  queue_.push({.stream = stream.id,
               .run = [ticket, copy = std::move(work)](
                          const std::stop_token&) mutable -> std::optional<Error> {
                 const auto copied = copy();
                 ticket.deliver(copied ? Expected<Done>(Done{}) : tl::unexpected(copied.error()));
                 return copied ? std::nullopt : std::optional(copied.error());
               },
               .drop = [ticket]() mutable { ticket.deliver(failure(ErrorCode::cancelled)); }});
  return ticket;
}

CopyTicket QueuedDevice::call_host(std::function<void()> function, Stream stream) {
  return queue_copy({"host_function", "", 0, stream.id},
                    [call = std::move(function)]() -> Expected<void> {
                      call();
                      return {};
                    });
}

CopyTicket QueuedDevice::mark() {
  CopyTicket mark;
  queue_.push({.stream = 0,
               .run = [mark](const std::stop_token&) mutable -> std::optional<Error> {
                 mark.deliver(Done{});
                 return std::nullopt;
               },
               .drop = [mark]() mutable { mark.deliver(failure(ErrorCode::cancelled)); }});
  return mark;
}

Expected<Stream> QueuedDevice::create_stream() {
  const std::lock_guard lock(mutex_);
  streams_.insert(++last_stream_);
  return Stream{last_stream_};
}

Expected<Done> QueuedDevice::destroy(Stream stream) {
  const std::lock_guard lock(mutex_);
  if (streams_.erase(stream.id) == 1) return Done{};
  return tl::unexpected(unknown("stream", stream.id));
}

Expected<Event> QueuedDevice::record_event(Stream stream) {
  if (auto exists = check(stream); !exists) return tl::unexpected(exists.error());
  log("record_event", "", 0, stream.id);
  const std::lock_guard lock(mutex_);
  return Event{++last_event_};
}

Expected<Done> QueuedDevice::wait(Stream stream, Event event) {
  if (auto exists = check(stream); !exists) return exists;
  log("wait", "", 0, stream.id);
  // The work before the event was queued before the work after it, and the queue keeps that order
  // (stream_queue.hpp).
  const std::lock_guard lock(mutex_);
  if (event.id >= 1 && event.id <= last_event_) return Done{};
  return tl::unexpected(unknown("event", event.id));
}

Expected<Done> QueuedDevice::waited(const std::function<std::optional<Error>()>& wait) {
  if (queue_.on_own_thread()) {
    return failure(ErrorCode::invalid_value, {{"why", Message{"phrase.why.own-thread", {}, {}}}});
  }
  if (auto error = wait()) return tl::unexpected(std::move(*error));
  return Done{};
}

Expected<Done> QueuedDevice::synchronise(Stream stream) {
  if (auto exists = check(stream); !exists) return exists;
  log("synchronise", "", 0, stream.id);
  return waited([&] { return queue_.synchronise(stream.id); });
}

Expected<Done> QueuedDevice::synchronise() {
  log("synchronise", "", 0, 0);
  return waited([&] { return queue_.synchronise(); });
}

}  // namespace warpbook::device
