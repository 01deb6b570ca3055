// ld, st, atom and red: the state space, the width and the handlers of each.
#include <algorithm>
#include <numeric>
#include <string_view>
#include <tuple>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "device/simulator/isa/address_windows.hpp"
#include "device/simulator/isa/decoder.hpp"

namespace warpbook::device::isa {
namespace {

/// Cache hints. They change no result.
constexpr Word kHints[] = {Word::ca,
                           Word::cg,
                           Word::cs,
                           Word::lu,
                           Word::wb,
                           Word::wt,
                           Word::nc,
                           Word::L1_evict_normal,
                           Word::L1_evict_unchanged,
                           Word::L1_evict_first,
                           Word::L1_evict_last,
                           Word::L1_no_allocate,
                           Word::L2_evict_normal,
                           Word::L2_evict_first,
                           Word::L2_evict_last,
                           Word::L2_cache_hint,
                           Word::L2_64B,
                           Word::L2_128B,
                           Word::L2_256B};
/// Modifiers with which other threads may observe the access.
constexpr Word kOrders[] = {Word::volatile_, Word::relaxed, Word::acquire, Word::release,
                            Word::acq_rel,   Word::sc,      Word::mmio,    Word::cv};
constexpr Word kScopes[] = {Word::cta, Word::cluster, Word::gpu, Word::sys};

bool take_any(Key& key, std::span<const Word> words) {
  bool any = false;
  for (const Word w : words) any |= key.take(w);
  return any;
}

bool take_space(Key& key, StateSpace& space, bool& cluster) {
  space = StateSpace::generic;
  if (key.take(Word::global))
    space = StateSpace::global;
  else if (key.take(Word::shared) || key.take(Word::shared_cta))
    space = StateSpace::shared;
  else if (key.take(Word::shared_cluster))
    space = StateSpace::shared, cluster = true;
  else if (key.take(Word::local))
    space = StateSpace::local;
  else if (key.take(Word::const_))
    space = StateSpace::constant;
  else if (key.take(Word::param) || key.take(Word::param_entry) || key.take(Word::param_func))
    space = StateSpace::param;
  else
    return false;
  return true;
}

/// Whether an instruction that accesses one state space may name a variable that was declared in another. A function's
/// parameters may be in local memory.
bool may_name(StateSpace accessed, StateSpace declared) {
  switch (accessed) {
    case StateSpace::local: return declared == StateSpace::local || declared == StateSpace::param;
    case StateSpace::generic: return declared != StateSpace::param;
    default: return declared == accessed;
  }
}

/// The modifiers of ld and st that are no part of the MemoryKey.
struct AccessModifiers {
  bool ordered = false;   ///< of a memory order other than weak
  bool releases = false;  ///< .release
  bool of_block = false;  ///< of scope .cta
  bool cluster = false;   ///< shared::cluster
  bool cached = false;    ///< the last operand is a cache policy
};

/// Takes every modifier of ld and st. False where one is left, or where they do not go together.
bool take_access_modifiers(Key& key, MemoryKey& m, AccessModifiers& modifiers) {
  key.take(Word::weak);
  modifiers.releases = key.has(Word::release);
  modifiers.ordered = take_any(key, kOrders);
  modifiers.of_block = key.has(Word::cta);
  take_any(key, kScopes);
  take_space(key, m.space, modifiers.cluster);
  key.take(Word::unified);
  take_any(key, kHints);
  modifiers.cached = key.has(Word::L2_cache_hint);
  m.elements = key.take(Word::v2) ? 2 : key.take(Word::v4) ? 4 : 1;
  const Type type = key.take_type();
  m.bytes = ptx::bytes_of(type);
  m.sign_extends =
      !m.store && (type == Type::s8 || type == Type::s16 || type == Type::s32 || type == Type::s64);
  if (m.store && m.space == StateSpace::constant) return false;
  return key.all_taken() && m.bytes != 0;
}

/// A cache policy changes nothing, but it must be one: 64 bits.
bool is_policy(const ptx::Operand& o, const ptx::Function& f) {
  return o.kind == ptx::Operand::Kind::immediate ||
         (o.kind == ptx::Operand::Kind::reg && ptx::bytes_of(f.registers[o.index].type) == 8);
}

}  // namespace

bool FunctionDecoder::memory(const Instruction& i) {
  switch (i.opcode) {
    case Word::ld:
    case Word::ldu:
    case Word::st: return load_or_store(i);
    case Word::atom:
    case Word::red: return atomic(i);
    default: return false;
  }
}

/// Puts an address operand's row and addend into the operation.
void FunctionDecoder::address(const Operand& a, StateSpace space, DecodedInstruction& o,
                              bool& narrow) {
  const Instruction& i = function_.instructions[current_];
  const bool element = a.base == Operand::Kind::symbol && a.count == 1;
  if (a.kind != Operand::Kind::address || (a.count != 0 && !element)) unsupported(i);
  narrow = false;
  if (a.base == Operand::Kind::symbol) {
    Operand symbol = a;
    symbol.kind = Operand::Kind::symbol;
    const ptx::Variable* v = variable_of(symbol);
    if (v && !may_name(space, v->space)) {
      throw Error{ErrorCode::ptx_syntax,
                  {{"why", fmt::format("{} is not in the state space that {} names", v->name,
                                       module_.text_of(i))}},
                  place_of(module_, i)};
    }
  }
  if (element) {
    code_.dependences[code_index_].address = undefined_mask(element_address(a, space));
    o.a = scratch_;
    return;
  }
  switch (a.base) {
    case Operand::Kind::reg: {
      const std::uint32_t bytes = register_bytes([&] {
        Operand r = a;
        r.kind = Operand::Kind::reg;
        return r;
      }());
      if (bytes != 4 && bytes != 8) unsupported(i);
      narrow = bytes == 4;
      // A register of 32 bits can hold neither a global nor a generic address.
      if (narrow && (space == StateSpace::generic || space == StateSpace::global ||
                     space == StateSpace::constant))
        throw Error{ErrorCode::ptx_syntax,
                    {{"why", std::string(module_.text_of(i)) +
                                 " has an address of 32 bits, and pointers have 64 here; make the "
                                 "PTX with .address_size 64"}},
                    place_of(module_, i)};
      o.a = row_of_register(a.index, a.component);
      o.immediate = static_cast<std::int64_t>(a.bits);
      code_.dependences[code_index_].address = undefined_mask(o.a);
      return;
    }
    case Operand::Kind::symbol: {
      Operand symbol = a;
      symbol.kind = Operand::Kind::symbol;
      const ptx::Variable* v = variable_of(symbol);
      if (v && local_offset(v) != kNone) {
        DecodedInstruction local;
        local.full = local.masked = handlers_.common.local_address;
        local.bytes = 8;
        // Without a state space the instruction needs a generic address.
        const Pointer window = space == StateSpace::generic ? kLocalWindow : 0;
        local.immediate = static_cast<std::int64_t>(window + local_offset(v) + a.bits);
        local.d = scratch_;
        emit(local, true);
        o.a = scratch_;
        return;
      }
      const auto address = address_of_symbol(symbol);
      if (!address) unresolved(i, a.name);
      // Without a state space the instruction needs the generic address of a shared variable.
      const Pointer window =
          space == StateSpace::generic && v && v->space == StateSpace::shared ? kSharedWindow : 0;
      o.a = constant_row(Row::b64, *address + window);
      return;
    }
    case Operand::Kind::none: o.a = constant_row(Row::b64, a.bits); return;
    default: unsupported(i);
  }
}

/// An access to .param space whose place is known when the code is decoded. True where it is one; then `o` has the place.
bool FunctionDecoder::fixed_parameter(const Instruction& i, const Operand& a, MemoryKey& key,
                                      DecodedInstruction& o) {
  if (a.kind != Operand::Kind::address || a.base != Operand::Kind::symbol) return false;
  Operand symbol = a;
  symbol.kind = Operand::Kind::symbol;
  const ptx::Variable* v = variable_of(symbol);
  if (!v || v->space != StateSpace::param) return false;
  if (a.count != 0) {
    if (!entry_) key.space = StateSpace::local;
    return false;
  }
  const std::uint64_t total = std::uint64_t{key.bytes} * key.elements;
  if (a.bits > v->bytes || total > v->bytes - a.bits) {
    throw Error{
        ErrorCode::ptx_syntax,
        {{"why", Message{"phrase.ptx-syntax.outside-parameter", {{"name", std::string(v->name)}}}}},
        place_of(module_, i)};
  }
  if (local_offset(v) != kNone) {
    key.space = StateSpace::local;
    return false;
  }
  key.fixed = true;
  if (entry_ && a.home == Operand::Home::parameter) {
    if (key.store) unsupported(i);
    o.immediate = static_cast<std::int64_t>(*address_of_symbol(symbol));
    o.a = kNone;
    return true;
  }
  key.in_frame = true;
  o.a = parameter_place(*v).row;
  o.immediate = static_cast<std::int64_t>(a.bits);
  return true;
}

/// ld and st, in five steps: modifiers, the operands that are loaded or stored, the address, the handlers, and what counters
/// and checkers have to know.
bool FunctionDecoder::load_or_store(const Instruction& i) {
  const auto ops = operands(i);
  Key key(i.opcode, module_.modifiers_of(i));
  MemoryKey m;
  m.store = i.opcode == Word::st;
  AccessModifiers modifiers;
  if (!take_access_modifiers(key, m, modifiers)) return false;
  if (ops.size() != (modifiers.cached ? 3u : 2u)) return false;
  if (modifiers.cached && !is_policy(ops.back(), function_)) return false;

  const Operand& place = m.store ? ops[0] : ops[1];
  const Operand& value = m.store ? ops[1] : ops[0];
  std::span<const Operand> values(&value, 1);
  if (m.elements > 1) {
    if (value.kind != Operand::Kind::vector || value.count != m.elements) return false;
    values = std::span(module_.operands).subspan(value.first, value.count);
  } else if (value.kind == Operand::Kind::vector) {
    return false;
  }
  if (!find_register_width(values, m)) return false;

  DecodedInstruction o;
  const bool fixed = m.space == StateSpace::param && fixed_parameter(i, place, m, o);
  if (m.space == StateSpace::param && !fixed) {
    if (m.store) return false;
    // In a function, a register holds the address of a parameter that is in local memory.
    if (!entry_ && !key.has(Word::param_entry)) m.space = StateSpace::local;
  }
  if (!fixed) address(place, m.space, o, m.narrow_address);
  if (modifiers.cluster) {
    m.space = StateSpace::generic;
    cluster_window(o, m.narrow_address);
  }
  if (!value_rows(i, values, m, o)) return false;

  o.bytes = static_cast<std::uint8_t>(m.bytes);
  o.memory.elements = static_cast<std::uint8_t>(m.elements);
  o.memory.register_bytes = m.register_bytes & 31;
  o.memory.sign_extends = m.sign_extends;
  const Bound b = handlers_.memory(m);
  if (!b) return false;
  o.full = b.full;
  o.masked = b.masked;

  Dependence& dependence = code_.dependences[code_index_];
  if (fixed) {
    dependence.kind = Dependence::Kind::plain;
  } else {
    dependence.kind = m.store ? Dependence::Kind::store : Dependence::Kind::load;
    CodeInstruction& info = code_.instructions[code_index_];
    o.memo = info.memo = code_.memos++;
    info.access_bytes = static_cast<std::uint8_t>(m.bytes * m.elements);
    info.load = !m.store;
    info.store = m.store;
    info.space = m.space;
    info.narrow_address = m.narrow_address;
    info.strong = info.order = modifiers.ordered;
    info.releases = modifiers.releases;
    info.of_block = modifiers.of_block;
    note_width(m.space, m.bytes);
  }
  if (modifiers.ordered && (m.space == StateSpace::global || m.space == StateSpace::generic))
    code_.order_matters = true;
  if (modifiers.ordered && !m.store) {
    // Another thread may be about to change what is read here: a loop around it may be waiting.
    DecodedInstruction mark;
    mark.full = mark.masked = handlers_.common.synchronising_read;
    emit(mark, true);
  }
  emit(o);
  return true;
}

/// The width of the registers that are loaded or stored, which all elements have in common. Where none of them is a
/// register, it is the width in memory, but no less than 2 bytes.
bool FunctionDecoder::find_register_width(std::span<const Operand> values, MemoryKey& m) const {
  for (const Operand& v : values) {
    if (v.kind != Operand::Kind::reg) continue;
    const std::uint32_t bytes = register_bytes(v);
    if (v.word != Word::unknown || v.negated || bytes == 0) return false;
    if (m.register_bytes != 0 && m.register_bytes != bytes) return false;
    m.register_bytes = bytes;
  }
  if (m.register_bytes == 0) m.register_bytes = m.bytes == 1 ? 2 : m.bytes;
  return m.register_bytes >= m.bytes;
}

/// Puts the rows of the elements that are loaded or stored into the operands d, b, c and e, and notes for initcheck which
/// masks belong to them.
bool FunctionDecoder::value_rows(const Instruction& i, std::span<const Operand> values,
                                 const MemoryKey& m, DecodedInstruction& o) {
  std::uint32_t* const rows[] = {&o.d, &o.b, &o.c, &o.e};
  Dependence& dependence = code_.dependences[code_index_];
  auto& masks = m.store ? dependence.reads : dependence.writes;
  for (std::size_t k = 0; k < values.size(); ++k) {
    const Operand& v = values[k];
    masks.push_back(kNone);
    switch (v.kind) {
      case Operand::Kind::sink:
        if (m.store) return false;
        break;
      case Operand::Kind::reg:
        if (v.bits != 0 && !m.store) return false;
        masks.back() = undefined_mask(row_of_register(v.index, v.component));
        *rows[k] = register_source(v);
        break;
      case Operand::Kind::special:
        if (!m.store || m.register_bytes != m.bytes) return false;
        *rows[k] = special_source(v, row_of_bits(m.bytes));
        break;
      case Operand::Kind::immediate:
        if (!m.store) return false;
        *rows[k] = constant_of(v, row_of_bits(m.register_bytes));
        break;
      case Operand::Kind::symbol: {
        if (!m.store || m.register_bytes < 4) return false;
        const auto address = address_of_symbol(v);
        if (!address) unresolved(i, v.name);
        *rows[k] = constant_row(m.register_bytes == 4 ? Row::b32 : Row::b64, *address);
        break;
      }
      default: return false;
    }
  }
  return true;
}

bool FunctionDecoder::atomic(const Instruction& i) {
  const auto ops = operands(i);
  Key key(i.opcode, module_.modifiers_of(i));
  if (key.has(Word::b128) || key.has(Word::v2) || key.has(Word::v4) || key.has(Word::v8))
    return wide_atomic(i);
  AtomicKey a;
  a.returns = i.opcode == Word::atom;
  const bool releases = key.has(Word::release) || key.has(Word::acq_rel);
  const bool of_block = key.has(Word::cta);
  take_any(key, kOrders);
  take_any(key, kScopes);
  bool cluster = false;
  take_space(key, a.space, cluster);
  const bool cached = key.has(Word::L2_cache_hint);
  take_any(key, kHints);
  for (const Word w : {Word::add, Word::min, Word::max, Word::inc, Word::dec, Word::cas, Word::exch,
                       Word::and_, Word::or_, Word::xor_}) {
    if (a.operation == Word::unknown && key.take(w)) a.operation = w;
  }
  key.take(Word::noftz);
  a.type = key.take_type();
  if (!key.all_taken() || a.operation == Word::unknown) return false;
  if (a.space != StateSpace::global && a.space != StateSpace::shared &&
      a.space != StateSpace::generic)
    return false;
  const std::size_t place = a.returns ? 1 : 0;
  if (ops.size() != place + (a.operation == Word::cas ? 3 : 2) + (cached ? 1 : 0)) return false;
  if (cached && !is_policy(ops.back(), function_)) return false;
  DecodedInstruction o;
  address(ops[place], a.space, o, a.narrow_address);
  if (cluster) {
    a.space = StateSpace::generic;
    cluster_window(o, a.narrow_address);
  }
  const Bound b = handlers_.atomic(a);
  if (!b) return false;
  o.full = b.full;
  o.masked = b.masked;
  o.bytes = static_cast<std::uint8_t>(ptx::bytes_of(a.type));
  o.b = source_row(ops[place + 1], b.b);
  if (a.operation == Word::cas) o.c = source_row(ops[place + 2], b.b);
  if (a.returns) o.d = destination_row(ops[0], b.d);
  CodeInstruction& info = code_.instructions[code_index_];
  o.memo = info.memo = code_.memos++;
  info.access_bytes = o.bytes;
  info.atomic = true;
  info.space = a.space;
  info.narrow_address = a.narrow_address;
  info.strong = true;
  info.releases = releases;
  info.of_block = of_block;
  note_width(a.space, o.bytes);
  code_.dependences[code_index_].kind = Dependence::Kind::atomic;
  const bool floating = a.type == Type::f32 || a.type == Type::f64 || a.type == Type::f16 ||
                        a.type == Type::f16x2 || a.type == Type::bf16 || a.type == Type::bf16x2;
  // NVRTC writes atom even where the source drops the old value.
  const bool tells = a.returns && ops[0].kind == Operand::Kind::reg && slots_.read[ops[0].index];
  if (a.space != StateSpace::shared &&
      (tells || floating || a.operation == Word::exch || a.operation == Word::cas ||
       a.operation == Word::inc || a.operation == Word::dec)) {
    code_.order_matters = true;
  }
  emit(o);
  return true;
}

/// 128 bits, and vectors of floats.
bool FunctionDecoder::wide_atomic(const Instruction& i) {
  using Element = WideAtomic::Element;
  using Function = WideAtomic::Function;
  const auto ops = operands(i);
  Key key(i.opcode, module_.modifiers_of(i));
  const bool returns = i.opcode == Word::atom;
  WideAtomic w;
  w.d.fill(kNone);
  const bool of_block = key.has(Word::cta);
  take_any(key, kOrders);
  take_any(key, kScopes);
  StateSpace space = StateSpace::generic;
  bool cluster = false;
  take_space(key, space, cluster);
  const bool cached = key.has(Word::L2_cache_hint);
  take_any(key, kHints);
  constexpr std::pair<Word, Function> kFunctions[] = {{Word::add, Function::add},
                                                      {Word::min, Function::min},
                                                      {Word::max, Function::max},
                                                      {Word::exch, Function::exch},
                                                      {Word::cas, Function::cas}};
  bool known = false;
  for (const auto& [word, function] : kFunctions) {
    if (!known && key.take(word)) {
      w.function = function;
      known = true;
    }
  }
  const bool noftz = key.take(Word::noftz);
  w.elements = key.take(Word::v2) ? 2 : key.take(Word::v4) ? 4 : key.take(Word::v8) ? 8 : 1;
  const Type type = key.take_type();
  w.bytes = static_cast<std::uint8_t>(ptx::bytes_of(type));
  if (!known || !key.all_taken()) return false;
  if (space != StateSpace::global && space != StateSpace::generic &&
      (space != StateSpace::shared || w.elements != 1))
    return false;
  switch (type) {
    case Type::f32: w.element = Element::f32; break;
    case Type::f16: w.element = Element::f16; break;
    case Type::bf16: w.element = Element::bf16; break;
    case Type::f16x2: w.element = Element::f16x2; break;
    case Type::bf16x2: w.element = Element::bf16x2; break;
    case Type::b128: w.element = Element::b128; break;
    default: return false;
  }
  const bool whole = type == Type::b128;
  const bool exchanges = w.function == Function::exch || w.function == Function::cas;
  if (whole != exchanges || whole == (w.elements > 1) || (whole && !returns)) return false;
  if (!whole && noftz != (type != Type::f32)) return false;
  if (type == Type::f32 && w.function != Function::add) return false;
  if (std::uint32_t{w.bytes} * w.elements > 16) return false;
  w.flush = type == Type::f32;

  const std::size_t place = returns ? 1 : 0;
  const bool swaps = w.function == Function::cas;
  if (ops.size() != place + (swaps ? 3u : 2u) + (cached ? 1u : 0u)) return false;
  if (cached && !is_policy(ops.back(), function_)) return false;
  const auto elements = [&](const Operand& o) {
    return o.kind == Operand::Kind::vector ? std::span(module_.operands).subspan(o.first, o.count)
                                           : std::span(&o, 1);
  };
  const Row row = w.bytes == 2 ? Row::b16 : w.bytes == 4 ? Row::b32 : Row::b128;
  const auto values = elements(ops[place + 1]);
  if (values.size() != w.elements) return false;
  DecodedInstruction o;
  address(ops[place], space, o, w.narrow_address);
  if (cluster) {
    space = StateSpace::generic;
    cluster_window(o, w.narrow_address);
  }
  for (std::size_t k = 0; k < values.size(); ++k) w.b[k] = source_row(values[k], row);
  if (swaps) w.swap = source_row(ops[place + 2], row);
  if (returns && ops[0].kind != Operand::Kind::sink) {
    const auto results = elements(ops[0]);
    if (results.size() != w.elements) return false;
    for (std::size_t k = 0; k < results.size(); ++k) w.d[k] = destination_row(results[k], row);
  }
  o.full = o.masked = space == StateSpace::global   ? handlers_.common.wide_atomic.global
                      : space == StateSpace::shared ? handlers_.common.wide_atomic.shared
                                                    : handlers_.common.wide_atomic.generic;
  o.bytes = w.bytes;
  o.c = static_cast<std::uint32_t>(code_.wide_atomics.size());
  CodeInstruction& info = code_.instructions[code_index_];
  o.memo = info.memo = code_.memos++;
  info.access_bytes = static_cast<std::uint8_t>(w.bytes * w.elements);
  info.atomic = info.strong = true;
  info.releases = key.has(Word::release) || key.has(Word::acq_rel);
  info.of_block = of_block;
  note_width(space, w.bytes);
  info.space = space;
  info.narrow_address = w.narrow_address;
  code_.dependences[code_index_].kind = Dependence::Kind::atomic;
  code_.wide_atomics.push_back(w);
  if (space != StateSpace::shared) code_.order_matters = true;
  emit(o);
  return true;
}

/// Remembers the narrowest access to each memory, because the race checker's granules must be as narrow.
void FunctionDecoder::note_width(StateSpace space, std::uint32_t bytes) {
  if (space == StateSpace::global || space == StateSpace::generic)
    code_.least_global = std::min(code_.least_global, bytes);
  if (space == StateSpace::shared || space == StateSpace::generic)
    code_.least_shared = std::min(code_.least_shared, bytes);
}

namespace {

/// Registers that hold one value, because instructions copy it from one to the other; in a loop, perhaps in different rounds.
class Copies {
 public:
  explicit Copies(std::size_t registers) : parent_(registers) {
    std::iota(parent_.begin(), parent_.end(), 0u);
  }
  void copy(const ptx::Operand& to, const ptx::Operand& from) {
    using Kind = ptx::Operand::Kind;
    if (to.kind != Kind::reg) return;
    if (from.kind == Kind::reg) parent_[root(to.index)] = root(from.index);
    if (from.kind == Kind::symbol) variables_.emplace_back(to.index, &from);
  }
  [[nodiscard]] bool same_value(const ptx::Operand& a, const ptx::Operand& b) const {
    return a.kind == ptx::Operand::Kind::reg && b.kind == ptx::Operand::Kind::reg &&
           root(a.index) == root(b.index);
  }
  /// Of two operands that are addresses.
  [[nodiscard]] bool same_place(const ptx::Operand& a, const ptx::Operand& b) const {
    return place_of(a) == place_of(b);
  }

 private:
  /// One of the registers that hold the value, the same for all of them.
  [[nodiscard]] std::uint32_t root(std::uint32_t of) const {
    while (parent_[of] != of) of = parent_[of];
    return of;
  }
  /// A variable, or else a register's value, and the bytes from there on.
  using Place = std::tuple<std::string_view, std::uint32_t, std::uint64_t>;
  [[nodiscard]] Place place_of(const ptx::Operand& address) const {
    if (address.base != ptx::Operand::Kind::reg) return {address.name, kNone, address.bits};
    const std::uint32_t value = root(address.index);
    const auto variable =
        std::ranges::find(variables_, value, [&](const auto& named) { return root(named.first); });
    if (variable == variables_.end()) return {{}, value, address.bits};
    return {variable->second->name, kNone, variable->second->bits + address.bits};
  }

  std::vector<std::uint32_t> parent_;
  std::vector<std::pair<std::uint32_t, const ptx::Operand*>> variables_;  ///< by register
};

}  // namespace

/// A loop around atom.cas begins with a plain load of the value with which atom.cas compares; the CUDA C++ Programming
/// Guide's atomicAdd of doubles does, and so does NVIDIA's of bf16 below sm_90. The comparison finds out whether the value
/// was stale, and the loop tries again, so such a load does not race with the atomic operations of other threads. Any other plain
/// load does: of another place, or of a value that nobody looks at again when atom.cas has failed.
void FunctionDecoder::mark_validated_loads() {
  std::vector<std::span<const Operand>> swaps;  // result, place, value to compare with, new value
  for (const Instruction& i : function_.instructions) {
    if (i.opcode != Word::atom || operands(i).size() != 4) continue;
    const auto modifiers = module_.modifiers_of(i);
    if (std::ranges::find(modifiers, Word::cas) != modifiers.end()) swaps.push_back(operands(i));
  }
  if (swaps.empty()) return;
  Copies copies(function_.registers.size());
  for (const Instruction& i : function_.instructions) {
    const auto ops = operands(i);
    if ((i.opcode == Word::mov || i.opcode == Word::cvta) && ops.size() == 2)
      copies.copy(ops[0], ops[1]);
  }
  /// The loop compares what atom.cas found with what it expected, or expects that the next time.
  const auto tries_again = [&](std::span<const Operand> swap) {
    if (copies.same_value(swap[0], swap[2])) return true;
    return std::ranges::any_of(function_.instructions, [&](const Instruction& i) {
      const auto ops = operands(i);
      const auto compares = [&](const Operand& with) {
        return std::ranges::any_of(ops,
                                   [&](const Operand& o) { return copies.same_value(o, with); });
      };
      return i.opcode == Word::setp && compares(swap[0]) && compares(swap[2]);
    });
  };
  std::erase_if(swaps, [&](std::span<const Operand> swap) { return !tries_again(swap); });
  for (CodeInstruction& info : code_.instructions) {
    if (info.function != self_ || !info.load) continue;
    const auto loaded = operands(*info.source);
    info.strong |= std::ranges::any_of(swaps, [&](std::span<const Operand> swap) {
      return copies.same_value(loaded[0], swap[2]) && copies.same_place(loaded[1], swap[1]);
    });
  }
}

}  // namespace warpbook::device::isa
