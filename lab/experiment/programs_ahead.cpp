#include "lab/experiment/programs_ahead.hpp"

#include <algorithm>
#include <utility>

#include "device/wire/bytes.hpp"

namespace warpbook::lab {

ProgramsAhead::ProgramsAhead(std::shared_ptr<device::Compiler> compiler)
    : compiler_(std::move(compiler)),
      thread_([this](const std::stop_token& stop) { work(stop); }) {}

ProgramsAhead::~ProgramsAhead() = default;

void ProgramsAhead::begin(device::CompileRequest request) {
  {
    const std::lock_guard lock(mutex_);
    waiting_.push_back(std::move(request));
  }
  changed_.notify_all();
}

std::optional<ProgramsAhead::Compiled> ProgramsAhead::take(const device::CompileRequest& request,
                                                           const std::stop_token& stop) {
  const std::string bytes = device::to_bytes(request);
  std::unique_lock lock(mutex_);
  if (!changed_.wait(lock, stop, [&] { return compiling_ != bytes; })) return std::nullopt;
  if (const auto found = ready_.find(bytes); found != ready_.end()) return found->second;
  std::erase_if(waiting_, [&](const device::CompileRequest& other) {
    return device::to_bytes(other) == bytes;
  });
  return std::nullopt;
}

void ProgramsAhead::work(const std::stop_token& stop) {
  std::unique_lock lock(mutex_);
  while (changed_.wait(lock, stop, [this] { return !waiting_.empty(); })) {
    const device::CompileRequest request = std::move(waiting_.front());
    waiting_.pop_front();
    std::string bytes = device::to_bytes(request);
    if (ready_.contains(bytes)) continue;
    compiling_ = bytes;
    lock.unlock();
    Compiled compiled = compiler_->compile(request, stop);
    lock.lock();
    compiling_.clear();
    ready_.emplace(std::move(bytes), std::move(compiled));
    changed_.notify_all();
  }
}

}  // namespace warpbook::lab
