#include "tests/device/simulator/reference/interpreter.hpp"

#include <algorithm>
#include <cstring>

#include "tests/device/simulator/reference/machine.hpp"

namespace warpbook::device::tests::reference {
namespace {

std::uint64_t mixed(std::uint64_t a, std::uint64_t b) {
  a ^= b + 0x9e3779b97f4a7c15u + (a << 6) + (a >> 2);
  a ^= a >> 31;
  return a * 0xbf58476d1ce4e5b9u;
}

}  // namespace

Machine::Machine(const Request& request, Result& result)
    : request_(request), result_(result), module_(*request.module) {
  for (const ptx::Function& f : module_.functions) {
    if (f.entry && !kernel_) kernel_ = &f;
  }
  if (!kernel_) throw Fault("no kernel");
  result_.memory = request.memory;
  lay_out();
}

const Loops& Machine::loops_of(const ptx::Function& function) {
  auto found = loops_.find(&function);
  if (found == loops_.end()) {
    found = loops_.emplace(&function, find_loops(module_, function)).first;
    result_.in_step = result_.in_step && found->second.in_step;
  }
  return found->second;
}

void Machine::run() {
  for (std::uint64_t b = 0; b < request_.grid.count(); ++b) {
    block_ = Block{};
    block_.index = unflatten(b, request_.grid);
    block_.shared.resize(shared_bytes_);
    block_.shared_touches.resize(shared_bytes_);
    const auto threads = static_cast<std::uint32_t>(request_.block.count());
    block_.first_thread = b * threads;
    block_.groups.resize((threads + 31) / 32);
    block_.threads.resize(threads);
    for (std::uint32_t t = 0; t < threads; ++t) {
      block_.threads[t].id = t;
      enter(block_.threads[t], *kernel_, 0);
    }
    run_block();
    finish_block();
  }
  finish();
}

void Machine::run_block() {
  for (;;) {
    bool all_done = true;
    for (Thread& t : block_.threads) {
      if (t.status == Status::running) run_thread(t);
      all_done = all_done && t.status == Status::done;
    }
    if (all_done) return;
    if (!settle_lanes() && !settle_barrier()) throw Fault("threads wait for each other");
  }
}

void Machine::enter(Thread& t, const ptx::Function& function, std::uint64_t place) {
  if (t.frames.size() > 64) throw Fault("calls go too deep");
  Frame f;
  f.function = &function;
  f.loops = &loops_of(function);
  f.registers.resize(function.registers.size());
  f.written.resize(function.registers.size());
  f.place = place;
  f.turns.resize(f.loops->all.size());
  if (!t.frames.empty()) {
    const Frame& caller = t.frames.back();
    f.local_base = caller.local_base + local_bytes_[caller.function];
  }
  t.local.resize(std::max<std::size_t>(t.local.size(), f.local_base + local_bytes_[&function]));
  t.frames.push_back(std::move(f));
}

void Machine::run_thread(Thread& t) {
  while (t.status == Status::running) {
    if (++t.steps > request_.step_limit) throw Fault("a thread runs on and on");
    step(t);
  }
}

void Machine::step(Thread& t) {
  Frame& f = t.frames.back();
  if (f.at >= f.function->instructions.size()) {
    return_from(t);
    return;
  }
  for (std::size_t l = 0; l < f.loops->all.size(); ++l) {
    const Loop& loop = f.loops->all[l];
    if (loop.head != f.at) continue;
    const bool again = f.previous != ptx::kNone && loop.body[f.previous];
    f.turns[l] = again ? f.turns[l] + 1 : 0;
  }
  f.previous = f.at;
  const Instruction& i = f.function->instructions[f.at];
  const bool active =
      !i.guarded || ((register_of(t, i.guard) & 1) != 0) != static_cast<bool>(i.guard_negated);
  Group& group = note(t, i, active);
  if (!active) {
    ++f.at;
    return;
  }
  ++executed_[&i];
  bool moved = false;
  control(t, i, moved);
  if (moved) return;
  if (!memory(t, i, group)) compute(t, i);
  ++t.frames.back().at;
}

void Machine::control(Thread& t, const Instruction& i, bool& moved) {
  Frame& f = t.frames.back();
  const auto ops = operands(i);
  const auto modifiers = module_.modifiers_of(i);
  moved = true;
  switch (i.opcode) {
    case Word::bra: f.at = f.function->labels[ops[0].index]; return;
    case Word::brx: {
      const ptx::Table& table = f.function->tables[ops[1].index];
      const auto index = static_cast<std::uint32_t>(read(t, ops[0], false));
      if (index >= table.labels.size()) throw Fault("brx beyond its table");
      f.at = f.function->labels[table.labels[index]];
      return;
    }
    case Word::call: call(t, i); return;
    case Word::ret: return_from(t); return;
    case Word::exit: t.status = Status::done; return;
    case Word::trap: throw Fault("trap");
    default: break;
  }
  if (meets(i.opcode, modifiers)) {
    const bool lanes =
        !((i.opcode == Word::bar || i.opcode == Word::barrier) &&
          std::find(modifiers.begin(), modifiers.end(), Word::warp) == modifiers.end());
    t.status = lanes ? Status::at_lanes : Status::at_barrier;
    if (lanes) t.member_mask = static_cast<std::uint32_t>(read(t, ops[ops.size() - 1], false));
    return;
  }
  moved = false;
}

void Machine::call(Thread& t, const Instruction& i) {
  const auto ops = operands(i);
  const ptx::Function* callee = nullptr;
  if (ops[1].kind == Operand::Kind::reg) {
    const auto wanted = static_cast<std::uint64_t>(read(t, ops[1], false));
    for (const ptx::Function& f : module_.functions) {
      Operand name;
      name.home = Operand::Home::function;
      name.index = static_cast<std::uint32_t>(&f - module_.functions.data());
      if (address_of(t, name) == wanted) callee = &f;
    }
  } else {
    callee = &module_.functions[ops[1].index];
  }
  if (!callee || callee->external) throw Fault("a call of nothing");
  const auto arguments = parts(ops[2]);
  if (arguments.size() != callee->parameters.size()) throw Fault("a call with other parameters");
  Parameters given;
  for (std::size_t k = 0; k < arguments.size(); ++k) {
    auto& to = given[&callee->parameters[k]] =
        t.frames.back().parameters[variable(t, arguments[k])];
    to.resize(callee->parameters[k].bytes);
  }
  Frame& caller = t.frames.back();
  caller.call = &i;
  std::uint64_t place = mixed(caller.place, caller.at);
  for (std::size_t l = 0; l < caller.loops->all.size(); ++l) {
    if (caller.loops->all[l].body[caller.at]) place = mixed(place, caller.turns[l]);
  }
  place = mixed(place, static_cast<std::uint64_t>(callee - module_.functions.data()));
  enter(t, *callee, place);
  t.frames.back().parameters = std::move(given);
}

void Machine::return_from(Thread& t) {
  if (t.frames.size() == 1) {
    t.status = Status::done;
    return;
  }
  Frame callee = std::move(t.frames.back());
  t.frames.pop_back();
  Frame& caller = t.frames.back();
  const auto results = parts(operands(*caller.call)[0]);
  for (std::size_t k = 0; k < results.size(); ++k) {
    const ptx::Variable* to = variable(t, results[k]);
    caller.parameters[to] = callee.parameters[&callee.function->returns[k]];
    caller.parameters[to].resize(to->bytes);
  }
  ++caller.at;
}

Scalar Machine::scalar_of(const Instruction& i) const {
  Scalar s;
  s.opcode = i.opcode;
  s.modifiers = module_.modifiers_of(i);
  return s;
}

void Machine::compute(Thread& t, const Instruction& i) {
  const auto ops = operands(i);
  if (i.opcode == Word::mov) {
    move(t, i);
    return;
  }
  Scalar s = scalar_of(i);
  if (i.opcode == Word::cvta) {
    const Wide window = s.has(Word::shared) ? kSharedAt : s.has(Word::local) ? kLocalAt : 0;
    const Wide a = read(t, ops[1], false);
    write(t, ops[0], s.has(Word::to) ? a - window : a + window);
    return;
  }
  const bool paired = ops.size() > 1 && (ops[0].paired || ops[1].paired);
  const std::size_t first = paired ? 2 : 1;
  const bool wide_reals = s.type(0) == Type::f64 || s.type(1) == Type::f64;
  for (std::size_t k = first; k < ops.size() && k - first < s.in.size(); ++k) {
    const bool chooser = i.opcode == Word::slct && k - first == 2;
    s.in[k - first] = read(t, ops[k], wide_reals && !chooser);
  }
  s.count = static_cast<int>(ops.size() - first);
  s.d_bytes = register_bytes(t, ops[0]);
  s.a_bytes = ops.size() > first ? register_bytes(t, ops[first]) : 0;
  s.carry = t.frames.back().carry;
  if (!evaluate(s)) throw Fault("the reference has no " + std::string(module_.text_of(i)));
  t.frames.back().carry = s.carry;
  write(t, ops[0], s.d);
  if (!paired) return;
  // setp p|q writes the other one; lop3 d|p says whether d is zero, joined with a predicate.
  if (i.opcode == Word::setp) {
    write(t, ops[1], s.second ? 1 : 0);
  } else if (i.opcode == Word::lop3) {
    const bool set = s.d != 0, with = (s.in[4] & 1) != 0;
    write(t, ops[1], s.has(Word::or_) ? set || with : set && with);
  } else {
    throw Fault("the reference has no " + std::string(module_.text_of(i)));
  }
}

void Machine::move(Thread& t, const Instruction& i) {
  const auto ops = operands(i);
  const Scalar s = scalar_of(i);
  const int bits = s.type() == Type::pred ? 1 : bits_of(s.type());
  const bool wide = s.type() == Type::f64 || s.type() == Type::b64;
  if (ops[1].kind == Operand::Kind::vector) {
    const auto from = parts(ops[1]);
    const int part = bits / static_cast<int>(from.size());
    Wide value = 0;
    for (std::size_t k = 0; k < from.size(); ++k)
      value |= low_bits(read(t, from[k], wide), part) << (part * static_cast<int>(k));
    write(t, ops[0], value);
  } else if (ops[0].kind == Operand::Kind::vector) {
    const auto to = parts(ops[0]);
    const int part = bits / static_cast<int>(to.size());
    const Wide value = read(t, ops[1], wide);
    for (std::size_t k = 0; k < to.size(); ++k)
      write(t, to[k], low_bits(value >> (part * static_cast<int>(k)), part));
  } else {
    write(t, ops[0], low_bits(read(t, ops[1], wide), bits));
  }
}

Result interpret(const Request& request) {
  Result result;
  try {
    Machine(request, result).run();
  } catch (const Fault& fault) {
    result.error = fault.what();
  }
  return result;
}

}  // namespace warpbook::device::tests::reference
