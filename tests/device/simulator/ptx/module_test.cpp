// Directives of a module and of its functions.
#include "tests/device/simulator/ptx/parsing.hpp"

namespace warpbook::device::ptx::module_test {

TEST_CASE("the head of a module is read", "[ptx]") {
  const Module module =
      parsed(".version 8.7\n.target sm_90a, texmode_independent, debug\n.address_size 64\n");
  CHECK(module.version_major == 8);
  CHECK(module.version_minor == 7);
  CHECK(module.target == 90);
  CHECK(module.functions.empty());
}

TEST_CASE("compute_ names a target, and the highest of several holds", "[ptx]") {
  const Module module = parsed(".version 8.8 .target compute_75 .target sm_100f .target sm_80");
  CHECK(module.target == 100);
}

TEST_CASE("comments, preprocessor lines and old DWARF lines are blanks", "[ptx]") {
  const Module module = parsed(
      "// .nothing\n#line 3 \"x\"\n/* {{{ \n\n*/.version /* a */ 9.0\r\n.target sm_75 // tail\n"
      "@@DWARF .section .debug_pubnames, \"\", @progbits\n#pragma once\n.global .u32 /**/ x;\n");
  CHECK(module.variables.size() == 1);
}

TEST_CASE("a kernel has its parameters, bounds and instructions", "[ptx]") {
  const Module module = parsed_module(R"(
.visible .entry k(
  .param .u64 .ptr .global .align 16 a,
  .param .u32 n,
  .param .align 8 .b8 s[24],
  .param .f32 x
)
.reqntid 64
.minnctapersm 2
.maxnreg 32
.reqnctapercluster 2, 1, 1
.explicitcluster
.blocksareclusters
.pragma "nounroll";
{
  ret;
}
.entry bounded() .maxntid 128, 2 .maxclusterrank 8 { ret; }
)");
  const Function& k = function_of(module, "k");
  CHECK(k.entry);
  CHECK(k.visible);
  CHECK_FALSE(k.external);
  CHECK(k.ptx_line == 5);
  REQUIRE(k.parameters.size() == 4);
  CHECK(k.parameters[0].type == Type::u64);
  CHECK(k.parameters[0].bytes == 8);
  CHECK(k.parameters[0].alignment == 8);  // .align after .ptr speaks of what is pointed to
  CHECK(k.parameters[2].bytes == 24);
  CHECK(k.parameters[2].alignment == 8);
  CHECK(k.parameters[2].array);
  CHECK(k.parameters[3].type == Type::f32);
  const Function& bounded = function_of(module, "bounded");
  CHECK(bounded.max_threads[0] == 128);
  CHECK(bounded.max_threads[1] == 2);
  CHECK(bounded.max_threads[2] == 1);
  CHECK(k.required_threads[0] == 64);
  CHECK(k.required_threads[2] == 1);
  CHECK(k.required_cluster[0] == 2);
  REQUIRE(k.instructions.size() == 1);
  CHECK(k.instructions[0].opcode == Word::ret);
  CHECK(module.text_of(k.instructions[0]) == "ret;");
}

TEST_CASE("functions are declared, then defined, under one index", "[ptx]") {
  const Module module = parsed_module(R"(
.extern .func (.param .b32 r) vprintf(.param .b64 f, .param .b64 a);
.func (.param .b32 r) twice(.param .b32 x);
.weak .func .attribute(.unified(0xAB, 0xCD)) stop()
  .noreturn .abi_preserve 8 .abi_preserve_control 1 { trap; }
.entry k() {
  .param .b32 a; .param .b32 b;
  call (b), twice, (a);
  call stop;
  ret;
}
.visible .func (.param .b32 r) twice(.param .b32 x) { ret; }
)");
  CHECK(module.functions.size() == 4);
  CHECK(function_of(module, "vprintf").external);
  CHECK(function_of(module, "vprintf").returns.size() == 1);
  CHECK(function_of(module, "vprintf").parameters.size() == 2);
  CHECK(function_of(module, "stop").noreturn);
  CHECK(function_of(module, "stop").weak);
  const Function& twice = function_of(module, "twice");
  CHECK_FALSE(twice.external);
  CHECK(twice.visible);
  CHECK(twice.instructions.size() == 1);
  const Instruction& call = function_of(module, "k").instructions[0];
  CHECK(&module.functions[module.operands_of(call)[1].index] == &twice);
}

TEST_CASE("parameters in registers are registers", "[ptx]") {
  const Module module =
      parsed_module(".func (.reg .u32 r) f(.reg .u32 a, .reg .f64 d) { add.u32 r, a, 1; ret; }\n");
  const Function& f = function_of(module, "f");
  REQUIRE(f.returns[0].reg != kNone);
  CHECK(f.registers[f.returns[0].reg].name == "r");
  CHECK(f.registers[f.parameters[1].reg].type == Type::f64);
  const auto operands = module.operands_of(f.instructions[0]);
  CHECK(operands[0].index == f.returns[0].reg);
  CHECK(operands[1].index == f.parameters[0].reg);
}

TEST_CASE("an alias is its function, by name and in calls", "[ptx]") {
  const Module module = parsed_module(R"(
.visible .func foo(.param .u32 p) { ret; }
.visible .func bar(.param .u32 p);
.entry k() { .param .u32 p; call bar, (p); call baz, (p); ret; }
.alias bar, foo;
.alias baz, foo;
)");
  const std::uint32_t foo = module.function_by_name.at("foo");
  CHECK(module.function_by_name.at("bar") == foo);
  CHECK(module.function_by_name.at("baz") == foo);
  for (std::size_t i = 0; i < 2; ++i) {
    CHECK(module.operands_of(function_of(module, "k").instructions[i])[1].index == foo);
  }
}

TEST_CASE("sections are skipped without being understood", "[ptx]") {
  const Module module = parsed_module(R"(
.section .debug_abbrev
{
.b8 17, 1, 37 // { a comment with a brace
.b32 label+4
.b64 .debug_str
L: .b32 L2-L1
.b8 -11
}
.section "quoted" { }
.file 1 "a.cu", 12, 34
.pragma "one", "two";
)");
  CHECK(module.files == std::vector<std::string>{"a.cu"});
}

TEST_CASE("instructions know their place in the source, through inlining", "[ptx]") {
  const Module module = parsed_module(R"(
.entry k() {
  nop_a;
  .loc 2 21 3
  nop_b;
  .loc 7 9 5, function_name $str1, inlined_at 2 21 3
  nop_c;
  .loc 2 15 3, function_name .debug_str+6, inlined_at 7 9 5
  nop_d;
  .loc 2 21 3
  nop_e;
}
.entry other() { nop_f; }
.file 2 "k.cu"
.section .debug_str
{
$str0:
.b8 102,105,114,115,116,0 // first
$str1:
.b8 115
.b8 101,99,111,110,100
.b8 0
}
)");
  const Function& k = function_of(module, "k");
  const auto at = [&](std::size_t i) -> const Location& {
    return module.locations.at(k.instructions[i].location);
  };
  CHECK(k.instructions[0].location == kNone);
  CHECK(module.files.at(at(1).file) == "k.cu");
  CHECK(at(1).line == 21);
  CHECK(at(1).column == 3);
  CHECK(at(1).inlined_at == kNone);
  CHECK(at(1).function.empty());
  CHECK(at(2).file == kNone);  // file 7 was never declared
  CHECK(at(2).line == 9);
  CHECK(at(2).function == "second");
  CHECK(at(2).inlined_at == k.instructions[1].location);
  CHECK(at(3).function == "second");
  CHECK(at(3).inlined_at == k.instructions[2].location);
  CHECK(k.instructions[4].location == k.instructions[1].location);
  CHECK(function_of(module, "other").instructions[0].location == kNone);
}

}  // namespace warpbook::device::ptx::module_test
