// atom and red on 128 bits and on vectors of floats (PTX ISA 9.0, 9.7.13.5 and 9.7.13.7). Each element of a vector is an
// atomic operation of its own; the whole is one access, aligned to its size.
#pragma once

#include <cstdint>

#include "device/simulator/isa/decoded_instruction.hpp"

namespace warpbook::device::isa {

void wide_atomic_global(const DecodedInstruction& operation, Context& context);
void wide_atomic_shared(const DecodedInstruction& operation, Context& context);
void wide_atomic_generic(const DecodedInstruction& operation, Context& context);

}  // namespace warpbook::device::isa
