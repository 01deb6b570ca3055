// A Launch record as JSON: what `warpbook launch --json` prints. Its form is lab/render/launch.schema.json.
#pragma once

#include <nlohmann/json_fwd.hpp>

#include "device/launch_record.hpp"
#include "device/sass/sass.hpp"

namespace warpbook::lab {

class JsonExtras;
/// Occupancy is one entry.
void extras(JsonExtras& into, const device::Estimate& estimate);
/// The trace, the write maps and the allocations stay out: they are made for pictures, and "trace" says how much of it there is.
void extras(JsonExtras& into, const device::LaunchRecord& record);

/// Of the form; it grows where a reader of an earlier one would read something wrong.
inline constexpr int kLaunchVersion = 2;
nlohmann::json to_json(const device::LaunchRecord& record);
/// A kernel's machine code, as both schemas have it.
nlohmann::json to_json(const device::Sass& sass);

}  // namespace warpbook::lab
