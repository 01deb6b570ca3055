// Relocatable PTX of several files becomes one program.
#include "device/simulator/link.hpp"

#include <filesystem>
#include <fstream>
#include <sstream>

#include <catch2/generators/catch_generators.hpp>

#include "tests/device/simulator/isa/ptxas.hpp"
#include "tests/device/simulator/ptx/parsing.hpp"
#include "tests/device/simulator/ptx_bench.hpp"
#include "tests/keyed.hpp"

namespace warpbook::device::tests::link_test {
namespace {

using ptx::function_of;
using ptx::parsed;
using ptx::variable_of;

constexpr const char* kModuleHead = ".version 8.0\n.target sm_80\n.address_size 64\n";

std::vector<PtxModule> modules(const std::vector<std::string>& texts) {
  std::vector<PtxModule> result;
  for (const std::string& text : texts) {
    const std::string name(1, static_cast<char>('a' + result.size()));
    result.push_back(
        {name, text.find(".version") != std::string::npos ? text : kModuleHead + text});
  }
  return result;
}

std::string linked(const std::vector<std::string>& texts) {
  auto program = link_ptx(modules(texts));
  if (!program) FAIL(program.error().english());
  return *program;
}

std::string refusal(const std::vector<std::string>& texts) {
  const auto program = link_ptx(modules(texts));
  return program ? "it links" : warpbook::tests::keyed(program.error());
}

/// The file and line of a kernel's first instruction.
std::string first_place(const ptx::Module& module, std::string_view kernel) {
  const ptx::Location& l =
      module.locations.at(function_of(module, kernel).instructions.at(0).location);
  return module.files.at(l.file) + ":" + std::to_string(l.line);
}

std::string file_of(const std::string& name) {
  std::ifstream file(std::filesystem::path(WARPBOOK_SOURCE_DIR) /
                     "tests/device/simulator/programs" / name);
  REQUIRE(file);
  std::ostringstream text;
  text << file.rdbuf();
  return text.str();
}

/// What nvcc -rdc=true -lineinfo made of the two sources beside them.
std::string program_of_two() { return linked({file_of("first.ptx"), file_of("second.ptx")}); }

constexpr const char* kUsesF = R"(
.extern .func (.param .b32 r) f(.param .b32 a);
.visible .entry k(.param .u64 out) {
  .reg .b32 %r<2>; .reg .b64 %d; .param .b32 a; .param .b32 r;
  ld.param.u64 %d, [out];
  st.param.b32 [a], 4;
  call (r), f, (a);
  ld.param.b32 %r0, [r];
  st.global.b32 [%d], %r0;
  ret;
})";

/// f gives back `value`, whatever its argument is.
std::string f_gives(const std::string& linkage, int value) {
  return linkage + " .func (.param .b32 r) f(.param .b32 a) { st.param.b32 [r], " +
         std::to_string(value) + "; ret; }\n";
}

std::uint32_t result_of(const std::string& program) {
  PtxBench bench(program);
  const Pointer out = bench.room<std::uint32_t>("out", 1);
  bench.good({1, 1, 1}, {1, 1, 1}, out);
  return bench.read<std::uint32_t>(out, 1)[0];
}

}  // namespace

TEST_CASE("a kernel calls a function that another module defines, in whichever order", "[device]") {
  CHECK(result_of(linked({kUsesF, f_gives(".visible", 7)})) == 7);
  CHECK(result_of(linked({f_gives(".visible", 7), kUsesF})) == 7);
}

TEST_CASE("two files of CUDA C++ run as one program", "[device]") {
  PtxBench bench(program_of_two());
  const Pointer out = bench.room<int>("out", 3);
  bench.request.kernel = "_Z5firstPi";
  bench.request.dynamic_shared = 64;
  const LaunchRecord first = bench.good({1, 1, 1}, {2, 1, 1}, out);
  // Thread 0 adds 9 and own(2) of the second file, thread 1 adds 9 and own(0).
  CHECK(bench.read<int>(out, 3) == std::vector{2 + 3 + 9 + 100 + 1000, 0 + 3 + 9 + 100 + 1, 1});
  CHECK(first.output == "adds 2\nadds 0\nfirst 1114\nfirst 113\n");

  bench.request.kernel = "_Z6secondPi";
  bench.good({1, 1, 1}, {1, 1, 1}, out);
  // 16 of the virtual call; count_call's variable of the template is one for both files.
  CHECK(bench.read<int>(out, 1)[0] == 16 + 2);
}

TEST_CASE("ptxas takes what is linked, in whichever order", "[device]") {
  const std::string first = file_of("first.ptx"), second = file_of("second.ptx");
  const std::string program = GENERATE_COPY(linked({first, second}), linked({second, first}),
                                            linked({linked({first, second})}));
  const auto refused = refusal_of_module(program);
  if (!refused) SKIP("there is no ptxas of CUDA 13.0");
  CHECK(*refused == "");
}

TEST_CASE("lines and inlined functions stay those of their own files", "[device]") {
  const ptx::Module module = parsed(program_of_two());
  CHECK(module.files == std::vector<std::string>{"first.cu", "common.h", "second.cu"});
  CHECK(first_place(module, "_Z5firstPi").starts_with("first.cu:"));
  CHECK(first_place(module, "_Z3addii").starts_with("second.cu:"));
  CHECK(first_place(module, "_Z10count_callIiET_S0_").starts_with("common.h:"));
  bool inlined = false;
  for (const ptx::Location& l : module.locations) inlined |= l.function == "_ZN5ShapeC1Ei";
  CHECK(inlined);
}

TEST_CASE("debug strings of several modules are told apart, by labels and by offsets", "[device]") {
  const auto module_of = [](const std::string& kernel, const std::string& at, char letter) {
    return ".entry " + kernel + "() {\n.loc 1 3 1\n.loc 1 5 1, function_name " + at +
           ", inlined_at 1 3 1\nret;\n}\n.file 1 \"" + kernel +
           ".cu\"\n.section .debug_str {\n.b8 120, 0\n$L0: .b8 " + std::to_string(letter) +
           ", 0\n}\n";
  };
  const std::string at = GENERATE("$L0", ".debug_str+2");
  CAPTURE(at);
  const std::string head = ".version 8.0 .target sm_80 ";
  const ptx::Module module =
      parsed(linked({head + module_of("one", at, 'f'), head + module_of("two", at, 'g')}));
  const auto name_in = [&](std::string_view kernel) {
    return module.locations.at(function_of(module, kernel).instructions.at(0).location).function;
  };
  CHECK(name_in("one") == "f");
  CHECK(name_in("two") == "g");
}

TEST_CASE("debug data of single compilations are left out", "[device]") {
  const std::string program =
      linked({".section .debug_abbrev { .b8 1 }\n.section .debug_info { .b32 .debug_abbrev }"});
  CHECK(program.find(".section") == std::string::npos);
  parsed(program);
}

TEST_CASE("the highest version and target of all modules hold", "[device]") {
  const ptx::Module module =
      parsed(linked({".version 9.0\n.target sm_75\n", ".version 8.0\n.target sm_90a, debug\n",
                     ".version 7.8\n.target sm_90\n"}));
  CHECK(module.version_major == 9);
  CHECK(module.target == 90);
  CHECK(linked({".version 8.0\n.target sm_90a, debug\n", ".version 8.0\n.target sm_90\n"})
            .find(".target sm_90a, debug\n") != std::string::npos);
}

TEST_CASE("a declaration without a definition is refused where it is used", "[device]") {
  CHECK(refusal({kUsesF, ""}) == "link_undefined(module=a, name=f)");
  CHECK(refusal({"", ".extern .global .u32 x;\n.global .u64 y = x;"}) ==
        "link_undefined(module=b, name=x)");
  CHECK(refusal({".extern .func _Z3addii();\n.global .u64 y = _Z3addii;"}) ==
        "link_undefined(module=a, name=add)");
  CHECK(refusal({".extern .func f();\n.extern .global .u32 x;"}) == "it links");
}

TEST_CASE("functions of the system need no definition", "[device]") {
  const std::string name =
      GENERATE("vprintf", "malloc", "__cudaCDP2LaunchDeviceV2", "cudaGraphLaunch");
  CAPTURE(name);
  const std::string use = ".extern .func " + name + "();\n.global .u64 y = " + name + ";\n";
  CHECK(function_of(parsed(linked({use, use})), name).external);
}

TEST_CASE("two definitions of one name are refused", "[device]") {
  const std::string f = f_gives(".visible", 1), x = ".visible .global .u32 x;\n",
                    k = ".visible .entry k() { ret; }\n";
  CHECK(refusal({f, "", f}) == "link_duplicate(first=a, name=f, second=c)");
  CHECK(refusal({x, x}) == "link_duplicate(first=a, name=x, second=b)");
  CHECK(refusal({k, k}) == "link_duplicate(first=a, name=k, second=b)");
  CHECK(refusal({f, ".visible .global .u32 f;\n"}) == "link_duplicate(first=a, name=f, second=b)");
}

TEST_CASE("of weak definitions the first is kept, unless one is strong", "[device]") {
  const std::string one = f_gives(".weak", 1), two = f_gives(".weak", 2),
                    strong = f_gives(".visible", 3);
  CHECK(result_of(linked({kUsesF, one, two})) == 1);
  CHECK(result_of(linked({one + kUsesF, two})) == 1);
  CHECK(result_of(linked({kUsesF, one, strong, two})) == 3);
  CHECK(result_of(linked({kUsesF, strong, one})) == 3);
  const ptx::Module module = parsed(linked(
      {".weak .global .u32 x = 4;", ".visible .global .u32 x = 5;\n.weak .global .u32 y[2], z;",
       ".weak .global .u32 y[2] = {1, 2};"}));
  CHECK(variable_of(module, "x").initial == std::vector<std::uint8_t>{5, 0, 0, 0});
  CHECK(variable_of(module, "y").initial.empty());
}

TEST_CASE("declarations that do not agree with the definition are refused", "[device]") {
  CHECK(refusal({kUsesF, ".visible .func (.param .b64 r) f(.param .b32 a) { ret; }"}) ==
        "link_mismatch(first=b, name=f, one=.func (.b64) (.b32), other=.func (.b32) (.b32), "
        "second=a)");
  CHECK(refusal({".extern .global .b8 x[12];", ".visible .global .b8 x[16];"}) ==
        "link_mismatch(first=b, name=x, one=.global .b8[16], other=.global .b8[12], second=a)");
  CHECK(refusal({".extern .const .u32 x;", ".visible .global .u32 x;"}) ==
        "link_mismatch(first=b, name=x, one=.global .b32, other=.const .b32, second=a)");
  CHECK(refusal({".extern .func x();", ".visible .global .u32 x;"}) ==
        "link_mismatch(first=b, name=x, one=.global .b32, other=.func () (), second=a)");
  CHECK(refusal({".extern .global .b8 x[];", ".visible .global .b8 x[16];"}) == "it links");
  CHECK(refusal({".extern .global .s32 x;", ".visible .global .u32 x;"}) == "it links");
}

TEST_CASE("what modules have for themselves keeps apart under one name", "[device]") {
  const auto module_of = [](const std::string& kernel, int value) {
    return ".global .u32 x = " + std::to_string(value) +
           ";\n.extern .shared .align 4 .b8 s[];\n.func g();\n.visible .entry " + kernel +
           "(.param .u64 out) {\n .reg .b32 %r; .reg .b64 %d;\n ld.param.u64 %d, [out];\n call g;\n"
           " ld.global.u32 %r, [x];\n st.shared.u32 [s], %r;\n st.global.u32 [%d], %r;\n ret;\n}\n"
           ".func g() { .reg .b32 %r; ld.global.u32 %r, [x]; add.u32 %r, %r, 10;"
           " st.global.u32 [x], %r; ret; }\n";
  };
  // The third has the name for all to see.
  PtxBench bench(linked({module_of("k", 1), module_of("l", 2), ".visible .global .u32 x = 3;"}));
  const Pointer out = bench.room<std::uint32_t>("out", 1);
  bench.request.dynamic_shared = 4;
  bench.request.kernel = "l";
  bench.good({1, 1, 1}, {1, 1, 1}, out);
  CHECK(bench.read<std::uint32_t>(out, 1)[0] == 12);
  bench.request.kernel = "k";
  bench.good({1, 1, 1}, {1, 1, 1}, out);
  CHECK(bench.read<std::uint32_t>(out, 1)[0] == 11);
  CHECK(variable_of(bench.image->parsed(), "x").initial[0] == 3);
}

TEST_CASE("a component of a vector is no name", "[device]") {
  const std::string module =
      ".global .u32 x;\n.entry K(.param .u64 out) { .reg .v2 .u32 %v; .reg .b64 %d; "
      "ld.param.u64 %d, [out]; mov.u32 %v.x, 7; st.global.u32 [%d], %v.x; ret; }\n";
  const std::string other = std::string(module).replace(module.find('K'), 1, "L");
  const ptx::Module program = parsed(linked({module, other}));
  CHECK(function_of(program, "L").instructions.size() == 4);
}

TEST_CASE("an alias defines its name for all modules", "[device]") {
  const std::string aliased =
      ".func (.param .b32 r) g(.param .b32 a) { st.param.b32 [r], 5; ret; }\n"
      ".visible .func (.param .b32 r) f(.param .b32 a);\n.alias f, g;\n";
  CHECK(result_of(linked({kUsesF, aliased})) == 5);
}

TEST_CASE("a text that does not parse names its module", "[device]") {
  const auto program = link_ptx(modules({"", ".visible .global .u32 ;"}));
  REQUIRE_FALSE(program);
  CHECK(program.error().code == ErrorCode::ptx_syntax);
  CHECK(program.error().place.file == "b");
}

TEST_CASE("a linked program links again", "[device]") {
  const std::string once = program_of_two();
  CHECK(linked({once}) == linked({linked({once})}));
}

}  // namespace warpbook::device::tests::link_test
