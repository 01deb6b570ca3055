#include <bit>
#include <cstdint>
#include <string>

#include <catch2/catch_test_macros.hpp>
#include <catch2/generators/catch_generators.hpp>

#include "device/simulator/ptx/constant.hpp"
#include "device/simulator/ptx/module.hpp"
#include "tests/keyed.hpp"

namespace warpbook::device::ptx::constant_test {
namespace {

using Kind = Constant::Kind;

struct Sample {
  std::string text;
  Kind kind;
  std::uint64_t bits;
};

std::string failure_of_constant(const std::string& text) {
  Scanner scanner(text, "t");
  read_constant(scanner);
  return scanner.failed() ? warpbook::tests::keyed(scanner.error().arguments.front().value)
                          : "it is a constant";
}

}  // namespace

TEST_CASE("integer expressions follow the ISA's rules of sign", "[ptx]") {
  const auto minus = [](std::uint64_t value) { return 0 - value; };
  const Sample sample = GENERATE_COPY(values<Sample>({
      {"42", Kind::signed_integer, 42},
      {"42U", Kind::unsigned_integer, 42},
      {"0x1F", Kind::signed_integer, 31},
      {"0b101", Kind::signed_integer, 5},
      {"0123", Kind::signed_integer, 83},
      {"0", Kind::signed_integer, 0},
      {"0xfabc123400000000", Kind::unsigned_integer, 0xfabc123400000000u},
      {"9223372036854775807", Kind::signed_integer, 0x7fffffffffffffffu},
      {"9223372036854775808", Kind::unsigned_integer, 0x8000000000000000u},
      {"18446744073709551615", Kind::unsigned_integer, ~std::uint64_t{0}},
      {"-(-42)", Kind::signed_integer, 42},
      {"-1U", Kind::unsigned_integer, minus(1)},
      {"!7", Kind::signed_integer, 0},
      {"!0", Kind::signed_integer, 1},
      {"~0", Kind::unsigned_integer, ~std::uint64_t{0}},
      {"WARP_SZ", Kind::signed_integer, 32},
      {"WARP_SZ*2-1", Kind::signed_integer, 63},
      {"1+2*3", Kind::signed_integer, 7},
      {"(1+2)*3", Kind::signed_integer, 9},
      {"10-3-2", Kind::signed_integer, 5},
      {"-7/2", Kind::signed_integer, minus(3)},
      {"-7/2U", Kind::unsigned_integer, minus(7) / 2},
      {"-1 % 10", Kind::signed_integer, ~std::uint64_t{0} % 10},
      {"-8>>1", Kind::signed_integer, minus(4)},
      {"(.u64)-8>>1", Kind::unsigned_integer, minus(8) >> 1},
      {"-8>>1U", Kind::signed_integer, minus(4)},
      {"1<<63", Kind::signed_integer, std::uint64_t{1} << 63},
      {"1<<64", Kind::signed_integer, 0},
      {"-1>>200", Kind::signed_integer, ~std::uint64_t{0}},
      {"1<2", Kind::signed_integer, 1},
      {"-1<1U", Kind::signed_integer, 0},
      {"2<=2", Kind::signed_integer, 1},
      {"3>=4", Kind::signed_integer, 0},
      {"1==1U", Kind::signed_integer, 1},
      {"1!=1", Kind::signed_integer, 0},
      {"6&3", Kind::signed_integer, 2},
      {"6|1", Kind::signed_integer, 7},
      {"6^3", Kind::signed_integer, 5},
      {"1|2^3&4", Kind::signed_integer, 3},
      {"2&&0||1", Kind::signed_integer, 1},
      {"0?1:2?3:4", Kind::signed_integer, 3},
      {"1?1:2U", Kind::unsigned_integer, 1},
      {"(.s64)0xffffffffffffffff<0", Kind::signed_integer, 1},
      {"-9223372036854775807-1", Kind::signed_integer, std::uint64_t{1} << 63},
      {"(-9223372036854775807-1)/-1", Kind::signed_integer, std::uint64_t{1} << 63},
  }));
  CAPTURE(sample.text);
  Scanner scanner(sample.text, "t");
  const Constant constant = read_constant(scanner);
  REQUIRE_FALSE(scanner.failed());
  CHECK(scanner.at_end());
  CHECK(constant.kind == sample.kind);
  CHECK(constant.bits == sample.bits);
}

TEST_CASE("reals are doubles, exact in hexadecimal", "[ptx]") {
  const auto bits = [](double value) { return std::bit_cast<std::uint64_t>(value); };
  const Sample sample = GENERATE_COPY(values<Sample>({
      {"1.5", Kind::real, bits(1.5)},
      {".5", Kind::real, bits(0.5)},
      {"-.5e-2", Kind::real, bits(-0.005)},
      {"2e3", Kind::real, bits(2000)},
      {"0f3F800000", Kind::real, bits(1)},
      {"0Fbf800000", Kind::real, bits(-1)},
      {"0f7FA00001", Kind::real, 0x7ff4000020000000u},
      {"0f00000001", Kind::real, bits(0x1p-149)},
      {"0d3FF8000000000000", Kind::real, bits(1.5)},
      {"0D7ff0000000000001", Kind::real, 0x7ff0000000000001u},
      {"1.0+2.0*3.0", Kind::real, bits(7)},
      {"1.0/4.0-1.0", Kind::real, bits(-0.75)},
      {"1.0<2.0", Kind::signed_integer, 1},
      {"1.0>=2.0", Kind::signed_integer, 0},
      {"1?1.5:2.5", Kind::real, bits(1.5)},
  }));
  CAPTURE(sample.text);
  Scanner scanner(sample.text, "t");
  const Constant constant = read_constant(scanner);
  REQUIRE_FALSE(scanner.failed());
  CHECK(scanner.at_end());
  CHECK(constant.kind == sample.kind);
  CHECK(constant.bits == sample.bits);
}

TEST_CASE("a float written in hexadecimal keeps every bit, NaN payloads too", "[ptx]") {
  const std::uint32_t bits =
      GENERATE(0u, 0x80000000u, 1u, 0x007fffffu, 0x3f800000u, 0x7f7fffffu, 0x7f800000u, 0xff800000u,
               0x7f800001u, 0x7fa00000u, 0x7fc00000u, 0xffffffffu);
  char text[16];
  std::snprintf(text, sizeof text, "0f%08X", bits);
  Scanner scanner(text, "t");
  CHECK(float_bits(read_constant(scanner).bits) == bits);
}

TEST_CASE("a double is rounded to the nearest float, and a NaN stays one", "[ptx]") {
  CHECK(float_bits(std::bit_cast<std::uint64_t>(0.1)) == 0x3dcccccdu);
  CHECK(float_bits(std::bit_cast<std::uint64_t>(1e300)) == 0x7f800000u);
  CHECK(float_bits(0x7ff0000000000001u) == 0x7fc00000u);
}

TEST_CASE("a constant that is none says why", "[ptx]") {
  CHECK(failure_of_constant("18446744073709551616") == "phrase.ptx-syntax.integer-range");
  CHECK(failure_of_constant("0x") == "phrase.ptx-syntax.bad-integer");
  CHECK(failure_of_constant("09") == "phrase.ptx-syntax.bad-integer");
  CHECK(failure_of_constant("12ab") == "phrase.ptx-syntax.bad-integer");
  CHECK(failure_of_constant("0f3F80000") ==
        "phrase.ptx-syntax.hexadecimal-real(digits=8, letter=f)");
  CHECK(failure_of_constant("0d3F800000") ==
        "phrase.ptx-syntax.hexadecimal-real(digits=16, letter=d)");
  CHECK(failure_of_constant("1e999") == "phrase.ptx-syntax.real-range");
  CHECK(failure_of_constant("1/0") == "phrase.ptx-syntax.divides-by-zero");
  CHECK(failure_of_constant("1%0") == "phrase.ptx-syntax.divides-by-zero");
  CHECK(failure_of_constant("1.0+1") == "phrase.ptx-syntax.real-operand(operator=+)");
  CHECK(failure_of_constant("1.0%2.0") == "phrase.ptx-syntax.real-operand(operator=%)");
  CHECK(failure_of_constant("~1.0") == "phrase.ptx-syntax.integer-operator(operator=~)");
  CHECK(failure_of_constant("(.f32)1") == "phrase.ptx-syntax.cast-type");
  CHECK(failure_of_constant("(.s64)1.0") == "phrase.ptx-syntax.cast-real");
  CHECK(failure_of_constant("1?2:3.0") == "phrase.ptx-syntax.mixed-values");
  CHECK(failure_of_constant("1.0?2:3") == "phrase.ptx-syntax.condition");
  CHECK(failure_of_constant("(1") ==
        "phrase.ptx-syntax.expected-sign(found=phrase.ptx-found.end, sign=), "
        "where=phrase.ptx-where.after-the-expression-in-parentheses)");
  CHECK(failure_of_constant("x") ==
        "phrase.ptx-syntax.expected(found='x', what=phrase.ptx-what.a-constant)");
  CHECK(failure_of_constant("1+") ==
        "phrase.ptx-syntax.expected(found=phrase.ptx-found.end, what=phrase.ptx-what.a-constant)");
}

TEST_CASE("nesting without end is refused, not followed", "[ptx]") {
  const std::string opening = GENERATE("(", "-", "~", "1?", "(.s64)", "1+(");
  CAPTURE(opening);
  std::string text;
  for (int i = 0; i < 100'000; ++i) {
    text += opening;
  }
  CHECK(failure_of_constant(text) == "phrase.ptx-syntax.deep-expression(most=64)");
}

TEST_CASE("a long chain of one operator is no nesting", "[ptx]") {
  std::string text = "0";
  for (int i = 0; i < 10'000; ++i) {
    text += "+1";
  }
  Scanner scanner(text, "t");
  CHECK(read_constant(scanner).bits == 10'000);
}

}  // namespace warpbook::device::ptx::constant_test
