// What ends a block of code: branches, calls, barriers, and the operations that wait for other lanes.
#include <algorithm>

#include "device/simulator/isa/decoder.hpp"

namespace warpbook::device::isa {
bool FunctionDecoder::control(const Instruction& i) {
  Key key(i.opcode, module_.modifiers_of(i));
  switch (i.opcode) {
    case Word::bra: {
      key.take(Word::uni);
      const auto ops = operands(i);
      if (!key.all_taken() || ops.size() != 1 || ops[0].kind != Operand::Kind::label) return false;
      end_block(Exit::branch, kNone, true);
      pending_.back().source_target = function_.labels[ops[0].index];
      return true;
    }
    case Word::brx: branch_table(i); return true;
    case Word::call: call(i); return true;
    case Word::ret:
      key.take(Word::uni);
      if (!key.all_taken()) return false;
      ret(false);
      end_block(entry_ ? Exit::exit : Exit::ret, kNone, true);
      return true;
    case Word::exit: end_block(Exit::exit, kNone, true); return true;
    case Word::trap: end_block(Exit::trap, kNone, true); return true;
    case Word::nanosleep:
      code_.order_matters = true;
      end_block(Exit::sleep, kNone, true);
      return true;
    case Word::bar:
    case Word::barrier:
      if (key.has(Word::warp)) return warp_sync(i);
      barrier(i, key);
      return true;
    case Word::shfl:
    case Word::vote:
    case Word::match:
    case Word::redux:
    case Word::elect: return warp_sync(i);
    case Word::wmma:
    case Word::mma:
    case Word::ldmatrix:
    case Word::stmatrix:
    case Word::movmatrix: return matrix(i);
    default: return false;
  }
}

void FunctionDecoder::branch_table(const Instruction& i) {
  const auto ops = operands(i);
  if (ops.size() != 2 || ops[1].kind != Operand::Kind::table) unsupported(i);
  const bool constant = ops[0].kind == Operand::Kind::immediate && !ops[0].is_float;
  if (!constant && ops[0].kind != Operand::Kind::reg) unsupported(i);
  const ptx::Table& table = function_.tables[ops[1].index];
  if (table.kind != ptx::Table::Kind::branch_targets) unsupported(i);
  BranchDetail d;
  d.index_row = source_row(ops[0], Row::b32);
  for (const std::uint32_t label : table.labels)
    d.blocks.push_back(kUnlinked | function_.labels[label]);
  code_.branches.push_back(std::move(d));
  end_block(Exit::branch_table, static_cast<std::uint32_t>(code_.branches.size() - 1), true);
  code_.exits.back().reads.push_back(undefined_mask(code_.branches.back().index_row));
}

void FunctionDecoder::barrier(const Instruction& i, Key& key) {
  const auto ops = operands(i);
  key.take(Word::cta);
  BarrierDetail d;
  d.aligned = key.take(Word::aligned) || i.opcode == Word::bar;
  std::size_t next = 0;
  if (key.take(Word::sync)) {
    d.kind = BarrierKind::sync;
  } else if (key.take(Word::arrive)) {
    d.kind = BarrierKind::arrive;
  } else if (key.take(Word::red)) {
    d.kind = BarrierKind::reduce;
    const bool popc = key.take(Word::popc), all = !popc && key.take(Word::and_),
               any = !popc && !all && key.take(Word::or_);
    d.reduction = popc  ? Reduction::popc
                  : all ? Reduction::and_
                  : any ? Reduction::or_
                        : Reduction::none;
    if (d.reduction == Reduction::none || !key.take(popc ? Word::u32 : Word::pred) || ops.empty())
      unsupported(i);
    d.d = destination_row(ops[next++], popc ? Row::b32 : Row::pred);
  }
  if (!key.all_taken() || next >= ops.size()) unsupported(i);
  d.id_row = source_row(ops[next++], Row::b32);
  const std::size_t left = ops.size() - next - (d.kind == BarrierKind::reduce ? 1 : 0);
  if (left == 1) d.count_row = source_row(ops[next++], Row::b32);
  if (left > 1 || (d.kind == BarrierKind::arrive && left == 0)) unsupported(i);
  if (d.kind == BarrierKind::reduce) {
    d.negated = ops[next].negated;
    d.predicate = source_row(ops[next], Row::pred);
  }
  code_.instructions[code_index_].counts_as = 3;
  code_.barriers.push_back(d);
  end_block(Exit::barrier, static_cast<std::uint32_t>(code_.barriers.size() - 1), true);
}

bool FunctionDecoder::warp_sync(const Instruction& i) {
  const auto ops = operands(i);
  Key key(i.opcode, module_.modifiers_of(i));
  SyncDetail d;
  d.opcode = i.opcode;
  const bool sync = key.take(Word::sync);
  std::size_t next = 0;
  const bool paired = ops.size() > 1 && (ops[0].paired || ops[1].paired);
  const auto more = [&](std::size_t n) {
    if (next + n > ops.size()) unsupported(i);
  };
  const auto mask = [&] {
    if (!sync) return;
    more(1);
    d.mask_row = source_row(ops[next++], Row::b32);
  };
  switch (i.opcode) {
    case Word::bar:
    case Word::barrier:
      key.take(Word::warp);
      if (!sync) return false;
      mask();
      break;
    case Word::shfl:
      for (const Word w : {Word::up, Word::down, Word::bfly, Word::idx}) {
        if (key.take(w)) d.mode = w;
      }
      if (d.mode == Word::unknown || key.take_type() != Type::b32) return false;
      more(paired ? 5 : 4);
      d.d = destination_row(ops[next++], Row::b32);
      if (paired) d.p = destination_row(ops[next++], Row::pred);
      d.a = source_row(ops[next++], Row::b32);
      d.b = source_row(ops[next++], Row::b32);
      d.c = source_row(ops[next++], Row::b32);
      mask();
      code_.instructions[code_index_].counts_as = 1;
      break;
    case Word::vote: {
      for (const Word w : {Word::all, Word::any, Word::uni, Word::ballot}) {
        if (key.take(w)) d.mode = w;
      }
      const bool ballot = d.mode == Word::ballot;
      if (d.mode == Word::unknown || key.take_type() != (ballot ? Type::b32 : Type::pred))
        return false;
      more(2);
      d.d = destination_row(ops[next++], ballot ? Row::b32 : Row::pred);
      d.negated = ops[next].negated;
      d.a = source_row(ops[next++], Row::pred);
      mask();
      code_.instructions[code_index_].counts_as = 2;
      break;
    }
    case Word::match:
      d.mode = key.take(Word::any) ? Word::any : key.take(Word::all) ? Word::all : Word::unknown;
      d.type = key.take_type();
      if (d.mode == Word::unknown || !sync || (d.type != Type::b32 && d.type != Type::b64))
        return false;
      more(2);
      d.d = destination_row(ops[next++], Row::b32);
      if (paired) d.p = destination_row(ops[next++], Row::pred);
      d.a = source_row(ops[next++], d.type == Type::b32 ? Row::b32 : Row::b64);
      mask();
      code_.instructions[code_index_].counts_as = 2;
      break;
    case Word::redux:
      for (const Word w : {Word::add, Word::min, Word::max, Word::and_, Word::or_, Word::xor_}) {
        if (key.take(w)) d.mode = w;
      }
      d.abs = key.take(Word::abs);
      d.nan = key.take(Word::NaN);
      d.type = key.take_type();
      if (d.mode == Word::unknown || !sync) return false;
      if (d.type != Type::u32 && d.type != Type::s32 && d.type != Type::b32 && d.type != Type::f32)
        return false;
      if (d.type == Type::f32 ? d.mode != Word::min && d.mode != Word::max : d.abs || d.nan)
        return false;
      more(2);
      d.d = destination_row(ops[next++], Row::b32);
      d.a = source_row(ops[next++], Row::b32);
      mask();
      code_.instructions[code_index_].counts_as = 2;
      break;
    case Word::elect:
      if (!sync) return false;
      more(2);
      d.d = destination_row(ops[next++], Row::b32);
      if (paired) d.p = destination_row(ops[next++], Row::pred);
      mask();
      code_.instructions[code_index_].counts_as = 2;
      break;
    default: return false;
  }
  if (!key.all_taken() || next != ops.size()) return false;
  d.key = static_cast<std::uint32_t>(d.opcode) << 20 | static_cast<std::uint32_t>(d.mode) << 8 |
          static_cast<std::uint32_t>(d.type);
  code_.syncs.push_back(d);
  end_block(Exit::warp_sync, static_cast<std::uint32_t>(code_.syncs.size() - 1), true);
  return true;
}

}  // namespace warpbook::device::isa
