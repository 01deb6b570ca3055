// ld, st, atom and red (PTX ISA 9.0, 9.7.9.8 to 9.7.9.12 and 9.7.13), one lane at a time.
#include <algorithm>
#include <cstring>

#include "tests/device/simulator/reference/machine.hpp"

namespace warpbook::device::tests::reference {
namespace {

Wide from_bytes(const std::uint8_t* at, std::uint32_t bytes) {
  Wide value = 0;
  for (std::uint32_t k = 0; k < bytes; ++k) value |= Wide{at[k]} << (8 * k);
  return value;
}
void to_bytes(std::uint8_t* at, std::uint32_t bytes, Wide value) {
  for (std::uint32_t k = 0; k < bytes; ++k) at[k] = static_cast<std::uint8_t>(value >> (8 * k));
}

Space space_of(const Scalar& s) {
  if (s.has(Word::global)) return Space::global;
  if (s.has(Word::shared) || s.has(Word::shared_cta)) return Space::shared;
  if (s.has(Word::local)) return Space::local;
  if (s.has(Word::const_)) return Space::constant;
  return s.has(Word::param) ? Space::param : Space::none;
}

/// What an atomic operation leaves in memory.
Wide combined(const Scalar& s, Space space, Wide old, Wide b, Wide c) {
  const Type type = s.type();
  Scalar f = s;
  f.in = {old, b, c};
  if (s.has(Word::add)) {
    f.opcode = Word::add;
    static constexpr Word kFlushed[] = {Word::ftz, Word::f32};
    // Single precision in global memory flushes subnormals (9.7.13.10).
    if (type == Type::f32 && space == Space::global) f.modifiers = kFlushed;
    if (!evaluate(f)) throw Fault("an atomic sum that the reference lacks");
    return f.d;
  }
  if (s.has(Word::min) || s.has(Word::max)) {
    f.opcode = s.has(Word::min) ? Word::min : Word::max;
    evaluate_integer(f);
    return f.d;
  }
  if (s.has(Word::and_)) return old & b;
  if (s.has(Word::or_)) return old | b;
  if (s.has(Word::xor_)) return old ^ b;
  if (s.has(Word::exch)) return b;
  if (s.has(Word::cas)) return old == b ? c : old;
  if (s.has(Word::inc)) return old >= b ? 0 : old + 1;
  if (s.has(Word::dec)) return old == 0 || old > b ? b : old - 1;
  throw Fault("an atomic operation that the reference lacks");
}

}  // namespace

bool Machine::memory(Thread& t, const Instruction& i, Group& group) {
  if (i.opcode != Word::ld && i.opcode != Word::st && i.opcode != Word::atom &&
      i.opcode != Word::red)
    return false;
  if (i.opcode == Word::ld || i.opcode == Word::st)
    load_or_store(t, i, group);
  else
    atomic(t, i, group);
  return true;
}

std::uint64_t Machine::address(const Thread& t, const Operand& o) const {
  switch (o.base) {
    case Operand::Kind::reg: {
      const Type type = t.frames.back().function->registers[o.index].type;
      return static_cast<std::uint64_t>(
          low_bits(register_of(t, o.index) + Wide{o.bits}, bits_of(type)));
    }
    case Operand::Kind::symbol: return address_of(t, o);
    default: return o.bits;
  }
}

void Machine::note_touch(const Thread& t, Space space, std::uint64_t address, std::uint32_t bytes,
                         bool writes) {
  if (space != Space::global && space != Space::shared) return;
  const std::uint64_t who = block_.first_thread + t.id;
  const std::uint64_t epoch = space == Space::shared ? block_.epoch : 0;
  for (std::uint64_t at = address; at < address + bytes; ++at) {
    Touch* touch = nullptr;
    if (space == Space::shared) {
      touch = &block_.shared_touches[at];
    } else if (writes) {
      touch = &global_touches_[at];
    } else if (const auto found = global_touches_.find(at); found != global_touches_.end()) {
      touch = &found->second;
    }
    if (!touch) continue;
    constexpr std::uint64_t kNobody = ~std::uint64_t{0};
    const bool after_write =
        touch->writer != kNobody && touch->writer != who && touch->write_epoch == epoch;
    const bool after_read =
        touch->reader != kNobody && touch->reader != who && touch->read_epoch == epoch;
    if (after_write || (writes && after_read)) throw Fault("threads race for a byte");
    if (writes) {
      touch->writer = who;
      touch->write_epoch = epoch;
    } else {
      touch->reader = who;
      touch->read_epoch = epoch;
    }
  }
}

std::uint8_t* Machine::bytes_at(Thread& t, Space& space, std::uint64_t& address,
                                std::uint32_t bytes) {
  if (space == Space::none) {
    const std::uint64_t window = address / kWindow * kWindow;
    space = window == kSharedAt ? Space::shared : window == kLocalAt ? Space::local : Space::global;
    if (space != Space::global) address -= window;
  }
  if (address % bytes != 0) throw Fault("a misaligned access");
  const auto within = [&](std::vector<std::uint8_t>& all) {
    if (address > all.size() || bytes > all.size() - address) throw Fault("an access outside");
    return all.data() + address;
  };
  if (space == Space::shared) return within(block_.shared);
  if (space == Space::local) return within(t.local);
  for (auto* regions : {&result_.memory, &variables_}) {
    for (Region& r : *regions) {
      if (address >= r.address && address - r.address <= r.bytes.size() &&
          bytes <= r.bytes.size() - (address - r.address))
        return r.bytes.data() + (address - r.address);
    }
  }
  throw Fault("an access outside");
}

void Machine::parameter_access(Thread& t, const Instruction& i, const Scalar& s,
                               std::size_t elements) {
  const auto ops = operands(i);
  const bool store = i.opcode == Word::st;
  const Operand& place = ops[store ? 0 : 1];
  const Operand& value = ops[store ? 1 : 0];
  const ptx::Variable* v = variable(t, place);
  const std::uint32_t bytes = ptx::bytes_of(s.type());
  Frame& f = t.frames.back();
  auto& own = f.parameters[v];
  own.resize(v->bytes);
  const std::uint8_t* from = own.data() + place.bits;
  if (f.function == kernel_ && place.home == Operand::Home::parameter) {
    from =
        reinterpret_cast<const std::uint8_t*>(request_.parameters.data()) + places_[v] + place.bits;
  } else if (place.bits + bytes * elements > own.size()) {
    throw Fault("an access outside of a parameter");
  }
  for (std::size_t k = 0; k < elements; ++k) {
    const Operand& element = elements == 1 ? value : parts(value)[k];
    if (store) {
      to_bytes(own.data() + place.bits + k * bytes, bytes, read(t, element, s.type() == Type::f64));
    } else {
      Wide got = from_bytes(from + k * bytes, bytes);
      if (is_signed(s.type())) got = static_cast<Wide>(number(s.type(), got));
      write(t, element, got);
    }
  }
}

void Machine::load_or_store(Thread& t, const Instruction& i, Group& group) {
  const auto ops = operands(i);
  const Scalar s = scalar_of(i);
  const std::size_t elements = s.has(Word::v2) ? 2 : s.has(Word::v4) ? 4 : 1;
  Space space = space_of(s);
  if (space == Space::param) {
    parameter_access(t, i, s, elements);
    return;
  }
  const bool store = i.opcode == Word::st;
  const Operand& value = ops[store ? 1 : 0];
  const std::uint32_t bytes = ptx::bytes_of(s.type());
  const auto total = static_cast<std::uint32_t>(bytes * elements);
  std::uint64_t at = address(t, ops[store ? 0 : 1]);
  std::uint8_t* memory = bytes_at(t, space, at, total);
  note_access(t, group, space, at, total, store ? AccessKind::store : AccessKind::load);
  note_touch(t, space, at, total, store);
  std::vector<Wide> values(elements);
  for (std::size_t k = 0; k < elements; ++k) {
    const Operand& element = elements == 1 ? value : parts(value)[k];
    if (store)
      to_bytes(memory + k * bytes, bytes, read(t, element, s.type() == Type::f64));
    else
      values[k] = from_bytes(memory + k * bytes, bytes);
  }
  if (store) return;
  for (std::size_t k = 0; k < elements; ++k) {
    Wide got = values[k];
    if (is_signed(s.type())) got = static_cast<Wide>(number(s.type(), got));
    write(t, elements == 1 ? value : parts(value)[k], got);
  }
}

void Machine::atomic(Thread& t, const Instruction& i, Group& group) {
  const auto ops = operands(i);
  const Scalar s = scalar_of(i);
  const std::size_t place = i.opcode == Word::atom ? 1 : 0;
  const std::uint32_t bytes = ptx::bytes_of(s.type());
  Space space = space_of(s);
  std::uint64_t at = address(t, ops[place]);
  std::uint8_t* memory = bytes_at(t, space, at, bytes);
  note_access(t, group, space, at, bytes, AccessKind::atomic);
  const bool wide = s.type() == Type::f64;
  const int bits = 8 * static_cast<int>(bytes);
  const Wide old = from_bytes(memory, bytes);
  const Wide b = low_bits(read(t, ops[place + 1], wide), bits);
  const Wide c = ops.size() > place + 2 ? low_bits(read(t, ops[place + 2], wide), bits) : 0;
  to_bytes(memory, bytes, combined(s, space, old, b, c));
  if (place == 1) write(t, ops[0], old);
}

void Machine::note_access(Thread& t, Group& group, Space space, std::uint64_t address,
                          std::uint32_t bytes, AccessKind kind) const {
  group.accesses[space][t.id % 32] = address;
  group.access_bytes = bytes;
  group.kind = kind;
}

}  // namespace warpbook::device::tests::reference
