// Matrix instructions: the 32 lanes of a warp meet at one of them and it runs for all at once (PTX ISA 9.0, 9.7.14).
#include "device/simulator/execute/matrix.hpp"

#include <array>
#include <bit>
#include <cstring>

#include "device/simulator/isa/matrix.hpp"
#include "device/simulator/state/block_state.hpp"
#include "device/simulator/state/launch_observer.hpp"

namespace warpbook::device {
namespace {

using isa::MatrixDetail;
using isa::MatrixElement;
using isa::MatrixOperation;

/// d = a transposed: a matrix of 8 x 8 halves, two of a row in each lane (PTX ISA 9.0, 9.7.14.5.17).
void transpose(const MatrixDetail& x, std::byte* frame) {
  std::uint16_t from[64], to[64];
  std::memcpy(from, frame + x.a.registers[0].row, sizeof from);
  for (std::size_t i = 0; i < 64; ++i) to[i] = from[i % 8 * 8 + i / 8];
  std::memcpy(frame + x.d.registers[0].row, to, sizeof to);
}

/// Undefined elements of an 8 x 8 block of two a lane, as one byte a row.
std::array<std::uint8_t, 8> rows_of_pairs(std::uint32_t lanes) {
  std::array<std::uint8_t, 8> rows{};
  for (std::uint32_t l = 0; l < kLanes; ++l) {
    if (lanes >> l & 1) rows[l / 4] |= static_cast<std::uint8_t>(3u << (l % 4 * 2));
  }
  return rows;
}

std::uint32_t undefined_in(const Context& c, const isa::MatrixFragment& f) {
  std::uint32_t lanes = 0;
  for (const isa::MatrixRegister& r : f.registers) lanes |= undefined_lanes_of(c, r.undefined);
  return lanes;
}

/// Visits the accumulators' registers in order: visit(register, row of its block, column that element 0 of a lane with
/// t = 0 has, columns a lane).
template <class Visit>
void visit_accumulators(const MatrixDetail& x, const isa::MatrixFragment& f, Visit&& visit) {
  const std::uint32_t tile = x.m < 16 ? 8 : 16;
  const bool pairs = f.element == MatrixElement::f16;
  std::size_t at = 0;
  for (std::uint32_t m = 0; m < x.m; m += tile) {
    for (std::uint32_t n = 0; n < x.n; n += 8) {
      for (std::uint32_t half = 0; half < tile; half += 8) {
        for (std::uint32_t i = 0; i < (pairs ? 1u : 2u); ++i)
          visit(f.registers[at++], m + half, n + i, pairs ? 3u : 1u);
      }
    }
  }
}

/// The columns of each row of D that depend on undefined values.
std::array<std::uint32_t, 32> undefined_results(const MatrixDetail& x, const Context& c) {
  std::array<std::uint32_t, 32> rows{};
  const std::uint32_t halves = x.m < 16 ? 1 : 2;
  // Registers of A for one tile of rows; more of them repeat the matrix, which adds nothing.
  const auto a_registers = static_cast<std::uint32_t>(x.a.registers.size());
  const std::uint32_t elements =
      x.a.element == MatrixElement::f64 ? 4 : 128 / isa::bits_of(x.a.element);
  const std::uint32_t kept = x.sparse ? x.k / 2 : x.k;
  const std::uint32_t a_tile = kept / elements * halves;
  for (std::uint32_t q = 0; q < a_registers; ++q) {
    const std::uint32_t lanes = undefined_lanes_of(c, x.a.registers[q].undefined);
    const std::uint32_t first = q / a_tile * 8 * halves % x.m + q % halves * 8;
    for (std::uint32_t l = 0; l < kLanes; ++l) {
      if (lanes >> l & 1) rows[first + l / 4] = ~0u;
    }
  }
  const std::uint32_t meta = x.sparse ? undefined_lanes_of(c, x.metadata.undefined) : 0;
  std::uint32_t columns = 0;
  const std::uint32_t b_tile = x.k / elements;
  for (std::uint32_t q = 0; q < x.b.registers.size(); ++q) {
    const std::uint32_t lanes = undefined_lanes_of(c, x.b.registers[q].undefined);
    for (std::uint32_t l = 0; l < kLanes; ++l) {
      if (lanes >> l & 1) columns |= 1u << (q / b_tile * 8 % x.n + l / 4);
    }
  }
  for (std::uint32_t l = 0; l < kLanes; ++l) {
    if (meta >> l & 1) rows[l / 4] = rows[l / 4 + 8] = ~0u;
  }
  for (auto& row : rows) row |= columns;
  visit_accumulators(
      x, x.c,
      [&](const isa::MatrixRegister& r, std::uint32_t m, std::uint32_t n, std::uint32_t width) {
        const std::uint32_t lanes = undefined_lanes_of(c, r.undefined);
        for (std::uint32_t l = 0; l < kLanes; ++l) {
          if (lanes >> l & 1) rows[m + l / 4] |= width << (n + l % 4 * 2);
        }
      });
  return rows;
}

}  // namespace

std::uint32_t undefined_lanes_of(const Context& c, std::uint32_t mask_row) {
  if (mask_row == kNone) return 0;
  std::uint32_t lanes;
  std::memcpy(&lanes, c.frame + mask_row, sizeof lanes);
  return lanes;
}

void set_undefined_lanes(const Context& c, std::uint32_t mask_row, std::uint32_t lanes) {
  if (mask_row != kNone) std::memcpy(c.frame + mask_row, &lanes, sizeof lanes);
}

void spread_undefined(const MatrixDetail& x, Context& c) {
  const std::uint32_t sources = undefined_in(c, x.a) | undefined_in(c, x.b) | undefined_in(c, x.c) |
                                (x.sparse ? undefined_lanes_of(c, x.metadata.undefined) : 0);
  std::uint32_t reached = 0;
  if (x.operation == MatrixOperation::transpose) {
    const auto rows = rows_of_pairs(sources);
    for (std::uint32_t l = 0; l < kLanes; ++l) {
      if ((rows[l % 4 * 2] | rows[l % 4 * 2 + 1]) >> (l / 4) & 1) reached |= 1u << l;
    }
    set_undefined_lanes(c, x.d.registers[0].undefined, reached);
  } else if (x.quads) {
    for (std::uint32_t q = 0; q < 4; ++q) {
      const std::uint32_t lanes = 0x000f000fu << (4 * q);
      if (sources & lanes) reached |= lanes;
    }
    for (const isa::MatrixRegister& r : x.d.registers) set_undefined_lanes(c, r.undefined, reached);
  } else {
    const auto rows = undefined_results(x, c);
    visit_accumulators(
        x, x.d,
        [&](const isa::MatrixRegister& r, std::uint32_t m, std::uint32_t n, std::uint32_t width) {
          std::uint32_t lanes = 0;
          for (std::uint32_t l = 0; l < kLanes; ++l) {
            if (rows[m + l / 4] >> (n + l % 4 * 2) & width) lanes |= 1u << l;
          }
          set_undefined_lanes(c, r.undefined, lanes);
          reached |= lanes;
        });
  }
  // A report that follows names the read of a lane that brought it.
  if (sources == 0) return;
  auto& reads = c.observer->undefined_reads;
  const auto from = reads[static_cast<std::size_t>(std::countr_zero(sources))];
  for (std::uint32_t m = reached & ~sources; m != 0; m &= m - 1)
    reads[static_cast<std::size_t>(std::countr_zero(m))] = from;
}

std::optional<Disagreement> execute_matrix(const MatrixDetail& x, Context& c, CallFrame& frame) {
  c.mask = ~0u;
  switch (x.operation) {
    case MatrixOperation::multiply:
    case MatrixOperation::transpose:
      if (c.check && frame.tainted) spread_undefined(x, c);
      if (x.operation == MatrixOperation::transpose)
        transpose(x, c.frame);
      else
        x.handler(x, c.frame);
      return std::nullopt;
    default: break;
  }
  c.tainted = frame.tainted;
  const auto disagreement = move_matrix(x, c);
  frame.tainted = c.tainted;
  return disagreement;
}

}  // namespace warpbook::device
