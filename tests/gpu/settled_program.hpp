// What the ISA leaves open in a random program, settled by a few more instructions, so that it has one result on every GPU; and
// which instruction made a byte of that result. Sections are those of the PTX ISA 9.0.
#pragma once

#include <cstddef>
#include <string>

namespace warpbook::tests {

/// The program's PTX with all of this settled:
/// - An addition or multiplication without a rounding may become part of a fused one (9.7.3.3 to 9.7.3.5): it gets .rn.
/// - %warpid is where a warp runs (10.4): it becomes the warp's number in its block.
/// - Integers divided by zero (9.7.1.9, 9.7.1.10): the divisor's lowest bit is set.
/// - The bits of a NaN that abs, neg (9.7.3.9, 9.7.3.10, 9.7.4.5, 9.7.4.6) or cvt.f32.bf16 (9.7.9.21) returns: it becomes the
///   canonical one. abs.f64 is not among them.
/// - What tf32 looks like (5.2.3): of a cvt to it, the bits below its ten of a fraction are cleared, and a NaN is the canonical one.
std::string settled(const std::string& ptx);

/// The instructions that made the byte at that offset of a thread's slot: the store, and the last one in the text that writes to
/// its register. Says so where the byte was stored by an address that only the run knows.
std::string made_by(const std::string& ptx, std::size_t offset);

}  // namespace warpbook::tests
