// How often ptxas copied each basic block when it unrolled loops.
#pragma once

#include <cstdint>
#include <vector>

#include "device/simulator/cubin/machine_code.hpp"
#include "device/simulator/isa/code.hpp"
#include "device/simulator/ptx/module.hpp"

namespace warpbook::device {

/// The number of copies of each basic block of `code`; 1 where the loop was not unrolled or nothing tells.
std::vector<std::uint32_t> copies_of(const isa::Code& code, const ptx::Module& module,
                                     const MachineCode& machine);

}  // namespace warpbook::device
