// From the observations of a launch's block runners to the launch record.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "device/device.hpp"
#include "device/launch_record.hpp"
#include "device/simulator/cubin/machine_code.hpp"
#include "device/simulator/isa/code.hpp"
#include "device/simulator/ptx/module.hpp"
#include "device/simulator/state/launch_observer.hpp"

namespace warpbook::device {

/// Fills in the record of a whole launch from what its block runners observed. `observers` may be changed; `machine` may
/// be nullptr.
void merge_into(LaunchRecord& record, const isa::Code& code, const ptx::Module& module,
                std::uint32_t own_file, const MachineCode* machine,
                const std::vector<LaunchObserver*>& observers, const Observation& observe);

/// Adds to the instructions and lines of a record what they have of its estimated time, which is given by line of PTX.
void add_times(LaunchRecord& record, const std::string& own_file,
               std::map<std::uint32_t, std::vector<EstimateBound>> by_ptx_line);

/// A finding in words.
Finding in_words(const RawFinding& raw, const isa::Code& code, const ptx::Module& module,
                 const LaunchFacts& facts);

}  // namespace warpbook::device
