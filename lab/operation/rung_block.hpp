// The machine-read block that opens every kernel file: lines of `//@ key: value`.
//
// A rung of one kernel that takes operation.toml's parameters in their order says no more than
//     //@ idea: one thread an element, and a guard for the threads past the end
//     //@ block: 256
//     //@ grid: ceil_div(n, block)
// and, where it applies, each at most once:
//     kernel: NAME               the entry, where the file has several
//     shared: BYTES              dynamic shared memory a block (default 0)
//     needs: 80                  compute capability (default 75)
//     registers: 40              budget: at most so many registers a thread, of every kernel on every architecture
//     spills: 0                  ... and so many bytes of them spilled (default 0)
//     defines: TILE=32, PAD=1    macros that a reader may edit; names in every expression. The source has its own
//                                #ifndef TILE / #define TILE 32 / #endif, so that it compiles as it stands
//     only: R == 3, S == 3       conditions on the sizes, all of them; elsewhere the rung is not run
//     atomics: f32               it adds floating-point numbers in no fixed order, so two runs may differ in their bits
//     tolerance: tf32            instead of operation.toml's, of all outputs (tolerance.hpp)
//     depth: ceil_log2(n)        additions that a term passes through one after the other: of the tolerance "sum"
//     zero: out, flags           outputs and workspaces set to 0 before the first launch (cudaMemset)
//     constant: taps = weights   inputs copied into __constant__ variables before the first launch (cudaMemcpyToSymbol)
//     bytes: 12 * n              moved to and from DRAM, at least
//     flops: n                   done, at least
//     caught: race               only of a known-wrong kernel in tests/kernels/wrong: what must find it (kernel_check.hpp)
// and as often as wanted, in order:
//     let: blocks = ceil_div(n, 4 * block)      a name for expressions that follow it
//     workspace: partial f32[blocks, 2]         device memory of its own, filled with NaN bytes
//
// A rung of several launches has a line for each, in order, with its arguments, and below it what differs of block, grid
// and shared; what stands above the first launch is of all:
//     //@ block: 256
//     //@ let: blocks = ceil_div(n, block)
//     //@ workspace: partial f32[blocks]
//     //@ launch: sum_blocks(x, partial, n)
//     //@ grid: blocks
//     //@ launch: sum_blocks(partial, out, blocks)
//     //@ grid: 1
// An argument is a buffer (input, output, workspace), a buffer + EXPRESSION (so many elements on), a scalar, or an
// expression, which becomes the type that the kernel declares. `block` in an expression is the block of that launch; a
// launch whose grid is 0 is skipped.
#pragma once

#include <string>
#include <string_view>

#include "lab/operation/operation.hpp"

namespace warpbook::lab {

/// `path` is "kernels/add/01_guarded.cu": the operation, the number and the name come from it. Errors: bad_rung, with the
/// line.
device::Expected<Rung> parse_rung(const std::string& path, std::string_view source);

/// "16, 16" -> {"16", "16"}; commas inside parentheses and brackets do not part.
std::vector<std::string> split_expressions(std::string_view text);

}  // namespace warpbook::lab
