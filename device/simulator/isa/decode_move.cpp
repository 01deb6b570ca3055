// mov in all its forms, special registers, and instructions that read predicates negated.
#include <algorithm>

#include "device/simulator/isa/decoder.hpp"

namespace warpbook::device::isa {
namespace {

/// The first dialect that has a special register (PTX ISA 9.0, 10); those of PTX 6.3 are not listed.
Dialect first_with(Word special) {
  switch (special) {
    case Word::sr_reserved_smem_offset_begin:
    case Word::sr_reserved_smem_offset_end:
    case Word::sr_reserved_smem_offset_cap:
    case Word::sr_reserved_smem_offset_0:
    case Word::sr_reserved_smem_offset_1: return {706, 80};
    case Word::sr_is_explicit_cluster:
    case Word::sr_clusterid:
    case Word::sr_nclusterid:
    case Word::sr_cluster_ctaid:
    case Word::sr_cluster_nctaid:
    case Word::sr_cluster_ctarank:
    case Word::sr_cluster_nctarank: return {708, 90};
    case Word::sr_aggr_smem_size: return {801, 90};
    case Word::sr_current_graph_exec: return {800, 0};
    default: return {0, 0};
  }
}

}  // namespace

bool FunctionDecoder::move(const Instruction& i) {
  const auto ops = operands(i);
  if (ops.size() != 2) return false;
  if (ops[1].kind == Operand::Kind::special) return special(i, ops[1]);
  if (ops[0].kind == Operand::Kind::vector && ops[1].kind == Operand::Kind::vector)
    return move_vector(i);
  if (ops[0].kind == Operand::Kind::vector || ops[1].kind == Operand::Kind::vector) return pack(i);
  if (const auto done = negated_predicates(i)) return *done;
  if (ops[1].kind == Operand::Kind::symbol) return symbol(i);
  Key key(i.opcode, module_.modifiers_of(i));
  const Bound b = handlers_.move(key);
  if (!b || !key.all_taken()) return false;
  DecodedInstruction o;
  o.full = b.full;
  o.masked = b.masked;
  o.a = source_row(ops[1], b.a);
  o.d = destination_row(ops[0], b.d);
  if (o.d == kNone) return false;
  emit(o);
  return true;
}

/// An instruction that reads a special register with `bytes` per lane, still without a destination.
DecodedInstruction FunctionDecoder::special_register(const Operand& from, std::uint32_t bytes) {
  if (!handlers_.common.has_special(from.word) ||
      has_parts(from.word) != (from.component != 0xff)) {
    unsupported(function_.instructions[current_]);
  }
  needs(first_with(from.word));
  DecodedInstruction o;
  o.full = o.masked = handlers_.common.special;
  o.bytes = static_cast<std::uint8_t>(bytes);
  o.b = from.component == 0xff ? 0 : from.component;
  o.c = static_cast<std::uint32_t>(from.word);
  switch (from.word) {
    case Word::sr_clock:
    case Word::sr_clock64:
    case Word::sr_clock_hi:
    case Word::sr_globaltimer:
    case Word::sr_globaltimer_lo:
    case Word::sr_globaltimer_hi:
    case Word::sr_smid: code_.order_matters = true; break;
    case Word::sr_reserved_smem_offset_begin:
    case Word::sr_reserved_smem_offset_end:
    case Word::sr_reserved_smem_offset_cap:
    case Word::sr_reserved_smem_offset_0:
    case Word::sr_reserved_smem_offset_1: code_.uses_reserved_shared = true; break;
    case Word::sr_envreg1:
    case Word::sr_envreg2: code_.uses_workspace = true; break;
    default: break;
  }
  return o;
}

bool FunctionDecoder::special(const Instruction& i, const Operand& from) {
  const Operand& to = operands(i)[0];
  Key key(i.opcode, module_.modifiers_of(i));
  if (key.take(Word::v4)) return special_vector(i, from);
  if (to.kind == Operand::Kind::vector) return pack(i);
  if (key.take(Word::b128)) return key.all_taken() && special_whole(from, to);
  const bool is_predicate = key.take(Word::pred);
  if (!is_predicate && key.take_type() == Type::none) return false;
  if (!key.all_taken()) return false;
  if (is_predicate) {
    if (from.word != Word::sr_is_explicit_cluster) return false;
    needs(first_with(from.word));
    DecodedInstruction o;
    o.full = o.masked = handlers_.common.special_predicate;
    o.c = static_cast<std::uint32_t>(from.word);
    o.d = destination_row(to, Row::pred);
    if (o.d == kNone) return false;
    emit(o);
    return true;
  }
  const std::uint32_t bytes = register_bytes(to);
  if (bytes != 2 && bytes != 4 && bytes != 8) return false;
  DecodedInstruction o = special_register(from, bytes);
  o.d = destination_row(to, row_of_bits(bytes));
  emit(o);
  return true;
}

/// mov.b128 d, %tid: its three parts, and 0.
bool FunctionDecoder::special_whole(const Operand& from, const Operand& to) {
  if (from.component != 0xff || !has_parts(from.word)) return false;
  std::uint32_t rows[4];
  for (std::uint8_t k = 0; k < 4; ++k) {
    Operand part = from;
    part.component = k;
    rows[k] = special_source(part, Row::b32);
  }
  DecodedInstruction o = operation_of(handlers_.pack(4, 4, false));
  o.a = rows[0];
  o.b = rows[1];
  o.c = rows[2];
  o.e = rows[3];
  o.d = destination_row(to, Row::b128);
  if (o.d == kNone) return false;
  emit(o);
  return true;
}

/// mov.v4.u32 d, %tid: its three parts, and 0. In the first versions of PTX, %tid and its like had 16 bits per part.
bool FunctionDecoder::special_vector(const Instruction& i, const Operand& from) {
  Key key(i.opcode, module_.modifiers_of(i));
  key.take(Word::v4);
  const std::uint32_t bytes = key.take(Word::u16) ? 2
                              : key.take(Word::u32) || key.take(Word::s32) || key.take(Word::b32)
                                  ? 4
                                  : 0;
  const std::vector<Operand> to = parts(operands(i)[0]);
  if (bytes == 0 || !key.all_taken() || to.size() != 4 || from.component != 0xff ||
      !has_parts(from.word))
    return false;
  bool hidden = false;
  for (std::uint8_t k = 0; k < 4; ++k) {
    Operand part = from;
    part.component = k;
    DecodedInstruction o = special_register(part, bytes);
    o.d = destination_row(to[k], row_of_bits(bytes));
    if (o.d == kNone) continue;
    emit(o, hidden);
    hidden = true;
  }
  return hidden;
}

/// cvt.u64.u32 d, %tid.x.
bool FunctionDecoder::convert_special(const Instruction& i) {
  const auto ops = operands(i);
  for (const Word w : module_.modifiers_of(i)) {
    const char letter = ptx::text_of(w).front();
    if (type_of(w) != Type::none && letter != 'u' && letter != 's') return false;
  }
  Key asks(i.opcode, module_.modifiers_of(i));
  asks.operands = 2;
  asks.d_bytes = register_bytes(ops[0]);
  const Bound asked = handlers_.convert(asks);
  if (!asked || !asks.all_taken()) return false;
  Key key(i.opcode, module_.modifiers_of(i));
  key.operands = 2;
  key.d_bytes = asks.d_bytes;
  key.a_bytes = std::max(bytes_of(asked.a), 2u);
  const Bound b = handlers_.convert(key);
  if (!b) return false;
  DecodedInstruction read = special_register(ops[1], key.a_bytes);
  read.d = scratch_;
  emit(read, true);
  DecodedInstruction o = operation_of(b);
  o.a = scratch_;
  o.d = destination_row(ops[0], b.d);
  if (o.d == kNone) return false;
  emit(o);
  return true;
}

bool FunctionDecoder::symbol(const Instruction& i) {
  const auto ops = operands(i);
  const std::uint32_t bytes = register_bytes(ops[0]);
  if (bytes != 4 && bytes != 8) return false;
  const ptx::Variable* v = variable_of(ops[1]);
  DecodedInstruction o;
  if (ops[1].count != 0) {
    read(element_address(ops[1], StateSpace::global));
    const Word words[] = {bytes == 8 ? Word::u64 : Word::u32, Word::u64};
    Key key(Word::cvt, words);
    key.operands = 2;
    key.d_bytes = bytes;
    key.a_bytes = 8;
    const Bound b = handlers_.convert(key);
    o = operation_of(b);
    o.a = scratch_;
    o.d = destination_row(ops[0], b.d);
    if (o.d == kNone) return false;
    emit(o);
    return true;
  }
  if (v && local_offset(v) != kNone) {
    o.full = o.masked = handlers_.common.local_address;
    o.bytes = static_cast<std::uint8_t>(bytes);
    o.immediate = static_cast<std::int64_t>(local_offset(v) + ops[1].bits);
    o.d = destination_row(ops[0], bytes == 8 ? Row::b64 : Row::b32);
    emit(o);
    return true;
  }
  if (!address_of_symbol(ops[1])) {
    if (v && !v->external) return false;
    unresolved(i, ops[1].name);
  }
  Key key(Word::mov, bytes == 8 ? std::span<const Word>(kMove64) : std::span<const Word>(kMove32));
  const Bound b = handlers_.move(key);
  o.full = b.full;
  o.masked = b.masked;
  o.a = source_row(ops[1], b.a);
  o.d = destination_row(ops[0], b.d);
  emit(o);
  return true;
}

/// mov.b64 d, {a, b} and mov.b64 {a, b}, d, where a special register may be d.
bool FunctionDecoder::pack(const Instruction& i) {
  const auto ops = operands(i);
  Key key(i.opcode, module_.modifiers_of(i));
  const Type type = key.take_type();
  if (!key.all_taken()) return false;
  const bool unpack = ops[0].kind == Operand::Kind::vector;
  const Operand& vector = unpack ? ops[0] : ops[1];
  const Operand& whole = unpack ? ops[1] : ops[0];
  const std::uint32_t total = ptx::bytes_of(type);
  if (vector.count == 0 || vector.count > 4 || total % vector.count != 0) return false;
  const std::uint32_t part = total / vector.count;
  const Bound b = handlers_.pack(vector.count, part, unpack);
  if (!b) return false;
  DecodedInstruction o;
  o.full = b.full;
  o.masked = b.masked;
  const auto parts = std::span(module_.operands).subspan(vector.first, vector.count);
  std::uint32_t rows[4] = {kNone, kNone, kNone, kNone};
  if (unpack) {
    o.a = source_row(whole, row_of_bits(total));
    for (std::size_t k = 0; k < parts.size(); ++k)
      rows[k] = destination_row(parts[k], row_of_bits(part));
    o.d = rows[0];
    o.b = rows[1];
  } else {
    std::vector<std::uint32_t>& reads = code_.dependences[code_index_].reads;
    const bool high_matters =
        total < 8 || whole.kind != Operand::Kind::reg || slots_.read_high[whole.index];
    for (std::size_t k = 0; k < parts.size(); ++k) {
      const std::size_t before = reads.size();
      rows[k] = source_row(parts[k], row_of_bits(part));
      if (!high_matters && k * part >= total / 2) reads.resize(before);
    }
    o.a = rows[0];
    o.b = rows[1];
    o.d = destination_row(whole, row_of_bits(total));
    if (o.d == kNone) return false;
  }
  o.c = rows[2];
  o.e = rows[3];
  emit(o);
  return true;
}

/// mov.v2.b32 {a, b}, {c, d} reads all sources before it writes any destination.
bool FunctionDecoder::move_vector(const Instruction& i) {
  const auto ops = operands(i);
  Key key(i.opcode, module_.modifiers_of(i));
  const std::uint32_t count = key.take(Word::v2) ? 2 : key.take(Word::v4) ? 4 : 0;
  const std::uint32_t bytes = ptx::bytes_of(key.take_type());
  const std::vector<Operand> to = parts(ops[0]), from = parts(ops[1]);
  if (!key.all_taken() || bytes == 0 || to.size() != count || from.size() != count) return false;
  const Bound join = handlers_.pack(count, bytes, false), part = handlers_.pack(count, bytes, true);
  if (!join || !part) return false;
  DecodedInstruction in, out;
  in.full = join.full;
  in.masked = join.masked;
  in.d = out.a = scratch_;
  out.full = part.full;
  out.masked = part.masked;
  std::uint32_t* const sources[] = {&in.a, &in.b, &in.c, &in.e};
  std::uint32_t* const targets[] = {&out.d, &out.b, &out.c, &out.e};
  const Row row = row_of_bits(bytes);
  for (std::uint32_t k = 0; k < 4; ++k) {
    *sources[k] = k < count ? source_row(from[k], row) : kNone;
    *targets[k] = k < count ? destination_row(to[k], row) : kNone;
  }
  emit(in, true);
  emit(out);
  return true;
}

/// and.pred d, !a, b and its like. Nothing where no predicate is negated, or where the opcode handles negation itself.
std::optional<bool> FunctionDecoder::negated_predicates(const Instruction& i) {
  const auto ops = operands(i);
  if (std::ranges::none_of(ops, [](const Operand& o) { return o.negated; })) return std::nullopt;
  Key key(i.opcode, module_.modifiers_of(i));
  if (!key.take(Word::pred) || !key.all_taken()) return std::nullopt;
  const bool single = i.opcode == Word::mov || i.opcode == Word::not_;
  const bool conjunction = i.opcode == Word::and_, disjunction = i.opcode == Word::or_;
  if (!single && !conjunction && !disjunction && i.opcode != Word::xor_) return std::nullopt;
  if (ops.size() != (single ? 2u : 3u) || ops[0].negated) return false;
  const Operand& second = ops[single ? 1 : 2];
  DecodedInstruction o;
  o.full = o.masked = handlers_.common.predicate_logic;
  // mov and not have one operand, whose conjunction with itself is the result.
  o.predicate.logic = disjunction              ? PredicateLogic::or_
                      : i.opcode == Word::xor_ ? PredicateLogic::xor_
                                               : PredicateLogic::and_;
  const bool flip = i.opcode == Word::not_;
  const bool negated[] = {ops[1].negated != flip, second.negated != flip};
  o.predicate.a_negated = negated[0];
  o.predicate.b_negated = negated[1];
  o.a = source_row(ops[1], Row::pred);
  o.b = source_row(second, Row::pred);
  o.d = destination_row(ops[0], Row::pred);
  if (o.d == kNone) return false;
  if (conjunction || disjunction)
    choose({conjunction ? Choice::Kind::conjunction : Choice::Kind::disjunction,
            0,
            {negated[0], negated[1], false},
            {o.a, o.b, kNone}});
  emit(o);
  return true;
}

}  // namespace warpbook::device::isa
