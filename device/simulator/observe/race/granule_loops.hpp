// racecheck: the granules that a warp touches at once, in loops that the compiler turns into vectors.
#pragma once

#include <cstddef>
#include <cstdint>

#include "device/simulator/observe/race/stamp_bounds.hpp"

namespace warpbook::device {

/// Plain accesses by `count` threads or pairs of them, each to a granule of its own.
struct RaceGranules {
  Cells cells;        ///< side by side
  const Stamp* own;   ///< who reads or writes each
  const Stamp* also;  ///< a higher lane of the same warp that reads it, too; nullptr: nobody
  std::size_t count;
  Stamp instruction;
};

/// The loops over stamps, for one kind of processor. They do what Settled::insert does, many granules at a time; false, and
/// nothing done, where one of them must be looked at closer.
struct RaceLoops {
  /// Reading would change nothing, whoever of the warp does.
  bool (*held)(const Cells&, std::size_t count, const Settled&);
  /// Reading where nobody has read since the floor but oneself. Leaves the other readers' stamps alone.
  bool (*take)(const RaceGranules&, const Settled&);
  bool (*read)(const RaceGranules&, const Settled&);
  bool (*write)(const RaceGranules&, const Settled&);
};

/// For the processor that this runs on.
[[nodiscard]] const RaceLoops& race_loops();

}  // namespace warpbook::device
