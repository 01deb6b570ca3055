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
/// - Places and lengths of bit fields beyond 255 (9.7.1.20, 9.7.1.21): registers keep their lowest eight bits. ptxas takes the
///   whole word for fields of 64 bits.
/// - fns by the most negative offset, which has no absolute value (9.7.1.18): it becomes the next one.
/// - The bits of a NaN: abs, neg (9.7.3.9, 9.7.3.10, 9.7.4.5, 9.7.4.6) and cvt.f32.bf16 (9.7.9.21) may return any; the rest of double
///   precision keeps the payload of one operand, and does not say of which, nor whether a signaling NaN becomes quiet. It becomes the
///   canonical one, in memory, too, where an atomic addition leaves it.
/// - What tf32 looks like (5.2.3): of a cvt to it, the bits below its ten of a fraction are cleared, and a NaN is the canonical one.
/// And what ptxas 13.0 gets wrong by the ISA, as an H100 showed on 26 November 2026, is said in other words:
/// - A guarded set, testp or selp changes its register where the guard does not hold, too: it writes to another register, and a guarded
///   move follows.
/// - min and max of a register and itself return a NaN as it is (9.7.3.11, 9.7.3.12): it becomes the canonical one.
/// - A signed bfe that begins behind the number's last bit, by a constant, gives -1 for positive numbers, too: it begins inside.
/// - A NaN in bf16 becomes the greatest integer of 64 bits, where 9.7.9.21 says 1 << 63: that is put in its place.
/// - A shift of 64 bits by a register that a float was last written to converts it to an integer (9.4): a move comes between.
/// - Of a value that all lanes share, ptxas keeps in a register that they share, too, what differs between them: the first step of a bfe of
///   32 bits at a place of each lane's own (9.7.1.20), and the predicate of a shfl (9.7.9.6). The value becomes one of which ptxas does not
///   know that they share it.
/// - Behind the call of a function that calls itself, ptxas takes the lanes of a warp to have met, so that nobody waits at what all lanes do
///   together (9.7.9.6, 9.7.13), though some had not: it gets a mask of which ptxas does not know that it is one of all lanes.
std::string settled(const std::string& ptx);

/// The instructions that made the byte at that offset of a thread's slot: the store, and the last one in the text that writes to
/// its register. Says so where the byte was stored by an address that only the run knows.
std::string made_by(const std::string& ptx, std::size_t offset);

}  // namespace warpbook::tests
