// Exhibits made from what a launch did: never recomputed from a formula, so that a wrong kernel looks wrong.
#pragma once

#include <vector>

#include "lab/exhibits.hpp"

namespace warpbook::lab {

/// Every traced access to global memory that reached one of `arrays` (matched with the record's allocations by name),
/// as wires in the order of the trace; behind them the stray accesses, which the checker suppressed, by its findings.
AccessesExhibit accesses_of(const device::LaunchRecord& record,
                            std::vector<AccessesExhibit::Array> arrays);

/// A picture by who wrote its pixels. `pixels` is matched by its name with the record's write maps (the launch was asked
/// for one); where there is none, nobody is known to have written.
ImageExhibit image_of(const device::LaunchRecord& record, TensorExhibit pixels,
                      ImageExhibit::By by);

/// What sectors_of() shows first.
struct WantedRequest {
  std::uint32_t line = 0;                              ///< of the source; 0: any
  device::AccessKind kind = device::AccessKind::load;  ///< where a line is named
  std::uint32_t block = 0, warp = 0;
};
/// The launch's accesses to global memory as lanes and sectors; of each place in the source, its first requests.
SectorsExhibit sectors_of(const device::LaunchRecord& record, const WantedRequest& wanted = {});

/// The launch's geometry; a thread that stored nothing to global memory, not even astray, counts as idle.
GeometryExhibit geometry_of(const device::LaunchRecord& record);

}  // namespace warpbook::lab
