// Exhibits made from what a launch did: never recomputed from a formula, so that a wrong kernel looks wrong.
#pragma once

#include <vector>

#include "lab/model/exhibits.hpp"

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

/// A convolution that was run: its arrays after the run, matched with the record's allocations by their names, and its
/// settings.
struct SlidingWindowRun {
  const TensorExhibit &input, &weights,
      &output;  ///< shaped as SlidingWindowExhibit says; output without the image
  bool channels_last = false;
  std::uint32_t stride = 1, pad = 0, dilation = 1;
  std::uint64_t chosen = 0;  ///< the output that is shown first, or the next that was seen
};
/// Each output with what its thread had read: in the order of the trace, behind them the stray reads, which the checker
/// suppressed.
SlidingWindowExhibit sliding_window_of(const device::LaunchRecord& record,
                                       const SlidingWindowRun& run);

/// The launch's geometry; a thread that stored nothing to global memory, not even astray, counts as idle.
GeometryExhibit geometry_of(const device::LaunchRecord& record);

}  // namespace warpbook::lab
