// What a program's host and devices did when, on the estimated clock of the service.
#pragma once

#include "device/runtime/host_lines.hpp"
#include "device/runtime/run_program.hpp"
#include "lab/exhibits/timeline/timeline.hpp"

namespace warpbook::lab {

/// One lane for the host and one for each stream that had work.
TimelineExhibit timeline_of(const device::runtime::ProgramOutcome& outcome,
                            const device::Evidence& evidence, device::runtime::HostLines& lines);

}  // namespace warpbook::lab
