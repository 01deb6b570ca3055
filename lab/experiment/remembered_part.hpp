// A part of an experiment that need not run again: what it showed is kept for the next run that asks it for the same. Launches alone are
// recalled anyway (device/launch_memo.hpp), but a training makes thousands of them, and what lies between them takes its time, too.
#pragma once

#include <any>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "lab/experiment/lesson.hpp"

namespace warpbook::lab {

struct RememberedPart {
  std::string name;                           ///< among all parts of all chapters: "mlp/train"
  std::vector<std::string_view> unread = {};  ///< parameters that it does not depend on
  bool fixed = false;  ///< it depends on no parameter and on no source that a reader may edit
  Lab::Part run;
  std::any* gives =
      nullptr;           ///< what run() makes for other parts beside its exhibits, kept with them
  Lab::Part draft = {};  ///< what a draft shows instead where nothing is kept; empty: nothing
};

/// As a part for Lab::side_by_side(). `run` has to give all its results as exhibits or by `gives`, and to depend on the run's inputs and
/// on files below the root alone. What it showed is shown again as long as none of the files that it read has changed. It is not kept
/// where a kernel failed or printed, and never of a real GPU, which is measured anew. What is not kept takes too long for a draft
/// (lesson.hpp); one that `gives` runs in a draft, too, and may then ask Lab::leaves_out() for less.
Lab::Part remembered(RememberedPart part);

/// What is kept of all chapters' runs in this process, that which was asked for last: a run mostly differs from the one before it in one
/// parameter, and who has left a chapter long ago can wait for it once more.
inline constexpr std::uint64_t kMostLaunchBytes = 96u << 20, kMostPartBytes = 48u << 20;
const std::shared_ptr<device::LaunchMemo>& launches_of_before();
/// Of the exhibits that parts showed.
std::uint64_t part_bytes_of_before();

}  // namespace warpbook::lab
