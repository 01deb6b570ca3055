// Host memory that the owner and its worker both map, so that copies do not have to pass through the channel.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>

#include "device/error.hpp"
#include "device/unique_fd.hpp"

namespace warpbook::device::gpu {

class SharedMemory {
 public:
  /// Zeroed, and at least one byte. Error: out_of_memory.
  static Expected<std::shared_ptr<SharedMemory>> make(std::uint64_t bytes);
  ~SharedMemory();
  SharedMemory(const SharedMemory&) = delete;
  SharedMemory& operator=(const SharedMemory&) = delete;

  [[nodiscard]] std::span<std::byte> bytes() const { return {memory_, size_}; }
  [[nodiscard]] std::uint64_t number() const { return number_; }  ///< unique in this process
  [[nodiscard]] int file() const { return file_.get(); }

 private:
  SharedMemory() = default;
  std::byte* memory_ = nullptr;
  std::size_t size_ = 0;
  std::uint64_t number_ = 0;
  UniqueFd file_;
};

}  // namespace warpbook::device::gpu
