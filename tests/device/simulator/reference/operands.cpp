// Registers, constants, addresses and where variables lie.
#include <algorithm>
#include <cstring>

#include "tests/device/simulator/reference/machine.hpp"

namespace warpbook::device::tests::reference {

void Machine::lay_out() {
  const auto aligned = [](std::uint32_t at, std::uint32_t to) { return (at + to - 1) / to * to; };
  const auto shared = [&](const ptx::Variable& v) {
    shared_bytes_ = aligned(shared_bytes_, v.alignment);
    places_[&v] = shared_bytes_;
    shared_bytes_ += static_cast<std::uint32_t>(v.bytes);
  };
  for (const ptx::Function& f : module_.functions) {
    std::uint32_t local = 0;
    for (const ptx::Variable& v : f.variables) {
      if (v.space == ptx::StateSpace::shared) shared(v);
      if (v.space != ptx::StateSpace::local) continue;
      local = aligned(local, v.alignment);
      places_[&v] = local;
      local += static_cast<std::uint32_t>(v.bytes);
    }
    local_bytes_[&f] = aligned(local, 16);
  }
  for (const ptx::Variable& v : module_.variables) {
    if (v.space == ptx::StateSpace::shared) {
      shared(v);
      continue;
    }
    const auto found = request_.variables.find(v.name);
    if (found == request_.variables.end()) throw Fault("where is " + std::string(v.name));
    places_[&v] = found->second;
  }
  for (const ptx::Variable& v : module_.variables) {
    if (v.space == ptx::StateSpace::shared) continue;
    Region region;
    region.address = places_[&v];
    initialise(v, region);
    variables_.push_back(std::move(region));
  }
  std::uint32_t at = 0;
  for (const ptx::Variable& v : kernel_->parameters) {
    at = aligned(at, v.alignment);
    places_[&v] = at;
    at += static_cast<std::uint32_t>(v.bytes);
  }
  if (at > request_.parameters.size()) throw Fault("parameters are missing");
}

void Machine::initialise(const ptx::Variable& v, Region& region) const {
  region.bytes.assign(v.bytes, 0);
  std::copy(v.initial.begin(), v.initial.end(), region.bytes.begin());
  for (const ptx::Variable::Address& a : v.addresses) {
    const auto function = module_.function_by_name.find(a.symbol);
    if (function == module_.function_by_name.end() || a.byte_of != 0xff)
      throw Fault("an initialiser that the reference cannot follow");
    Operand name;
    name.home = Operand::Home::function;
    name.index = function->second;
    const std::uint64_t value = address_of(Thread{}, name) + static_cast<std::uint64_t>(a.addend);
    std::memcpy(region.bytes.data() + a.offset, &value, a.bytes);
  }
}

const ptx::Variable* Machine::variable(const Thread& t, const Operand& o) const {
  const ptx::Function* f = t.frames.empty() ? nullptr : t.frames.back().function;
  if (!f && o.home != Operand::Home::module_variable) throw Fault("a name that is no variable's");
  switch (o.home) {
    case Operand::Home::variable: return &f->variables[o.index];
    case Operand::Home::parameter: return &f->parameters[o.index];
    case Operand::Home::result: return &f->returns[o.index];
    case Operand::Home::module_variable: return &module_.variables[o.index];
    default: throw Fault("a name that is no variable's");
  }
}

/// What a name stands for, in its own space.
std::uint64_t Machine::address_of(const Thread& t, const Operand& o) const {
  // Functions are told apart by their addresses, and no more can be done with them.
  if (o.home == Operand::Home::function) return 0x4'0000'0000 + 16 * (std::uint64_t{o.index} + 1);
  const ptx::Variable* v = variable(t, o);
  const auto found = places_.find(v);
  if (found == places_.end()) throw Fault("the address of " + std::string(v->name));
  const bool local = v->space == ptx::StateSpace::local;
  return found->second + o.bits + (local ? t.frames.back().local_base : 0);
}

Wide Machine::special(const Thread& t, const Operand& o) const {
  const auto of = [&](const Dim3& d) {
    return o.component == 0 ? d.x : o.component == 1 ? d.y : o.component == 2 ? d.z : 0;
  };
  const std::uint32_t lane = t.id % 32, bit = 1u << lane;
  switch (o.word) {
    case Word::sr_tid: return of(unflatten(t.id, request_.block));
    case Word::sr_ntid: return of(request_.block);
    case Word::sr_ctaid: return of(block_.index);
    case Word::sr_nctaid: return of(request_.grid);
    case Word::sr_laneid: return lane;
    case Word::sr_warpid: return t.id / 32;
    case Word::sr_lanemask_eq: return bit;
    case Word::sr_lanemask_lt: return bit - 1;
    case Word::sr_lanemask_le: return bit | (bit - 1);
    case Word::sr_lanemask_gt: return ~(bit | (bit - 1));
    case Word::sr_lanemask_ge: return ~(bit - 1);
    default: throw Fault("a special register that the reference lacks");
  }
}

/// Reading what was never written is legal where it decides nothing, and no test of the two.
Wide Machine::register_of(const Thread& t, std::uint32_t index) {
  const Frame& f = t.frames.back();
  if (!f.written[index]) throw Fault("a register is read that was never written");
  return f.registers[index];
}

/// `wide_reals`: constants written as reals are doubles here.
Wide Machine::read(const Thread& t, const Operand& o, bool wide_reals) const {
  switch (o.kind) {
    case Operand::Kind::reg: {
      const Wide value = register_of(t, o.index);
      if (o.component != 0xff || o.word != Word::unknown) throw Fault("a part of a register");
      if (o.bits != 0) return low_bits(value + o.bits, 8 * register_bytes(t, o));
      return o.negated ? value ^ 1 : value;
    }
    case Operand::Kind::immediate:
      return o.is_float && !wide_reals ? Wide{ptx::float_bits(o.bits)} : Wide{o.bits};
    case Operand::Kind::special: return special(t, o);
    case Operand::Kind::symbol: return address_of(t, o);
    default: throw Fault("an operand that the reference cannot read");
  }
}

int Machine::register_bytes(const Thread& t, const Operand& o) {
  if (o.kind != Operand::Kind::reg) return 0;
  return static_cast<int>(ptx::bytes_of(t.frames.back().function->registers[o.index].type));
}

void Machine::write(Thread& t, const Operand& o, Wide value) const {
  if (o.kind == Operand::Kind::sink) return;
  if (o.kind != Operand::Kind::reg) throw Fault("a result that has no register");
  const Type type = t.frames.back().function->registers[o.index].type;
  t.frames.back().written[o.index] = true;
  t.frames.back().registers[o.index] = low_bits(value, type == Type::pred ? 1 : bits_of(type));
}

}  // namespace warpbook::device::tests::reference
