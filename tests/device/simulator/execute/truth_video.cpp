// The video instructions as the ISA's pseudo-code has them (PTX ISA 9.0, 9.7.18), written from it alone.
#include <algorithm>

#include "tests/device/simulator/execute/truth.hpp"

namespace warpbook::device::tests {
namespace {

using reference::SignedWide;
using reference::Wide;

bool has(const Piece& p, std::string_view modifier) {
  return std::find(p.modifiers.begin(), p.modifiers.end(), modifier) != p.modifiers.end();
}

/// A field of a word with its sign.
SignedWide field(Wide word, int at, int bits, bool is_signed) {
  SignedWide v = static_cast<SignedWide>(word >> at & ((Wide{1} << bits) - 1));
  if (is_signed && (v >> (bits - 1) & 1)) v -= SignedWide{1} << bits;
  return v;
}

SignedWide clamp_to(SignedWide v, int bits, bool is_signed) {
  const SignedWide most = (SignedWide{1} << (is_signed ? bits - 1 : bits)) - 1;
  const SignedWide least = is_signed ? -most - 1 : 0;
  return v > most ? most : v < least ? least : v;
}

bool compares(const Piece& p, SignedWide a, SignedWide b) {
  if (has(p, "eq")) return a == b;
  if (has(p, "ne")) return a != b;
  if (has(p, "lt")) return a < b;
  if (has(p, "le")) return a <= b;
  if (has(p, "gt")) return a > b;
  return a >= b;
}

SignedWide primary(const Piece& p, const std::string& operation, SignedWide a, SignedWide b) {
  if (operation == "add") return a + b;
  if (operation == "sub") return a - b;
  if (operation == "absdiff") return a > b ? a - b : b - a;
  if (operation == "min") return std::min(a, b);
  if (operation == "max") return std::max(a, b);
  if (operation == "avrg") return a + b >= 0 ? (a + b + 1) >> 1 : (a + b) >> 1;
  if (operation == "set") return compares(p, a, b) ? 1 : 0;
  SignedWide n = b;
  if (has(p, "clamp") && n > 32) n = 32;
  if (has(p, "wrap")) n &= 31;
  return operation == "shl" ? a * (SignedWide{1} << n) : a >> n;
}

/// The signs of d, a and b, in the order in which the types stand; vset's d is unsigned.
struct Signs {
  bool d = false, a = false, b = false;
};
Signs signs_of(const Piece& p, bool set) {
  std::vector<bool> s;
  for (const std::string& m : p.modifiers) {
    if (m == "s32" || m == "u32") s.push_back(m == "s32");
  }
  return set ? Signs{false, s[0], s[1]} : Signs{s[0], s[1], s[2]};
}

SignedWide selected(const Token& t, Wide word, bool is_signed) {
  if (t.selector.empty()) return field(word, 0, 32, is_signed);
  const int n = t.selector[1] - '0';
  return t.selector[0] == 'b' ? field(word, 8 * n, 8, is_signed)
                              : field(word, 16 * n, 16, is_signed);
}

Wide low32(SignedWide v) { return static_cast<Wide>(v) & 0xffffffff; }

Wide scalar(const Piece& p, const std::string& operation, const std::vector<Wide>& in) {
  const Signs s = signs_of(p, operation == "set");
  const std::string& into = p.destinations[0].selector;
  const int bits = into.empty() ? 32 : into[0] == 'b' ? 8 : 16;
  SignedWide t =
      primary(p, operation, selected(p.sources[0], in[0], s.a), selected(p.sources[1], in[1], s.b));
  if (has(p, "sat")) t = clamp_to(t, bits, s.d);
  t = field(static_cast<Wide>(t), 0, 33, true);  // the pseudo-code's .s33
  if (in.size() < 3) return low32(t);
  const SignedWide c = field(in[2], 0, 32, s.d);
  if (!into.empty()) {
    const int at = bits * (into[1] - '0');
    const Wide mask = ((Wide{1} << bits) - 1) << at;
    return (in[2] & ~mask & 0xffffffff) | (static_cast<Wide>(t) << at & mask);
  }
  // The last modifier names the second operation; vmin.add and vadd.min have both words.
  const std::string& second = p.modifiers.back();
  return low32(second == "add" ? t + c : second == "min" ? std::min(t, c) : std::max(t, c));
}

Wide multiplied(const Piece& p, const std::vector<Wide>& in) {
  const Signs s = signs_of(p, false);
  const bool minus = p.sources[0].negated != p.sources[1].negated, minus_c = p.sources[2].negated;
  const bool is_signed = s.a || s.b || minus || minus_c;
  SignedWide t = selected(p.sources[0], in[0], s.a) * selected(p.sources[1], in[1], s.b);
  Wide c = in[2];
  int lowest = 0;
  if (has(p, "po")) {
    lowest = 1;
  } else if (minus) {
    t = -t - 1;
    lowest = 1;
  } else if (minus_c) {
    c = ~c & 0xffffffff;
    lowest = 1;
  }
  t += field(c, 0, 32, is_signed) + lowest;
  t >>= has(p, "shr7") ? 7 : has(p, "shr15") ? 15 : 0;
  const SignedWide result = field(static_cast<Wide>(t), 0, 64, is_signed);
  return low32(has(p, "sat") ? clamp_to(result, 32, is_signed) : result);
}

Wide parallel(const Piece& p, const std::string& operation, const std::vector<Wide>& in,
              int elements) {
  const Signs s = signs_of(p, operation == "set");
  const int bits = 32 / elements;
  const Wide both = in[1] << 32 | in[0];
  const auto element = [&](const Token& t, int i, int otherwise, bool is_signed) {
    const int which = t.selector.empty()
                          ? otherwise + i
                          : t.selector[t.selector.size() - 1 - static_cast<std::size_t>(i)] - '0';
    return field(both, bits * which, bits, is_signed);
  };
  const std::string& mask = p.destinations[0].selector;
  const bool accumulates = p.modifiers.back() == "add";
  Wide d = accumulates ? in[2] : 0;
  for (int i = 0; i < elements; ++i) {
    const bool on = mask.empty() || mask.find(static_cast<char>('0' + i)) != std::string::npos;
    const Wide ones = (Wide{1} << bits) - 1;
    SignedWide t = primary(p, operation, element(p.sources[0], i, 0, s.a),
                           element(p.sources[1], i, elements, s.b));
    if (has(p, "sat")) t = clamp_to(t, bits, s.d);
    if (accumulates)
      d += on ? static_cast<Wide>(t) : 0;
    else
      d |= on ? (static_cast<Wide>(t) & ones) << (bits * i) : in[2] & ones << (bits * i);
  }
  return d & 0xffffffff;
}

}  // namespace

bool evaluate_video(const Piece& p, const std::vector<Wide>& in, Wide& d) {
  if (p.opcode[0] != 'v' || p.opcode.starts_with("vote")) return false;
  std::string operation = p.opcode.substr(1);
  const char last = operation.back();
  if (last == '2' || last == '4') {
    operation.pop_back();
    d = parallel(p, operation, in, last - '0');
  } else {
    d = operation == "mad" ? multiplied(p, in) : scalar(p, operation, in);
  }
  return true;
}

}  // namespace warpbook::device::tests
