// A thread's own dynamic stack (PTX ISA 9.0, 9.7.17): above its functions' local variables, growing upwards.
#pragma once

#include <cstdint>

#include "device/simulator/isa/decoded_instruction.hpp"

namespace warpbook::device::isa::stack {

/// d = where the stack ends now, of `bytes` a lane.
void save(const DecodedInstruction& operation, Context& context);
/// The stack ends at a again, of `bytes` a lane.
void restore(const DecodedInstruction& operation, Context& context);
/// d = room for a bytes, aligned to the immediate; d and a have `bytes` a lane.
void allocate(const DecodedInstruction& operation, Context& context);

}  // namespace warpbook::device::isa::stack
