// The chapter's parts, each a run that reads like the host side of a CUDA program and shows its exhibits.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "lab/experiment/lesson.hpp"

namespace warpbook::lessons::tiles {

inline constexpr std::int64_t kRows = 64, kColumns = 96;        ///< of the photo that is looked at
inline constexpr std::int64_t kWideBlock = 32, kHighBlock = 8;  ///< threads of a block that smooths
inline constexpr std::int64_t kRowBlock = 64;  ///< threads of a block that works along a row
inline constexpr std::int64_t kTurned = 32;    ///< side of the tile that is turned

/// A photo of 16 million pixels on the device, where some blocks run for an estimate of the time. What is in its pixels decides no time.
class LargePhoto {
 public:
  static constexpr std::uint64_t kBlocks =
      264;  ///< that run: two on each multiprocessor of an H200

  explicit LargePhoto(lab::Lab& lab);

  [[nodiscard]] std::shared_ptr<const device::LaunchRecord> run(
      const std::shared_ptr<const device::Module>& module, const device::Dim3& grid,
      const device::Dim3& block, const std::vector<std::int64_t>& numbers,
      std::uint64_t blocks = kBlocks) const;

 private:
  lab::Lab& lab_;
  device::Buffer d_x_, d_out_;
};

// Drafts show what is looked at of the small photo, without the comparisons by "loads", "steps", "turned-time" and "turns".

/// Begins to compile what the chapter's parts will ask for.
void compile_soon(lab::Lab& lab);

/// The mean over a window: "photo", "smoothed", "tile", "check", "geometry", with and without a tile "loads". Gives back what the
/// host asked for until the smoothed photo was there.
lab::Message smoothing(lab::Lab& lab, const device::Evidence& counted);
/// The same on the large photo: "far" (radius 4), "near" (radius 1), what holds them up, "parts", and tiles of several heights, "sizes".
void smoothing_times(lab::Lab& lab);

/// Several small steps in one launch: "steps-tile", "steps-check", and held against as many launches, "steps".
void stepping(lab::Lab& lab, const device::Evidence& counted);

/// Rows and columns exchanged: "turned", "turned-tile", "turned-check", "turned-time", and four ways to do it, "turns".
void turning(lab::Lab& lab, const device::Evidence& counted);

/// Each pixel's nearest grey of a palette, which goes through a tile piece by piece: "palette".
void matching(lab::Lab& lab, const device::Evidence& counted);

}  // namespace warpbook::lessons::tiles
