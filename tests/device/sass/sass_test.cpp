// Machine code as data: with and without a disassembler's words, linked to PTX and source, and with how often it ran.
#include "device/sass/sass.hpp"

#include <algorithm>
#include <numeric>

#include <catch2/catch_test_macros.hpp>
#include <catch2/matchers/catch_matchers_floating_point.hpp>

#include "tests/device/compiler/compilers.hpp"
#include "tests/device/sass/stand_in.hpp"

namespace warpbook::tests::sass_test {

using namespace warpbook::device;

namespace {

constexpr std::uint32_t kReads = 3, kLoops = 4;  // lines of kSource

const std::string kSource = R"(__global__ void sums(const float* x, float* y, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  float sum = x[i];
  for (int k = 0; k < n; ++k) sum += x[i] * k;
  y[i] = sum;
}
)";

std::shared_ptr<const Program> compiled(const std::string& source = kSource, bool cubin = true) {
  CompileRequest request = request_of(source);
  request.cubin = cubin;
  const auto program = compiler().compile(request);
  REQUIRE(program);
  return *program;
}

tl::unexpected<Error> nothing_here() {
  return failure(ErrorCode::library_missing,
                 {{"library", "nvdisasm"}, {"detail", "nowhere"}, {"command", "x"}});
}

const SassFunction& only(const Sass& sass) {
  REQUIRE(sass.functions.size() == 1);
  return sass.functions.front();
}

std::vector<const SassInstruction*> with_opcode(const SassFunction& function,
                                                std::string_view opcode) {
  std::vector<const SassInstruction*> found;
  for (const SassInstruction& one : function.instructions) {
    if (opcode_of(one.text) == opcode) found.push_back(&one);
  }
  return found;
}

std::string line_of(const std::string& text, std::uint32_t number) {
  std::size_t begin = 0;
  for (; number > 1; --number) begin = text.find('\n', begin) + 1;
  return text.substr(begin, text.find('\n', begin) - begin);
}

/// The kernel above on a simulated H200: `blocks` of 32 threads, `n` rounds of its loop.
struct Launched {
  std::unique_ptr<Device> device = make_simulated_device(*find_gpu("h200"));
  std::shared_ptr<const Module> module;
  std::shared_ptr<const LaunchRecord> record;

  Launched(const std::shared_ptr<const Program>& program, std::uint32_t blocks, std::int32_t n,
           std::uint64_t seed = 0) {
    module = *device->load(program);
    const std::uint64_t threads = std::uint64_t{blocks} * 32;
    const Pointer x = *device->allocate("x", ElementType::f32, threads),
                  y = *device->allocate("y", ElementType::f32, threads);
    (void)device->fill(x, std::byte{0}, threads * 4).wait();
    Launch launch;
    launch.module = module;
    launch.grid = {blocks, 1, 1};
    launch.block = {32, 1, 1};
    launch.arguments = {Argument::pointer(x), Argument::pointer(y), Argument::of(n)};
    launch.seed = seed;
    record = *device->launch(std::move(launch)).wait();
    REQUIRE_FALSE(record->error);
  }
};

}  // namespace

TEST_CASE("Without a disassembler each instruction has its opcode, and why stands beside", "[ci]") {
  const Sass sass = sass_of(*compiled(), nothing_here());
  CHECK(sass.architecture == 90);
  CHECK(sass.disassembler.empty());
  REQUIRE(sass.why);
  CHECK(sass.why->code == ErrorCode::library_missing);
  const SassFunction& sums = only(sass);
  CHECK(sums.name == "sums");
  CHECK_FALSE(with_opcode(sums, "LDG").empty());
  CHECK_FALSE(with_opcode(sums, "EXIT").empty());
  CHECK(opcode_of(sums.instructions.back().text) != "NOP");  // what fills up the end is left out
  for (std::size_t i = 0; i < sums.instructions.size(); ++i)
    CHECK(sums.instructions[i].address == 16 * i);
}

TEST_CASE("An instruction leads to its line of PTX, and through it to its line of source", "[ci]") {
  const auto program = compiled();
  const Sass sass = sass_of(*program, nothing_here());
  const auto loads = with_opcode(only(sass), "LDG"), stores = with_opcode(only(sass), "STG");
  REQUIRE_FALSE(loads.empty());
  CHECK(loads.front()->line == kReads);
  CHECK(line_of(program->ptx, loads.front()->ptx_line).find("ld.global") != std::string::npos);
  REQUIRE(stores.size() == 1);
  CHECK(stores.front()->line == 5);
  CHECK(line_of(program->ptx, stores.front()->ptx_line).find("st.global") != std::string::npos);
}

TEST_CASE("What the scheduler is told is there: a load sets a barrier that somebody waits for",
          "[ci]") {
  const Sass sass = sass_of(*compiled(), nothing_here());
  const SassFunction& sums = only(sass);
  const SassInstruction* load = with_opcode(sums, "LDG").front();
  REQUIRE(load->write_barrier < 6);
  CHECK(std::ranges::any_of(sums.instructions, [&](const SassInstruction& one) {
    return one.address > load->address && (one.wait_mask >> load->write_barrier & 1) != 0;
  }));
  CHECK(std::ranges::all_of(sums.instructions,
                            [](const SassInstruction& one) { return one.stall < 16; }));
}

TEST_CASE("A listing with the cubin's own bits gives every instruction its words", "[ci]") {
  const auto program = compiled();
  const Sass sass = sass_of(*program, Expected<std::string>(listing_of(*program)));
  CHECK(sass.disassembler == "nvdisasm");
  CHECK_FALSE(sass.why);
  const SassFunction& sums = only(sass);
  for (std::size_t i = 0; i < sums.instructions.size(); ++i)
    CHECK(sums.instructions[i].text == fmt::format("OP{0} R1, {0:#x}", i));
  const Sass plain = sass_of(*program, nothing_here());
  CHECK(sums.instructions[3].ptx_line == only(plain).instructions[3].ptx_line);
}

TEST_CASE("A listing that is not of this cubin is not believed", "[ci]") {
  const auto program = compiled();
  const std::string whole = listing_of(*program);
  std::string one_bit = whole, cut = whole, renamed = whole;
  const std::size_t word = one_bit.find("/* 0x") + 6;
  one_bit[word] = one_bit[word] == '1' ? '2' : '1';
  cut.resize(cut.find("/*0030*/"));
  const std::size_t name = renamed.find(".text._Z4sums");
  renamed.replace(name, 13, ".text._Z4summ");
  const std::string another = listing_of(
      *compiled("__global__ void sums(const float* x, float* y, int n) { y[n] = x[n]; }"));
  for (const std::string& text :
       {one_bit, cut, another, std::string(), std::string("Segmentation fault")}) {
    const Sass sass = sass_of(*program, Expected<std::string>(text));
    CHECK(sass.disassembler.empty());
    REQUIRE(sass.why);
    CHECK(sass.why->code == ErrorCode::library_refused);
    CHECK_FALSE(with_opcode(only(sass), "LDG").empty());
  }
}

TEST_CASE("A program without a cubin, or with a damaged one, has no machine code and no complaint",
          "[ci]") {
  CHECK(sass_of(*compiled(kSource, false)).functions.empty());
  Program damaged = *compiled();
  damaged.cubin.resize(damaged.cubin.size() / 2);
  const Sass sass = sass_of(damaged, nothing_here());
  CHECK(sass.functions.empty());
  CHECK_FALSE(sass.why);
}

TEST_CASE("Several kernels are several functions, and a template has the name it was asked for by",
          "[ci]") {
  CompileRequest request = request_of(
      "template <class T> __global__ void twice(T* x) { x[threadIdx.x] *= 2; }\n"
      "__global__ void once(int* x) { x[threadIdx.x] = 1; }\n");
  request.cubin = true;
  request.name_expressions = {"twice<float>"};
  const auto program = compiler().compile(request);
  REQUIRE(program);
  const Sass sass = sass_of(**program, nothing_here());
  REQUIRE(sass.functions.size() == 2);
  std::vector<std::string> names{sass.functions[0].name, sass.functions[1].name};
  std::ranges::sort(names);
  CHECK(names == std::vector<std::string>{"once", "twice<float>"});
}

TEST_CASE("Instructions ran as often as the PTX that they stem from was counted", "[ci]") {
  const auto program = compiled();
  const Launched launched(program, 5, 16);
  Sass sass = sass_of(*program, nothing_here());
  add_executions(sass, *launched.module, "sums", *launched.record);
  const SassFunction& sums = only(sass);
  CHECK(sums.counted);
  CHECK(with_opcode(sums, "STG").front()->executed == 5);
  CHECK(with_opcode(sums, "LDG").front()->executed == 5);
  // All copies of the loop's multiply-add together: once a warp and round.
  double together = 0;
  for (const SassInstruction* one : with_opcode(sums, "FFMA")) {
    if (one->line == kLoops) together += one->executed;
  }
  CHECK_THAT(together, Catch::Matchers::WithinRel(5.0 * 16, 0.01));
  add_executions(sass, *launched.module, "sums", *launched.record);
  CHECK(with_opcode(sums, "STG").front()->executed == 10);  // launches add up
}

TEST_CASE("The branch that ends the code is reached by nobody", "[ci]") {
  const auto program = compiled();
  const Launched launched(program, 2, 3);
  Sass sass = sass_of(*program, nothing_here());
  add_executions(sass, *launched.module, "", *launched.record);
  const SassInstruction& last = only(sass).instructions.back();
  CHECK(last.text == "BRA");
  CHECK(last.executed == 0);
}

TEST_CASE("What cannot be told is left out: another schedule, another kernel, nothing counted",
          "[ci]") {
  const auto program = compiled();
  const Launched seeded(program, 2, 3, 7), plain(program, 2, 3);
  Sass sass = sass_of(*program, nothing_here());
  add_executions(sass, *seeded.module, "sums", *seeded.record);
  CHECK_FALSE(only(sass).counted);
  add_executions(sass, *plain.module, "no such kernel", *plain.record);
  LaunchRecord uncounted = *plain.record;
  uncounted.counted = false;
  add_executions(sass, *plain.module, "sums", uncounted);
  LaunchRecord another = *plain.record;
  another.instructions.pop_back();
  add_executions(sass, *plain.module, "sums", another);
  CHECK_FALSE(only(sass).counted);
  Sass empty;
  add_executions(empty, *plain.module, "sums", *plain.record);
  CHECK(empty.functions.empty());
}

TEST_CASE("The opcode of an instruction is its first word without predicate and modifiers") {
  CHECK(opcode_of("@!P0 FFMA.FTZ R5, R2, R3, R5") == "FFMA");
  CHECK(opcode_of("EXIT") == "EXIT");
  CHECK(opcode_of("0x1ff") == "0x1ff");
  CHECK(opcode_of("@P0") == "");
  CHECK(opcode_of("") == "");
  SassFunction function;
  for (const char* text : {"MOV R1, R2", "@P0 MOV R1, R3", "EXIT"})
    function.instructions.emplace_back().text = text;
  CHECK(opcodes_of(function) ==
        std::vector<std::pair<std::string, std::uint32_t>>{{"MOV", 2}, {"EXIT", 1}});
}

}  // namespace warpbook::tests::sass_test
