// Copies to the host that nobody has waited for yet. A GPU may bring their bytes at any time until then; here work runs as soon as it
// can, so that a program that reads too early would find the new bytes nearly always, and seem right.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "device/runtime/stream_order.hpp"
#include "device/simulator/state/memory.hpp"

namespace warpbook::device::runtime {

/// Bytes of a device's region, as they are or as they were.
struct HeldRow {
  std::uint64_t begin = 0;
  std::vector<std::byte> bytes;
};
/// Of extents that lie in no memory, nothing is held.
std::vector<HeldRow> held_rows(const GlobalMemory& memory, const std::vector<Extent>& extents);

/// Keeps what copies have brought to memory of the host, and shows the old bytes there until the copy is certain to be over.
class LateCopies {
 public:
  /// A copy has been made, the operation with that number: `old` is what its target held before.
  void hold(GlobalMemory& memory, std::uint32_t stream, std::size_t operation,
            const std::vector<HeldRow>& old);
  /// All copies that `past` knows to be over arrive, in their order.
  void arrive(GlobalMemory& memory, const StreamOrder::Past& past);
  /// Memory from `begin` to before `end` is freed: what would come there never arrives.
  void forget(std::uint64_t begin, std::uint64_t end);

 private:
  struct Copy {
    std::uint32_t stream = 0;
    std::size_t operation = 0;
    std::vector<HeldRow> brought;
  };
  std::vector<Copy> copies_;
};

}  // namespace warpbook::device::runtime
