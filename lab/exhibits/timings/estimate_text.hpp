// An estimate in words.
#pragma once

#include <string>

#include "device/launch_record.hpp"
#include "lab/exhibits/timings/timings.hpp"
#include "lab/text/strings.hpp"

namespace warpbook::lab {

/// The bottleneck in a sentence: what the launch waits for most, and how much of it there is.
Message bottleneck_of(const device::Estimate& estimate);

/// The estimate as a bar among timings, with its band and its bottleneck.
TimingsExhibit::Row timing_of(const Message& label, const device::Estimate& estimate);

/// The time with its band, the bottleneck, the bounds, occupancy and roofline: one line each.
std::string to_text(const device::Estimate& estimate, const Strings& strings);

}  // namespace warpbook::lab
