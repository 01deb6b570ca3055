// Operations that compute on registers.
#include "device/simulator/isa/address_windows.hpp"
#include "device/simulator/isa/decoder.hpp"

namespace warpbook::device::isa {
namespace {

bool is_float(Type t) { return t == Type::f32 || t == Type::f64; }
bool is_half(Type t) {
  return t == Type::f16 || t == Type::f16x2 || t == Type::bf16 || t == Type::bf16x2;
}

Type first_type(std::span<const Word> modifiers) {
  for (const Word m : modifiers) {
    if (type_of(m) != Type::none) return type_of(m);
  }
  return Type::none;
}

Pointer window_of(Word space) {
  switch (space) {
    case Word::shared:
    case Word::shared_cta:
    case Word::shared_cluster: return kSharedWindow;
    case Word::local: return kLocalWindow;
    case Word::param:
    case Word::param_entry: return kParamWindow;
    default: return 0;
  }
}

}  // namespace

Bound FunctionDecoder::bind(Key& key) const {
  const Type type = first_type(key.modifiers());
  switch (key.opcode()) {
    case Word::add:
    case Word::sub:
    case Word::mul:
    case Word::mad:
    case Word::fma:
    case Word::div:
    case Word::min:
    case Word::max:
    case Word::abs:
    case Word::neg:
    case Word::ex2:
    case Word::tanh:
      if (is_half(type)) return handlers_.half(key);
      return is_float(type) ? handlers_.floating(key) : handlers_.integer(key);
    case Word::addc:
    case Word::subc:
    case Word::madc:
    case Word::sad:
    case Word::rem:
    case Word::mul24:
    case Word::mad24:
    case Word::dp4a:
    case Word::dp2a: return handlers_.integer(key);
    case Word::rcp:
    case Word::sqrt:
    case Word::rsqrt:
    case Word::sin:
    case Word::cos:
    case Word::lg2:
    case Word::copysign:
    case Word::testp: return handlers_.floating(key);
    case Word::and_:
    case Word::or_:
    case Word::xor_:
    case Word::not_:
    case Word::cnot:
    case Word::shl:
    case Word::shr:
    case Word::shf:
    case Word::lop3:
    case Word::prmt:
    case Word::popc:
    case Word::clz:
    case Word::brev:
    case Word::bfind:
    case Word::fns:
    case Word::bfe:
    case Word::bfi:
    case Word::bmsk:
    case Word::szext: return handlers_.bits(key);
    case Word::setp:
    case Word::set:
    case Word::selp:
    case Word::slct: return handlers_.compare(key);
    case Word::cvt: return handlers_.convert(key);
    case Word::mov: return handlers_.move(key);
    default: return {};
  }
}

bool FunctionDecoder::plain(const Instruction& i) {
  if ((i.opcode == Word::activemask || i.opcode == Word::createpolicy) && operands(i).empty())
    return false;
  switch (i.opcode) {
    case Word::mov: return move(i);
    case Word::cvta: return convert_address(i);
    case Word::isspacep: return is_space(i);
    case Word::activemask: {
      DecodedInstruction o;
      o.full = o.masked = handlers_.common.active_mask;
      o.d = destination_row(operands(i)[0], Row::b32);
      emit(o);
      code_.instructions[code_index_].counts_as = 2;
      return true;
    }
    case Word::prefetch:
    case Word::prefetchu:
    case Word::discard:
    case Word::applypriority:
    case Word::pmevent:
    case Word::brkpt: {
      // A cache's hints and debugger's stops change nothing here; discard leaves bytes undefined, as they may stay.
      DecodedInstruction o;
      o.full = o.masked = handlers_.common.nothing;
      emit(o);
      return true;
    }
    case Word::createpolicy: {
      // A policy only steers caches; any value stands for one.
      DecodedInstruction o;
      o.d = destination_row(operands(i)[0], Row::b64);
      Key key(Word::mov, kMove64);
      const Bound b = handlers_.move(key);
      o.full = b.full;
      o.masked = b.masked;
      o.a = constant_row(Row::b64, 0);
      emit(o);
      return true;
    }
    default: break;
  }
  if (i.opcode == Word::cvt && operands(i).size() == 2 &&
      operands(i)[1].kind == Operand::Kind::special)
    return convert_special(i);
  if (const auto done = negated_predicates(i)) return *done;
  Key key(i.opcode, module_.modifiers_of(i));
  std::span<const Operand> ops = operands(i);
  std::vector<Operand> exchanged;
  if (i.opcode == Word::selp && ops.size() == 4 && ops[3].negated) {
    exchanged = {ops[0], ops[2], ops[1], ops[3]};
    exchanged[3].negated = false;
    ops = exchanged;
  }
  key.operands = static_cast<std::uint32_t>(ops.size());
  if (ops.empty()) return false;
  key.second_destination = ops.size() > 1 && (ops[0].paired || ops[1].paired);
  key.d_bytes = register_bytes(ops[0]);
  const std::size_t first_source = key.second_destination ? 2 : 1;
  if (ops.size() > first_source) key.a_bytes = register_bytes(ops[first_source]);
  const bool sets = i.opcode == Word::setp || i.opcode == Word::set;
  if (key.second_destination && i.opcode != Word::setp) {
    return i.opcode == Word::lop3 && lop3_with_predicate(i);
  }
  if (key.second_destination && sets && (key.has(Word::f16) || key.has(Word::bf16))) return false;
  const Bound b = bind(key);
  if (!b || !key.all_taken()) return false;

  DecodedInstruction o = operation_of(b);
  o.f = 0;  // the frame's condition code
  if (sets) {
    const Join join = key.has(Word::and_)   ? Join::and_
                      : key.has(Word::or_)  ? Join::or_
                      : key.has(Word::xor_) ? Join::xor_
                                            : Join::none;
    o.compare.join = join;
    const bool combines = ops.size() > first_source + 2;
    if (combines != (join != Join::none)) return false;
    o.a = source_row(ops[first_source], b.a);
    o.b = source_row(ops[first_source + 1], b.b);
    if (combines) {
      o.c = source_row(ops[first_source + 2], Row::pred);
      o.compare.c_negated = ops[first_source + 2].negated;
    }
    o.d = destination_row(ops[0], b.d);
    if (key.second_destination) o.e = destination_row(ops[1], Row::pred);
    if (join == Join::and_ || join == Join::or_)
      choose({join == Join::and_ ? Choice::Kind::conjunction : Choice::Kind::disjunction,
              0,
              {false, o.compare.c_negated, false},
              {kNone, o.c, kNone}});
    emit(o);
    return true;
  }
  std::size_t next = 1;
  const auto source = [&](Row kind) -> std::uint32_t {
    if (kind == Row::none) return kNone;
    if (next >= ops.size()) unsupported(i);
    return source_row(ops[next++], kind);
  };
  for (const Operand& operand : ops) {
    // A negated predicate is folded in where setp takes it, and in negated_predicates(); nothing else may have one.
    if (operand.negated) return false;
  }
  o.a = source(b.a);
  o.b = source(b.b);
  o.c = source(b.c);
  o.e = source(b.e);
  if (i.opcode == Word::lop3) {
    if (next >= ops.size() || ops[next].kind != Operand::Kind::immediate) return false;
    o.immediate = static_cast<std::int64_t>(ops[next++].bits & 0xff);
  }
  if (next != ops.size()) return false;
  o.d = destination_row(ops[0], b.d);
  if (o.d == kNone) return false;
  const auto bytes = static_cast<std::uint8_t>(b.a == Row::pred ? 0 : bytes_of(b.a));
  if (i.opcode == Word::and_ || i.opcode == Word::or_)
    choose({i.opcode == Word::and_ ? Choice::Kind::conjunction : Choice::Kind::disjunction,
            bytes,
            {},
            {o.a, o.b, kNone}});
  if (i.opcode == Word::selp) choose({Choice::Kind::selection, bytes, {}, {o.a, o.b, o.c}});
  emit(o);
  return true;
}

void FunctionDecoder::choose(Choice c) {
  for (std::size_t k = 0; k < 3; ++k)
    if (c.row[k] != kNone) c.mask[k] = undefined_mask(c.row[k]);
  Dependence& d = code_.dependences[code_index_];
  d.kind = Dependence::Kind::choose;
  d.choice = static_cast<std::uint32_t>(code_.choices.size());
  code_.choices.push_back(c);
}

/// lop3.or.b32 d|p, a, b, c, table, q: p is (d != 0) combined with q.
bool FunctionDecoder::lop3_with_predicate(const Instruction& i) {
  const auto ops = operands(i);
  Key key(i.opcode, module_.modifiers_of(i));
  const bool any = key.take(Word::or_), all = !any && key.take(Word::and_);
  if ((!any && !all) || ops.size() != 7) return false;
  const Bound b = handlers_.bits(key);
  if (!b || !key.all_taken()) return false;
  DecodedInstruction o;
  o.full = b.full;
  o.masked = b.masked;
  o.a = source_row(ops[2], Row::b32);
  o.b = source_row(ops[3], Row::b32);
  o.c = source_row(ops[4], Row::b32);
  o.immediate = static_cast<std::int64_t>(ops[5].bits & 0xff);
  o.d = ops[0].kind == Operand::Kind::sink ? scratch_ : destination_row(ops[0], Row::b32);
  emit(o);
  Key compare(Word::setp,
              any ? std::span<const Word>(kNonZeroOr) : std::span<const Word>(kNonZeroAnd));
  const Bound c = handlers_.compare(compare);
  DecodedInstruction p;
  p.full = c.full;
  p.masked = c.masked;
  p.a = o.d;
  p.b = constant_row(Row::b32, 0);
  p.c = source_row(ops[6], Row::pred);
  p.compare.join = any ? Join::or_ : Join::and_;
  p.compare.c_negated = ops[6].negated;
  p.d = destination_row(ops[1], Row::pred);
  emit(p, true);
  return true;
}

/// cvta: a window's base is added or taken away; global and constant memory lie where they are.
bool FunctionDecoder::convert_address(const Instruction& i) {
  const auto ops = operands(i);
  Key key(i.opcode, module_.modifiers_of(i));
  const bool to = key.take(Word::to);
  Word space = Word::unknown;
  for (const Word w : {Word::global, Word::shared, Word::local, Word::const_, Word::param,
                       Word::shared_cta, Word::shared_cluster, Word::param_entry}) {
    if (key.take(w)) space = w;
  }
  const Type type = key.take_type();
  if (space == Word::unknown || !key.all_taken() || ops.size() != 2 ||
      (type != Type::u64 && type != Type::u32))
    return false;
  const Pointer window = window_of(space);
  const bool wide = type == Type::u64;
  DecodedInstruction o;
  std::uint32_t source = kNone;
  const ptx::Variable* v = ops[1].kind == Operand::Kind::symbol ? variable_of(ops[1]) : nullptr;
  if (v && local_offset(v) != kNone &&
      (v->space == ptx::StateSpace::local || space == Word::local)) {
    DecodedInstruction local;
    local.full = local.masked = handlers_.common.local_address;
    local.bytes = wide ? 8 : 4;
    local.immediate = static_cast<std::int64_t>(local_offset(v) + ops[1].bits);
    local.d = source = scratch_;
    emit(local, true);
  } else {
    source = source_row(ops[1], wide ? Row::b64 : Row::b32);
  }
  // 32-bit generic addresses cannot name a window; only their own space's offsets fit.
  if (!wide && window != 0) return false;
  Key add(Word::add, wide ? std::span<const Word>(kAdd64) : std::span<const Word>(kAdd32));
  const Bound b = handlers_.integer(add);
  o.full = b.full;
  o.masked = b.masked;
  o.a = source;
  o.b = constant_row(b.b, to ? std::uint64_t{0} - window : window);
  o.d = destination_row(ops[0], b.d);
  if (o.d == kNone) return false;
  emit(o);
  return true;
}

bool FunctionDecoder::is_space(const Instruction& i) {
  const auto ops = operands(i);
  Key key(i.opcode, module_.modifiers_of(i));
  DecodedInstruction o;
  o.full = o.masked = handlers_.common.in_window;
  if (ops.size() != 2) return false;
  if (key.take(Word::global))
    o.immediate = static_cast<std::int64_t>(kGlobalBase);
  else if (key.take(Word::shared) || key.take(Word::shared_cta))
    o.immediate = static_cast<std::int64_t>(kSharedWindow);
  else if (key.take(Word::shared_cluster))
    o.immediate = static_cast<std::int64_t>(kSharedWindow), o.window.whole_cluster = true;
  else if (key.take(Word::local))
    o.immediate = static_cast<std::int64_t>(kLocalWindow);
  else if (key.take(Word::const_))
    o.immediate = 0;
  else if (key.take(Word::param) || key.take(Word::param_entry))
    o.immediate = static_cast<std::int64_t>(kParamWindow);
  else
    return false;
  if (!key.all_taken()) return false;
  o.bytes = register_bytes(ops[1]) == 4 ? 4 : 8;
  o.a = source_row(ops[1], o.bytes == 4 ? Row::b32 : Row::b64);
  o.d = destination_row(ops[0], Row::pred);
  if (o.d == kNone) return false;
  emit(o);
  return true;
}

}  // namespace warpbook::device::isa
