// What a program writes, in memory of a fixed size: a loop that prints without end fills no machine.
#pragma once

#include <cstddef>
#include <string>
#include <utility>

#include "device/error.hpp"
#include "device/unique_fd.hpp"

namespace warpbook::lab {

class WrittenOutput {
 public:
  static constexpr std::size_t kMostBytes = 1u << 20;

  /// Error: worker_failed, where the system gives no memory.
  static device::Expected<WrittenOutput> make();
  /// For the program to write to. What goes beyond kMostBytes is refused to it.
  [[nodiscard]] int fd() const { return memory_.get(); }
  /// What it has written so far.
  [[nodiscard]] std::string text() const;

 private:
  explicit WrittenOutput(device::UniqueFd memory) : memory_(std::move(memory)) {}
  device::UniqueFd memory_;
};

}  // namespace warpbook::lab
