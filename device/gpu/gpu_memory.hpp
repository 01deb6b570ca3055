// The owner's list of allocations on the GPU. It is needed because the driver does not check the bounds of copies, and
// because memory is lost with a context that fails.
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
  /// Marks everything that is older than that generation as lost.
  void lose(std::uint64_t generation, const std::string& cause);

  /// Removes a buffer. bad_pointer if none starts there; false if it was lost before, so that the driver need not free it.
  Expected<bool> take(Pointer address, std::string_view call);
  /// Checks that `bytes` at `address` are inside one allocation. Errors: bad_pointer, copy_out_of_bounds, memory_lost.
  Expected<void> check(Pointer address, std::uint64_t bytes, std::string_view call) const;
  /// memory_lost if the address points into memory that was lost and not freed.
  Expected<void> check_lost(Pointer address) const;
  /// Whether memory that was lost and not freed had any of these addresses. They must not be handed out again.
  [[nodiscard]] bool was_lost(Pointer address, std::uint64_t bytes) const;

  /// The existing buffer or variable that contains this address.
  [[nodiscard]] std::optional<AllocationInfo> holding(Pointer address) const;
  [[nodiscard]] std::string name_at(Pointer address) const;
  /// The existing buffers.
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
