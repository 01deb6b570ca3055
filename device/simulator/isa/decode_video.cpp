// The video instructions: their operands' parts and masks, packed into a plan.
#include <bit>

#include "device/simulator/isa/decoder.hpp"
#include "device/simulator/isa/video.hpp"

namespace warpbook::device::isa {
namespace {

using video::Kind;

struct VideoWord {
  Word word;
  Kind kind;
  std::uint32_t elements;  ///< 1: scalar
};
constexpr VideoWord kWords[] = {
    {Word::vadd, Kind::add, 1},          {Word::vsub, Kind::sub, 1},
    {Word::vabsdiff, Kind::absdiff, 1},  {Word::vmin, Kind::min, 1},
    {Word::vmax, Kind::max, 1},          {Word::vshl, Kind::shl, 1},
    {Word::vshr, Kind::shr, 1},          {Word::vset, Kind::set, 1},
    {Word::vmad, Kind::mad, 1},          {Word::vadd2, Kind::add, 2},
    {Word::vsub2, Kind::sub, 2},         {Word::vavrg2, Kind::avrg, 2},
    {Word::vabsdiff2, Kind::absdiff, 2}, {Word::vmin2, Kind::min, 2},
    {Word::vmax2, Kind::max, 2},         {Word::vset2, Kind::set, 2},
    {Word::vadd4, Kind::add, 4},         {Word::vsub4, Kind::sub, 4},
    {Word::vavrg4, Kind::avrg, 4},       {Word::vabsdiff4, Kind::absdiff, 4},
    {Word::vmin4, Kind::min, 4},         {Word::vmax4, Kind::max, 4},
    {Word::vset4, Kind::set, 4}};

/// .b0 to .b3, .h0, .h1 as a part; kWhole where nothing is selected. False for anything else.
bool take_part(const ptx::Operand& o, std::uint64_t& part) {
  part = video::kWhole;
  if (o.word == Word::unknown) return true;
  if (o.count != 1) return false;
  const bool half = o.word == Word::h;
  if (o.bits >= (half ? 2u : 4u)) return false;
  part = o.bits + (half ? 4 : 0);
  return true;
}

/// .h10 or .b7654 as three bits an element, the last written lowest.
bool take_selection(const ptx::Operand& o, std::uint32_t elements, std::uint32_t first,
                    std::uint64_t& selection) {
  selection = 0;
  for (std::uint32_t i = 0; i < elements; ++i) {
    std::uint64_t which = first + i;
    if (o.word != Word::unknown) {
      if (o.count != elements || o.word != (elements == 2 ? Word::h : Word::b)) return false;
      which = o.bits >> (4 * i) & 15;
    }
    if (which >= 2 * elements) return false;
    selection |= which << (3 * i);
  }
  return true;
}

bool take_mask(const ptx::Operand& o, std::uint32_t elements, std::uint64_t& mask) {
  mask = (1u << elements) - 1;
  if (o.word == Word::unknown) return true;
  if (o.word != (elements == 2 ? Word::h : Word::b)) return false;
  mask = 0;
  for (std::uint32_t i = 0; i < o.count; ++i) {
    const std::uint64_t which = o.bits >> (4 * i) & 15;
    if (which >= elements) return false;
    mask |= std::uint64_t{1} << which;
  }
  return true;
}

bool take_sign(Key& key, bool& is_signed) {
  const Type type = key.take_type();
  is_signed = type == Type::s32;
  return type == Type::s32 || type == Type::u32;
}

/// Puts the modifiers into the plan. False where one of them does not belong to the instruction.
bool take_modifiers(Key& key, const VideoWord& w, video::Plan& p) {
  bool d = false, a = false, b = false;
  const bool set = w.kind == Kind::set;
  if ((!set && !take_sign(key, d)) || !take_sign(key, a) || !take_sign(key, b)) return false;
  p.d_signed = d;
  p.a_signed = a;
  p.b_signed = b;
  if (set) {
    constexpr Word kRelations[] = {Word::eq, Word::ne, Word::lt, Word::le, Word::gt, Word::ge};
    std::size_t r = 0;
    while (r < std::size(kRelations) && !key.take(kRelations[r])) ++r;
    if (r == std::size(kRelations)) return false;
    p.relation = r & 7;
  } else {
    p.sat = key.take(Word::sat);
  }
  if (w.kind == Kind::shl || w.kind == Kind::shr) {
    p.wrap = key.take(Word::wrap);
    if (b || (!p.wrap && !key.take(Word::clamp))) return false;
  }
  if (w.kind == Kind::mad) {
    p.plus_one = key.take(Word::po);
    if (key.take(Word::shr7))
      p.shift = 7;
    else if (key.take(Word::shr15))
      p.shift = 15;
    return key.all_taken();
  }
  if (key.take(Word::add))
    p.second = 1;
  else if (w.elements == 1 && key.take(Word::min))
    p.second = 2;
  else if (w.elements == 1 && key.take(Word::max))
    p.second = 3;
  if (w.elements > 1 && p.second != 0 && p.sat) return false;
  return key.all_taken();
}

}  // namespace

bool FunctionDecoder::video(const Instruction& i) {
  const VideoWord* w = nullptr;
  for (const VideoWord& known : kWords) {
    if (known.word == i.opcode) w = &known;
  }
  if (!w) return false;
  const auto ops = operands(i);
  Key key(i.opcode, module_.modifiers_of(i));
  video::Plan p{};
  p.kind = static_cast<std::uint64_t>(w->kind) & 15;
  if (!take_modifiers(key, *w, p) || ops.size() < 3) return false;
  std::uint64_t a = 0, b = 0, d = 0;
  DecodedInstruction o;
  if (w->elements == 1) {
    if (!take_part(ops[1], a) || !take_part(ops[2], b) || !take_part(ops[0], d)) return false;
    const bool merges = d != video::kWhole;
    if (w->kind == Kind::mad) {
      const bool product = ops[1].negated != ops[2].negated;
      if (merges || ops.size() != 4) return false;
      const bool c = ops[3].negated;
      if ((product && c) || (p.plus_one && (ops[1].negated || ops[2].negated || c))) return false;
      p.negate_product = product;
      p.negate_c = c;
      o.full = handlers_.common.video.multiply;
    } else {
      if ((merges && p.second != 0) || ops.size() != (merges || p.second != 0 ? 4u : 3u))
        return false;
      o.full = handlers_.common.video.scalar;
    }
    p.d_part = d & 7;
  } else {
    if (!take_selection(ops[1], w->elements, 0, a) ||
        !take_selection(ops[2], w->elements, w->elements, b) ||
        !take_mask(ops[0], w->elements, d) || ops.size() != 4)
      return false;
    p.mask = d & 15;
    o.full =
        w->elements == 2 ? handlers_.common.video.two_halves : handlers_.common.video.four_bytes;
  }
  p.a_select = a & 0xfff;
  p.b_select = b & 0xfff;
  const auto plain = [](Operand operand) {
    if (operand.word != Word::unknown) operand.bits = 0;  // the selector, now in `p`
    operand.word = Word::unknown;
    operand.negated = false;
    return operand;
  };
  for (const std::size_t k : {0u, 1u, 2u, 3u}) {
    if (k < ops.size() && ops[k].negated && (w->kind != Kind::mad || k == 0)) return false;
  }
  o.masked = o.full;
  o.immediate = std::bit_cast<std::int64_t>(p);
  o.a = source_row(plain(ops[1]), Row::b32);
  o.b = source_row(plain(ops[2]), Row::b32);
  if (ops.size() == 4) o.c = source_row(plain(ops[3]), Row::b32);
  o.d = destination_row(plain(ops[0]), Row::b32);
  if (o.d == kNone) return false;
  emit(o);
  return true;
}

}  // namespace warpbook::device::isa
