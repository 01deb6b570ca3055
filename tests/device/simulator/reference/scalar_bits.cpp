// Logic, shifts, bit fields and bytes (PTX ISA 9.0, 9.7.1.15 to 9.7.1.23, 9.7.8 and 9.7.9.7), bit by
// bit.
#include <algorithm>

#include "tests/device/simulator/reference/scalar.hpp"

namespace warpbook::device::tests::reference {
namespace {

bool bit(Wide value, int at) { return (value >> at & 1) != 0; }
Wide put(int at, bool value) { return value ? Wide{1} << at : 0; }

/// Any function of the operands' bits, one after the other.
template <class F>
Wide each_bit(int bits, F f) {
  Wide r = 0;
  for (int i = 0; i < bits; ++i) r |= put(i, f(i));
  return r;
}

void shift(Scalar& s, Type type) {
  const int bits = bits_of(type);
  const std::uint64_t by = std::min<std::uint64_t>(static_cast<std::uint32_t>(s.in[1]), 64);
  const int n = std::min(static_cast<int>(by), bits);
  if (s.opcode == Word::shl) {
    s.d = each_bit(bits, [&](int i) { return i >= n && bit(s.in[0], i - n); });
    return;
  }
  const bool fill = is_signed(type) && bit(s.in[0], bits - 1);
  s.d = each_bit(bits, [&](int i) { return i + n < bits ? bit(s.in[0], i + n) : fill; });
}

void funnel(Scalar& s) {
  const auto c = static_cast<std::uint32_t>(s.in[2]);
  const int n = static_cast<int>(s.has(Word::clamp) ? std::min(c, 32u) : c & 31);
  const Wide both = low_bits(s.in[1], 32) << 32 | low_bits(s.in[0], 32);
  s.d = s.has(Word::l) ? low_bits(both >> (32 - n), 32) : low_bits(both >> n, 32);
}

void permute(Scalar& s) {
  const Wide both = low_bits(s.in[1], 32) << 32 | low_bits(s.in[0], 32);
  const int mode = static_cast<int>(s.in[2] & 3);
  s.d = 0;
  for (int i = 0; i < 4; ++i) {
    int from = 0;
    bool sign = false;
    if (s.has(Word::f4e)) {
      from = mode + i;
    } else if (s.has(Word::b4e)) {
      from = (8 + mode - i) % 8;
    } else if (s.has(Word::rc8)) {
      from = mode;
    } else if (s.has(Word::ecl)) {
      from = std::max(mode, i);
    } else if (s.has(Word::ecr)) {
      from = std::min(mode, i);
    } else if (s.has(Word::rc16)) {
      from = 2 * (mode % 2) + i % 2;
    } else {
      from = static_cast<int>(s.in[2] >> (4 * i) & 7);
      sign = bit(s.in[2], 4 * i + 3);
    }
    Wide byte = both >> (8 * from) & 0xff;
    if (sign) byte = bit(byte, 7) ? 0xff : 0;
    s.d |= byte << (8 * i);
  }
}

/// The ISA's own algorithm, line by line (9.7.1.18).
void find_nth_set(Scalar& s) {
  const auto offset = static_cast<std::int64_t>(number(Type::s32, s.in[2]));
  const int base = static_cast<int>(s.in[1]);
  s.d = 0xffffffff;
  if (offset == 0) {
    if (base >= 0 && base < 32 && bit(s.in[0], base)) s.d = static_cast<Wide>(base);
    return;
  }
  std::int64_t count = (offset < 0 ? -offset : offset) - 1;
  for (int pos = base; pos >= 0 && pos<32; pos += offset> 0 ? 1 : -1) {
    if (!bit(s.in[0], pos)) continue;
    if (count-- == 0) {
      s.d = static_cast<Wide>(pos);
      return;
    }
  }
}

void extract_field(Scalar& s, Type type) {
  const int bits = bits_of(type);
  const int pos = static_cast<int>(s.in[1] & 0xff), len = static_cast<int>(s.in[2] & 0xff);
  const bool fill = is_signed(type) && len != 0 && bit(s.in[0], std::min(pos + len - 1, bits - 1));
  s.d = each_bit(bits,
                 [&](int i) { return i < len && pos + i < bits ? bit(s.in[0], pos + i) : fill; });
}

void insert_field(Scalar& s, Type type) {
  const int bits = bits_of(type);
  const int pos = static_cast<int>(s.in[2] & 0xff), len = static_cast<int>(s.in[3] & 0xff);
  s.d = each_bit(bits, [&](int i) {
    return i >= pos && i < pos + len ? bit(s.in[0], i - pos) : bit(s.in[1], i);
  });
}

void mask_of_bits(Scalar& s) {
  const auto a = static_cast<std::uint32_t>(s.in[0]), b = static_cast<std::uint32_t>(s.in[1]);
  const bool clamp = s.has(Word::clamp);
  const std::uint64_t first = clamp ? std::min(a, 32u) : a & 31;
  const std::uint64_t width = clamp ? std::min(b, 32u) : b & 31;
  s.d = each_bit(32, [&](int i) {
    const auto at = static_cast<std::uint64_t>(i);
    return at >= first && at < first + width;
  });
}

void extend(Scalar& s, Type type) {
  const auto b = static_cast<std::uint32_t>(s.in[1]);
  const int n = static_cast<int>(s.has(Word::clamp) ? std::min(b, 32u) : b & 31);
  const bool fill = is_signed(type) && n != 0 && bit(s.in[0], n - 1);
  s.d = each_bit(32, [&](int i) { return i < n ? bit(s.in[0], i) : fill; });
}

void find_first(Scalar& s, Type type) {
  const int bits = bits_of(type);
  const bool negative = is_signed(type) && bit(s.in[0], bits - 1);
  s.d = 0xffffffff;
  for (int i = 0; i < bits; ++i) {
    if (bit(s.in[0], i) != negative)
      s.d = static_cast<Wide>(s.has(Word::shiftamt) ? bits - 1 - i : i);
  }
}

}  // namespace

bool evaluate_bits(Scalar& s) {
  const Type type = s.type();
  const int bits = type == Type::pred ? 1 : bits_of(type);
  const Wide a = s.in[0], b = s.in[1];
  switch (s.opcode) {
    case Word::and_: s.d = each_bit(bits, [&](int i) { return bit(a, i) && bit(b, i); }); break;
    case Word::or_: s.d = each_bit(bits, [&](int i) { return bit(a, i) || bit(b, i); }); break;
    case Word::xor_: s.d = each_bit(bits, [&](int i) { return bit(a, i) != bit(b, i); }); break;
    case Word::not_: s.d = each_bit(bits, [&](int i) { return !bit(a, i); }); break;
    case Word::cnot: s.d = low_bits(a, bits) == 0 ? 1 : 0; break;
    case Word::lop3:
      s.d = each_bit(32, [&](int i) {
        const int row = 4 * bit(a, i) + 2 * bit(b, i) + bit(s.in[2], i);
        return bit(s.in[3], row);
      });
      break;
    case Word::shl:
    case Word::shr: shift(s, type); break;
    case Word::shf: funnel(s); break;
    case Word::prmt: permute(s); break;
    case Word::popc:
      for (int i = 0; i < bits; ++i) s.d += bit(a, i) ? 1u : 0u;
      break;
    case Word::clz:
      s.d = static_cast<Wide>(bits);
      for (int i = 0; i < bits; ++i) {
        if (bit(a, i)) s.d = static_cast<Wide>(bits - 1 - i);
      }
      break;
    case Word::brev: s.d = each_bit(bits, [&](int i) { return bit(a, bits - 1 - i); }); break;
    case Word::bfind: find_first(s, type); break;
    case Word::fns: find_nth_set(s); break;
    case Word::bfe: extract_field(s, type); break;
    case Word::bfi: insert_field(s, type); break;
    case Word::bmsk: mask_of_bits(s); break;
    case Word::szext: extend(s, type); break;
    default: return false;
  }
  return true;
}

}  // namespace warpbook::device::tests::reference
