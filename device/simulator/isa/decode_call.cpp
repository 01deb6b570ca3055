// Calls, and the copies of parameters at a function's begin and end where they are registers (PTX ISA 9.0, 7.1 and
// 9.7.12.5).
#include <algorithm>

#include "device/simulator/isa/decoder.hpp"

namespace warpbook::device::isa {
namespace {

/// The simulator's allocator and the queue of launches serve one host thread at a time, and what they answer depends on
/// the order of the calls.
bool needs_order(External external) {
  return external != External::vprintf && external != External::assertfail;
}

/// The formal parameters of a call; null where they are not known.
struct Signature {
  const std::vector<ptx::Variable>*parameters = nullptr, *returns = nullptr;
};
Signature signature_of(const ptx::Module& module, const ptx::Function& caller,
                       std::span<const ptx::Operand> ops) {
  using Kind = ptx::Operand::Kind;
  if (ops[1].kind == Kind::symbol && ops[1].home == ptx::Operand::Home::function) {
    const ptx::Function& f = module.functions[ops[1].index];
    return {&f.parameters, &f.returns};
  }
  if (ops.size() < 4 || ops[3].kind != Kind::table) return {};
  const ptx::Table& table = caller.tables[ops[3].index];
  if (table.kind == ptx::Table::Kind::call_prototype) return {&table.parameters, &table.returns};
  for (const std::string_view name : table.functions) {
    const auto found = module.function_by_name.find(name);
    if (found != module.function_by_name.end()) {
      const ptx::Function& f = module.functions[found->second];
      return {&f.parameters, &f.returns};
    }
  }
  return {};
}

}  // namespace

/// The number of operands of calls that are not variables of .param space.
std::uint32_t FunctionDecoder::registers_in_calls() const {
  std::uint32_t count = 0;
  for (const Instruction& i : function_.instructions) {
    if (i.opcode != Word::call) continue;
    const auto ops = operands(i);
    for (const std::size_t list : {0u, 2u}) {
      if (list >= ops.size()) continue;
      for (const Operand& o : std::span(module_.operands).subspan(ops[list].first, ops[list].count))
        count += o.kind != Operand::Kind::symbol;
    }
  }
  return count;
}

/// The instruction that copies between a register's row and a place in .param space, `at` bytes behind the place's begin.
DecodedInstruction FunctionDecoder::parameter_copy(std::uint32_t row, std::uint32_t bytes,
                                                   const ParameterPlace& place, std::uint32_t at,
                                                   bool store) {
  MemoryKey m;
  m.space = StateSpace::param;
  m.store = store;
  m.bytes = m.register_bytes = bytes;
  m.fixed = m.in_frame = true;
  const Bound b = handlers_.memory(m);
  DecodedInstruction o;
  o.full = b.full;
  o.masked = b.masked;
  o.a = place.row;
  o.d = row;
  o.immediate = at;
  o.bytes = static_cast<std::uint8_t>(bytes);
  o.memory.elements = 1;
  o.memory.register_bytes = bytes & 31;
  return o;
}

/// A predicate passes through .param space as a word of 0 or 1.
std::vector<DecodedInstruction> FunctionDecoder::predicate_copy(std::uint32_t row,
                                                                const ParameterPlace& place,
                                                                bool store) {
  DecodedInstruction turn;
  Key key(store ? Word::selp : Word::setp,
          store ? std::span<const Word>(kMove32) : std::span<const Word>(kNonZero));
  const Bound b = handlers_.compare(key);
  turn.full = b.full;
  turn.masked = b.masked;
  turn.a = store ? constant_row(Row::b32, 1) : scratch_;
  turn.b = constant_row(Row::b32, 0);
  turn.c = store ? row : kNone;
  turn.d = store ? scratch_ : row;
  const DecodedInstruction copy = parameter_copy(scratch_, 4, place, 0, store);
  return store ? std::vector{turn, copy} : std::vector{copy, turn};
}

/// Copies a whole register of the function, which may be a vector or a predicate.
std::vector<DecodedInstruction> FunctionDecoder::register_copy(std::uint32_t reg,
                                                               const ParameterPlace& place,
                                                               bool store) {
  const ptx::Register& r = function_.registers[reg];
  if (r.type == Type::pred) return predicate_copy(row_of_register(reg), place, store);
  const std::uint32_t bytes = ptx::bytes_of(r.type);
  if (bytes < 2) too_large("phrase.limit.narrow-register");
  std::vector<DecodedInstruction> result;
  for (std::uint8_t k = 0; k < r.lanes; ++k)
    result.push_back(parameter_copy(row_of_register(reg, k), bytes, place, k * bytes, store));
  return result;
}

/// A function can take the address of a parameter (PTX ISA 9.0, 9.7.9.6, mov), also of its result. The parameter
/// is then in local memory.
void FunctionDecoder::find_addressed_parameters() {
  if (entry_) return;
  for (const Instruction& i : function_.instructions) {
    const bool takes = i.opcode == Word::mov || i.opcode == Word::cvta;
    for (const Operand& o : operands(i)) {
      const bool taken = takes && o.kind == Operand::Kind::symbol;
      const bool indexed =
          o.kind == Operand::Kind::address && o.base == Operand::Kind::symbol && o.count == 1;
      const bool result = o.home == Operand::Home::result;
      if ((!taken && !indexed) || (o.home != Operand::Home::parameter && !result)) continue;
      const ptx::Variable& v = result ? function_.returns[o.index] : function_.parameters[o.index];
      const std::uint32_t alignment = std::max(v.alignment, 4u);
      const auto [place, added] =
          locals_.try_emplace(&v, (local_bytes_ + alignment - 1) / alignment * alignment);
      if (added) local_bytes_ = place->second + parameter_place(v).bytes;
    }
  }
}

/// The instruction that copies between a parameter's place and local memory at `local`, with one of the two handlers.
DecodedInstruction FunctionDecoder::local_copy(Handler handler, const ptx::Variable& v,
                                               std::uint32_t local) const {
  DecodedInstruction copy;
  copy.full = copy.masked = handler;
  copy.a = places_.at(&v).row;
  copy.c = places_.at(&v).bytes / 4;
  copy.immediate = local;
  return copy;
}

/// In a basic block of its own, to which no branch leads, the function fills the registers that are parameters, and copies
/// parameters whose address is taken to local memory.
void FunctionDecoder::take_parameters() {
  code_index_ = static_cast<std::uint32_t>(code_.instructions.size());
  const bool any = std::ranges::any_of(function_.parameters, [&](const ptx::Variable& v) {
    return v.reg != ptx::kNone || locals_.contains(&v);
  });
  if (entry_ || !any || function_.instructions.empty()) return;
  begin_hidden_block(0);
  const auto add = [&](const DecodedInstruction& o) {
    operations_->push_back(o);
    operations_->back().index = code_index_;
  };
  for (const ptx::Variable& v : function_.parameters) {
    if (const std::uint32_t to = local_offset(&v); to != kNone) {
      add(local_copy(handlers_.common.parameter_to_local, v, to));
    }
    if (v.reg == ptx::kNone || slots_.slot[v.reg] == ptx::kNone) continue;
    for (const DecodedInstruction& load : register_copy(v.reg, places_.at(&v), false)) add(load);
  }
  pending_.back().block.operations =
      static_cast<std::uint32_t>(operations_->size()) - pending_.back().first_operation;
  pending_.back().next_follows = true;
}

/// A function copies results from registers or local memory to their places at a ret, and where it runs past its end.
void FunctionDecoder::ret(bool falls_off) {
  const auto add = [&](const DecodedInstruction& o) {
    if (!falls_off) return emit(o, true);
    operations_->push_back(o);
    operations_->back().index = code_index_;
  };
  for (const ptx::Variable& v : function_.returns) {
    if (const std::uint32_t from = local_offset(&v); from != kNone)
      add(local_copy(handlers_.common.local_to_parameter, v, from));
    if (v.reg == ptx::kNone || slots_.slot[v.reg] == ptx::kNone) continue;
    for (const DecodedInstruction& store : register_copy(v.reg, places_.at(&v), true)) add(store);
  }
}

/// Passes an operand that is not a variable of .param space (a register, a constant or a vector of them) through `place`.
/// The copies of results are added to `loads`, which come behind the call.
void FunctionDecoder::pass(const Operand& o, const ptx::Variable& formal,
                           const ParameterPlace& place, bool result,
                           std::vector<DecodedInstruction>& loads) {
  const Instruction& i = function_.instructions[current_];
  const auto send = [&](const std::vector<DecodedInstruction>& copies) {
    for (const DecodedInstruction& copy : copies) {
      if (result)
        loads.push_back(copy);
      else
        emit(copy, true);
    }
  };
  if (formal.type == Type::pred) {
    const std::uint32_t row = result ? destination_row(o, Row::pred) : source_row(o, Row::pred);
    if (o.negated) unsupported(i);
    if (row != kNone) send(predicate_copy(row, place, !result));
    return;
  }
  const std::vector<Operand> elements = parts(o);
  std::uint32_t at = 0;
  for (const Operand& e : elements) {
    const std::uint32_t bytes =
        e.kind == Operand::Kind::reg ? register_bytes(e) : ptx::bytes_of(formal.type);
    if (bytes != 2 && bytes != 4 && bytes != 8 && bytes != 16) unsupported(i);
    if (at + bytes > kCallPlaceBytes / 32) unsupported(i);
    const Row row = bytes == 2   ? Row::b16
                    : bytes == 4 ? Row::b32
                    : bytes == 8 ? Row::b64
                                 : Row::b128;
    const std::uint32_t where = result ? destination_row(e, row) : source_row(e, row);
    if (where != kNone) send({parameter_copy(where, bytes, place, at, !result)});
    at += bytes;
  }
}

void FunctionDecoder::call(const Instruction& i) {
  const auto ops = operands(i);
  if (ops.size() < 3) unsupported(i);
  CallDetail d;
  Key key(i.opcode, module_.modifiers_of(i));
  key.take(Word::uni);
  if (!key.all_taken()) unsupported(i);
  const Signature signature = signature_of(module_, function_, ops);
  // An operand that is not a variable of .param space is a register or a constant. It goes through a place of its own.
  std::vector<DecodedInstruction> loads;
  const auto places = [&](const Operand& list, const std::vector<ptx::Variable>* formal,
                          std::vector<ParameterPlace>& to, bool results) {
    const auto given = std::span(module_.operands).subspan(list.first, list.count);
    for (std::size_t k = 0; k < given.size(); ++k) {
      const Operand& o = given[k];
      const ptx::Variable* v = o.kind == Operand::Kind::symbol ? variable_of(o) : nullptr;
      if (v && v->space == ptx::StateSpace::param) {
        to.push_back(parameter_place(*v));
        continue;
      }
      if (o.kind == Operand::Kind::symbol || !formal || k >= formal->size()) unsupported(i);
      const ParameterPlace place{
          call_places_, std::max(static_cast<std::uint32_t>((*formal)[k].bytes + 3) / 4 * 4, 4u)};
      call_places_ += kCallPlaceBytes;
      to.push_back(place);
      pass(o, (*formal)[k], place, results, loads);
    }
  };
  places(ops[0], signature.returns, d.results, true);
  places(ops[2], signature.parameters, d.arguments, false);
  if (ops[1].kind == Operand::Kind::reg) {
    d.address_row = source_row(ops[1], Row::b64);
    if (ops.size() > 3 && ops[3].kind == Operand::Kind::table) {
      const ptx::Table& table = function_.tables[ops[3].index];
      for (const std::string_view name : table.functions) {
        const auto found = module_.function_by_name.find(name);
        if (found != module_.function_by_name.end())
          d.candidates.push_back(code_.function_of_source[found->second]);
      }
    }
  } else if (ops[1].kind == Operand::Kind::symbol && ops[1].home == Operand::Home::function) {
    const ptx::Function& callee = module_.functions[ops[1].index];
    if (callee.entry) unsupported(i);
    if (callee.external) {
      const ExternalFunction* provided = find_external(callee.name);
      if (!provided) unresolved(i, callee.name);
      d.external = provided->external;
      if (d.arguments.size() != provided->arguments || d.results.size() > 1 ||
          d.results.size() < provided->results)
        unsupported(i);
      if (needs_order(d.external)) code_.order_matters = true;
      if (d.external == External::malloc || d.external == External::free) code_.uses_heap = true;
    } else {
      d.function = code_.function_of_source[ops[1].index];
      if (callee.parameters.size() != d.arguments.size() ||
          callee.returns.size() < d.results.size())
        unsupported(i);
    }
  } else {
    unresolved(i, ops[1].name);
  }
  code_.calls.push_back(std::move(d));
  end_block(Exit::call, static_cast<std::uint32_t>(code_.calls.size() - 1), true);
  if (loads.empty()) return;
  pending_.back().next_follows = true;
  begin_hidden_block(current_ + 1);
  for (const DecodedInstruction& load : loads) emit(load, true);
  end_block(Exit::fall, kNone, false);
}

}  // namespace warpbook::device::isa
