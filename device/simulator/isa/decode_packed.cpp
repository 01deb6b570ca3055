// cvt.pack, and cvt to and from pairs of fp8.
#include <bit>

#include "device/simulator/isa/decoder.hpp"

namespace warpbook::device::isa {
namespace {

struct SmallInteger {
  Word word;
  std::int64_t bits;
  bool is_signed;
};
constexpr SmallInteger kSmall[] = {
    {Word::u16, 16, false}, {Word::s16, 16, true}, {Word::u8, 8, false}, {Word::s8, 8, true},
    {Word::u4, 4, false},   {Word::s4, 4, true},   {Word::u2, 2, false}, {Word::s2, 2, true}};

bool is_fp8(Type t) { return t == Type::e4m3x2 || t == Type::e5m2x2; }

}  // namespace

bool FunctionDecoder::convert_packed(const Instruction& i) {
  if (i.opcode != Word::cvt) return false;
  const auto ops = operands(i);
  Key key(i.opcode, module_.modifiers_of(i));
  DecodedInstruction o;
  Row d = Row::b32, a = Row::b32;
  bool has_b = false, has_c = false;
  if (key.take(Word::pack)) {
    const SmallInteger* to = nullptr;
    for (const SmallInteger& s : kSmall) {
      if (!to && key.take(s.word)) to = &s;
    }
    if (!to || !key.take(Word::sat) || !key.take(Word::s32)) return false;
    has_b = true;
    has_c = key.take(Word::b32);
    if (has_c != (to->bits < 16)) return false;
    o.full = handlers_.common.packed.integers;
    o.immediate = to->bits | (to->is_signed ? 0x100 : 0);
  } else {
    const bool rounds = key.take(Word::rn), finite = key.take(Word::satfinite);
    Fp8 p{};
    p.relu = key.take(Word::relu);
    const Type to = key.take_type(), from = key.take_type();
    if (!rounds || is_fp8(to) == is_fp8(from)) return false;
    p.e5m2 = to == Type::e5m2x2 || from == Type::e5m2x2;
    if (is_fp8(to)) {
      if (!finite || (from != Type::f32 && from != Type::f16x2)) return false;
      has_b = from == Type::f32;
      o.full =
          has_b ? handlers_.common.packed.fp8_of_singles : handlers_.common.packed.fp8_of_halves;
      d = Row::b16;
      a = has_b ? Row::f32 : Row::b32;
    } else {
      if (finite || to != Type::f16x2) return false;
      o.full = handlers_.common.packed.halves_of_fp8;
      a = Row::b16;
    }
    o.immediate = std::bit_cast<std::int64_t>(p);
  }
  if (!key.all_taken() || ops.size() != 2u + has_b + has_c) return false;
  o.masked = o.full;
  o.a = source_row(ops[1], a);
  if (has_b) o.b = source_row(ops[2], a);
  if (has_c) o.c = source_row(ops[3], Row::b32);
  o.d = destination_row(ops[0], d);
  if (o.d == kNone) return false;
  emit(o);
  return true;
}

}  // namespace warpbook::device::isa
