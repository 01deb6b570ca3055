// Moving whole matrices between memory and the rows of a warp.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

#include "device/simulator/state/context.hpp"

namespace warpbook::device {

namespace isa {
struct MatrixDetail;
}

/// An operand that must be the same in all lanes of a warp, and the first lane in which it differs.
struct Disagreement {
  std::string_view what;
  int lane = 0;
};

struct CallFrame;

/// Executes a matrix instruction for the 32 lanes of `frame`, which is the context's.
std::optional<Disagreement> execute_matrix(const isa::MatrixDetail& detail, Context& context,
                                           CallFrame& frame);

/// wmma.load, wmma.store, ldmatrix, stmatrix for the 32 lanes of context.frame. Memory is accessed in pieces of 16
/// bytes (8 where lines are shorter), one per lane and 32 per request. Bounds, alignment, counters and the trace apply to
/// these pieces.
/// Within a request eight consecutive lanes have pieces of eight lines, as in ldmatrix.
std::optional<Disagreement> move_matrix(const isa::MatrixDetail& detail, Context& context);

/// initcheck for a multiplication or a transposition: an undefined element makes others undefined. A row of A reaches a row of D, a
/// column of B a column, an accumulator itself.
void spread_undefined(const isa::MatrixDetail& detail, Context& context);

/// The lanes in which a register is undefined; none for a constant.
std::uint32_t undefined_lanes_of(const Context& context, std::uint32_t mask_row);
void set_undefined_lanes(const Context& context, std::uint32_t mask_row, std::uint32_t lanes);

}  // namespace warpbook::device
