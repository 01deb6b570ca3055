// Which addresses on the GPU are whose, as the owner keeps it: the driver checks no copy's bounds, and memory goes with a
// context that fails.
#pragma once

#include <cstdint>
#include <map>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "device/launch_record.hpp"

namespace warpbook::device::gpu {

class GpuMemory {
 public:
  /// Allocations and variables of that generation of the worker.
  void add(AllocationInfo info, std::uint64_t generation, bool variable);
  /// What is older than that generation is lost.
  void lose(std::uint64_t generation, const std::string& cause);

  /// Takes a buffer out. bad_pointer where none starts there; false: it was lost before, and the driver knows nothing of it.
  Expected<bool> take(Pointer address, std::string_view call);
  /// Whether `bytes` at `address` lie in one allocation. bad_pointer, copy_out_of_bounds, memory_lost.
  Expected<void> check(Pointer address, std::uint64_t bytes, std::string_view call) const;
  /// memory_lost where the address points into memory that was lost and not freed.
  Expected<void> check_lost(Pointer address) const;
  /// Whether memory that was lost and not freed had any of these addresses: they may not be given out again.
  [[nodiscard]] bool was_lost(Pointer address, std::uint64_t bytes) const;

  /// The buffer or variable there is that holds this address.
  [[nodiscard]] std::optional<AllocationInfo> holding(Pointer address) const;
  [[nodiscard]] std::string name_at(Pointer address) const;
  /// The buffers there are.
  [[nodiscard]] std::vector<AllocationInfo> buffers() const;

 private:
  struct Piece {
    AllocationInfo info;
    std::uint64_t generation = 0;
    bool variable = false, lost = false;
  };
  [[nodiscard]] const Piece* at(Pointer address) const;
  [[nodiscard]] Error lost_error(const Piece& piece) const;

  mutable std::mutex mutex_;
  std::map<Pointer, Piece> pieces_;
  std::string cause_;
};

}  // namespace warpbook::device::gpu
