// Integer instructions against plain scalar code.
#include <bit>

#include "tests/device/simulator/execute/operation_bench.hpp"

namespace warpbook::device::tests::integer_test {
namespace {

__extension__ typedef __int128 Wide;
using V = const std::vector<Word64>&;

Word64 low(Word64 v, std::uint32_t bits) { return bits == 64 ? v : v & ((Word64{1} << bits) - 1); }
std::int64_t sign(Word64 v, std::uint32_t bits) {
  return bits == 64 ? static_cast<std::int64_t>(v)
                    : static_cast<std::int64_t>(v << (64 - bits)) >> (64 - bits);
}
Wide value(Word64 v, std::uint32_t bits, bool is_signed) {
  return is_signed ? Wide{sign(v, bits)} : static_cast<Wide>(low(v, bits));
}

}  // namespace

TEST_CASE("integer sums, products and quotients wrap as two's complement", "[device]") {
  for (const std::uint32_t bits : {16u, 32u, 64u}) {
    for (const bool is_signed : {false, true}) {
      const std::string t = (is_signed ? "s" : "u") + std::to_string(bits),
                        r = "b" + std::to_string(bits);
      const auto v = [=](Word64 x) { return value(x, bits, is_signed); };
      const auto binary = [&](const std::string& op, auto f) {
        check_operation({op + "." + t + " %d, %a, %b;", r, {r, r}},
                        [=](V o) { return low(static_cast<Word64>(f(v(o[0]), v(o[1]))), bits); });
      };
      binary("add", [](Wide a, Wide b) { return a + b; });
      binary("sub", [](Wide a, Wide b) { return a - b; });
      binary("min", [](Wide a, Wide b) { return a < b ? a : b; });
      binary("max", [](Wide a, Wide b) { return a < b ? b : a; });
      binary("mul.lo", [](Wide a, Wide b) {
        return static_cast<Wide>(static_cast<Word64>(a) * static_cast<Word64>(b));
      });
      binary("mul.hi", [=](Wide a, Wide b) {
        __extension__ typedef unsigned __int128 Unsigned;
        return is_signed ? (a * b) >> bits
                         : static_cast<Wide>(
                               (static_cast<Unsigned>(a) * static_cast<Unsigned>(b)) >> bits);
      });
      binary("div", [](Wide a, Wide b) { return b == 0 ? Wide{-1} : a / b; });
      binary("rem", [](Wide a, Wide b) { return b == 0 ? a : a % b; });
      check_operation({"mad.lo." + t + " %d, %a, %b, %c;", r, {r, r, r}},
                      [=](V o) { return low(o[0] * o[1] + o[2], bits); });
      check_operation({"sad." + t + " %d, %a, %b, %c;", r, {r, r, r}}, [=](V o) {
        const Wide d = v(o[0]) - v(o[1]);
        return low(o[2] + static_cast<Word64>(d < 0 ? -d : d), bits);
      });
      if (bits < 64) {
        const std::string w = "b" + std::to_string(2 * bits);
        check_operation({"mul.wide." + t + " %d, %a, %b;", w, {r, r}},
                        [=](V o) { return low(static_cast<Word64>(v(o[0]) * v(o[1])), 2 * bits); });
        check_operation({"mad.wide." + t + " %d, %a, %b, %c;", w, {r, r, w}}, [=](V o) {
          return low(static_cast<Word64>(v(o[0]) * v(o[1])) + o[2], 2 * bits);
        });
      }
      if (is_signed) {
        check_operation({"abs." + t + " %d, %a;", r, {r}}, [=](V o) {
          return low(static_cast<Word64>(v(o[0]) < 0 ? -v(o[0]) : v(o[0])), bits);
        });
        check_operation({"neg." + t + " %d, %a;", r, {r}},
                        [=](V o) { return low(Word64{0} - o[0], bits); });
      }
    }
  }
}

TEST_CASE("saturating integer arithmetic stops at the limits", "[device]") {
  const auto clamp = [](Wide v) {
    return low(static_cast<Word64>(v > INT32_MAX ? INT32_MAX : v < INT32_MIN ? INT32_MIN : v), 32);
  };
  const auto v = [](Word64 x) { return value(x, 32, true); };
  check_operation({"add.sat.s32 %d, %a, %b;", "b32", {"b32", "b32"}},
                  [=](V o) { return clamp(v(o[0]) + v(o[1])); });
  check_operation({"sub.sat.s32 %d, %a, %b;", "b32", {"b32", "b32"}},
                  [=](V o) { return clamp(v(o[0]) - v(o[1])); });
  check_operation({"mad.hi.sat.s32 %d, %a, %b, %c;", "b32", {"b32", "b32", "b32"}},
                  [=](V o) { return clamp(((v(o[0]) * v(o[1])) >> 32) + v(o[2])); });
}

TEST_CASE("24-bit products and dot products of bytes", "[device]") {
  const auto s24 = [](Word64 x) { return Wide{sign(x & 0xffffff, 24)}; };
  check_operation({"mul24.lo.s32 %d, %a, %b;", "b32", {"b32", "b32"}},
                  [=](V o) { return low(static_cast<Word64>(s24(o[0]) * s24(o[1])), 32); });
  check_operation({"mul24.hi.u32 %d, %a, %b;", "b32", {"b32", "b32"}},
                  [=](V o) { return low((o[0] & 0xffffff) * (o[1] & 0xffffff) >> 16, 32); });
  check_operation({"mad24.lo.u32 %d, %a, %b, %c;", "b32", {"b32", "b32", "b32"}},
                  [=](V o) { return low((o[0] & 0xffffff) * (o[1] & 0xffffff) + o[2], 32); });
  check_operation({"dp4a.s32.u32 %d, %a, %b, %c;", "b32", {"b32", "b32", "b32"}}, [](V o) {
    Word64 sum = o[2];
    for (int i = 0; i < 4; ++i)
      sum += static_cast<Word64>(sign(o[0] >> (8 * i) & 0xff, 8) *
                                 static_cast<std::int64_t>(o[1] >> (8 * i) & 0xff));
    return low(sum, 32);
  });
  check_operation({"dp2a.hi.s32.s32 %d, %a, %b, %c;", "b32", {"b32", "b32", "b32"}}, [](V o) {
    Word64 sum = o[2];
    for (int i = 0; i < 2; ++i)
      sum += static_cast<Word64>(sign(o[0] >> (16 * i) & 0xffff, 16) *
                                 sign(o[1] >> (16 + 8 * i) & 0xff, 8));
    return low(sum, 32);
  });
}

TEST_CASE("carry chains carry between words", "[device]") {
  // A 128-bit sum's upper word needs the carry of the lower.
  check_operation(
      {"add.cc.u32 %d, %a, %b;\naddc.u32 %d, %c, %e;", "b32", {"b32", "b32", "b32", "b32"}},
      [](V o) { return low(((o[0] + o[1]) >> 32) + o[2] + o[3], 32); });
  check_operation(
      {"sub.cc.u32 %d, %a, %b;\nsubc.u32 %d, %c, %e;", "b32", {"b32", "b32", "b32", "b32"}},
      [](V o) { return low(o[2] - o[3] - (o[0] < o[1] ? 1 : 0), 32); });
  check_operation({"mad.lo.cc.u32 %d, %a, %b, %c;\nmadc.hi.u32 %d, %a, %b, %e;",
                   "b32",
                   {"b32", "b32", "b32", "b32"}},
                  [](V o) { return low(((o[0] * o[1] + o[2]) >> 32) + o[3], 32); });
  check_operation(
      {"add.cc.u64 %d, %a, %b;\naddc.u64 %d, %c, %e;", "b64", {"b64", "b64", "b64", "b64"}},
      [](V o) { return o[2] + o[3] + (o[0] + o[1] < o[0] ? 1 : 0); });
  check_operation(
      {"sub.cc.u64 %d, %a, %b;\nsubc.u64 %d, %c, %e;", "b64", {"b64", "b64", "b64", "b64"}},
      [](V o) { return o[2] - o[3] - (o[0] < o[1] ? 1 : 0); });
}

TEST_CASE("logic, shifts and bit fields", "[device]") {
  for (const std::uint32_t bits : {16u, 32u, 64u}) {
    const std::string n = std::to_string(bits), r = "b" + n;
    check_operation({"and." + r + " %d, %a, %b;", r, {r, r}}, [](V o) { return o[0] & o[1]; });
    check_operation({"or." + r + " %d, %a, %b;", r, {r, r}}, [](V o) { return o[0] | o[1]; });
    check_operation({"xor." + r + " %d, %a, %b;", r, {r, r}}, [](V o) { return o[0] ^ o[1]; });
    check_operation({"not." + r + " %d, %a;", r, {r}}, [=](V o) { return low(~o[0], bits); });
    check_operation({"cnot." + r + " %d, %a;", r, {r}}, [](V o) { return Word64{o[0] == 0}; });
    check_operation({"shl." + r + " %d, %a, %b;", r, {r, "b32"}},
                    [=](V o) { return o[1] >= bits ? 0 : low(o[0] << o[1], bits); });
    check_operation({"shr.u" + n + " %d, %a, %b;", r, {r, "b32"}},
                    [=](V o) { return o[1] >= bits ? 0 : o[0] >> o[1]; });
    check_operation({"shr.s" + n + " %d, %a, %b;", r, {r, "b32"}}, [=](V o) {
      return low(static_cast<Word64>(sign(o[0], bits) >> std::min<Word64>(o[1], bits - 1)), bits);
    });
    if (bits == 16) continue;
    check_operation({"popc." + r + " %d, %a;", "b32", {r}},
                    [](V o) { return static_cast<Word64>(std::popcount(o[0])); });
    check_operation({"clz." + r + " %d, %a;", "b32", {r}},
                    [=](V o) { return static_cast<Word64>(std::countl_zero(o[0])) - (64 - bits); });
    check_operation({"brev." + r + " %d, %a;", r, {r}}, [=](V o) {
      Word64 v = 0;
      for (std::uint32_t i = 0; i < bits; ++i) v |= (o[0] >> i & 1) << (bits - 1 - i);
      return v;
    });
    check_operation({"bfind.u" + n + " %d, %a;", "b32", {r}}, [](V o) {
      return o[0] == 0 ? 0xffffffff : static_cast<Word64>(63 - std::countl_zero(o[0]));
    });
    check_operation({"bfind.shiftamt.s" + n + " %d, %a;", "b32", {r}}, [=](V o) {
      const Word64 v = low(sign(o[0], bits) < 0 ? ~o[0] : o[0], bits);
      return v == 0 ? 0xffffffff : static_cast<Word64>(std::countl_zero(v)) - (64 - bits);
    });
    const auto bfe = [=](V o, bool is_signed) {
      // The ISA's own description, bit by bit (9.7.1.20).
      const std::uint32_t pos = o[1] & 0xff, len = o[2] & 0xff, msb = bits - 1;
      const bool s = is_signed && len != 0 && (o[0] >> std::min(pos + len - 1, msb) & 1);
      Word64 d = 0;
      for (std::uint32_t i = 0; i <= msb; ++i)
        d |= static_cast<Word64>(i < len && pos + i <= msb ? o[0] >> (pos + i) & 1 : s) << i;
      return d;
    };
    check_operation({"bfe.u" + n + " %d, %a, %b, %c;", r, {r, "b32", "b32"}},
                    [=](V o) { return bfe(o, false); });
    check_operation({"bfe.s" + n + " %d, %a, %b, %c;", r, {r, "b32", "b32"}},
                    [=](V o) { return bfe(o, true); });
    check_operation({"bfi." + r + " %d, %a, %b, %c, %e;", r, {r, r, "b32", "b32"}}, [=](V o) {
      const std::uint32_t pos = o[2] & 0xff, len = o[3] & 0xff;
      Word64 d = o[1];
      for (std::uint32_t i = 0; i < len && pos + i < bits; ++i)
        d = (d & ~(Word64{1} << (pos + i))) | (o[0] >> i & 1) << (pos + i);
      return d;
    });
  }
  const auto pair = [](V o) { return o[1] << 32 | o[0]; };
  check_operation({"shf.l.wrap.b32 %d, %a, %b, %c;", "b32", {"b32", "b32", "b32"}},
                  [=](V o) { return low(pair(o) << (o[2] & 31) >> 32, 32); });
  check_operation({"shf.r.wrap.b32 %d, %a, %b, %c;", "b32", {"b32", "b32", "b32"}},
                  [=](V o) { return low(pair(o) >> (o[2] & 31), 32); });
  check_operation({"shf.l.clamp.b32 %d, %a, %b, %c;", "b32", {"b32", "b32", "b32"}},
                  [=](V o) { return low(pair(o) << std::min<Word64>(o[2], 32) >> 32, 32); });
  check_operation({"shf.r.clamp.b32 %d, %a, %b, %c;", "b32", {"b32", "b32", "b32"}},
                  [=](V o) { return low(pair(o) >> std::min<Word64>(o[2], 32), 32); });
  for (const int table : {0x80, 0xfe, 0x96, 0xe8, 0x1b, 0x00, 0xff}) {
    check_operation(
        {fmt::format("lop3.b32 %d, %a, %b, %c, {};", table), "b32", {"b32", "b32", "b32"}},
        [=](V o) {
          Word64 d = 0;
          for (int i = 0; i < 32; ++i) {
            const int row =
                static_cast<int>((o[0] >> i & 1) * 4 + (o[1] >> i & 1) * 2 + (o[2] >> i & 1));
            d |= static_cast<Word64>(table >> row & 1) << i;
          }
          return d;
        });
  }
  const auto prmt = [](V o, Word64 selectors) {
    Word64 d = 0;
    for (int i = 0; i < 4; ++i) {
      const Word64 s = selectors >> (4 * i) & 15,
                   byte = (o[1] << 32 | o[0]) >> (8 * (s & 7)) & 0xff;
      d |= (s & 8 ? (byte & 0x80 ? 0xff : 0) : byte) << (8 * i);
    }
    return d;
  };
  check_operation({"prmt.b32 %d, %a, %b, %c;", "b32", {"b32", "b32", "b32"}},
                  [=](V o) { return prmt(o, o[2]); });
  const Word64 f4e[] = {0x3210, 0x4321, 0x5432, 0x6543}, rc16[] = {0x1010, 0x3232, 0x1010, 0x3232};
  check_operation({"prmt.b32.f4e %d, %a, %b, %c;", "b32", {"b32", "b32", "b32"}},
                  [=](V o) { return prmt(o, f4e[o[2] & 3]); });
  check_operation({"prmt.b32.rc16 %d, %a, %b, %c;", "b32", {"b32", "b32", "b32"}},
                  [=](V o) { return prmt(o, rc16[o[2] & 3]); });
  check_operation({"bmsk.clamp.b32 %d, %a, %b;", "b32", {"b32", "b32"}}, [](V o) {
    const Word64 a = std::min<Word64>(o[0], 32), b = std::min<Word64>(o[1], 32);
    return low(((Word64{1} << b) - 1) << a, 32);
  });
  check_operation({"szext.wrap.s32 %d, %a, %b;", "b32", {"b32", "b32"}}, [](V o) {
    const std::uint32_t n = o[1] & 31;
    return n == 0 ? 0 : low(static_cast<Word64>(sign(low(o[0], n), n)), 32);
  });
}

TEST_CASE("set, select and compare", "[device]") {
  for (const bool is_signed : {false, true}) {
    const std::string t = is_signed ? "s32" : "u32";
    const auto v = [=](Word64 x) { return value(x, 32, is_signed); };
    check_operation({"set.lt." + t + "." + t + " %d, %a, %b;", "b32", {"b32", "b32"}},
                    [=](V o) { return v(o[0]) < v(o[1]) ? 0xffffffff : 0; });
    check_operation(
        {"setp.ge." + t + " %q3, %a, %b;\nselp.b32 %d, %a, %b, %q3;", "b32", {"b32", "b32"}},
        [=](V o) { return v(o[0]) >= v(o[1]) ? o[0] : o[1]; });
    // q is the negated comparison, joined with the same predicate.
    check_operation({"setp.eq.u32 %q3, %b, 0;\nsetp.lt.or." + t +
                         " %q0|%q1, %a, %b, !%q3;\nselp.b32 %d, 1, 2, %q1;",
                     "b32",
                     {"b32", "b32"}},
                    [=](V o) -> Word64 { return v(o[0]) >= v(o[1]) || o[1] != 0 ? 1 : 2; });
  }
  check_operation({"slct.b32.s32 %d, %a, %b, %c;", "b32", {"b32", "b32", "b32"}},
                  [](V o) { return sign(o[2], 32) >= 0 ? o[0] : o[1]; });
  check_operation({"slct.b32.f32 %d, %a, %b, %c;", "b32", {"b32", "b32", "f32"}}, [](V o) {
    return std::bit_cast<float>(static_cast<std::uint32_t>(o[2])) >= 0 ? o[0] : o[1];
  });
}

}  // namespace warpbook::device::tests::integer_test
