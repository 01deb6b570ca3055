#include "lab/experiment/programs_ahead.hpp"

#include <functional>
#include <utility>

#include "device/compiler/at_once.hpp"
#include "device/wire/bytes.hpp"

namespace warpbook::lab {
namespace {

tl::unexpected<device::CompileFailure> cancelled() {
  return tl::unexpected(device::CompileFailure{{device::ErrorCode::cancelled, {}, {}}, {}});
}

}  // namespace

ProgramsAhead::ProgramsAhead(std::shared_ptr<device::Compiler> compiler)
    : compiler_(std::move(compiler)) {}

ProgramsAhead::~ProgramsAhead() = default;

void ProgramsAhead::begin(device::CompileRequest request) {
  {
    const std::lock_guard lock(mutex_);
    waiting_.push_back(std::move(request));
    if (threads_.size() < device::compiles_at_once())
      threads_.emplace_back(std::bind_front(&ProgramsAhead::work, this));
  }
  changed_.notify_all();
}

ProgramsAhead::Compiled ProgramsAhead::program(const device::CompileRequest& request,
                                               const std::stop_token& stop) {
  const std::string bytes = device::to_bytes(request);
  std::unique_lock lock(mutex_);
  if (!changed_.wait(lock, stop, [&] { return !compiling_.contains(bytes); })) return cancelled();
  if (const auto found = ready_.find(bytes); found != ready_.end()) return found->second;
  return compile(lock, bytes, request, stop);
}

ProgramsAhead::Compiled ProgramsAhead::compile(std::unique_lock<std::mutex>& lock,
                                               const std::string& bytes,
                                               const device::CompileRequest& request,
                                               const std::stop_token& stop) {
  compiling_.insert(bytes);
  lock.unlock();
  Compiled compiled = compiler_->compile(request, stop);
  lock.lock();
  compiling_.erase(bytes);
  // Who was stopped says nothing about the program, for which another may ask.
  if (compiled || compiled.error().error.code != device::ErrorCode::cancelled)
    ready_.emplace(bytes, compiled);
  changed_.notify_all();
  return compiled;
}

void ProgramsAhead::work(const std::stop_token& stop) {
  std::unique_lock lock(mutex_);
  // Where somebody waits for a program that had not begun, the compiler is theirs first.
  const auto can_begin = [this] {
    return !waiting_.empty() && compiling_.size() < device::compiles_at_once();
  };
  while (changed_.wait(lock, stop, can_begin)) {
    const device::CompileRequest request = std::move(waiting_.front());
    waiting_.pop_front();
    const std::string bytes = device::to_bytes(request);
    if (!ready_.contains(bytes) && !compiling_.contains(bytes)) compile(lock, bytes, request, stop);
  }
}

}  // namespace warpbook::lab
