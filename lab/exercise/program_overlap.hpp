// How far a program lets copies and kernels overlap, judged by the graph of its calls and never by a time: which operation has to
// wait for which, with costs that do not depend on a GPU.
#pragma once

#include <cstddef>
#include <cstdint>

#include "device/runtime/service.hpp"

namespace warpbook::lab {

struct ProgramOverlap {
  /// The end of everything as a share of one operation after the other. Copies in each direction cost as much as they move, and all
  /// kernels together as much as copying `bytes` once, each by the instructions of its threads. Two operations of one kind never
  /// overlap. 1 where there is nothing to overlap.
  double path_share = 1;
  /// Copies to the device that cannot begin before a kernel has ended that reads what the copy before them brought.
  std::size_t late_copies = 0;
  /// What of all copied bytes went from or to pageable memory of the host.
  double pageable_share = 0;
};
ProgramOverlap overlap_of(const device::runtime::ProgramRecord& record, std::uint64_t bytes);

/// Why operations of a program wait for each other, where its calls show that by themselves.
struct HoldUp {
  enum class Why : std::uint8_t {
    unknown,
    one_stream,  ///< all copies over the link and all kernels are in one stream
    host_waits,  ///< the host waits before it has asked for all operations
    default_stream  ///< an operation in the default stream stands between others, which are in streams that wait for it
  } why = Why::unknown;
  std::uint64_t call = 0;  ///< the first one that does so
  std::size_t times = 0;   ///< how often the host waits
};
HoldUp hold_up_of(const device::runtime::ProgramRecord& record);

}  // namespace warpbook::lab
