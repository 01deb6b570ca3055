// racecheck's fast path for many granules at once: loops over stamps that the compiler turns into vector instructions.
#pragma once

#include <cstddef>
#include <cstdint>

#include "device/simulator/observe/race/stamp_bounds.hpp"

namespace warpbook::device {

/// Plain accesses of one warp to `count` granules, each by one thread, or read by two.
struct GranuleAccesses {
  ShadowCells cells;     ///< of these granules, side by side
  const Stamp* threads;  ///< by granule: segment, warp and lane of the thread that accesses it
  /// By granule: a higher lane of the warp that reads it, too; nullptr: none has one.
  const Stamp* second_readers;
  std::size_t count;
  Stamp instruction;
};

/// The loops, compiled for one kind of processor. They do what StampBounds::insert does, for all granules or for none: false, and
/// nothing done, where one of them needs the slow path.
struct GranuleLoops {
  /// Whether reading changes nothing, whichever lane of the running warp reads: no writer, and a final pair of readers.
  bool (*reads_change_nothing)(const ShadowCells&, std::size_t count, const StampBounds&);
  /// For reads where only the reading thread itself has accessed each granule since the floor. The second readers are not even loaded.
  bool (*read_own)(const GranuleAccesses&, const StampBounds&);
  bool (*read)(const GranuleAccesses&, const StampBounds&);
  bool (*write)(const GranuleAccesses&, const StampBounds&);
};

/// For the processor that this runs on.
[[nodiscard]] const GranuleLoops& granule_loops();

}  // namespace warpbook::device
