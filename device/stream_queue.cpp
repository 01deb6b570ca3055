#include "device/stream_queue.hpp"

#include <algorithm>
#include <utility>

#include "device/short_spin.hpp"

namespace warpbook::device {

StreamQueue::StreamQueue() : thread_([this] { work(); }) {}

StreamQueue::~StreamQueue() { end(); }

void StreamQueue::end() {
  {
    std::lock_guard lock(mutex_);
    if (ended_) return;
    ended_ = true;
  }
  stop_.request_stop();
  work_arrived_.notify_all();
  thread_.join();
  for (StreamTask& task : waiting_) task.drop();
  waiting_.clear();
}

void StreamQueue::push(StreamTask task) {
  {
    std::lock_guard lock(mutex_);
    last_of_[task.stream] = ++pushed_;
    waiting_.push_back(std::move(task));
  }
  work_arrived_.notify_one();
}

void StreamQueue::note(std::uint32_t stream, const Error& error) {
  std::lock_guard lock(mutex_);
  note_locked(stream, error);
}

void StreamQueue::note_locked(std::uint32_t stream, const Error& error) {
  first_error_.try_emplace(stream, NotedError{errors_++, error});
}

void StreamQueue::work() {
  std::unique_lock lock(mutex_);
  while (true) {
    if (waiting_.empty() && !ended_) {
      lock.unlock();
      short_spin([&] { return pushed_ != done_; });
      lock.lock();
    }
    work_arrived_.wait(lock, [&] { return ended_ || !waiting_.empty(); });
    if (ended_) return;
    StreamTask task = std::move(waiting_.front());
    waiting_.pop_front();
    lock.unlock();
    const std::optional<Error> error = task.run(stop_.get_token());
    const std::uint32_t stream = task.stream;
    task = {};  // releases its module and buffers before it is reported as done
    lock.lock();
    if (error) note_locked(stream, *error);
    ++done_;
    work_done_.notify_all();
  }
}

void StreamQueue::wait_until_done(std::unique_lock<std::mutex>& lock, std::uint64_t ticket) {
  if (done_ < ticket) {
    lock.unlock();
    short_spin([&] { return done_ >= ticket; });
    lock.lock();
  }
  work_done_.wait(lock, [&] { return done_ >= ticket; });
}

std::optional<Error> StreamQueue::synchronise(std::uint32_t stream) {
  std::unique_lock lock(mutex_);
  const auto last = last_of_.find(stream);
  wait_until_done(lock, stream == 0 ? pushed_.load() : last == last_of_.end() ? 0 : last->second);
  const auto found = first_error_.find(stream);
  if (found == first_error_.end()) return std::nullopt;
  Error error = std::move(found->second.error);
  first_error_.erase(found);
  return error;
}

std::optional<Error> StreamQueue::synchronise() {
  std::unique_lock lock(mutex_);
  wait_until_done(lock, pushed_);
  if (first_error_.empty()) return std::nullopt;
  const auto first = std::ranges::min_element(
      first_error_, {}, [](const auto& entry) -> std::uint64_t { return entry.second.order; });
  Error error = std::move(first->second.error);
  first_error_.clear();
  return error;
}

void StreamQueue::wait_idle() {
  std::unique_lock lock(mutex_);
  wait_until_done(lock, pushed_);
}

}  // namespace warpbook::device
