// The instructions that end a basic block: branches, calls, barriers, and those that wait for other lanes.
#include <algorithm>

#include "device/simulator/isa/decoder.hpp"

namespace warpbook::device::isa {
namespace {

constexpr Word kShuffleModes[] = {Word::up, Word::down, Word::bfly, Word::idx};
constexpr Word kVoteModes[] = {Word::all, Word::any, Word::uni, Word::ballot};
constexpr Word kMatchModes[] = {Word::any, Word::all};
constexpr Word kReduxModes[] = {Word::add, Word::min, Word::max, Word::and_, Word::or_, Word::xor_};
constexpr Type kShuffleTypes[] = {Type::b32}, kVoteTypes[] = {Type::pred, Type::b32},
               kMatchTypes[] = {Type::b32, Type::b64},
               kReduxTypes[] = {Type::u32, Type::s32, Type::b32, Type::f32};

/// What an instruction looks like that waits for the lanes of a member mask. Its operands are written in the order
/// destinations, sources, mask; the mask is there with .sync.
struct WarpSyncShape {
  Word opcode;
  std::span<const Word> modes;  ///< it has exactly one of them
  std::span<const Type> types;
  std::uint8_t destinations, sources;
  bool may_pair;    ///< d|p: a second destination, which is a predicate
  bool needs_sync;  ///< there is no form without .sync
  CountedAs counts_as;
};
// clang-format off
constexpr WarpSyncShape kWarpSyncShapes[] = {
    // opcode        modes          types          d  sources  d|p    .sync  counts as
    {Word::bar,      {},            {},            0, 0,       false, true,  CountedAs::plain},
    {Word::barrier,  {},            {},            0, 0,       false, true,  CountedAs::plain},
    {Word::shfl,     kShuffleModes, kShuffleTypes, 1, 3,       true,  false, CountedAs::shuffle},
    {Word::vote,     kVoteModes,    kVoteTypes,    1, 1,       false, false, CountedAs::vote},
    {Word::match,    kMatchModes,   kMatchTypes,   1, 1,       true,  true,  CountedAs::vote},
    {Word::redux,    kReduxModes,   kReduxTypes,   1, 1,       false, true,  CountedAs::vote},
    {Word::elect,    {},            {},            1, 0,       true,  true,  CountedAs::vote},
};
// clang-format on

const WarpSyncShape* warp_sync_shape(Word opcode) {
  const auto shape = std::ranges::find(kWarpSyncShapes, opcode, &WarpSyncShape::opcode);
  return shape == std::end(kWarpSyncShapes) ? nullptr : &*shape;
}

}  // namespace

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
  code_.instructions[code_index_].counts_as = CountedAs::barrier;
  code_.barriers.push_back(d);
  end_block(Exit::barrier, static_cast<std::uint32_t>(code_.barriers.size() - 1), true);
}

bool FunctionDecoder::warp_sync(const Instruction& i) {
  const WarpSyncShape* const shape = warp_sync_shape(i.opcode);
  if (!shape) return false;
  Key key(i.opcode, module_.modifiers_of(i));
  SyncDetail d;
  d.opcode = i.opcode;

  // The modifiers.
  key.take(Word::warp);
  const bool sync = key.take(Word::sync);
  if (shape->needs_sync && !sync) return false;
  for (const Word mode : shape->modes) {
    if (key.take(mode)) d.mode = mode;
  }
  if (!shape->modes.empty() && d.mode == Word::unknown) return false;
  if (i.opcode == Word::redux) {
    d.abs = key.take(Word::abs);
    d.nan = key.take(Word::NaN);
  }
  if (!shape->types.empty()) {
    d.type = key.take_type();
    if (std::ranges::find(shape->types, d.type) == shape->types.end()) return false;
  }
  if (!key.all_taken()) return false;
  const bool ballot = d.mode == Word::ballot;
  if (i.opcode == Word::vote && ballot != (d.type == Type::b32)) return false;
  if (i.opcode == Word::redux) {
    const bool extreme = d.mode == Word::min || d.mode == Word::max;
    if (d.type == Type::f32 ? !extreme : d.abs || d.nan) return false;
  }

  // The operands, in the order in which they are written.
  const auto ops = operands(i);
  const bool paired = ops.size() > 1 && (ops[0].paired || ops[1].paired);
  if (paired && !shape->may_pair) return false;
  const std::size_t count =
      shape->destinations + std::size_t{paired} + shape->sources + std::size_t{sync};
  if (ops.size() != count) return false;
  std::size_t next = 0;
  if (shape->destinations != 0) {
    const bool predicate = i.opcode == Word::vote && !ballot;
    d.d = destination_row(ops[next++], predicate ? Row::pred : Row::b32);
  }
  if (paired) d.p = destination_row(ops[next++], Row::pred);
  if (shape->sources != 0) {
    const bool predicate = i.opcode == Word::vote;
    if (predicate) d.negated = ops[next].negated;
    d.a = source_row(ops[next++], predicate             ? Row::pred
                                  : d.type == Type::b64 ? Row::b64
                                                        : Row::b32);
  }
  if (shape->sources == 3) {
    d.b = source_row(ops[next++], Row::b32);
    d.c = source_row(ops[next++], Row::b32);
  }
  if (sync) d.mask_row = source_row(ops[next++], Row::b32);

  // Shuffles and votes need no type, because opcode and mode determine what the lanes exchange.
  if (i.opcode == Word::shfl || i.opcode == Word::vote) d.type = Type::none;
  d.key = static_cast<std::uint32_t>(d.opcode) << 20 | static_cast<std::uint32_t>(d.mode) << 8 |
          static_cast<std::uint32_t>(d.type);
  code_.instructions[code_index_].counts_as = shape->counts_as;
  code_.syncs.push_back(d);
  end_block(Exit::warp_sync, static_cast<std::uint32_t>(code_.syncs.size() - 1), true);
  return true;
}

}  // namespace warpbook::device::isa
