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
  CHECK(failure_of("") == "1:1 expected .version at the beginning of the module");
  CHECK(failure_of("__global__ void k() {}") ==
        "1:1 expected .version at the beginning of the module");
  CHECK(failure_of("\n.version x") == "2:10 expected the version's number, found 'x'");
  CHECK(failure_of(".version 9") ==
        "1:11 expected '.' in the version's number, found the end of the text");
  CHECK(failure_of(".version 9.0\n.func") == "2:1 expected .target after .version");
  CHECK(failure_of(".version 9.0\n.target sm_x") == "2:9 there is no target sm_x");
  CHECK(failure_of(".version 9.0\n.target sm_90q") == "2:9 there is no target sm_90q");
  CHECK(
      failure_of(".version 9.0\n.target sm_90\n.address_size 32") ==
      "3:1 only .address_size 64 is taken, as by CUDA since kernels of 32 bits went; make the PTX "
      "anew from its source");
}

TEST_CASE("a target needs the version of PTX that brought it, with its suffix", "[ptx]") {
  const auto [head, why] = GENERATE(table<std::string, std::string>({
      {".version 7.7\n.target sm_90", "2:9 PTX 7.7 has no target sm_90, which came with 7.8"},
      {".version 7.8\n.target sm_90a", "2:9 PTX 7.8 has no target sm_90a, which came with 8.0"},
      {".version 6.2\n.target compute_75",
       "2:9 PTX 6.2 has no target compute_75, which came with 6.3"},
      {".version 8.7\n.target sm_100, sm_100f",
       "2:17 PTX 8.7 has no target sm_100f, which came with 8.8"},
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
  CHECK(failure_in_module("mov.b32 x, y;") == "4:1 expected a directive, found 'mov'");
  CHECK(failure_in_module(".globl .u32 x;") ==
        "4:1 there is no directive .globl at the level of the module");
  CHECK(failure_in_module(".global x;") == "4:9 expected a type, found 'x'");
  CHECK(failure_in_module(".global .q32 x;") == "4:9 expected a type, found .q32");
  CHECK(failure_in_module(".global .u32;") == "4:13 expected a name to declare, found ';'");
  CHECK(failure_in_module(".global .u32 x") ==
        "4:15 expected ';' after the declaration, found the end of the text");
  CHECK(failure_in_module(".global .align 3 .u32 x;") ==
        "4:16 an alignment must be a power of two");
  CHECK(failure_of(".version 8.2\n.target sm_90\n.address_size 64\n.global .b128 x;") ==
        "4:9 PTX 8.2 has no type .b128, which came with 8.3");
  CHECK(failure_in_module(".global .u32 x, x;") == "4:17 x is declared twice");
  CHECK(failure_in_module(".global .u32 f; .func f();") ==
        "4:23 f is already the name of a variable");
  CHECK(failure_in_module(".func f(); .global .u32 f;") ==
        "4:25 f is already the name of a function");
  CHECK(failure_in_module(".func f() {}\n.func f() {}") == "5:7 f is defined twice");
  CHECK(failure_in_module(".reg .u32 x;") ==
        "4:1 there is no directive .reg at the level of the module");
  CHECK(failure_in_module(".entry") ==
        "4:7 expected the name of the function, found the end of the text");
  CHECK(failure_in_module(".entry k(.param .u32)") ==
        "4:21 expected the name of a parameter, found ')'");
  CHECK(failure_in_module(".entry k(.local .u32 x) {}") ==
        "4:10 expected .param or .reg before a parameter");
  CHECK(failure_in_module(".entry k() .fast {}") ==
        "4:12 there is no directive .fast for a kernel");
  CHECK(failure_in_module(".entry k() ret;") ==
        "4:12 expected '{' or ';' after the head of k, found 'ret'");
  CHECK(failure_in_module(".entry k() {") ==
        "4:13 expected '}' at the end of k, found the end of the text");
  CHECK(failure_in_module("/* open") == "4:1 the comment that begins here is not closed");
  CHECK(failure_in_module(".file 1 \"a\nb\"") ==
        "4:9 the string that begins here is not closed on its line");
  CHECK(failure_in_module(".file one \"a\"") == "4:7 expected the number of a file, found 'one'");
  CHECK(failure_in_module(".section .debug_info { .b8 1, 2") ==
        "4:32 expected '}' at the end of the section debug_info, found the end of the text");
  CHECK(failure_in_module(".section") ==
        "4:9 expected a word that begins with a dot, found the end of the text");
  CHECK(failure_in_module(".alias a, b;") == "4:11 b is not defined in this module");
}

TEST_CASE("a broken initialiser says what was expected", "[ptx]") {
  CHECK(failure_in_module(".global .u32 x[2] = {1, 2, 3};") ==
        "4:28 there are more values than x has elements");
  CHECK(failure_in_module(".global .u32 x[2] = {{1}};") ==
        "4:22 the values of x are nested deeper than its dimensions");
  CHECK(failure_in_module(".global .u32 x[2] = 1;") ==
        "4:21 expected '{' before the values of an array, found '1'");
  CHECK(failure_in_module(".global .u32 x = 1.5;") == "4:18 x takes integers");
  CHECK(failure_in_module(".global .f16 x = 1.5;") ==
        "4:18 a variable of this type cannot be initialised");
  CHECK(failure_in_module(".shared .u32 x = 1;") ==
        "4:16 only variables in .global and .const can be initialised");
  CHECK(failure_in_module(".global .u32 x[2][] = {1};") ==
        "4:18 only the first dimension of an array can be left out");
  CHECK(failure_in_module(".global .u64 x = y;") == "4:18 y is not declared");
  CHECK(failure_in_module(".global .u8 x = x;") ==
        "4:17 an address needs a variable of 32 or 64 bits");
  CHECK(failure_in_module(".global .u8 x = 0xfe(x);") ==
        "4:17 the mask of an address must be 0xFF, 0xFF00 and so on");
  CHECK(failure_in_module(".global .u32 x[][0] = {{}};") == "4:23 x has no elements to initialise");
  CHECK(failure_in_kernel("  .local .u32 x = 1;") ==
        "6:17 only variables in .global and .const can be initialised");
}

TEST_CASE("a broken statement says what was expected", "[ptx]") {
  CHECK(failure_in_kernel("  mov.b32 %r1, 1;") == "6:11 %r1 is not declared");
  CHECK(failure_in_kernel("  mov.b32 x, 1;") == "6:11 x is not declared");
  CHECK(failure_in_kernel("  bra nowhere;") == "6:7 there is no label nowhere");
  CHECK(failure_in_kernel("  ret") == "7:1 expected an operand or ';', found '}'");
  CHECK(failure_in_kernel("  mov.b32 , 1;") == "6:11 expected an operand or ';', found ','");
  CHECK(failure_in_kernel("  mov.b32 [p, 1;") == "6:16 expected ']' after the address, found ';'");
  CHECK(failure_in_kernel("  mov.b32 {1, 2;") ==
        "6:16 expected '}' after the last of these operands, found ';'");
  CHECK(failure_in_kernel("  mov..b32 1;") == "6:6 expected a word behind the dot, found '.'");
  CHECK(failure_in_kernel("  @p ret;") == "6:4 p is no register");
  CHECK(failure_in_kernel("  .reg .b32 r;\n  @r ret;") == "7:4 r is no predicate register");
  CHECK(failure_in_kernel("  .reg .b32 r, r;") == "6:16 r is declared twice");
  CHECK(failure_in_kernel("  .reg .b32 %r<4>;\n  .reg .b64 %r<4>;") == "7:13 %r is declared twice");
  CHECK(failure_in_kernel("  .reg .b32 %r<-1>;") ==
        "6:16 expected the number of registers, found '-'");
  CHECK(failure_in_kernel("  .reg .b32 %r<9999999999>;") ==
        "6:16 the number of registers must be 0 to 4294967295");
  CHECK(failure_in_kernel("  .reg .b32 %r<4>;\n  mov.b32 %r4, 0;") == "7:11 %r4 is not declared");
  CHECK(failure_in_kernel("  .reg .b32 %r<010>;\n  mov.b32 %r8, 0;") == "7:11 %r8 is not declared");
  CHECK(failure_in_kernel("  .reg .b32 %r<4>;\n  mov.b32 %r01, 0;") == "7:11 %r01 is not declared");
  CHECK(failure_in_kernel("  .reg .b32 r;\n  mov.b32 r.q, 0;") == "7:12 a register has no part .q");
  CHECK(failure_in_kernel("L: ret;\nL: ret;") == "7:1 the label L stands twice");
  CHECK(failure_in_kernel("  { L: ret; }\n  bra L;") == "7:7 there is no label L");
  CHECK(failure_in_kernel("T: .branchtargets A;") == "6:19 there is no label A");
  CHECK(failure_in_kernel("T: .branchtargets 0;") == "6:19 expected a label, found '0'");
  CHECK(failure_in_kernel("T: .calltargets f;") == "6:17 f is not declared");
  CHECK(failure_in_kernel("L: ld.global.b32 _, [L];") == "6:22 L is a label and has no address");
  CHECK(failure_in_kernel("  .fast;") == "6:3 there is no directive .fast in a function");
  CHECK(failure_in_kernel("  mov.b32 _, 1?(1:2);") ==
        "6:18 expected ')' after the expression in parentheses, found ':'");
  CHECK(failure_in_kernel("  mov.b32 _, 1.0?1:2;") ==
        "6:17 the condition of ?: must be an integer");
  CHECK(failure_in_kernel("  }") == "7:1 expected a directive, found '}'");
  CHECK(failure_in_kernel("  \x01") ==
        "6:3 expected an instruction, a label or a directive, found the byte 0x01");
  CHECK(failure_in_kernel("  mov.b32 k[2], 1;") == "6:12 k is no array");
}

TEST_CASE("an error names the line of the source that the PTX was made of", "[ptx]") {
  CHECK(failure_in_module(".file 3 \"k.cu\"\n.entry k() {\n.loc 3 17 5\n mov x 1;\n}") ==
        "7:8 expected ';' after the operands, found '1' (made of line 17 of k.cu)");
  CHECK(failure_in_module(".entry k() {\n.loc 3 17 5\n mov x 1;\n}\n.file 3 \"k.cu\"") ==
        "6:8 expected ';' after the operands, found '1' (made of line 17 of the source)");
  // What only the whole module shows may be far from the last line of the source that was named.
  CHECK(failure_in_module(".entry k() {\n.loc 3 17 5\n ret;\n}\n.global .u64 p = absent;") ==
        "8:18 absent is not declared");
}

TEST_CASE("nesting without end is refused and overflows nothing", "[ptx]") {
  const auto [start, repeated, failure] = GENERATE(table<std::string, std::string, std::string>({
      {"", "{", "6:256 scopes are nested more than 256 deep"},
      {"mov ", "{", "6:13 operands are nested too deep"},
      {"mov ", "[p, ", "6:37 operands are nested too deep"},
      {"call ", "(", "6:71 this expression is nested more than 64 deep"},
      {".section .x ", "{", "6:14 expected data or '}' in a section, found '{'"},
  }));
  CAPTURE(start, repeated);
  std::string text = start;
  for (int i = 0; i < 100'000; ++i) {
    text += repeated;
  }
  CHECK(failure_in_kernel(text) == failure);
}

}  // namespace warpbook::device::ptx::errors_test
