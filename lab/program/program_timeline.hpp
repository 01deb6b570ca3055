// What a program's host and devices did when, on the estimated clock of the service.
#pragma once

#include "device/runtime/host_lines.hpp"
#include "device/runtime/run_program.hpp"
#include "lab/exhibits/timeline/timeline.hpp"
#include "lab/program/program_report.hpp"

namespace warpbook::lab {

/// One row for the host and one for each stream that had work.
TimelineExhibit timeline_of(const device::runtime::ProgramOutcome& outcome,
                            const ProgramFacts& facts, const device::Evidence& evidence,
                            device::runtime::HostLines& lines);

}  // namespace warpbook::lab
