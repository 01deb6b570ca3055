// Handlers that are the same in every build: guards, special registers, address windows.
#pragma once

#include <cstdint>

#include "device/simulator/isa/decoded_instruction.hpp"
#include "device/simulator/ptx/words.hpp"

namespace warpbook::device::isa::plain_handlers {

/// Runs the operation behind the immediate for the lanes whose guard holds, and counts them.
void guarded(const DecodedInstruction& operation, Context& context);
void nothing(const DecodedInstruction& operation, Context& context);
/// membar and fence: only racecheck can tell.
void fence(const DecodedInstruction& operation, Context& context);
/// d = the special register in operand c, of `bytes` a lane; b is the dimension of %tid and its like.
void special(const DecodedInstruction& operation, Context& context);
/// d = a and b (kind 0), a or b (1), a xor b (2), all predicates; flags: 1, a counts inverted; 2, b does.
void predicate_logic(const DecodedInstruction& operation, Context& context);
/// Copies the parameter at row a, of c words, into the frame's local memory at the immediate.
void parameter_to_local(const DecodedInstruction& operation, Context& context);
/// And back.
void local_to_parameter(const DecodedInstruction& operation, Context& context);
/// d = the special register in operand c, as a predicate.
void special_predicate(const DecodedInstruction& operation, Context& context);
/// True where the simulator has the special register.
bool has_special(ptx::Word word);
/// d = the immediate + where the frame's local variables begin, of `bytes` a lane.
void local_address(const DecodedInstruction& operation, Context& context);
/// d = lanes of a (u64, or u32 where bytes is 4) that lie in the window at the immediate; kGlobalBase: global memory; 0:
/// constant memory.
void in_window(const DecodedInstruction& operation, Context& context);
/// d = the lanes that execute this together, of 32 bits a lane.
void active_mask(const DecodedInstruction& operation, Context& context);
/// Says that the next operation reads what another thread may be about to change.
void synchronising_read(const DecodedInstruction& operation, Context& context);

}  // namespace warpbook::device::isa::plain_handlers
