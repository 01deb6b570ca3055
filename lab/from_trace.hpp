// Exhibits made from what a launch did: never recomputed from a formula, so that a wrong kernel looks wrong.
#pragma once

#include <vector>

#include "lab/exhibits.hpp"

namespace warpbook::lab {

/// Every traced access to global memory that reached one of `arrays` (matched with the record's allocations by name),
/// as wires in the order of the trace; behind them the stray accesses, which the checker suppressed, by its findings.
AccessesExhibit accesses_of(const device::LaunchRecord& record,
                            std::vector<AccessesExhibit::Array> arrays);

/// The launch's geometry; a thread that stored nothing to global memory, not even astray, counts as idle.
GeometryExhibit geometry_of(const device::LaunchRecord& record);

}  // namespace warpbook::lab
