// Conversions whose operands or results are packed: fp8 pairs, and integers of 16 bits and fewer (PTX ISA 9.0, 9.7.9.21
// and 9.7.9.22).
#pragma once

#include <cstdint>

#include "device/simulator/isa/common_handlers.hpp"

namespace warpbook::device::isa::packed {

/// d = a above b; single precision to fp8.
void fp8_of_singles(const DecodedInstruction& operation, Context& context);
void fp8_of_halves(const DecodedInstruction& operation, Context& context);
void halves_of_fp8(const DecodedInstruction& operation, Context& context);
/// cvt.pack: a above b, c above both. The immediate's low byte is the width, its next bit the sign.
void integers(const DecodedInstruction& operation, Context& context);

}  // namespace warpbook::device::isa::packed
