// A roofline from launches whose time was estimated, and from the GPU table.
#pragma once

#include <memory>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "device/device.hpp"
#include "lab/exhibits/roofline/roofline.hpp"

namespace warpbook::lab {

/// What makes one point: the launches of one kernel, or of all kernels that do a thing together.
struct RooflineRun {
  Message name;
  std::vector<std::shared_ptr<const device::LaunchRecord>> records;
};

/// The runs that have an estimate; none where no run has one. Ceilings are those of the pipes that the runs use.
/// `chosen` is an index into `runs`; `memory` is what the axis is about, "dram" or "l2".
std::optional<RooflineExhibit> roofline_of(const device::Properties& gpu,
                                           std::span<const RooflineRun> runs, std::size_t chosen,
                                           std::string_view memory = "dram");

}  // namespace warpbook::lab
