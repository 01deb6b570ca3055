// Which accesses of a function the hardware would issue as one instruction.
#pragma once

#include <cstdint>
#include <vector>

#include "device/simulator/isa/decode.hpp"
#include "device/simulator/isa/flow.hpp"
#include "device/simulator/ptx/module.hpp"

namespace warpbook::device::isa {

/// The access with which an instruction is issued.
struct Issue {
  std::uint32_t leader = 0;  ///< the instruction that represents the whole access: mostly itself
  // For a leader that others join: the whole access, relative to the leader's own.
  std::int8_t offset = 0;
  std::uint8_t bytes = 0;  ///< per lane; 0: no other instruction joins it
};

/// By instruction of `function`: the access with which it is issued. That is its own, unless it joins an earlier one.
///
/// ptxas joins loads, and stores, of one basic block into accesses of 4, 8 or 16 bytes where they name the same base,
/// lie without gaps and are provably aligned, and where nothing between them may touch the same bytes (found by
/// comparing PTX with the machine code of NVRTC 13.0, sm_75 to sm_90; the tests compare it with cubins).
std::vector<Issue> issued_with(const ptx::Module& module, const ptx::Function& function,
                               const Flow& flow, const SharedLayout& shared);

}  // namespace warpbook::device::isa
