// Instructions that compute on registers.
#include <algorithm>

#include "device/simulator/isa/address_windows.hpp"
#include "device/simulator/isa/decoder.hpp"

namespace warpbook::device::isa {
namespace {

bool is_half(Type t) {
  return t == Type::f16 || t == Type::f16x2 || t == Type::bf16 || t == Type::bf16x2;
}

/// The row of the condition code, which add.cc and its like write, is the first of every frame.
constexpr std::uint32_t kConditionCode = 0;

Type first_type(std::span<const Word> modifiers) {
  for (const Word m : modifiers) {
    if (type_of(m) != Type::none) return type_of(m);
  }
  return Type::none;
}

std::vector<Type> types_of(std::span<const Word> modifiers) {
  std::vector<Type> types;
  for (const Word m : modifiers) {
    if (type_of(m) != Type::none) types.push_back(type_of(m));
  }
  return types;
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

/// The handlers of the instruction at hand, from the family that its row of the instruction table names.
Bound FunctionDecoder::bind(Key& key) const {
  switch (family_) {
    case Family::integer: return handlers_.integer(key);
    case Family::bits: return handlers_.bits(key);
    case Family::floating:
      return is_half(first_type(key.modifiers())) ? handlers_.half(key) : handlers_.floating(key);
    case Family::convert: return handlers_.convert(key);
    case Family::compare: return handlers_.compare(key);
    case Family::move: return handlers_.move(key);
    case Family::other: return {};
  }
  __builtin_unreachable();
}

/// Instructions that compute on registers. The first ones have handlers of their own; for all others the family's binder
/// chooses them.
bool FunctionDecoder::plain(const Instruction& i) {
  switch (i.opcode) {
    case Word::mov: return move(i);
    case Word::cvta: return convert_address(i);
    case Word::isspacep: return is_space(i);
    case Word::activemask: return active_mask(i);
    case Word::createpolicy: return cache_policy(i);
    case Word::prefetch:
    case Word::prefetchu:
    case Word::discard:
    case Word::applypriority:
    case Word::pmevent:
    case Word::brkpt: {
      // Hints to caches and stops for a debugger change nothing here. discard leaves bytes undefined, so they may also stay
      // as they are.
      DecodedInstruction o;
      o.full = o.masked = handlers_.common.nothing;
      emit(o);
      return true;
    }
    default: break;
  }
  if (i.opcode == Word::cvt && operands(i).size() == 2 &&
      operands(i)[1].kind == Operand::Kind::special)
    return convert_special(i);
  if (const auto done = negated_predicates(i)) return *done;
  return registers_fit(i) && from_family(i);
}

/// Whether a register is as wide as the type; what is no register has no width.
bool FunctionDecoder::is_as_wide_as(const Operand& o, Type type) const {
  return o.kind != Operand::Kind::reg || register_bytes(o) == ptx::bytes_of(type);
}

/// A register may be wider than the integer that cvt takes from it or puts into it, but not where the other type is bf16: ptxas
/// refuses that.
bool FunctionDecoder::conversion_fits(const Instruction& i) const {
  const auto ops = operands(i);
  const auto types = types_of(module_.modifiers_of(i));
  if (i.opcode != Word::cvt || types.size() != 2 || ops.size() != 2) return true;
  if (types[0] != Type::bf16 && types[1] != Type::bf16) return true;
  return is_as_wide_as(ops[0], types[0]) && is_as_wide_as(ops[1], types[1]);
}

/// ptxas replaces some divisions and roots by text of its own, in which it does not understand %r1+4.
bool FunctionDecoder::operands_may_be_sums(const Instruction& i) const {
  const bool divides = i.opcode == Word::div || i.opcode == Word::rem;
  if (!divides && i.opcode != Word::rcp && i.opcode != Word::sqrt) return true;
  const auto modifiers = module_.modifiers_of(i);
  const Type type = first_type(modifiers);
  const bool directed = std::ranges::any_of(
      modifiers, [](Word w) { return w == Word::rz || w == Word::rm || w == Word::rp; });
  const bool long_integer = type == Type::u64 || type == Type::s64;
  return !long_integer && !(directed && (divides || type == Type::f64));
}

/// Whether ptxas takes these registers, too: the handlers could execute the instruction with others as well.
bool FunctionDecoder::registers_fit(const Instruction& i) const {
  const auto adds = [](const Operand& o) { return o.kind == Operand::Kind::reg && o.bits != 0; };
  return conversion_fits(i) && (operands_may_be_sums(i) || std::ranges::none_of(operands(i), adds));
}

bool FunctionDecoder::active_mask(const Instruction& i) {
  const auto ops = operands(i);
  if (ops.empty()) return false;
  DecodedInstruction o;
  o.full = o.masked = handlers_.common.active_mask;
  o.d = destination_row(ops[0], Row::b32);
  emit(o);
  code_.instructions[code_index_].counts_as = CountedAs::vote;
  return true;
}

/// createpolicy: a policy only steers caches, so any value will do for one.
bool FunctionDecoder::cache_policy(const Instruction& i) {
  const auto ops = operands(i);
  if (ops.empty()) return false;
  const std::uint32_t d = destination_row(ops[0], Row::b64);
  Key key(Word::mov, kMove64);
  DecodedInstruction o = operation_of(handlers_.move(key));
  o.d = d;
  o.a = constant_row(Row::b64, 0);
  emit(o);
  return true;
}

/// An instruction whose handlers the family's binder chooses: destination first, then the sources in the order of the rows
/// that the binder asks for.
bool FunctionDecoder::from_family(const Instruction& i) {
  std::span<const Operand> ops = operands(i);
  if (ops.empty()) return false;
  std::vector<Operand> exchanged;
  if (i.opcode == Word::selp && ops.size() == 4 && ops[3].negated) {
    // selp by a negated predicate selects the other way round.
    exchanged = {ops[0], ops[2], ops[1], ops[3]};
    exchanged[3].negated = false;
    ops = exchanged;
  }
  Key key(i.opcode, module_.modifiers_of(i));
  key.operands = static_cast<std::uint32_t>(ops.size());
  key.perturb = form_.perturb;
  key.second_destination = ops.size() > 1 && (ops[0].paired || ops[1].paired);
  key.d_bytes = register_bytes(ops[0]);
  const std::size_t first_source = key.second_destination ? 2 : 1;
  if (ops.size() > first_source) key.a_bytes = register_bytes(ops[first_source]);
  if (key.second_destination && i.opcode != Word::setp)
    return i.opcode == Word::lop3 && lop3_with_predicate(i);
  if (key.second_destination && (key.has(Word::f16) || key.has(Word::bf16))) return false;
  const Bound b = bind(key);
  if (!b || !key.all_taken()) return false;
  if (i.opcode == Word::setp || i.opcode == Word::set)
    return comparison(key, b, ops.subspan(0, first_source), ops.subspan(first_source));

  // Only setp and negated_predicates() take negated predicates.
  if (std::ranges::any_of(ops, [](const Operand& o) { return o.negated; })) return false;
  std::size_t next = 1;
  const auto source = [&](Row kind) -> std::uint32_t {
    if (kind == Row::none) return kNone;
    if (next >= ops.size()) unsupported(i);
    return source_row(ops[next++], kind);
  };
  DecodedInstruction o = operation_of(b);
  o.f = kConditionCode;
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

  // One operand may settle the result of these, which initcheck has to know.
  const auto bytes = static_cast<std::uint8_t>(b.a == Row::pred ? 0 : bytes_of(b.a));
  if (i.opcode == Word::and_) choose({Choice::Kind::conjunction, bytes, {}, {o.a, o.b, kNone}});
  if (i.opcode == Word::or_) choose({Choice::Kind::disjunction, bytes, {}, {o.a, o.b, kNone}});
  if (i.opcode == Word::selp) choose({Choice::Kind::selection, bytes, {}, {o.a, o.b, o.c}});
  emit(o);
  return true;
}

/// setp p|q, a, b, c and set d, a, b, c: the comparison of a and b, combined with the predicate c where there is one.
bool FunctionDecoder::comparison(const Key& key, const Bound& b,
                                 std::span<const Operand> destinations,
                                 std::span<const Operand> sources) {
  const Join join = key.has(Word::and_)   ? Join::and_
                    : key.has(Word::or_)  ? Join::or_
                    : key.has(Word::xor_) ? Join::xor_
                                          : Join::none;
  if (sources.size() < 2) return false;
  const bool combines = sources.size() > 2;
  if (combines != (join != Join::none)) return false;
  DecodedInstruction o = operation_of(b);
  o.f = kConditionCode;
  o.compare.join = join;
  o.a = source_row(sources[0], b.a);
  o.b = source_row(sources[1], b.b);
  if (combines) {
    o.c = source_row(sources[2], Row::pred);
    o.compare.c_negated = sources[2].negated;
  }
  o.d = destination_row(destinations[0], b.d);
  if (destinations.size() == 2) o.e = destination_row(destinations[1], Row::pred);
  if (join == Join::and_ || join == Join::or_)
    choose({join == Join::and_ ? Choice::Kind::conjunction : Choice::Kind::disjunction,
            0,
            {false, o.compare.c_negated, false},
            {kNone, o.c, kNone}});
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

/// lop3.or.b32 d|p, a, b, c, table, q: p is (d != 0) combined with q, which a hidden comparison computes.
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

/// cvta adds or subtracts the base of an address window. Global and constant memory need no window.
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
  // A generic address of 32 bits is too short for a window: only offsets in the space itself fit.
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
