// The generic address space (PTX ISA 9.0, 5.1 and 6.4.1.1): each state space but global has an address window in it, as on
// the hardware. An address inside a window names the same byte as its offset does in the space's own addressing. Constant
// memory is part of the global region and so needs no window.
#pragma once

#include "device/types.hpp"

namespace warpbook::device {

/// Addresses below this one are null pointers with an offset.
inline constexpr Pointer kNullBytes = 0x1'0000;
inline constexpr Pointer kWindowBytes = 0x1'0000'0000;
inline constexpr Pointer kSharedWindow = 0x1'0000'0000;
inline constexpr Pointer kLocalWindow = 0x2'0000'0000;
inline constexpr Pointer kParamWindow = 0x3'0000'0000;
/// Addresses of functions. Nothing can be read there.
inline constexpr Pointer kFunctionWindow = 0x4'0000'0000;
inline constexpr Pointer kGlobalBase = 0x7'0000'0000;

/// The address at which the window that holds `address` begins.
constexpr Pointer window_of(Pointer address) { return address / kWindowBytes * kWindowBytes; }

}  // namespace warpbook::device
