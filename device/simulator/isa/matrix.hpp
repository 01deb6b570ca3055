// Matrix instructions decoded: wmma, mma, mma.sp, ldmatrix, stmatrix, movmatrix (PTX ISA 9.0, 9.7.14).
//
// All fragments but those of mma.m8n8k4 with .f16 are made of blocks. With g = lane / 4, t = lane % 4 and e elements in
// 32 bits (one of .f64, .tf32, .f32 and .s32):
// - a register of A is a block of 8 rows and 4e columns: the lane holds row g, columns t e to t e + e - 1. Blocks are
//   in the order of 16-row tiles, then of columns, then of the tile's two halves.
// - a register of B is a block of 4e rows and 8 columns: the lane holds column g, rows t e to t e + e - 1. Blocks are
//   in the order of columns, then of rows.
// - an accumulator's block has 8 rows and 8 columns: the lane holds row g, columns 2t and 2t + 1, in one register of
//   .f16 or in two of anything else. Blocks are in the order of 16-row tiles, of columns, of the tile's two halves.
// The ISA lays out the fragments of mma so. It leaves those of wmma open, and they have the same layout here. wmma's .f16
// multiplicands have more registers than elements: blocks are then repeated.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "device/simulator/isa/key.hpp"

namespace warpbook::device::isa {

enum class MatrixElement : std::uint8_t {
  none,
  f16,
  bf16,
  tf32,
  f32,
  f64,
  e4m3,
  e5m2,
  s8,
  u8,
  s4,
  u4,
  b1,
  s32,
  b16
};
std::uint32_t bits_of(MatrixElement element);

/// A register of a fragment: its row in the frame, and its mask of undefined lanes for initcheck (kNone: a constant).
struct MatrixRegister {
  std::uint32_t row = kNone, undefined = kNone;
};

struct MatrixFragment {
  MatrixElement element = MatrixElement::none;
  std::vector<MatrixRegister> registers;
};

enum class MatrixOperation : std::uint8_t { load, store, multiply, transpose };
enum class MatrixBits : std::uint8_t { none, xor_, and_ };
enum class MatrixRounding : std::uint8_t { nearest, zero, down, up };

/// Which bytes of a tile a register's word holds in each lane. Tiles are rows of memory ("lines") side by side.
struct MatrixPlaces {
  std::uint32_t word = 4;            ///< bytes of the register
  std::uint32_t parts = 1;           ///< pieces of the word that are apart in the tile
  std::vector<std::uint16_t> bytes;  ///< [register][lane][part]: offset in the tile
};

struct MatrixDetail {
  MatrixOperation operation = MatrixOperation::multiply;
  std::uint32_t index = 0;  ///< in Code::instructions
  MatrixFragment a, b, c, d;

  // multiply
  MatrixHandler handler = nullptr;
  std::uint32_t m = 0, n = 0, k = 0;
  bool quads = false;  ///< mma.m8n8k4 with .f16: four products, one for each pair of quads
  bool a_by_columns = false,
       b_by_columns = true;  ///< of quads: elsewhere the fragments are the same
  bool saturates = false;
  MatrixBits bits = MatrixBits::none;
  MatrixRounding rounding = MatrixRounding::nearest;
  bool sparse = false;  ///< A holds every other element only; `metadata` says which
  MatrixRegister metadata;
  std::uint32_t selector = 0;

  // load and store: `d` of a load, `a` of a store and of transpose
  DecodedInstruction access;  ///< operand a, the immediate and the memo: as of ld and st
  StateSpace space = StateSpace::generic;
  bool narrow_address = false;
  bool lanes_name_lines = false;  ///< ldmatrix, stmatrix: each lane has the address of one line
  std::uint32_t address_undefined = kNone;  ///< initcheck's mask of the address register
  MatrixRegister stride;  ///< wmma: u32, in elements; without it, lines are adjacent
  std::uint32_t lines = 0, line_bytes = 0, element_bits = 0;
  MatrixPlaces places;
};

/// Everything on which the choice of a tensor instruction's handler depends.
struct MatrixKey {
  MatrixElement a = MatrixElement::none, b = MatrixElement::none;  ///< of the multiplicands
  bool quads = false;
};

}  // namespace warpbook::device::isa
