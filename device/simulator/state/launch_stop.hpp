// What ends a launch early: the first error in the order of blocks.
#pragma once

#include <atomic>
#include <cstdint>
#include <mutex>
#include <optional>

#include "device/error.hpp"

namespace warpbook::device {

/// Shared by all host threads of a launch. An error of a block ends that block and all behind it. The blocks before it run
/// on, because one of them may have an error too, and the launch reports the error of the lowest block.
class LaunchStop {
 public:
  void stop(Error why, std::uint64_t block) {
    std::lock_guard lock(mutex_);
    if (stopped(block)) return;
    error_ = std::move(why);
    first_stopped_.store(block, std::memory_order_relaxed);
  }
  [[nodiscard]] bool stopped(std::uint64_t block) const {
    return first_stopped_.load(std::memory_order_relaxed) <= block;
  }
  /// To be asked for when no block runs any more.
  [[nodiscard]] const std::optional<Error>& error() const { return error_; }

 private:
  std::atomic<std::uint64_t> first_stopped_{~std::uint64_t{0}};
  std::mutex mutex_;
  std::optional<Error> error_;
};

}  // namespace warpbook::device
