#include "device/compiler/program_cache.hpp"

#include <algorithm>
#include <chrono>
#include <functional>

#include "device/wire/bytes.hpp"

namespace warpbook::device {
namespace {

constexpr FileCache::Form kForm{"warpbook program", 1, "compiled programs"};

}  // namespace

ProgramCache::ProgramCache(std::filesystem::path folder, std::uint64_t most_bytes)
    : keeps_(!folder.empty()), files_(std::move(folder), most_bytes, kForm) {}

std::optional<Program> ProgramCache::find(std::string_view key) {
  {
    const std::lock_guard lock(mutex_);
    const auto soon =
        std::ranges::find_if(waiting_, [&](const auto& entry) { return entry.first == key; });
    if (soon != waiting_.end()) {
      Program program = *soon->second;
      program.cached = true;
      return program;
    }
  }
  const auto bytes = files_.find(key);
  if (!bytes) return std::nullopt;
  auto program = from_bytes<Program>(*bytes);
  if (!program) {
    files_.drop(key);
    return std::nullopt;
  }
  program->cached = true;
  return std::move(*program);
}

void ProgramCache::store(std::string_view key, const Program& program) {
  files_.store(key, to_bytes(program));
}

void ProgramCache::store_soon(std::string key, std::shared_ptr<const Program> program) {
  if (!keeps_) return;
  {
    const std::lock_guard lock(mutex_);
    waiting_.emplace_back(std::move(key), std::move(program));
    if (!writer_.joinable()) writer_ = std::jthread(std::bind_front(&ProgramCache::write, this));
  }
  changed_.notify_all();
}

void ProgramCache::write(const std::stop_token& stop) {
  constexpr std::chrono::milliseconds kFirstLaunches{30};
  std::unique_lock lock(mutex_);
  // Once it is asked to stop, it goes on until nothing waits any more.
  while (changed_.wait(lock, stop, [&] { return !waiting_.empty(); })) {
    // Those that run the program go first, unless somebody asks for all to be written.
    changed_.wait_for(lock, stop, kFirstLaunches, [&] { return asked_ > 0; });
    const auto& [key, program] = waiting_.front();  // a deque's entries stay where they are
    lock.unlock();
    store(key, *program);
    lock.lock();
    waiting_.pop_front();
    changed_.notify_all();
  }
}

std::string ProgramCache::note() {
  std::unique_lock lock(mutex_);
  ++asked_;
  changed_.notify_all();
  changed_.wait(lock, [&] { return waiting_.empty(); });
  --asked_;
  return files_.note();
}

}  // namespace warpbook::device
