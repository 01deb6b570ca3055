// racecheck: the granules that a whole warp touches at once, in loops that the compiler turns into vectors.
#pragma once

#include <cstddef>
#include <cstdint>

#include "device/simulator/observe/race/settled.hpp"

namespace warpbook::device {

enum class RaceRow : std::uint8_t {
  done,
  look  ///< lane by lane
};

/// The loops over stamps, for one kind of processor.
struct RaceLoops {
  RaceRow (*row)(std::uint32_t granules, bool writes, const Cells&, const Stamp* own,
                 Stamp instruction, const Settled&);
  bool (*settled)(const Cells&, std::size_t count, const Settled&);
};

/// For the processor that this runs on.
[[nodiscard]] const RaceLoops& race_loops();

}  // namespace warpbook::device
