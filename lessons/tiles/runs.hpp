// The chapter's parts, each a run that reads like the host side of a CUDA program and shows its exhibits.
#pragma once

#include "lab/experiment/lesson.hpp"

namespace warpbook::lessons::tiles {

inline constexpr std::int64_t kRows = 64, kColumns = 96;        ///< of the photo that is looked at
inline constexpr std::int64_t kWideBlock = 32, kHighBlock = 8;  ///< threads of a block that smooths
inline constexpr std::int64_t kRowBlock = 64;  ///< threads of a block that works along a row
inline constexpr std::int64_t kTurned = 32;    ///< side of the tile that is turned

/// The mean over a window: "photo", "smoothed", "tile", "check", "geometry", with and without a tile "loads"; at 16 million pixels
/// "far" (radius 4), "near" (radius 1), what holds them up, "parts", and tiles of several heights, "sizes". Gives back what the host
/// asked for until the smoothed photo was there.
lab::Message smoothing(lab::Lab& lab, const device::Evidence& counted);

/// Several small steps in one launch: "steps-tile", "steps-check", and held against as many launches, "steps".
void stepping(lab::Lab& lab, const device::Evidence& counted);

/// Rows and columns exchanged: "turned", "turned-tile", "turned-check", "turned-time", and four ways to do it, "turns".
void turning(lab::Lab& lab, const device::Evidence& counted);

/// Each pixel's nearest grey of a palette, which goes through a tile piece by piece: "palette".
void matching(lab::Lab& lab, const device::Evidence& counted);

}  // namespace warpbook::lessons::tiles
