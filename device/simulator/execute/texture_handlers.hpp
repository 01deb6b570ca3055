// Handlers of texture and surface instructions, the same in every build. DecodedInstruction::c is the index of the TextureDetail.
#pragma once

#include "device/simulator/isa/decoded_instruction.hpp"

namespace warpbook::device::isa::texture_handlers {

// texture_handlers.cpp
void tex(const DecodedInstruction& operation, Context& context);
void tld4(const DecodedInstruction& operation, Context& context);
void txq(const DecodedInstruction& operation, Context& context);  ///< and suq
void istypep(const DecodedInstruction& operation, Context& context);

// surface_handlers.cpp
void suld(const DecodedInstruction& operation, Context& context);
void sust(const DecodedInstruction& operation, Context& context);
void sured(const DecodedInstruction& operation, Context& context);

}  // namespace warpbook::device::isa::texture_handlers
