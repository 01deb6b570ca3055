// Variables, registers and initialisers.
#include <cstring>

#include "tests/device/simulator/ptx/parsing.hpp"

namespace warpbook::device::ptx::declare_test {
namespace {

template <class T>
std::vector<T> initial_of(const Variable& variable) {
  std::vector<T> values(variable.initial.size() / sizeof(T));
  std::memcpy(values.data(), variable.initial.data(), values.size() * sizeof(T));
  return values;
}

}  // namespace

TEST_CASE("a variable has its space, type, size, alignment and linkage", "[ptx]") {
  const Module module = parsed_module(R"(
.global .u32 a;
.visible .global .align 16 .b8 b[100];
.extern .shared .align 8 .b8 c[];
.weak .const .f64 d;
.common .global .v4 .f32 e;
.shared .u16 f[3][5];
.global .attribute(.managed) .s32 g, h[2];
.global .texref t = { normalized_coords = 1, addr_mode_0 = wrap };
)");
  CHECK(variable_of(module, "a").alignment == 4);
  CHECK(variable_of(module, "a").bytes == 4);
  CHECK_FALSE(variable_of(module, "a").array);
  CHECK(variable_of(module, "b").alignment == 16);
  CHECK(variable_of(module, "b").bytes == 100);
  CHECK(variable_of(module, "b").visible);
  CHECK(variable_of(module, "c").bytes == 0);
  CHECK(variable_of(module, "c").array);
  CHECK(variable_of(module, "c").external);
  CHECK(variable_of(module, "c").space == StateSpace::shared);
  CHECK(variable_of(module, "d").space == StateSpace::constant);
  CHECK(variable_of(module, "d").weak);
  CHECK(variable_of(module, "e").bytes == 16);
  CHECK(variable_of(module, "e").alignment == 16);
  CHECK(variable_of(module, "f").bytes == 30);
  CHECK(variable_of(module, "g").managed);
  CHECK(variable_of(module, "h").managed);
  CHECK(variable_of(module, "h").bytes == 8);
  CHECK(variable_of(module, "t").type == Type::texref);
}

TEST_CASE("what old versions of PTX declared is still read", "[ptx]") {
  const Module module = parsed(".version 1.4\n.target sm_10\n.tex .u32 old;\n");
  CHECK(variable_of(module, "old").type == Type::texref);
  CHECK(variable_of(parsed(".version 2.0\n.target sm_20\n.const[3] .b32 bank;\n"), "bank").space ==
        StateSpace::constant);
}

TEST_CASE("initial values are laid out as the ISA's examples say", "[ptx]") {
  const Module module = parsed_module(R"(
.const .f32 vals[8] = { 0.33, 0f3E800000, 1.0/8.0 };
.global .s32 x[3][2] = { {1,2}, {3} };
.global .u32 index[] = { 0, 1, 2, 3+4, };
.global .s32 offset[][2] = { {-1, 0}, {0, -1}, {1, 0} };
.global .f32 blur[][3] = {{.05,.1,.05},{.1,.4,.1}};
.global .s32 n = 10;
.global .s16 flat[2][2] = { 1, 2, 3, 4 };
.global .v2 .f32 v = { 1.0, 2.0 };
.global .u64 big = 0xffffffffffffffff;
.global .f64 d = 0d3FF8000000000000;
.global .b32 raw = 0f40000000;
.global .u8 low = 0x1ff;
.global .f32 whole = 3;
)");
  CHECK(initial_of<float>(variable_of(module, "vals")) == std::vector<float>{0.33f, 0.25f, 0.125f});
  CHECK(variable_of(module, "vals").bytes == 32);
  CHECK(initial_of<std::int32_t>(variable_of(module, "x")) == std::vector<std::int32_t>{1, 2, 3});
  CHECK(variable_of(module, "x").bytes == 24);
  CHECK(initial_of<std::uint32_t>(variable_of(module, "index")) ==
        std::vector<std::uint32_t>{0, 1, 2, 7});
  CHECK(variable_of(module, "index").bytes == 16);
  CHECK(initial_of<std::int32_t>(variable_of(module, "offset")) ==
        std::vector<std::int32_t>{-1, 0, 0, -1, 1, 0});
  CHECK(variable_of(module, "offset").bytes == 24);
  CHECK(variable_of(module, "blur").bytes == 24);
  CHECK(initial_of<std::int32_t>(variable_of(module, "n")) == std::vector<std::int32_t>{10});
  CHECK(initial_of<std::int16_t>(variable_of(module, "flat")) ==
        std::vector<std::int16_t>{1, 2, 3, 4});
  CHECK(initial_of<float>(variable_of(module, "v")) == std::vector<float>{1, 2});
  CHECK(initial_of<std::uint64_t>(variable_of(module, "big")) ==
        std::vector<std::uint64_t>{~std::uint64_t{0}});
  CHECK(initial_of<double>(variable_of(module, "d")) == std::vector<double>{1.5});
  CHECK(initial_of<float>(variable_of(module, "raw")) == std::vector<float>{2});
  CHECK(initial_of<std::uint8_t>(variable_of(module, "low")) == std::vector<std::uint8_t>{0xff});
  CHECK(initial_of<float>(variable_of(module, "whole")) == std::vector<float>{3});
}

TEST_CASE("addresses in initial values are noted, not guessed", "[ptx]") {
  const Module module = parsed_module(R"(
.global .u32 bar[] = { 2, 3, 5 };
.func f() { ret; }
.global .u64 p[4] = { bar, generic(bar)+8, generic(bar+4)-1, f };
.global .u8 bytes[4] = { 0xff(bar), 0xFF00(generic(bar)+4), 0xFF000000(bar-4), 0xFF00(131187) };
.global .u64 later = after;
.global .u32 after;
)");
  const auto& p = variable_of(module, "p").addresses;
  REQUIRE(p.size() == 4);
  CHECK(p[0].symbol == "bar");
  CHECK_FALSE(p[0].generic);
  CHECK(p[0].bytes == 8);
  CHECK(p[0].byte_of == 0xff);
  CHECK(p[1].generic);
  CHECK(p[1].offset == 8);
  CHECK(p[1].addend == 8);
  CHECK(p[2].addend == 3);
  CHECK(p[3].symbol == "f");
  const auto& bytes = variable_of(module, "bytes");
  REQUIRE(bytes.addresses.size() == 3);
  CHECK(bytes.addresses[0].byte_of == 0);
  CHECK(bytes.addresses[1].byte_of == 1);
  CHECK(bytes.addresses[1].generic);
  CHECK(bytes.addresses[1].addend == 4);
  CHECK(bytes.addresses[1].offset == 1);
  CHECK(bytes.addresses[2].byte_of == 3);
  CHECK(bytes.addresses[2].addend == -4);
  CHECK(bytes.initial[3] == (131187 >> 8 & 0xff));
  CHECK(variable_of(module, "later").addresses[0].symbol == "after");
}

TEST_CASE("an external variable may be defined later", "[ptx]") {
  const Module module = parsed_module(
      ".extern .global .u32 x;\n.visible .global .u32 x = 5;\n.extern .global .u32 x;\n");
  REQUIRE(module.variables.size() == 1);
  CHECK_FALSE(module.variables[0].external);
  CHECK(module.variables[0].initial.size() == 4);
}

TEST_CASE("of a range only the registers that are named come to be", "[ptx]") {
  const Module module = parsed_kernel(R"(
  .reg .b32 %r<4000000000>;
  .reg .pred %p<0x2>;
  .reg .f32 x, y;
  .reg .v4 .f32 V;
  .reg .b16 %r1<5>;
  @%p1 add.s32 %r3999999999, %r0, %r13;
  mov.f32 x, V.y;)");
  const Function& k = function_of(module, "k");
  std::vector<std::string> names;
  for (const Register& reg : k.registers) {
    names.emplace_back(reg.name);
  }
  CHECK(names == std::vector<std::string>{"x", "y", "V", "%p1", "%r3999999999", "%r0", "%r13"});
  CHECK(k.registers[2].lanes == 4);
  CHECK(k.registers[3].type == Type::pred);
  CHECK(k.registers[4].type == Type::b32);
}

TEST_CASE("a scope's names hide those outside and end with it", "[ptx]") {
  const Module module = parsed_kernel(R"(
  .reg .b32 %r<4>;
  .reg .f64 x;
  mov.b32 %r1, %r2;
  {
    .reg .b64 %r<3>;
    .reg .pred x;
    .local .b32 frame[4];
    mov.b32 %r1, %r3;
    setp.eq.b32 x, %r3, 0;
    { .reg .b16 %r1; mov.b16 %r1, 0; }
    mov.b64 %r1, frame;
  }
  { .local .b32 frame[8]; mov.b64 %r0, frame; }
  mov.f64 x, x;
  mov.b32 %r1, %r0;)");
  const Function& k = function_of(module, "k");
  const auto type = [&](std::size_t instruction, std::size_t operand) {
    return k.registers[module.operands_of(k.instructions[instruction])[operand].index].type;
  };
  CHECK(type(0, 0) == Type::b32);
  CHECK(type(1, 0) == Type::b64);
  CHECK(type(1, 1) == Type::b32);  // the inner range ends at %r2
  CHECK(type(2, 0) == Type::pred);
  CHECK(type(3, 0) == Type::b16);
  CHECK(type(4, 0) == Type::b64);
  CHECK(type(5, 0) == Type::b32);
  CHECK(type(6, 0) == Type::f64);
  CHECK(type(7, 0) == Type::b32);
  REQUIRE(k.variables.size() == 2);
  CHECK(module.operands_of(k.instructions[4])[1].index == 0);
  CHECK(module.operands_of(k.instructions[5])[1].index == 1);
  CHECK(k.variables[1].bytes == 32);
}

TEST_CASE("a function's .global and .const are the module's", "[ptx]") {
  const Module module = parsed_kernel("  .global .u32 g = 7;\n  .reg .b64 a;\n  mov.b64 a, g;");
  REQUIRE(module.variables.size() == 1);
  const Operand& g = module.operands_of(function_of(module, "k").instructions[0])[1];
  CHECK(g.home == Operand::Home::module_variable);
  CHECK(g.index == 0);
}

TEST_CASE("sizes that no memory has are errors and cost nothing", "[ptx]") {
  CHECK(failure_of(std::string(kHead) + ".global .b8 x[1<<61];") ==
        "4:15 phrase.ptx-syntax.range(most=1152921504606846976, "
        "what=phrase.ptx-what.the-size-of-an-array)");
  CHECK(failure_of(std::string(kHead) + ".global .b64 x[1<<40][1<<40];") ==
        "4:29 phrase.ptx-syntax.too-large(name=x)");
  CHECK(failure_of(std::string(kHead) + ".global .b8 x[1<<40][1<<40] = { {1}, {2} };") ==
        "4:28 phrase.ptx-syntax.too-large(name=x)");
  CHECK(failure_of(std::string(kHead) + ".global .b8 x[8][1000000000] = { {1}, {2}, {3} };") ==
        "4:40 phrase.ptx-syntax.far-apart(name=x)");
  CHECK(parsed_module(".global .b8 x[1<<59] = {1};").variables[0].initial.size() == 1);
}

}  // namespace warpbook::device::ptx::declare_test
