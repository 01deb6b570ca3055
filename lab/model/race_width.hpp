// How far apart the two threads of a race are.
#pragma once

#include <optional>

#include "device/launch_record.hpp"

namespace warpbook::lab {

enum class RaceWidth : std::uint8_t { in_warp, in_block, between_blocks };

/// Nothing of what is no race between two threads. What orders the threads of a wider race orders those of a narrower one, too.
inline std::optional<RaceWidth> width_of_race(const device::Finding& finding) {
  using device::ErrorCode;
  if (!finding.other) return std::nullopt;
  switch (finding.error.code) {
    case ErrorCode::race_between_blocks: return RaceWidth::between_blocks;
    case ErrorCode::race_in_warp:
    case ErrorCode::race_in_block:
    case ErrorCode::race_in_line:
    case ErrorCode::race_one_instruction:
      return finding.by.thread / device::kLanes == finding.other->thread / device::kLanes
                 ? RaceWidth::in_warp
                 : RaceWidth::in_block;
    default: return std::nullopt;
  }
}

}  // namespace warpbook::lab
