// Handlers of texture and surface instructions, the same in every build. Operation::c is the index of the TextureDetail.
#pragma once

#include "device/simulator/isa/decoded_instruction.hpp"

namespace warpbook::device::isa::texture_handlers {

// texture_handlers.cpp
void tex(const Operation& operation, Context& context);
void tld4(const Operation& operation, Context& context);
void txq(const Operation& operation, Context& context);  ///< and suq
void istypep(const Operation& operation, Context& context);

// surface_handlers.cpp
void suld(const Operation& operation, Context& context);
void sust(const Operation& operation, Context& context);
void sured(const Operation& operation, Context& context);

}  // namespace warpbook::device::isa::texture_handlers
