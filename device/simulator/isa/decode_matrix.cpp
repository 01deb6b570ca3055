// wmma, mma, mma.sp, ldmatrix, stmatrix and movmatrix: the forms for targets up to sm_90, and the places of each
// register's elements in memory.
#include <algorithm>
#include <array>
#include <charconv>

#include "device/simulator/isa/decoder.hpp"
#include "device/simulator/isa/matrix.hpp"

namespace warpbook::device::isa {

std::uint32_t bits_of(MatrixElement element) {
  switch (element) {
    case MatrixElement::none: return 0;
    case MatrixElement::b1: return 1;
    case MatrixElement::s4:
    case MatrixElement::u4: return 4;
    case MatrixElement::s8:
    case MatrixElement::u8:
    case MatrixElement::e4m3:
    case MatrixElement::e5m2: return 8;
    case MatrixElement::f16:
    case MatrixElement::bf16:
    case MatrixElement::b16: return 16;
    case MatrixElement::tf32:
    case MatrixElement::f32:
    case MatrixElement::s32: return 32;
    case MatrixElement::f64: return 64;
  }
  return 0;
}

namespace {

using DecodeMatrixElement = MatrixElement;

DecodeMatrixElement element_of(Word word) {
  switch (word) {
    case Word::f16: return DecodeMatrixElement::f16;
    case Word::bf16: return DecodeMatrixElement::bf16;
    case Word::tf32: return DecodeMatrixElement::tf32;
    case Word::f32: return DecodeMatrixElement::f32;
    case Word::f64: return DecodeMatrixElement::f64;
    case Word::e4m3: return DecodeMatrixElement::e4m3;
    case Word::e5m2: return DecodeMatrixElement::e5m2;
    case Word::s8: return DecodeMatrixElement::s8;
    case Word::u8: return DecodeMatrixElement::u8;
    case Word::s4: return DecodeMatrixElement::s4;
    case Word::u4: return DecodeMatrixElement::u4;
    case Word::b1: return DecodeMatrixElement::b1;
    case Word::s32: return DecodeMatrixElement::s32;
    default: return DecodeMatrixElement::none;
  }
}

/// Takes the next element type.
DecodeMatrixElement take_element(Key& key, std::size_t nth) {
  for (const Word w : key.modifiers()) {
    if (element_of(w) != DecodeMatrixElement::none && nth-- == 0) {
      key.take(w);
      return element_of(w);
    }
  }
  return DecodeMatrixElement::none;
}

/// Takes .row or .col, of which an instruction may have two. False where there is none.
bool take_layout(Key& key, std::size_t nth, bool& by_columns) {
  for (const Word w : key.modifiers()) {
    if ((w == Word::row || w == Word::col) && nth-- == 0) {
      by_columns = w == Word::col;
      return key.take(w);
    }
  }
  return false;
}

/// All forms, by the element of A: the shapes of mma, of mma.sp and of wmma (PTX ISA 9.0, 9.7.14.4.5,
/// 9.7.14.5.14, 9.7.14.6.3).
struct MatrixForms {
  std::array<DecodeMatrixElement, 2> elements;  ///< which may be mixed in mma
  std::array<Word, 4> mma, sparse, wmma;
};
constexpr Word kNo = Word::unknown;
constexpr MatrixForms kForms[] = {{{DecodeMatrixElement::f16, DecodeMatrixElement::none},
                                   {Word::m8n8k4, Word::m16n8k8, Word::m16n8k16, kNo},
                                   {Word::m16n8k16, Word::m16n8k32, kNo, kNo},
                                   {Word::m16n16k16, Word::m8n32k16, Word::m32n8k16, kNo}},
                                  {{DecodeMatrixElement::bf16, DecodeMatrixElement::none},
                                   {Word::m16n8k8, Word::m16n8k16, kNo, kNo},
                                   {Word::m16n8k16, Word::m16n8k32, kNo, kNo},
                                   {Word::m16n16k16, Word::m8n32k16, Word::m32n8k16, kNo}},
                                  {{DecodeMatrixElement::tf32, DecodeMatrixElement::none},
                                   {Word::m16n8k4, Word::m16n8k8, kNo, kNo},
                                   {Word::m16n8k8, Word::m16n8k16, kNo, kNo},
                                   {Word::m16n16k8, kNo, kNo, kNo}},
                                  {{DecodeMatrixElement::e4m3, DecodeMatrixElement::e5m2},
                                   {Word::m16n8k16, Word::m16n8k32, kNo, kNo},
                                   {Word::m16n8k64, kNo, kNo, kNo},
                                   {kNo, kNo, kNo, kNo}},
                                  {{DecodeMatrixElement::f64, DecodeMatrixElement::none},
                                   {Word::m8n8k4, Word::m16n8k4, Word::m16n8k8, Word::m16n8k16},
                                   {kNo, kNo, kNo, kNo},
                                   {Word::m8n8k4, kNo, kNo, kNo}},
                                  {{DecodeMatrixElement::s8, DecodeMatrixElement::u8},
                                   {Word::m8n8k16, Word::m16n8k16, Word::m16n8k32, kNo},
                                   {Word::m16n8k32, Word::m16n8k64, kNo, kNo},
                                   {Word::m16n16k16, Word::m8n32k16, Word::m32n8k16, kNo}},
                                  {{DecodeMatrixElement::s4, DecodeMatrixElement::u4},
                                   {Word::m8n8k32, Word::m16n8k32, Word::m16n8k64, kNo},
                                   {Word::m16n8k64, Word::m16n8k128, kNo, kNo},
                                   {Word::m8n8k32, kNo, kNo, kNo}},
                                  {{DecodeMatrixElement::b1, DecodeMatrixElement::none},
                                   {Word::m8n8k128, Word::m16n8k128, Word::m16n8k256, kNo},
                                   {kNo, kNo, kNo, kNo},
                                   {Word::m8n8k128, kNo, kNo, kNo}}};

const MatrixForms* forms_of(DecodeMatrixElement element) {
  for (const MatrixForms& f : kForms) {
    if (element != DecodeMatrixElement::none &&
        (f.elements[0] == element || f.elements[1] == element))
      return &f;
  }
  return nullptr;
}

/// Takes the shape if `shapes` has it. Its name contains its sizes.
bool take_shape(Key& key, const std::array<Word, 4>& shapes, MatrixDetail& x) {
  for (const Word w : shapes) {
    if (w == kNo || !key.take(w)) continue;
    const std::string_view text = ptx::text_of(w);
    const char* at = text.data();
    const char* const end = at + text.size();
    for (std::uint32_t* size : {&x.m, &x.n, &x.k}) at = std::from_chars(at + 1, end, *size).ptr;
    return true;
  }
  return false;
}

bool is_integer(DecodeMatrixElement e) {
  return e == DecodeMatrixElement::s8 || e == DecodeMatrixElement::u8 ||
         e == DecodeMatrixElement::s4 || e == DecodeMatrixElement::u4;
}

/// Whether accumulators of these elements may be combined with multiplicands of that one.
bool fits(DecodeMatrixElement a, DecodeMatrixElement c, DecodeMatrixElement d, bool sparse) {
  const auto half_or_single = [](DecodeMatrixElement e) {
    return e == DecodeMatrixElement::f16 || e == DecodeMatrixElement::f32;
  };
  switch (a) {
    case DecodeMatrixElement::f16: return half_or_single(c) && half_or_single(d);
    case DecodeMatrixElement::e4m3:
    case DecodeMatrixElement::e5m2:
      return c == d &&
             (c == DecodeMatrixElement::f32 || (!sparse && c == DecodeMatrixElement::f16));
    case DecodeMatrixElement::bf16:
    case DecodeMatrixElement::tf32:
      return c == DecodeMatrixElement::f32 && d == DecodeMatrixElement::f32;
    case DecodeMatrixElement::f64:
      return c == DecodeMatrixElement::f64 && d == DecodeMatrixElement::f64;
    default: return c == DecodeMatrixElement::s32 && d == DecodeMatrixElement::s32;
  }
}

/// Registers per lane for `elements` of a matrix: 64 bits wide for f64, else 32.
std::size_t registers_for(std::uint32_t elements, DecodeMatrixElement e) {
  return e == DecodeMatrixElement::f64 ? elements / kLanes
                                       : std::size_t{elements} * bits_of(e) / (32 * kLanes);
}

/// wmma's multiplicands of f16 always have eight registers (PTX ISA 9.0, 9.7.14.4.1).
std::size_t wmma_registers(std::uint32_t elements, DecodeMatrixElement e) {
  return e == DecodeMatrixElement::f16 ? 8 : registers_for(elements, e);
}

void take_rounding(Key& key, MatrixDetail& x) {
  if (key.take(Word::rz))
    x.rounding = MatrixRounding::zero;
  else if (key.take(Word::rm))
    x.rounding = MatrixRounding::down;
  else if (key.take(Word::rp))
    x.rounding = MatrixRounding::up;
  else
    key.take(Word::rn);
}

void take_bits(Key& key, MatrixDetail& x) {
  if (key.take(Word::xor_))
    x.bits = MatrixBits::xor_;
  else if (key.take(Word::and_))
    x.bits = MatrixBits::and_;
}

/// The place of an element, which depends on .row or .col and on .a, .b or .c.
struct TileView {
  bool line_is_row;
  std::uint32_t line_bytes, bits;
  [[nodiscard]] std::uint16_t at(std::uint32_t row, std::uint32_t column) const {
    const std::uint32_t line = line_is_row ? row : column, in_line = line_is_row ? column : row;
    return static_cast<std::uint16_t>(line * line_bytes + in_line * bits / 8);
  }
};

/// Fills x.places for the fragment of one matrix of a wmma shape; matrix.hpp describes the blocks.
void lay_wmma_out(MatrixDetail& x, Word matrix, DecodeMatrixElement e, std::size_t registers,
                  bool by_columns) {
  const std::uint32_t rows = matrix == Word::b ? x.k : x.m;
  const std::uint32_t columns = matrix == Word::a ? x.k : x.n;
  x.element_bits = bits_of(e);
  x.lines = by_columns ? columns : rows;
  x.line_bytes = (by_columns ? rows : columns) * x.element_bits / 8;
  const TileView view{!by_columns, x.line_bytes, x.element_bits};
  const bool accumulator = matrix != Word::a && matrix != Word::b;
  const std::uint32_t width = e == DecodeMatrixElement::f64 ? 64 : 32;
  const std::uint32_t e_count = width / x.element_bits;  // elements of a register
  // The elements of a register are adjacent in memory where lines run along them.
  const bool along = accumulator || matrix == Word::a ? !by_columns : by_columns;
  x.places.word = width / 8;
  x.places.parts = along ? 1 : e_count;
  const std::uint32_t tile = x.m < 16 ? 8 : 16, halves = tile / 8;
  for (std::uint32_t q = 0; q < registers; ++q) {
    for (std::uint32_t lane = 0; lane < kLanes; ++lane) {
      const std::uint32_t g = lane / 4, t = lane % 4;
      for (std::uint32_t part = 0; part < x.places.parts; ++part) {
        std::uint32_t row = 0, column = 0;
        if (matrix == Word::a) {
          const std::uint32_t chunks = x.k / (4 * e_count), blocks = x.m / 8 * chunks;
          const std::uint32_t block = q % blocks, in_tile = block % (chunks * halves);
          row = block / (chunks * halves) * tile + in_tile % halves * 8 + g;
          column = in_tile / halves * 4 * e_count + t * e_count + part;
        } else if (matrix == Word::b) {
          const std::uint32_t chunks = x.k / (4 * e_count), blocks = x.n / 8 * chunks;
          const std::uint32_t block = q % blocks;
          row = block % chunks * 4 * e_count + t * e_count + part;
          column = block / chunks * 8 + g;
        } else {
          const std::uint32_t a_block = 2 / e_count;  // registers
          const std::uint32_t block = q / a_block, across = x.n / 8;
          row = block / (across * halves) * tile + block % halves * 8 + g;
          column = block / halves % across * 8 + 2 * t + q % a_block + part;
        }
        x.places.bytes.push_back(view.at(row, column));
      }
    }
  }
}

/// The number of machine instructions that wmma.load and wmma.store become, where the memory is known to be shared or
/// global. Found with ptxas of CUDA 13.0; it is the same for sm_80 and sm_90.
std::uint8_t issues_of(const MatrixDetail& x, bool multiplicand, bool by_columns) {
  const std::uint32_t elements = x.lines * x.line_bytes * 8 / x.element_bits;
  std::uint32_t issues = elements / kLanes;  // one by one
  if (!multiplicand) {
    // Accumulators are pairs along a row; in shapes of eight rows they are pairs along a column.
    if (x.element_bits == 16 || by_columns == (x.m == 8)) issues /= 2;
  } else if (x.element_bits == 16 || x.places.parts == 1) {
    // LDSM takes up to four tiles of 8 x 16 bytes, and elements of 16 bits transposed as well.
    issues = x.space == StateSpace::shared
                 ? std::max(1u, elements / 256)
                 : std::max(1u, elements * x.element_bits / 8 / kLanes / 4);
  }
  return static_cast<std::uint8_t>(issues);
}

}  // namespace

bool FunctionDecoder::matrix(const Instruction& i) {
  switch (i.opcode) {
    case Word::wmma: return wmma(i);
    case Word::mma: return mma(i);
    case Word::movmatrix: return move_matrix(i);
    default: return matrix_rows(i);
  }
}

/// Takes the registers of a vector operand. False where their number or their width is another.
bool FunctionDecoder::fragment(const Operand& o, MatrixElement element, std::size_t count,
                               bool written, MatrixFragment& to) {
  if (o.kind != Operand::Kind::vector || o.count != count) return false;
  to.element = element;
  const Row kind = element == DecodeMatrixElement::f64   ? Row::b64
                   : element == DecodeMatrixElement::f32 ? Row::f32
                                                         : Row::b32;
  for (const Operand& r : std::span(module_.operands).subspan(o.first, o.count)) {
    std::uint32_t row = written ? destination_row(r, kind) : source_row(r, kind);
    if (row == kNone) row = scratch_;  // the result is not used
    to.registers.push_back({row, undefined_mask(row)});
  }
  return true;
}

void FunctionDecoder::matrix_address(const Operand& o, bool store, std::uint32_t piece_bytes,
                                     MatrixDetail& x) {
  address(o, x.space, x.access, x.narrow_address);
  x.address_undefined = code_.dependences[code_index_].address;
  x.access.index = code_index_;
  CodeInstruction& info = code_.instructions[code_index_];
  x.access.memo = info.memo = code_.memos++;
  x.access.bytes = info.access_bytes = static_cast<std::uint8_t>(piece_bytes);
  info.load = !store;
  info.store = store;
  info.space = x.space;
  note_width(x.space, piece_bytes);
  info.narrow_address = x.narrow_address;
}

void FunctionDecoder::end_matrix(const Instruction& i, MatrixDetail x) {
  x.index = code_index_;
  if (x.operation == MatrixOperation::multiply)
    code_.instructions[code_index_].counts_as = CountedAs::tensor;
  SyncDetail d;
  d.opcode = i.opcode;
  d.matrix = static_cast<std::uint32_t>(code_.matrices.size());
  // .aligned: lanes must meet at the same instruction, not only at one of the same kind.
  d.key = 0x80000000 | d.matrix;
  code_.matrices.push_back(std::move(x));
  code_.syncs.push_back(d);
  end_block(Exit::warp_sync, static_cast<std::uint32_t>(code_.syncs.size() - 1), true);
}

bool FunctionDecoder::wmma_memory(Key& key, std::span<const Operand> ops, MatrixDetail& x) {
  const bool store = x.operation == MatrixOperation::store;
  Word matrix = kNo;
  for (const Word w : {Word::a, Word::b, Word::c, Word::d}) {
    if (matrix == kNo && (w == Word::d) == store && key.take(w)) matrix = w;
  }
  const bool multiplicand = matrix == Word::a || matrix == Word::b;
  const DecodeMatrixElement e = take_element(key, 0);
  bool by_columns = false;
  if (matrix == kNo || !take_layout(key, 0, by_columns)) return false;
  if (multiplicand) {
    const MatrixForms* forms = forms_of(e);
    if (!forms || !take_shape(key, forms->wmma, x)) return false;
    // Elements of less than a byte are packed along k.
    if (bits_of(e) < 8 && by_columns != (matrix == Word::b)) return false;
  } else {
    bool found = false;
    for (const MatrixForms& forms : kForms)
      found = found || (fits(forms.elements[0], e, e, false) && take_shape(key, forms.wmma, x));
    if (!found) return false;
  }
  if (key.take(Word::global))
    x.space = StateSpace::global;
  else if (key.take(Word::shared) || key.take(Word::shared_cta))
    x.space = StateSpace::shared;
  if (!key.all_taken() || (ops.size() != 2 && ops.size() != 3)) return false;
  const std::uint32_t elements = matrix == Word::a   ? x.m * x.k
                                 : matrix == Word::b ? x.k * x.n
                                                     : x.m * x.n;
  const std::size_t count = multiplicand ? wmma_registers(elements, e) : registers_for(elements, e);
  lay_wmma_out(x, matrix, e, count, by_columns);
  if (!fragment(ops[store ? 1 : 0], e, count, !store, store ? x.a : x.d)) return false;
  matrix_address(ops[store ? 0 : 1], store, std::min<std::uint32_t>(16, x.line_bytes), x);
  code_.instructions[code_index_].issues = issues_of(x, multiplicand, by_columns);
  if (ops.size() == 3) {
    x.stride.row = source_row(ops[2], Row::b32);
    x.stride.undefined = undefined_mask(x.stride.row);
  }
  return true;
}

bool FunctionDecoder::wmma(const Instruction& i) {
  const auto ops = operands(i);
  Key key(i.opcode, module_.modifiers_of(i));
  MatrixDetail x;
  if (!key.take(Word::sync)) return false;
  key.take(Word::aligned);
  if (key.take(Word::load) || key.take(Word::store)) {
    x.operation = key.has(Word::load) ? MatrixOperation::load : MatrixOperation::store;
    if (!wmma_memory(key, ops, x)) return false;
    end_matrix(i, std::move(x));
    return true;
  }
  if (!key.take(Word::mma) || ops.size() != 4) return false;
  // Two types belong to d and c, and a and b have f16; four types belong to d, a, b and c.
  std::array<DecodeMatrixElement, 4> e{};
  std::size_t given = 0;
  while (given < 4 && (e[given] = take_element(key, given)) != DecodeMatrixElement::none) ++given;
  if (given == 2) e = {e[0], DecodeMatrixElement::f16, DecodeMatrixElement::f16, e[1]};
  const MatrixForms* forms = forms_of(e[1]);
  if ((given != 2 && given != 4) || !forms || e[1] != e[2] || !fits(e[1], e[3], e[0], false))
    return false;
  if ((given == 2) != (e[1] == DecodeMatrixElement::f16) || !take_shape(key, forms->wmma, x))
    return false;
  bool a_by_columns = false, b_by_columns = false;
  if (!take_layout(key, 0, a_by_columns) || !take_layout(key, 1, b_by_columns)) return false;
  if (bits_of(e[1]) < 8 && (a_by_columns || !b_by_columns)) return false;
  if (e[1] == DecodeMatrixElement::f64) take_rounding(key, x);
  if (is_integer(e[1])) x.saturates = key.take(Word::satfinite);
  if (e[1] == DecodeMatrixElement::b1) {
    take_bits(key, x);
    if (x.bits == MatrixBits::none || !key.take(Word::popc)) return false;
  }
  if (!key.all_taken()) return false;
  x.handler = handlers_.matrix({e[1], e[2], false});
  if (!x.handler || !fragment(ops[1], e[1], wmma_registers(x.m * x.k, e[1]), false, x.a) ||
      !fragment(ops[2], e[2], wmma_registers(x.k * x.n, e[2]), false, x.b) ||
      !fragment(ops[3], e[3], registers_for(x.m * x.n, e[3]), false, x.c) ||
      !fragment(ops[0], e[0], registers_for(x.m * x.n, e[0]), true, x.d))
    return false;
  end_matrix(i, std::move(x));
  return true;
}

bool FunctionDecoder::mma(const Instruction& i) {
  const auto ops = operands(i);
  Key key(i.opcode, module_.modifiers_of(i));
  MatrixDetail x;
  if (!key.take(Word::sync)) return false;
  key.take(Word::aligned);
  x.sparse = key.take(Word::sp) || key.take(Word::sp_ordered_metadata);
  std::array<DecodeMatrixElement, 4> e{};  // d, a, b, c
  for (std::size_t k = 0; k < 4; ++k) e[k] = take_element(key, k);
  const MatrixForms* forms = forms_of(e[1]);
  if (!forms || forms_of(e[2]) != forms || !fits(e[1], e[3], e[0], x.sparse) ||
      !take_shape(key, x.sparse ? forms->sparse : forms->mma, x))
    return false;
  x.quads = x.m == 8 && e[1] == DecodeMatrixElement::f16;
  if (!take_layout(key, 0, x.a_by_columns) || !take_layout(key, 1, x.b_by_columns)) return false;
  if (!x.quads && (x.a_by_columns || !x.b_by_columns)) return false;
  if (x.quads ? e[3] == DecodeMatrixElement::f32 && e[0] != DecodeMatrixElement::f32 : e[0] != e[3])
    return false;
  if (e[1] == DecodeMatrixElement::f64) take_rounding(key, x);
  if (is_integer(e[1])) x.saturates = key.take(Word::satfinite);
  if (e[1] == DecodeMatrixElement::b1) {
    take_bits(key, x);
    if (x.bits == MatrixBits::none || !key.take(Word::popc)) return false;
  }
  if (!key.all_taken() || ops.size() != (x.sparse ? 6 : 4)) return false;
  x.handler = handlers_.matrix({e[1], e[2], x.quads});
  // Four products of 8 x 8 x 4 in one instruction.
  const std::uint32_t products = x.quads ? 4 : 1;
  const std::uint32_t kept = x.sparse ? x.k / 2 : x.k;
  if (!x.handler ||
      !fragment(ops[1], e[1], registers_for(x.m * kept * products, e[1]), false, x.a) ||
      !fragment(ops[2], e[2], registers_for(x.k * x.n * products, e[2]), false, x.b) ||
      !fragment(ops[3], e[3], registers_for(x.m * x.n * products, e[3]), false, x.c) ||
      !fragment(ops[0], e[0], registers_for(x.m * x.n * products, e[0]), true, x.d))
    return false;
  if (x.sparse) {
    x.metadata.row = source_row(ops[4], Row::b32);
    x.metadata.undefined = undefined_mask(x.metadata.row);
    // The number of a group's four lanes that hold metadata decides which selectors exist (PTX ISA 9.0, 9.7.14.6.1): two
    // rows of four bits per chunk, in words of 32.
    const std::uint32_t chunk = e[1] == DecodeMatrixElement::tf32 ? 2 : bits_of(e[1]) == 4 ? 8 : 4;
    const std::uint32_t lanes = x.k / chunk * 2 * 4 / 32;
    if (ops[5].kind != Operand::Kind::immediate || ops[5].bits >= 4 / lanes) return false;
    x.selector = static_cast<std::uint32_t>(ops[5].bits);
  }
  end_matrix(i, std::move(x));
  return true;
}

/// ldmatrix and stmatrix: a lane's address is that of a row of 16 bytes (PTX ISA 9.0, 9.7.14.5.15 and 9.7.14.5.16).
bool FunctionDecoder::matrix_rows(const Instruction& i) {
  const auto ops = operands(i);
  Key key(i.opcode, module_.modifiers_of(i));
  const bool store = i.opcode == Word::stmatrix;
  if (!key.take(Word::sync) || !key.take(Word::aligned) || !key.take(Word::m8n8) ||
      !key.take(Word::b16))
    return false;
  const std::uint32_t count = key.take(Word::x1)   ? 1
                              : key.take(Word::x2) ? 2
                              : key.take(Word::x4) ? 4
                                                   : 0;
  const bool transposed = key.take(Word::trans);
  MatrixDetail x;
  x.operation = store ? MatrixOperation::store : MatrixOperation::load;
  if (key.take(Word::shared) || key.take(Word::shared_cta)) x.space = StateSpace::shared;
  if (!key.all_taken() || count == 0 || ops.size() != 2) return false;
  x.lanes_name_lines = true;
  x.lines = 8 * count;
  x.line_bytes = 16;
  x.element_bits = 16;
  x.places.parts = transposed ? 2 : 1;
  for (std::uint32_t q = 0; q < count; ++q) {
    for (std::uint32_t lane = 0; lane < kLanes; ++lane) {
      const std::uint32_t g = lane / 4, t = lane % 4;
      for (std::uint32_t part = 0; part < x.places.parts; ++part) {
        const std::uint32_t line = 8 * q + (transposed ? 2 * t + part : g);
        x.places.bytes.push_back(
            static_cast<std::uint16_t>(line * 16 + (transposed ? 2 * g : 4 * t)));
      }
    }
  }
  if (!fragment(ops[store ? 1 : 0], DecodeMatrixElement::b16, count, !store, store ? x.a : x.d))
    return false;
  matrix_address(ops[store ? 0 : 1], store, 16, x);
  end_matrix(i, std::move(x));
  return true;
}

bool FunctionDecoder::move_matrix(const Instruction& i) {
  const auto ops = operands(i);
  Key key(i.opcode, module_.modifiers_of(i));
  for (const Word w : {Word::sync, Word::aligned, Word::m8n8, Word::trans, Word::b16}) {
    if (!key.take(w)) return false;
  }
  if (!key.all_taken() || ops.size() != 2) return false;
  MatrixDetail x;
  x.operation = MatrixOperation::transpose;
  const std::uint32_t from = source_row(ops[1], Row::b32), to = destination_row(ops[0], Row::b32);
  if (to == kNone) return false;
  x.a = {DecodeMatrixElement::b16, {{from, undefined_mask(from)}}};
  x.d = {DecodeMatrixElement::b16, {{to, undefined_mask(to)}}};
  end_matrix(i, std::move(x));
  return true;
}

}  // namespace warpbook::device::isa
