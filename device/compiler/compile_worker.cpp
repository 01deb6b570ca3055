#include "device/compiler/compile_worker.hpp"

#include <utility>

namespace warpbook::device {
namespace {

constexpr std::chrono::seconds kStartTime{60};  // on a slow disk that has to read 100 MB

template <class T>
std::uint32_t kind_of(T kind) {
  return static_cast<std::uint32_t>(kind);
}

}  // namespace

Expected<std::shared_ptr<CompileWorker>> CompileWorker::start(const WorkerHello& hello) {
  auto started = WorkerProcess::start("compile");
  if (!started) return tl::unexpected(started.error());
  Packet message;
  if (!started->channel().send(kind_of(CompileMessage::hello), to_bytes(hello)) ||
      started->channel().receive(message, Clock::now() + kStartTime) != Channel::Outcome::message) {
    return failure(ErrorCode::worker_failed,
                   {{"why", worker_binary() + " worker compile does not answer"}});
  }
  auto answer = from_bytes<WorkerReady>(message.bytes);
  if (message.kind != kind_of(CompileMessage::ready) || !answer) {
    return failure(ErrorCode::worker_protocol,
                   {{"detail", Message{"phrase.protocol.greeting", {}}}});
  }
  if (!answer->missing.empty())
    return failure(ErrorCode::compiler_missing, {{"detail", answer->missing}});
  std::shared_ptr<CompileWorker> worker(new CompileWorker);
  worker->process_ = std::move(*started);
  worker->ready_ = std::move(*answer);
  return worker;
}

std::optional<std::uint64_t> CompileWorker::ask(const CompileRequest& request) {
  const std::lock_guard lock(mutex_);
  if (ended_) return std::nullopt;
  const std::uint64_t id = ++last_id_;
  if (!process_.channel().send(kind_of(CompileMessage::compile),
                               to_bytes(CompileAsked{id, request}))) {
    ended_ = Outcome::gone;
    return std::nullopt;
  }
  asked_[id];
  return id;
}

void CompileWorker::stop(std::uint64_t id) {
  const std::lock_guard lock(mutex_);
  process_.channel().send(kind_of(CompileMessage::stop), to_bytes(id));
}

CompileWorker::Outcome CompileWorker::wait_for(std::uint64_t id, Clock::time_point until,
                                               Answer& answer) {
  std::unique_lock lock(mutex_);
  while (true) {
    if (std::optional<Answer>& come = asked_.at(id)) {
      answer = std::move(*come);
      asked_.erase(id);
      return Outcome::answer;
    }
    if (ended_) return *ended_;
    if (Clock::now() >= until) return Outcome::timeout;
    if (reading_) {
      changed_.wait_until(lock, until);
    } else {
      read(lock, until);
    }
  }
}

void CompileWorker::read(std::unique_lock<std::mutex>& lock, Clock::time_point until) {
  reading_ = true;
  lock.unlock();
  Packet message;
  const Channel::Outcome outcome = process_.channel().receive(message, until);
  lock.lock();
  reading_ = false;
  if (outcome == Channel::Outcome::message) {
    auto done = from_bytes<CompileDone>(message.bytes);
    if (message.kind != kind_of(CompileMessage::done) || !done) {
      ended_ = Outcome::malformed;
    } else if (const auto asked = asked_.find(done->id); asked != asked_.end()) {
      asked->second = Answer{std::move(*done), std::move(message.memory)};
    }  // else it was given up
  } else if (outcome != Channel::Outcome::timeout) {
    ended_ = Outcome::gone;
  }
  // Either an answer has come, or another has to read now.
  changed_.notify_all();
}

void CompileWorker::forget(std::uint64_t id) {
  const std::lock_guard lock(mutex_);
  asked_.erase(id);
}

void CompileWorker::give_up() {
  const std::lock_guard lock(mutex_);
  if (!ended_) ended_ = Outcome::gone;
  changed_.notify_all();
}

bool CompileWorker::given_up() const {
  const std::lock_guard lock(mutex_);
  return ended_.has_value();
}

}  // namespace warpbook::device
