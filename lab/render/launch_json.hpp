// A Launch record as JSON: what `warpbook launch --json` prints. Its form stands in lab/render/launch.schema.json.
#pragma once

#include <nlohmann/json_fwd.hpp>

#include "device/launch_record.hpp"
#include "device/sass/sass.hpp"

namespace warpbook::lab {

/// Geometry, counters (total, by source line, by instruction), findings, the error and printf's output. The trace and
/// the write maps stay out: they are made for pictures, and "trace" says how much of it there is.
nlohmann::json to_json(const device::LaunchRecord& record);
/// A kernel's machine code, as both schemas have it.
nlohmann::json to_json(const device::Sass& sass);

}  // namespace warpbook::lab
