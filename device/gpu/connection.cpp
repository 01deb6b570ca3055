#include "device/gpu/connection.hpp"

#include <poll.h>

#include <algorithm>
#include <chrono>

#include <fmt/format.h>

#include "device/gpu/fault.hpp"

namespace warpbook::device::gpu {
namespace {

constexpr const char* kDriver = "the NVIDIA driver";
constexpr int kSliceMilliseconds = 20;  // how soon a request to stop is seen
constexpr double kOpenPatience = 60;

enum class Waited : std::uint8_t { ready, too_long, stopped };

/// Until something can be read, the time is over or a stop is asked for.
Waited wait_for_answer(int socket, const Patience& patience) {
  using Clock = std::chrono::steady_clock;
  const auto begin = Clock::now();
  while (true) {
    pollfd wanted{socket, POLLIN, 0};
    if (::poll(&wanted, 1, kSliceMilliseconds) > 0) return Waited::ready;
    if (patience.stop.stop_requested()) return Waited::stopped;
    const double waited = std::chrono::duration<double>(Clock::now() - begin).count();
    if (patience.seconds > 0 && waited > patience.seconds) return Waited::too_long;
  }
}

}  // namespace

std::string Connection::last_loss() const {
  const std::lock_guard lock(mutex_);
  return last_loss_;
}

pid_t Connection::worker() const {
  const std::lock_guard lock(mutex_);
  return worker_ ? worker_.pid() : 0;
}

void Connection::lose(const Error& why) {
  const std::lock_guard lock(mutex_);
  lose_locked(why);
}

void Connection::lose_locked(const Error& why) {
  worker_ = WorkerProcess();
  opened_.reset();
  shared_.clear();
  last_loss_ = why.english();
  ++generation_;
}

Expected<Opened> Connection::open() {
  const std::lock_guard lock(mutex_);
  return open_locked();
}

Expected<Opened> Connection::open_locked() {
  if (worker_ && opened_) return *opened_;
  auto worker = WorkerProcess::start("device");
  if (!worker) return tl::unexpected(worker.error());
  worker_ = std::move(*worker);
  const auto answer = exchange(MessageKind::open, {}, -1, {kOpenPatience, {}});
  const auto opened = from_bytes<Opened>(answer.value_or(""));
  if (opened) {
    opened_ = *opened;
    return *opened_;
  }
  // Without a GPU the worker is of no use.
  worker_ = WorkerProcess();
  if (!answer) return tl::unexpected(answer.error().error);
  return failure(ErrorCode::worker_protocol,
                 {{"detail", Message{"phrase.protocol.description", {}}}});
}

tl::expected<std::string, Failure> Connection::exchange(MessageKind kind, const std::string& bytes,
                                                        int memory, const Patience& patience) {
  // A harmful failure ends the worker, because a context that has failed answers nothing else.
  const auto lost = [&](Error error) {
    lose_locked(error);
    return tl::unexpected(Failure{std::move(error), Harm::context});
  };
  const auto died = [&] {
    return lost(
        error_of(ErrorCode::library_died, {{"library", kDriver}, {"detail", worker_.ending()}}));
  };
  Channel& channel = worker_.channel();
  if (!channel.send(static_cast<std::uint32_t>(kind), bytes, memory)) return died();
  switch (wait_for_answer(channel.fd(), patience)) {
    case Waited::ready: break;
    case Waited::stopped: return lost(error_of(ErrorCode::cancelled, {}));
    case Waited::too_long: {
      const std::string seconds = fmt::format("{:g}", patience.seconds);
      return lost(
          kind == MessageKind::launch
              ? error_of(ErrorCode::budget_time, {{"seconds", seconds}})
              : error_of(ErrorCode::library_timeout, {{"library", kDriver}, {"seconds", seconds}}));
    }
  }
  Packet message;
  const auto outcome = channel.receive(message);
  if (outcome == Channel::Outcome::closed) return died();
  const auto answer = static_cast<MessageKind>(message.kind);
  if (outcome == Channel::Outcome::message && answer == MessageKind::answer)
    return std::move(message.bytes);
  if (outcome == Channel::Outcome::message && answer == MessageKind::failed) {
    if (auto failed = from_bytes<Failure>(message.bytes)) {
      if (failed->harm != Harm::none) lose_locked(failed->error);
      return tl::unexpected(std::move(*failed));
    }
  }
  return lost(
      error_of(ErrorCode::worker_protocol, {{"detail", Message{"phrase.protocol.senseless", {}}}}));
}

template <class T>
Expected<T> Connection::ask(MessageKind kind, const std::string& bytes, const Patience& patience) {
  const std::lock_guard lock(mutex_);
  if (auto opened = open_locked(); !opened) return tl::unexpected(opened.error());
  const auto answer = exchange(kind, bytes, -1, patience);
  if (!answer) return tl::unexpected(answer.error().error);
  if (auto value = from_bytes<T>(*answer)) return std::move(*value);
  const Error error =
      error_of(ErrorCode::worker_protocol, {{"detail", Message{"phrase.protocol.answer", {}}}});
  lose_locked(error);
  return tl::unexpected(error);
}

template Expected<Numbers> Connection::ask(MessageKind, const std::string&, const Patience&);
template Expected<std::vector<FunctionFacts>> Connection::ask(MessageKind, const std::string&,
                                                              const Patience&);
template Expected<std::vector<Timing>> Connection::ask(MessageKind, const std::string&,
                                                       const Patience&);

Expected<void> Connection::tell(MessageKind kind, const std::string& bytes, int memory) {
  const std::lock_guard lock(mutex_);
  if (auto opened = open_locked(); !opened) return tl::unexpected(opened.error());
  const auto answer = exchange(kind, bytes, memory, {kPatience, {}});
  if (!answer) return tl::unexpected(answer.error().error);
  return {};
}

Expected<LaunchReply> Connection::launch(const LaunchRequest& request, const Patience& patience) {
  const std::lock_guard lock(mutex_);
  if (auto opened = open_locked(); !opened) return tl::unexpected(opened.error());
  const auto begin = std::chrono::steady_clock::now();
  const auto answer = exchange(MessageKind::launch, to_bytes(request), -1, patience);
  if (!answer) {
    if (answer.error().harm == Harm::none) return tl::unexpected(answer.error().error);
    LaunchReply reply;
    reply.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
    reply.failure = answer.error();
    return reply;
  }
  auto reply = from_bytes<LaunchReply>(*answer);
  if (!reply)
    return failure(ErrorCode::worker_protocol, {{"detail", Message{"phrase.protocol.record", {}}}});
  if (reply->failure && reply->failure->harm != Harm::none) lose_locked(reply->failure->error);
  return std::move(*reply);
}

Expected<std::uint64_t> Connection::number_of(const SharedMemory& memory) {
  const std::lock_guard lock(mutex_);
  if (auto opened = open_locked(); !opened) return tl::unexpected(opened.error());
  if (shared_.contains(memory.number())) return memory.number();
  if (auto told = tell(MessageKind::share,
                       to_bytes(Numbers{memory.number(), memory.bytes().size()}), memory.file());
      !told)
    return tl::unexpected(told.error());
  shared_.insert(memory.number());
  return memory.number();
}

void Connection::forget(std::uint64_t number) {
  const std::lock_guard lock(mutex_);
  if (shared_.erase(number) == 1 && worker_)
    (void)tell(MessageKind::unshare, to_bytes(Numbers{number}));
}

void Connection::unload(std::uint64_t module, std::uint64_t generation) {
  const std::lock_guard lock(mutex_);
  if (worker_ && generation == generation_)
    (void)tell(MessageKind::unload, to_bytes(Numbers{module}));
}

}  // namespace warpbook::device::gpu
