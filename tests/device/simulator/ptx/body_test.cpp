// Instructions, operands, labels, tables and calls.
#include "tests/device/simulator/ptx/parsing.hpp"

namespace warpbook::device::ptx::body_test {
namespace {

using Kind = Operand::Kind;
using Home = Operand::Home;

constexpr std::string_view kRegisters =
    "  .reg .pred %p<8>;\n  .reg .b32 %r<99>;\n  .reg .b64 %rd<99>;\n  .reg .f32 %f<99>;\n  .reg "
    ".v4 .f32 V;\n";

/// The first instruction of a kernel that has registers of every kind, and its operands.
struct Line {
  explicit Line(std::string_view text)
      : module(parsed_kernel(std::string(kRegisters) + "  .shared .b32 tile[8];\n  " +
                             std::string(text))),
        instruction(function_of(module, "k").instructions.at(0)),
        operands(module.operands_of(instruction)) {}
  [[nodiscard]] std::string_view name(const Operand& operand) const {
    return function_of(module, "k").registers.at(operand.index).name;
  }
  [[nodiscard]] std::span<const Operand> parts(const Operand& operand) const {
    return std::span(module.operands).subspan(operand.first, operand.count);
  }
  Module module;
  const Instruction& instruction;
  std::span<const Operand> operands;
};

}  // namespace

TEST_CASE("an instruction has its opcode, modifiers, guard, place and text", "[ptx]") {
  const Line line("@!%p3 ld.global.nc.L1::no_allocate.v2 .f32 {%f1, %f2},\n  [%rd1+16] ;\n  ret;");
  const auto modifiers = line.module.modifiers_of(line.instruction);
  CHECK(line.instruction.opcode == Word::ld);
  CHECK(std::vector<Word>(modifiers.begin(), modifiers.end()) ==
        std::vector<Word>{Word::global, Word::nc, Word::L1_no_allocate, Word::v2, Word::f32});
  CHECK(line.instruction.guarded);
  CHECK(line.instruction.guard_negated);
  CHECK(function_of(line.module, "k").registers[line.instruction.guard].name == "%p3");
  CHECK(line.instruction.ptx_line == 12);
  CHECK(line.module.text_of(line.instruction) ==
        "@!%p3 ld.global.nc.L1::no_allocate.v2 .f32 {%f1, %f2},\n  [%rd1+16] ;");
}

TEST_CASE("an unknown opcode or modifier is kept as text", "[ptx]") {
  const Line line("frob.mul.zig.zag::zug %r1, %r2;");
  CHECK(line.instruction.opcode == Word::unknown);
  const auto modifiers = line.module.modifiers_of(line.instruction);
  CHECK(std::vector<Word>(modifiers.begin(), modifiers.end()) ==
        std::vector<Word>{Word::mul, Word::unknown, Word::unknown});
  CHECK(line.module.text_of(line.instruction) == "frob.mul.zig.zag::zug %r1, %r2;");
}

TEST_CASE("registers, special registers and constants are operands", "[ptx]") {
  const Line line("op %r1, %tid.y, %laneid, -5, 0x10+2, 0f3F800000, WARP_SZ, _, V.w, V.g, !%p1;");
  const auto& o = line.operands;
  REQUIRE(o.size() == 11);
  CHECK(o[0].kind == Kind::reg);
  CHECK(o[0].component == 0xff);
  CHECK(o[1].kind == Kind::special);
  CHECK(o[1].word == Word::sr_tid);
  CHECK(o[1].component == 1);
  CHECK(o[2].word == Word::sr_laneid);
  CHECK(o[3].kind == Kind::immediate);
  CHECK(static_cast<std::int64_t>(o[3].bits) == -5);
  CHECK(o[4].bits == 18);
  CHECK_FALSE(o[4].is_float);
  CHECK(o[5].is_float);
  CHECK(float_bits(o[5].bits) == 0x3f800000);
  CHECK(o[6].bits == 32);
  CHECK(o[7].kind == Kind::sink);
  CHECK(o[8].component == 3);
  CHECK(o[9].component == 1);
  CHECK(o[10].negated);
  CHECK(line.name(o[10]) == "%p1");
}

TEST_CASE("paired destinations are marked", "[ptx]") {
  const Line line("setp.lt.and.f32 %p1|%p2, %f1, %f2, !%p3;");
  REQUIRE(line.operands.size() == 5);
  CHECK_FALSE(line.operands[0].paired);
  CHECK(line.operands[1].paired);
  CHECK_FALSE(line.operands[2].paired);
  CHECK(line.operands[4].negated);
}

TEST_CASE("addresses have a base and an offset", "[ptx]") {
  const Line line(
      "op [%rd1], [%rd1+8], [%rd2-8], [%rd3+-4], [tile+4*2], [p], [4096], tile[3], tile+4, tile;");
  const auto& o = line.operands;
  REQUIRE(o.size() == 10);
  CHECK(o[0].kind == Kind::address);
  CHECK(o[0].base == Kind::reg);
  CHECK(line.name(o[0]) == "%rd1");
  CHECK(o[1].bits == 8);
  CHECK(static_cast<std::int64_t>(o[2].bits) == -8);
  CHECK(static_cast<std::int64_t>(o[3].bits) == -4);
  CHECK(o[4].base == Kind::symbol);
  CHECK(o[4].home == Home::variable);
  CHECK(o[4].name == "tile");
  CHECK(o[4].bits == 8);
  CHECK(o[5].home == Home::parameter);
  CHECK(o[6].base == Kind::none);
  CHECK(o[6].bits == 4096);
  CHECK(o[7].kind == Kind::symbol);
  CHECK(o[7].bits == 12);
  CHECK(o[8].bits == 4);
  CHECK(o[9].bits == 0);
}

TEST_CASE("vectors and address lists hold their parts in order", "[ptx]") {
  const Line line("tex.2d.v4.f32.f32 {%f1, _, %f3, 1}, [%rd1, %rd2, {%f5, %f6}];");
  REQUIRE(line.operands.size() == 2);
  const auto result = line.parts(line.operands[0]);
  REQUIRE(result.size() == 4);
  CHECK(line.name(result[0]) == "%f1");
  CHECK(result[1].kind == Kind::sink);
  CHECK(result[3].kind == Kind::immediate);
  CHECK(line.name(line.operands[1]) == "%rd1");
  const auto rest = line.parts(line.operands[1]);
  REQUIRE(rest.size() == 2);
  CHECK(line.name(rest[0]) == "%rd2");
  REQUIRE(rest[1].kind == Kind::vector);
  CHECK(line.name(line.parts(rest[1])[1]) == "%f6");
}

TEST_CASE("a vector of one part is that part where values are moved", "[ptx]") {
  for (const char* text : {"ld.global.b32 {%r1}, [%rd1];", "st.global.b32 [%rd1], { %r1 };",
                           "mov.b32 %r2, {%r1};", "ldu.global.b32 {%r1}, [%rd1];"}) {
    CAPTURE(text);
    const Line line(text);
    REQUIRE(line.operands.size() == 2);
    const bool is_first =
        line.operands[0].kind == Kind::reg && line.name(line.operands[0]) == "%r1";
    const auto& value = is_first ? line.operands[0] : line.operands[1];
    CHECK(value.kind == Kind::reg);
    CHECK(line.name(value) == "%r1");
  }
  CHECK(Line("add.u32 {%r1}, %r2, %r3;").operands[0].kind == Kind::vector);
  CHECK(Line("mov.b32 {%r1}, {%r2};").operands[0].kind == Kind::vector);
  CHECK(Line("ld.global.b32 {_}, [%rd1];").operands[0].kind == Kind::vector);
}

TEST_CASE("parts of registers are selected by digits", "[ptx]") {
  const Line line("vadd2.s32.u32.s32 %r1.h10, %r2.b3, -%r3.b7654, %r4;");
  CHECK(line.operands[0].word == Word::h);
  CHECK(line.operands[0].count == 2);
  CHECK(line.operands[0].bits == 0x10);
  CHECK(line.operands[1].word == Word::b);
  CHECK(line.operands[1].bits == 3);
  CHECK(line.operands[2].negated);
  CHECK(line.operands[2].count == 4);
  CHECK(line.operands[2].bits == 0x7654);
  CHECK(line.operands[3].word == Word::unknown);
}

TEST_CASE("labels lead forward, backward and out of scopes", "[ptx]") {
  const Module module = parsed_kernel(R"(
  .reg .pred %r1;
again: first: @%r1 bra %r1;
  { again: bra.uni again; bra end; }
  bra again;
%r1: ret;
end:)");
  const Function& k = function_of(module, "k");
  const auto target = [&](std::size_t instruction) {
    const Operand& label = module.operands_of(k.instructions[instruction])[0];
    CHECK(label.kind == Kind::label);
    return k.labels.at(label.index);
  };
  CHECK(k.label_names == std::vector<std::string_view>{"again", "first", "again", "%r1", "end"});
  CHECK(target(0) == 4);  // a label may be called like a register
  CHECK(target(1) == 1);
  CHECK(target(2) == 5);  // behind the last instruction
  CHECK(target(3) == 0);
}

TEST_CASE("a jump table may follow or precede its branch", "[ptx]") {
  const Module module = parsed_kernel(R"(
  .reg .b32 %r1;
before: .branchtargets A, B, A;
  brx.idx %r1, before;
A: brx.idx.uni %r1, after;
B: ret;
after: .branchtargets
  B;)");
  const Function& k = function_of(module, "k");
  REQUIRE(k.tables.size() == 2);
  CHECK(k.tables[0].kind == Table::Kind::branch_targets);
  CHECK(k.tables[0].label == "before");
  CHECK(k.tables[0].labels == std::vector<std::uint32_t>{0, 1, 0});
  CHECK(k.tables[1].labels == std::vector<std::uint32_t>{1});
  CHECK(module.operands_of(k.instructions[0])[1].kind == Kind::table);
  CHECK(module.operands_of(k.instructions[0])[1].index == 0);
  CHECK(module.operands_of(k.instructions[1])[1].index == 1);
}

TEST_CASE("every form of call is (returns), callee, (arguments), table", "[ptx]") {
  const Module module = parsed_module(R"(
.func (.reg .b32 r) f(.reg .b32 a, .reg .b32 b) { ret; }
.func add() { ret; }
.const .u64 jumps[2] = { f, f };
.entry call()
{
  .reg .b32 x, y; .reg .b64 pointer; .param .b32 slot;
  call (x), f, (y, 5);
  call.uni add, ();
  call add;
  call (x), pointer, (y, y), targets;
  call pointer, proto;
  call (x), pointer, (y, slot), jumps;
  call (x), pointer, (y), nothing;
targets: .calltargets f, later;
proto: .callprototype _ ;
nothing: .callprototype (.param .u32 _) _
  (.param .f32 _, .param .b8 _[12]) .abi_preserve 10;
never: .callprototype _ () .noreturn;
  ret;
}
.func later() { ret; }
)");
  const Function& k = function_of(module, "call");
  const auto operands = [&](std::size_t i) { return module.operands_of(k.instructions[i]); };
  for (std::size_t i = 0; i < 7; ++i) {
    CAPTURE(i);
    REQUIRE(operands(i).size() == (i < 3 ? 3 : 4));
    CHECK(operands(i)[0].kind == Kind::list);
    CHECK(operands(i)[2].kind == Kind::list);
    CHECK(operands(i)[1].kind == (i < 3 ? Kind::symbol : Kind::reg));
  }
  CHECK(operands(0)[0].count == 1);
  CHECK(operands(0)[2].count == 2);
  CHECK(operands(0)[1].home == Home::function);
  CHECK(operands(1)[0].count == 0);
  CHECK(operands(1)[1].index == module.function_by_name.at("add"));
  CHECK(operands(2)[2].count == 0);
  CHECK(operands(3)[3].kind == Kind::table);
  CHECK(operands(3)[3].index == 0);
  CHECK(operands(4)[3].index == 1);
  CHECK(operands(5)[3].home == Home::module_variable);
  CHECK(module.operands[operands(5)[2].first + 1].home == Home::variable);
  REQUIRE(k.tables.size() == 4);
  CHECK(k.tables[0].functions == std::vector<std::string_view>{"f", "later"});
  CHECK(k.tables[2].returns.size() == 1);
  REQUIRE(k.tables[2].parameters.size() == 2);
  CHECK(k.tables[2].parameters[1].bytes == 12);
  CHECK(k.tables[3].noreturn);
  CHECK_FALSE(k.tables[1].noreturn);
}

TEST_CASE("a name may be declared after its use, at the module's end", "[ptx]") {
  const Module module = parsed_module(
      ".entry k() { .reg .b64 a; mov.b64 a, x; mov.b64 a, k; ld.global.b64 a, [x+4]; }\n.global "
      ".b64 x;\n");
  const Function& k = function_of(module, "k");
  CHECK(module.operands_of(k.instructions[0])[1].home == Home::module_variable);
  CHECK(module.operands_of(k.instructions[1])[1].home == Home::function);
  CHECK(module.operands_of(k.instructions[2])[1].base == Kind::symbol);
  CHECK(module.operands_of(k.instructions[2])[1].bits == 4);
}

TEST_CASE("names like opcodes, directives and types are only names", "[ptx]") {
  const Module module = parsed_module(R"(
.global .b32 mov;
.entry ret(.param .u32 add) {
  .reg .b32 ld, u32, call;
  ld.param.u32 ld, [add]; add.u32 u32, ld, call; bra exit; exit: ret;
}
)");
  CHECK(function_of(module, "ret").instructions.size() == 4);
}

}  // namespace warpbook::device::ptx::body_test
