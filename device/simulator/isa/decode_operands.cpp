// The rows of operands: registers, constants, parameters, variables.
#include <algorithm>
#include <cstring>

#include "device/simulator/isa/address_windows.hpp"
#include "device/simulator/isa/decoder.hpp"

namespace warpbook::device::isa {
namespace {

/// The width of a special register, or of one part of it (PTX ISA 9.0, 10).
std::uint32_t bytes_of_special(Word word) {
  switch (word) {
    case Word::sr_clock64:
    case Word::sr_globaltimer:
    case Word::sr_gridid:
    case Word::sr_current_graph_exec: return 8;
    default: return ptx::text_of(word).ends_with("_64") ? 8 : 4;
  }
}

}  // namespace

bool has_parts(Word word) {
  switch (word) {
    case Word::sr_tid:
    case Word::sr_ntid:
    case Word::sr_ctaid:
    case Word::sr_nctaid:
    case Word::sr_clusterid:
    case Word::sr_nclusterid:
    case Word::sr_cluster_ctaid:
    case Word::sr_cluster_nctaid: return true;
    default: return false;
  }
}

std::uint32_t bytes_of(Row row) {
  switch (row) {
    case Row::none: return 0;
    case Row::b8: return 1;
    case Row::b16: return 2;
    case Row::pred:
    case Row::b32:
    case Row::f32: return 4;
    case Row::b64:
    case Row::f64: return 8;
    case Row::b128: return 16;
  }
  return 0;
}

Row row_of_bits(std::uint32_t bytes) {
  return bytes == 1   ? Row::b8
         : bytes == 2 ? Row::b16
         : bytes == 4 ? Row::b32
         : bytes == 8 ? Row::b64
                      : Row::b128;
}

std::uint32_t FunctionDecoder::row_of_register(std::uint32_t reg, std::uint8_t component) const {
  const std::uint32_t slot = slots_.slot[reg];
  const ptx::Register& r = function_.registers[reg];
  std::uint32_t row = 0;
  switch (slot_class_of(r)) {
    case SlotClass::predicate: return predicates_ + 4 * slot;
    case SlotClass::narrow: row = narrow_ + 128 * slot; break;
    case SlotClass::wide: row = wide_ + 256 * slot; break;
    case SlotClass::quad: row = quad_ + 512 * slot; break;
    case SlotClass::half: row = half_ + 64 * slot; break;
    case SlotClass::byte: row = byte_ + 64 * slot; break;
  }
  // The parts of a vector register are consecutive rows.
  if (component != 0xff && component >= r.lanes) unsupported(function_.instructions[current_]);
  if (component != 0xff) row += component * 32 * std::max<std::uint32_t>(ptx::bytes_of(r.type), 2);
  return row;
}

std::uint32_t FunctionDecoder::register_bytes(const Operand& o) const {
  if (o.kind != Operand::Kind::reg) return 0;
  const ptx::Register& r = function_.registers[o.index];
  if (r.lanes > 1 && o.component == 0xff) return 0;
  return r.type == Type::pred ? 0 : ptx::bytes_of(r.type);
}

/// initcheck's mask of the register at a row: there is one mask per slot, numbered across the classes.
std::uint32_t FunctionDecoder::undefined_mask(std::uint32_t row) const {
  const auto& n = slots_.slots;
  std::uint32_t slot = kNone;
  if (row >= predicates_ && row < predicates_ + 4 * n[0])
    slot = (row - predicates_) / 4;
  else if (row >= narrow_ && row < wide_)
    slot = n[0] + (row - narrow_) / 128;
  else if (row >= wide_ && row < quad_)
    slot = n[0] + n[1] + (row - wide_) / 256;
  else if (row >= quad_ && row < quad_ + 512 * n[3])
    slot = n[0] + n[1] + n[2] + (row - quad_) / 512;
  else if (row >= half_ && row < byte_ + 64 * n[5])
    slot = n[0] + n[1] + n[2] + n[3] + (row - half_) / 64;
  return slot == kNone ? kNone : masks_ + 4 * slot;
}

/// Constants have the last rows of the frame, so that their number need not be known in advance.
std::uint32_t FunctionDecoder::constant_row(Row kind, std::uint64_t bits) {
  const std::uint32_t width = bytes_of(kind);
  if (kind == Row::pred) bits = bits ? ~std::uint64_t{0} : 0;
  const auto key = std::make_pair(kind == Row::pred ? 0u : width, bits);
  const auto found = constants_.find(key);
  if (found != constants_.end()) return found->second;
  std::vector<std::byte> row(std::max<std::uint32_t>(64, kind == Row::pred ? 64 : 32 * width));
  for (std::uint32_t at = 0; at + width <= row.size(); at += width) {
    std::memcpy(row.data() + at, &bits, std::min<std::uint32_t>(width, 8));
  }
  if (constant_bytes_ > kFrameLimit) too_large("phrase.limit.constants");
  const std::uint32_t offset = constants_base_ + constant_bytes_;
  constant_bytes_ += static_cast<std::uint32_t>(row.size());
  constant_rows_.emplace_back(offset, std::move(row));
  constants_[key] = offset;
  return offset;
}

std::uint32_t FunctionDecoder::constant_of(const Operand& o, Row kind) {
  // An integer must not become a float's bits, since 1 would be 1.4e-45.
  if (!o.is_float && o.bits != 0 && (kind == Row::f32 || kind == Row::f64))
    unsupported(function_.instructions[current_]);
  if (!o.is_float)
    return constant_row(kind, bytes_of(kind) >= 8
                                  ? o.bits
                                  : o.bits & ((std::uint64_t{1} << (8 * bytes_of(kind))) - 1));
  if (kind == Row::f32 || kind == Row::b32) return constant_row(kind, ptx::float_bits(o.bits));
  return constant_row(kind, o.bits);
}

std::uint32_t FunctionDecoder::source_row(const Operand& o, Row kind) {
  const Instruction& i = function_.instructions[current_];
  switch (o.kind) {
    case Operand::Kind::reg: {
      if (o.word != Word::unknown) unsupported(i);
      const ptx::Register& r = function_.registers[o.index];
      if ((kind == Row::pred) != (r.type == Type::pred)) unsupported(i);
      if (o.negated && kind != Row::pred) unsupported(i);
      // Only ld, st and cvt may have registers that are wider than the type. They ask for the register's own width.
      if (kind != Row::pred && register_bytes(o) != bytes_of(kind)) unsupported(i);
      read(row_of_register(o.index, o.component));
      return register_source(o);
    }
    case Operand::Kind::special: return special_source(o, kind);
    case Operand::Kind::immediate: return constant_of(o, kind);
    case Operand::Kind::symbol: {
      const auto address = address_of_symbol(o);
      if (!address || bytes_of(kind) < 4) unsupported(i);
      return constant_row(kind, bytes_of(kind) == 4 ? *address & 0xffffffff : *address);
    }
    default: unsupported(i);
  }
}

/// A register's row. For %r1+4 it is the row of the sum, which is an integer of the register's own width, regardless of the
/// instruction's type (ptxas does so, although the ISA does not say it).
std::uint32_t FunctionDecoder::register_source(const Operand& o) {
  const std::uint32_t row = row_of_register(o.index, o.component);
  if (o.bits == 0) return row;
  const std::uint32_t bytes = register_bytes(o);
  if (o.component != 0xff || (bytes != 2 && bytes != 4 && bytes != 8))
    unsupported(function_.instructions[current_]);
  const Word type[] = {bytes == 2 ? Word::u16 : bytes == 4 ? Word::u32 : Word::u64};
  Key key(Word::add, type);
  const Bound b = handlers_.integer(key);
  DecodedInstruction sum = operation_of(b);
  sum.a = row;
  sum.b = constant_row(b.b, bytes == 8 ? o.bits : o.bits & ((std::uint64_t{1} << 8 * bytes) - 1));
  sum.d = temporaries_ + kTemporaryBytes * next_temporary_++;
  emit(sum, true);
  return sum.d;
}

/// A special register among the elements of a vector, or split into one. Elsewhere only mov and cvt may name one.
std::uint32_t FunctionDecoder::special_source(const Operand& o, Row kind) {
  const std::uint32_t bytes = bytes_of_special(o.word);
  if (bytes != bytes_of(kind)) unsupported(function_.instructions[current_]);
  DecodedInstruction read = special_register(o, bytes);
  read.d = temporaries_ + kTemporaryBytes * next_temporary_++;
  emit(read, true);
  return read.d;
}

/// The greatest number of operands of one instruction that are computed before it.
std::uint32_t FunctionDecoder::temporaries() const {
  std::uint32_t most = 0;
  for (const Instruction& i : function_.instructions) {
    std::uint32_t count = 0;
    for (const Operand& o : operands(i)) {
      for (const Operand& e : parts(o)) {
        const bool sum = e.kind == Operand::Kind::reg && e.word == Word::unknown && e.bits != 0;
        const bool vectors =
            o.kind == Operand::Kind::vector || operands(i).front().kind == Operand::Kind::vector;
        count += sum || (vectors && e.kind == Operand::Kind::special) ? 1 : 0;
      }
      // mov.b128 d, %tid reads all four parts of one.
      if (o.kind == Operand::Kind::special && o.component == 0xff && has_parts(o.word)) count += 4;
    }
    most = std::max(most, count);
  }
  return most;
}

std::uint32_t FunctionDecoder::destination_row(const Operand& o, Row kind) {
  if (o.kind == Operand::Kind::sink) return kNone;
  const Instruction& i = function_.instructions[current_];
  if (o.kind != Operand::Kind::reg || o.word != Word::unknown || o.negated || o.bits != 0)
    unsupported(i);
  const ptx::Register& r = function_.registers[o.index];
  if ((kind == Row::pred) != (r.type == Type::pred)) unsupported(i);
  if (kind != Row::pred && register_bytes(o) != bytes_of(kind)) unsupported(i);
  const std::uint32_t row = row_of_register(o.index, o.component);
  write(row);
  return row;
}

const ptx::Variable* FunctionDecoder::variable_of(const Operand& o) const {
  switch (o.home) {
    case Operand::Home::variable: return &function_.variables[o.index];
    case Operand::Home::parameter: return &function_.parameters[o.index];
    case Operand::Home::result: return &function_.returns[o.index];
    case Operand::Home::module_variable: return &module_.variables[o.index];
    default: return nullptr;
  }
}

/// The address of a symbol in its own state space; nothing where it depends on the call frame.
std::optional<std::uint64_t> FunctionDecoder::address_of_symbol(const Operand& o) {
  const auto addend = o.bits;
  if (o.home == Operand::Home::function) return address_of_function(o.index) + addend;
  const ptx::Variable* v = variable_of(o);
  if (!v) return std::nullopt;
  switch (v->space) {
    case ptx::StateSpace::shared: return shared_.offset_of(v) + addend;
    case ptx::StateSpace::global:
    case ptx::StateSpace::constant:
      if (o.home != Operand::Home::module_variable || placement_.variables[o.index] == 0)
        return std::nullopt;
      return placement_.variables[o.index] + addend;
    case ptx::StateSpace::param: {
      if (!entry_ || o.home != Operand::Home::parameter) return std::nullopt;
      std::uint64_t offset = 0;
      for (const ptx::Variable& p : function_.parameters) {
        offset = (offset + p.alignment - 1) / p.alignment * p.alignment;
        if (&p == v) break;
        offset += p.bytes;
      }
      return offset + addend;
    }
    default: return std::nullopt;
  }
}

/// Computes the address of array[register + constant] into the row scratch_. Returns the register's row.
std::uint32_t FunctionDecoder::element_address(const Operand& o, StateSpace space) {
  const Instruction& i = function_.instructions[current_];
  Operand symbol = o;
  symbol.kind = Operand::Kind::symbol;
  const Operand& index = module_.operands[o.first];
  const ptx::Variable* v = variable_of(symbol);
  const Type type = function_.registers[index.index].type;
  const std::uint32_t bytes = ptx::bytes_of(type);
  if (!v || bytes < 2 || bytes > 8 || type == Type::f32 || type == Type::f64) unsupported(i);
  const std::uint32_t origin = scratch_ + 256;
  const bool is_local = local_offset(v) != kNone;
  const bool generic = space == StateSpace::generic;
  std::uint32_t base = origin;
  if (is_local) {
    DecodedInstruction local;
    local.full = local.masked = handlers_.common.local_address;
    local.bytes = 8;
    local.immediate =
        static_cast<std::int64_t>((generic ? kLocalWindow : 0) + local_offset(v) + o.bits);
    local.d = origin;
    emit(local, true);
  } else {
    const auto address = address_of_symbol(symbol);
    if (!address) unresolved(i, o.name);
    const bool shared = v->space == ptx::StateSpace::shared;
    base = constant_row(Row::b64, *address + (generic && shared ? kSharedWindow : 0));
  }
  const std::uint32_t row = row_of_register(index.index);
  std::uint32_t wide = row;
  if (bytes != 8) {
    const bool is_signed = type == Type::s16 || type == Type::s32;
    const Word words[] = {
        is_signed ? Word::s64 : Word::u64,
        bytes == 2 ? (is_signed ? Word::s16 : Word::u16) : (is_signed ? Word::s32 : Word::u32)};
    Key widen(Word::cvt, words);
    widen.operands = 2;
    widen.d_bytes = 8;
    widen.a_bytes = bytes;
    const Bound b = handlers_.convert(widen);
    DecodedInstruction o_widen = operation_of(b);
    o_widen.a = row;
    o_widen.d = wide = scratch_;
    emit(o_widen, true);
  }
  constexpr Word kScale[] = {Word::lo, Word::u64};
  Key scale(Word::mad, kScale);
  const Bound b = handlers_.integer(scale);
  DecodedInstruction place = operation_of(b);
  place.a = wide;
  place.b = constant_row(Row::b64, ptx::bytes_of(v->type));
  place.c = base;
  place.d = scratch_;
  place.f = 0;
  emit(place, true);
  return row;
}

std::uint32_t FunctionDecoder::local_offset(const ptx::Variable* v) const {
  const auto found = locals_.find(v);
  return found == locals_.end() ? kNone : found->second;
}

ParameterPlace FunctionDecoder::parameter_place(const ptx::Variable& v) {
  const auto found = places_.find(&v);
  if (found != places_.end()) return found->second;
  const auto bytes = static_cast<std::uint32_t>((v.bytes + 3) / 4 * 4);
  if (top_ > kFrameLimit) too_large("phrase.limit.call-parameters");
  const ParameterPlace place{top_, bytes};
  top_ += bytes * 32;
  places_[&v] = place;
  return place;
}

}  // namespace warpbook::device::isa
