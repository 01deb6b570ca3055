// The video instructions (PTX ISA 9.0, 9.7.18): on a byte, half-word or word of each operand, or on two half-words or
// four bytes in parallel.
#pragma once

#include <cstdint>

#include "device/simulator/isa/decoded_instruction.hpp"
#include "device/simulator/isa/video.hpp"

namespace warpbook::device::isa::video {

void scalar(const DecodedInstruction& operation, Context& context);
void multiply(const DecodedInstruction& operation, Context& context);
void two_halves(const DecodedInstruction& operation, Context& context);
void four_bytes(const DecodedInstruction& operation, Context& context);

}  // namespace warpbook::device::isa::video
