// Texts that do not parse: the place of the error and what was expected there.
#include <catch2/generators/catch_generators.hpp>

#include "tests/device/simulator/ptx/parsing.hpp"

namespace warpbook::device::ptx::errors_test {
namespace {

std::string failure_in_module(std::string_view text) {
  return failure_of(std::string(kHead) + std::string(text));
}
std::string failure_in_kernel(std::string_view text) { return failure_of(kernel_around(text)); }

}  // namespace

TEST_CASE("a module begins with its version and target", "[ptx]") {
  CHECK(failure_of("") == "1:1 phrase.ptx-syntax.version");
  CHECK(failure_of("__global__ void k() {}") == "1:1 phrase.ptx-syntax.version");
  CHECK(failure_of("\n.version x") ==
        "2:10 phrase.ptx-syntax.expected(found='x', what=phrase.ptx-what.the-version-s-number)");
  CHECK(failure_of(".version 9") ==
        "1:11 phrase.ptx-syntax.expected-sign(found=phrase.ptx-found.end, sign=., "
        "where=phrase.ptx-where.in-the-version-s-number)");
  CHECK(failure_of(".version 9.0\n.func") == "2:1 phrase.ptx-syntax.target");
  CHECK(failure_of(".version 9.0\n.target sm_x") ==
        "2:9 phrase.ptx-syntax.unknown-target(target=sm_x)");
  CHECK(failure_of(".version 9.0\n.target sm_90q") ==
        "2:9 phrase.ptx-syntax.unknown-target(target=sm_90q)");
  CHECK(failure_of(".version 9.0\n.target sm_90\n.address_size 32") ==
        "3:1 phrase.ptx-syntax.address-size");
}

TEST_CASE("a target needs the version of PTX that brought it, with its suffix", "[ptx]") {
  const auto [head, why] = GENERATE(table<std::string, std::string>({
      {".version 7.7\n.target sm_90",
       "2:9 phrase.ptx-syntax.target-version(first=7.8, target=sm_90, version=7.7)"},
      {".version 7.8\n.target sm_90a",
       "2:9 phrase.ptx-syntax.target-version(first=8.0, target=sm_90a, version=7.8)"},
      {".version 6.2\n.target compute_75",
       "2:9 phrase.ptx-syntax.target-version(first=6.3, target=compute_75, version=6.2)"},
      {".version 8.7\n.target sm_100, sm_100f",
       "2:17 phrase.ptx-syntax.target-version(first=8.8, target=sm_100f, version=8.7)"},
  }));
  CHECK(failure_of(head) == why);
}

TEST_CASE("binary and overlong texts are refused by name", "[ptx]") {
  const Expected<Module> binary = parse(std::string("\x7f"
                                                    "ELF\0\0\0",
                                                    7),
                                        "a.cubin");
  REQUIRE_FALSE(binary);
  CHECK(binary.error().code == ErrorCode::not_text);
  CHECK(binary.error().arguments.front().value.text == "a.cubin");
}

TEST_CASE("a broken directive says what was expected", "[ptx]") {
  CHECK(failure_in_module("mov.b32 x, y;") ==
        "4:1 phrase.ptx-syntax.expected(found='mov', what=phrase.ptx-what.a-directive)");
  CHECK(failure_in_module(".globl .u32 x;") ==
        "4:1 phrase.ptx-syntax.no-directive-in-module(directive=globl)");
  CHECK(failure_in_module(".global x;") ==
        "4:9 phrase.ptx-syntax.expected(found='x', what=phrase.ptx-what.a-type)");
  CHECK(failure_in_module(".global .q32 x;") ==
        "4:9 phrase.ptx-syntax.expected(found=.q32, what=phrase.ptx-what.a-type)");
  CHECK(failure_in_module(".global .u32;") ==
        "4:13 phrase.ptx-syntax.expected(found=';', what=phrase.ptx-what.a-name-to-declare)");
  CHECK(failure_in_module(".global .u32 x") ==
        "4:15 phrase.ptx-syntax.expected-sign(found=phrase.ptx-found.end, sign=;, "
        "where=phrase.ptx-where.after-the-declaration)");
  CHECK(failure_in_module(".global .align 3 .u32 x;") == "4:16 phrase.ptx-syntax.alignment");
  CHECK(failure_of(".version 8.2\n.target sm_90\n.address_size 64\n.global .b128 x;") ==
        "4:9 phrase.ptx-syntax.before-version(feature=phrase.ptx-feature.type-b128, first=8.3, "
        "version=8.2)");
  CHECK(failure_in_module(".global .u32 x, x;") == "4:17 phrase.ptx-syntax.declared-twice(name=x)");
  CHECK(failure_in_module(".global .u32 f; .func f();") ==
        "4:23 phrase.ptx-syntax.name-of-variable(name=f)");
  CHECK(failure_in_module(".func f(); .global .u32 f;") ==
        "4:25 phrase.ptx-syntax.name-of-function(name=f)");
  CHECK(failure_in_module(".func f() {}\n.func f() {}") ==
        "5:7 phrase.ptx-syntax.defined-twice(name=f)");
  CHECK(failure_in_module(".reg .u32 x;") ==
        "4:1 phrase.ptx-syntax.no-directive-in-module(directive=reg)");
  CHECK(failure_in_module(".entry") ==
        "4:7 phrase.ptx-syntax.expected(found=phrase.ptx-found.end, "
        "what=phrase.ptx-what.the-name-of-the-function)");
  CHECK(failure_in_module(".entry k(.param .u32)") ==
        "4:21 phrase.ptx-syntax.expected(found=')', what=phrase.ptx-what.the-name-of-a-parameter)");
  CHECK(failure_in_module(".entry k(.local .u32 x) {}") ==
        "4:10 phrase.ptx-syntax.parameter-space");
  CHECK(failure_in_module(".entry k() .fast {}") ==
        "4:12 phrase.ptx-syntax.no-directive-of-kernel(directive=fast)");
  CHECK(failure_in_module(".entry k() ret;") ==
        "4:12 phrase.ptx-syntax.expected(found='ret', what=phrase.ptx-what.function-body(name=k, "
        "sign='{'))");
  CHECK(failure_in_module(".entry k() {") ==
        "4:13 phrase.ptx-syntax.expected(found=phrase.ptx-found.end, "
        "what=phrase.ptx-what.function-end(name=k, sign='}'))");
  CHECK(failure_in_module("/* open") == "4:1 phrase.ptx-syntax.open-comment");
  CHECK(failure_in_module(".file 1 \"a\nb\"") == "4:9 phrase.ptx-syntax.open-string");
  CHECK(failure_in_module(".file one \"a\"") ==
        "4:7 phrase.ptx-syntax.expected(found='one', what=phrase.ptx-what.the-number-of-a-file)");
  CHECK(failure_in_module(".section .debug_info { .b8 1, 2") ==
        "4:32 phrase.ptx-syntax.expected(found=phrase.ptx-found.end, "
        "what=phrase.ptx-what.section-end(name=debug_info, sign='}'))");
  CHECK(failure_in_module(".section") ==
        "4:9 phrase.ptx-syntax.expected(found=phrase.ptx-found.end, "
        "what=phrase.ptx-what.a-word-that-begins-with-a-dot)");
  CHECK(failure_in_module(".alias a, b;") == "4:11 phrase.ptx-syntax.undefined(name=b)");
}

TEST_CASE("a broken initialiser says what was expected", "[ptx]") {
  CHECK(failure_in_module(".global .u32 x[2] = {1, 2, 3};") ==
        "4:28 phrase.ptx-syntax.more-values(name=x)");
  CHECK(failure_in_module(".global .u32 x[2] = {{1}};") ==
        "4:22 phrase.ptx-syntax.deep-values(name=x)");
  CHECK(failure_in_module(".global .u32 x[2] = 1;") ==
        "4:21 phrase.ptx-syntax.expected(found='1', what=phrase.ptx-what.array-values(sign='{'))");
  CHECK(failure_in_module(".global .u32 x = 1.5;") ==
        "4:18 phrase.ptx-syntax.takes-integers(name=x)");
  CHECK(failure_in_module(".global .f16 x = 1.5;") == "4:18 phrase.ptx-syntax.initialised-type");
  CHECK(failure_in_module(".shared .u32 x = 1;") == "4:16 phrase.ptx-syntax.initialised-space");
  CHECK(failure_in_module(".global .u32 x[2][] = {1};") == "4:18 phrase.ptx-syntax.open-dimension");
  CHECK(failure_in_module(".global .u64 x = y;") == "4:18 phrase.ptx-syntax.undeclared(name=y)");
  CHECK(failure_in_module(".global .u8 x = x;") == "4:17 phrase.ptx-syntax.address-width");
  CHECK(failure_in_module(".global .u8 x = 0xfe(x);") == "4:17 phrase.ptx-syntax.mask");
  CHECK(failure_in_module(".global .u32 x[][0] = {{}};") ==
        "4:23 phrase.ptx-syntax.no-elements(name=x)");
  CHECK(failure_in_kernel("  .local .u32 x = 1;") == "6:17 phrase.ptx-syntax.initialised-space");
}

TEST_CASE("a broken statement says what was expected", "[ptx]") {
  CHECK(failure_in_kernel("  mov.b32 %r1, 1;") == "6:11 phrase.ptx-syntax.undeclared(name=%r1)");
  CHECK(failure_in_kernel("  mov.b32 x, 1;") == "6:11 phrase.ptx-syntax.undeclared(name=x)");
  CHECK(failure_in_kernel("  bra nowhere;") == "6:7 phrase.ptx-syntax.no-label(name=nowhere)");
  CHECK(failure_in_kernel("  ret") ==
        "7:1 phrase.ptx-syntax.expected(found='}', what=phrase.ptx-what.an-operand-or)");
  CHECK(failure_in_kernel("  mov.b32 , 1;") ==
        "6:11 phrase.ptx-syntax.expected(found=',', what=phrase.ptx-what.an-operand-or)");
  CHECK(failure_in_kernel("  mov.b32 [p, 1;") ==
        "6:16 phrase.ptx-syntax.expected-sign(found=';', sign=], "
        "where=phrase.ptx-where.after-the-address)");
  CHECK(failure_in_kernel("  mov.b32 {1, 2;") ==
        "6:16 phrase.ptx-syntax.expected-sign(found=';', sign=}, "
        "where=phrase.ptx-where.after-the-last-of-these-operands)");
  CHECK(failure_in_kernel("  mov..b32 1;") ==
        "6:6 phrase.ptx-syntax.expected(found='.', what=phrase.ptx-what.a-word-behind-the-dot)");
  CHECK(failure_in_kernel("  @p ret;") == "6:4 phrase.ptx-syntax.no-register(name=p)");
  CHECK(failure_in_kernel("  .reg .b32 r;\n  @r ret;") ==
        "7:4 phrase.ptx-syntax.no-predicate(name=r)");
  CHECK(failure_in_kernel("  .reg .b32 r, r;") == "6:16 phrase.ptx-syntax.declared-twice(name=r)");
  CHECK(failure_in_kernel("  .reg .b32 %r<4>;\n  .reg .b64 %r<4>;") ==
        "7:13 phrase.ptx-syntax.declared-twice(name=%r)");
  CHECK(failure_in_kernel("  .reg .b32 %r<-1>;") ==
        "6:16 phrase.ptx-syntax.expected(found='-', what=phrase.ptx-what.the-number-of-registers)");
  CHECK(failure_in_kernel("  .reg .b32 %r<9999999999>;") ==
        "6:16 phrase.ptx-syntax.range(most=4294967295, "
        "what=phrase.ptx-what.the-number-of-registers)");
  CHECK(failure_in_kernel("  .reg .b32 %r<4>;\n  mov.b32 %r4, 0;") ==
        "7:11 phrase.ptx-syntax.undeclared(name=%r4)");
  CHECK(failure_in_kernel("  .reg .b32 %r<010>;\n  mov.b32 %r8, 0;") ==
        "7:11 phrase.ptx-syntax.undeclared(name=%r8)");
  CHECK(failure_in_kernel("  .reg .b32 %r<4>;\n  mov.b32 %r01, 0;") ==
        "7:11 phrase.ptx-syntax.undeclared(name=%r01)");
  CHECK(failure_in_kernel("  .reg .b32 r;\n  mov.b32 r.q, 0;") ==
        "7:12 phrase.ptx-syntax.no-part(part=q)");
  CHECK(failure_in_kernel("L: ret;\nL: ret;") == "7:1 phrase.ptx-syntax.label-twice(name=L)");
  CHECK(failure_in_kernel("  { L: ret; }\n  bra L;") == "7:7 phrase.ptx-syntax.no-label(name=L)");
  CHECK(failure_in_kernel("T: .branchtargets A;") == "6:19 phrase.ptx-syntax.no-label(name=A)");
  CHECK(failure_in_kernel("T: .branchtargets 0;") ==
        "6:19 phrase.ptx-syntax.expected(found='0', what=phrase.ptx-what.a-label)");
  CHECK(failure_in_kernel("T: .calltargets f;") == "6:17 phrase.ptx-syntax.undeclared(name=f)");
  CHECK(failure_in_kernel("L: ld.global.b32 _, [L];") ==
        "6:22 phrase.ptx-syntax.label-address(name=L)");
  CHECK(failure_in_kernel("  .fast;") ==
        "6:3 phrase.ptx-syntax.no-directive-in-function(directive=fast)");
  CHECK(failure_in_kernel("  mov.b32 _, 1?(1:2);") ==
        "6:18 phrase.ptx-syntax.expected-sign(found=':', sign=), "
        "where=phrase.ptx-where.after-the-expression-in-parentheses)");
  CHECK(failure_in_kernel("  mov.b32 _, 1.0?1:2;") == "6:17 phrase.ptx-syntax.condition");
  CHECK(failure_in_kernel("  }") ==
        "7:1 phrase.ptx-syntax.expected(found='}', what=phrase.ptx-what.a-directive)");
  CHECK(failure_in_kernel("  \x01") ==
        "6:3 phrase.ptx-syntax.expected(found=phrase.ptx-found.byte(byte=01), "
        "what=phrase.ptx-what.an-instruction-a-label-or-a-directive)");
  CHECK(failure_in_kernel("  mov.b32 k[2], 1;") == "6:12 phrase.ptx-syntax.no-array(name=k)");
}

TEST_CASE("an error names the line of the source that the PTX was made of", "[ptx]") {
  CHECK(failure_in_module(".file 3 \"k.cu\"\n.entry k() {\n.loc 3 17 5\n mov x 1;\n}") ==
        "7:8 phrase.ptx.made-of(file=k.cu, line=17, why=phrase.ptx-syntax.expected-sign(found='1', "
        "sign=;, where=phrase.ptx-where.after-the-operands))");
  CHECK(failure_in_module(".entry k() {\n.loc 3 17 5\n mov x 1;\n}\n.file 3 \"k.cu\"") ==
        "6:8 phrase.ptx.made-of-line(line=17, why=phrase.ptx-syntax.expected-sign(found='1', "
        "sign=;, where=phrase.ptx-where.after-the-operands))");
  // What only the whole module shows may be far from the last line of the source that was named.
  CHECK(failure_in_module(".entry k() {\n.loc 3 17 5\n ret;\n}\n.global .u64 p = absent;") ==
        "8:18 phrase.ptx-syntax.undeclared(name=absent)");
}

TEST_CASE("nesting without end is refused and overflows nothing", "[ptx]") {
  const auto [start, repeated, failure] = GENERATE(table<std::string, std::string, std::string>({
      {"", "{", "6:256 phrase.ptx-syntax.deep-scopes(most=256)"},
      {"mov ", "{", "6:13 phrase.ptx-syntax.deep-operands"},
      {"mov ", "[p, ", "6:37 phrase.ptx-syntax.deep-operands"},
      {"call ", "(", "6:71 phrase.ptx-syntax.deep-expression(most=64)"},
      {".section .x ", "{",
       "6:14 phrase.ptx-syntax.expected(found='{', what=phrase.ptx-what.section-data(sign='}'))"},
  }));
  CAPTURE(start, repeated);
  std::string text = start;
  for (int i = 0; i < 100'000; ++i) {
    text += repeated;
  }
  CHECK(failure_in_kernel(text) == failure);
}

}  // namespace warpbook::device::ptx::errors_test
