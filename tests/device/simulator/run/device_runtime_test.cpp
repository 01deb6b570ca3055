// Kernels that launch kernels: programs/nested.cu, as nvcc -rdc=true -lineinfo made PTX of it.
#include "device/simulator/run/device_runtime.hpp"

#include <filesystem>
#include <fstream>
#include <sstream>

#include <catch2/generators/catch_generators.hpp>

#include "device/occupancy.hpp"
#include "tests/device/simulator/ptx_bench.hpp"
#include "tests/keyed.hpp"

namespace warpbook::device::tests::device_runtime_test {
namespace {

std::string nested() {
  std::ifstream file(std::filesystem::path(WARPBOOK_SOURCE_DIR) /
                     "tests/device/simulator/programs/nested.ptx");
  REQUIRE(file);
  std::ostringstream text;
  text << file.rdbuf();
  return text.str();
}

/// The program, with one of its kernels to be launched.
class NestedBench : public PtxBench {
 public:
  explicit NestedBench(std::string_view kernel) : PtxBench(nested()) {
    for (const KernelInfo& k : image->kernels()) {
      if (k.name == kernel) request.kernel = k.mangled;
    }
  }
  template <class... Arguments>
  LaunchRecord good_thread(Arguments... arguments) {
    return good({1, 1, 1}, {1, 1, 1}, arguments...);
  }
};

std::string said(const Error& error, std::string_view argument) {
  for (const MessageArgument& a : error.arguments) {
    if (a.name == argument) return warpbook::tests::keyed(a.value);
  }
  return "";
}

}  // namespace

TEST_CASE("child grids run after their parent's blocks, with all that they launch", "[device]") {
  NestedBench bench("tree");
  const LaunchRecord record = bench.good({1, 1, 1}, {2, 1, 1}, 1, 7);
  CHECK(record.output ==
        "level 1 of 7.0\nlevel 1 of 7.1\nlevel 0 of 70.0\nlevel 0 of 70.1\nlevel 0 of 71.0\n"
        "level 0 of 71.1\n");
  CHECK(record.children == 2);
  CHECK(record.grid == Dim3{1, 1, 1});
}

TEST_CASE("streams keep their order, and tail launches come after all others", "[device]") {
  NestedBench bench("order");
  CHECK(bench.good_thread().output == "0 10 11 12 20 30 100 200 201 202 ");
}

TEST_CASE("copies and fills are work of a stream like grids", "[device]") {
  NestedBench bench("fill_and_copy");
  const Pointer a = bench.room<int>("a", 40), b = bench.room<int>("b", 40);
  const LaunchRecord record = bench.good_thread(a, b, 40);
  const int filled = 2 * 0x01010101;
  std::vector<int> expected(40, filled);
  expected[0] = 2 * 77;
  CHECK(bench.read<int>(b, 40) == expected);
  expected[4] = filled;  // b[2], by the copy with pitches
  CHECK(bench.read<int>(a, 40) == expected);
  CHECK(record.children == 1);
}

TEST_CASE("grids of all levels count in one record", "[device]") {
  NestedBench bench("tree");
  const LaunchRecord alone = bench.good({1, 1, 1}, {2, 1, 1}, 0, 1);
  const LaunchRecord both = bench.good({1, 1, 1}, {2, 1, 1}, 1, 1);
  REQUIRE(alone.instructions.size() == both.instructions.size());
  std::uint64_t instructions = 0, of_lines = 0;
  for (const InstructionCounters& i : both.instructions)
    instructions += i.counters.thread_instructions;
  for (const LineCounters& line : both.lines) of_lines += line.counters.thread_instructions;
  CHECK(instructions == both.total.thread_instructions);
  CHECK(of_lines == both.total.thread_instructions);
  // The first instruction of a kernel runs once for each thread: 2 of the host's grid and 2 of each child's.
  CHECK(alone.instructions[0].counters.thread_instructions == 2);
  CHECK(both.instructions[0].counters.thread_instructions == 6);
}

TEST_CASE("another kernel's instructions come behind those of the host's grid", "[device]") {
  NestedBench bench("launch_out_of_bounds");
  const Pointer values = bench.room<int>("values", 6);
  const LaunchRecord record = bench.launch({1, 1, 1}, {1, 1, 1}, values);
  REQUIRE(record.findings.size() == 2);
  for (const Finding& f : record.findings) {
    CHECK(f.error.code == ErrorCode::out_of_bounds_write);
    CHECK(f.error.place.file == "nested.cu");
    REQUIRE(f.by.instruction < record.instructions.size());
    CHECK(record.instructions[f.by.instruction].text.starts_with("st.global.u32"));
    CHECK(record.instructions[f.by.instruction].counters.thread_instructions == 8);
  }
  CHECK(record.findings_total == 2);
  REQUIRE(record.error);
  CHECK(record.error->code == ErrorCode::out_of_bounds_write);
}

TEST_CASE("launches are refused below the deepest level, and the thread can ask why", "[device]") {
  NestedBench bench("descend");
  const Pointer out = bench.room<int>("out", 3);
  const LaunchRecord record = bench.good_thread(0, out);
  CHECK(bench.read<int>(out, 3) == std::vector<int>{24, 65, 0});
  CHECK(record.children == kMostLaunchDepth);
  CHECK(bench.read<int>(bench.image->global("visits")->address, 1)[0] == 25);
}

TEST_CASE("launches are refused where too many wait already", "[device]") {
  NestedBench bench("launch_many");
  const Pointer out = bench.buffer<int>("out", {0, 1});
  bench.good_thread(2048, out);
  CHECK(bench.read<int>(out, 1)[0] == 0);
  bench.good_thread(2049, out);
  CHECK(bench.read<int>(out, 1)[0] == 69);
}

TEST_CASE("a refused launch is a finding where the thread does not ask for its error", "[device]") {
  NestedBench careless("careless");
  const LaunchRecord record = careless.launch({1, 1, 1}, {1, 1, 1});
  REQUIRE(record.findings.size() == 1);
  const Error& error = record.findings[0].error;
  CHECK(error.code == ErrorCode::child_refused);
  CHECK(said(error, "error") == "cudaErrorInvalidConfiguration");
  CHECK(said(error, "kernel") == "say");
  CHECK(said(error, "why").starts_with("phrase.why.block-extent("));
  CHECK(error.place.file == "nested.cu");
  CHECK(record.children == 0);

  NestedBench careful("careful");
  const Pointer out = careful.room<int>("out", 3);
  CHECK(careful.good_thread(out).output ==
        "cudaErrorInvalidConfiguration: invalid configuration argument\n");
  CHECK(careful.read<int>(out, 3) == std::vector<int>{9, 9, 0});
}

TEST_CASE("a child grid that is given its parent's own memory is a finding", "[device]") {
  const auto [kernel, name] = GENERATE(std::pair{"pass_shared", "phrase.name.shared"},
                                       std::pair{"pass_local", "phrase.name.local"});
  CAPTURE(kernel);
  NestedBench bench(kernel);
  const Pointer out = bench.buffer<int>("out", {0, 0});
  const LaunchRecord record = bench.request.kernel.find("local") != std::string::npos
                                  ? bench.launch({1, 1, 1}, {1, 1, 1}, out, 3)
                                  : bench.launch({1, 1, 1}, {1, 1, 1}, out);
  REQUIRE_FALSE(record.findings.empty());
  const Error& error = record.findings[0].error;
  CHECK(error.code == ErrorCode::child_pointer);
  CHECK(said(error, "name") == name);
  CHECK(said(error, "kernel") == "read_first");
  CHECK(said(error, "index") == "1");
}

TEST_CASE("kernels allocate, and ask about the device", "[device]") {
  NestedBench bench("ask");
  const Pointer out = bench.buffer<int>("out", std::vector<int>(13, -1));
  bench.good_thread(out);
  const auto fit = static_cast<int>(occupancy_of(small_gpu(), {.threads = 1024}).blocks);
  CHECK(bench.read<int>(out, 13) ==
        std::vector<int>{0, 4, 0, 0, 1, 4, 101, -1, fit, 0, 8, 1024, 2048});
}

TEST_CASE("racecheck knows the order between parents, children and siblings", "[device]") {
  NestedBench bench("add_around");
  bench.request.observe.racecheck = true;
  const Pointer values = bench.room<int>("values", 64);
  const LaunchRecord record = bench.good({1, 1, 1}, {64, 1, 1}, values);
  CHECK(record.findings.empty());
  CHECK(record.children == 2);
  CHECK(bench.read<int>(values, 64)[63] == 65);
}

TEST_CASE("budgets hold for all grids together", "[device]") {
  NestedBench bench("endless");
  const Pointer n = bench.buffer<int>("n", {0});
  SECTION("of instructions") {
    bench.request.budget.thread_instructions = 50'000;
    const LaunchRecord record = bench.launch({1, 1, 1}, {32, 1, 1}, n);
    REQUIRE(record.error);
    CHECK(record.error->code == ErrorCode::budget_instructions);
    CHECK(record.total.thread_instructions < 60'000);
  }
  SECTION("of time") {
    bench.request.budget.seconds = 0.05;
    const LaunchRecord record = bench.launch({1, 1, 1}, {32, 1, 1}, n);
    REQUIRE(record.error);
    CHECK(record.error->code == ErrorCode::budget_time);
  }
  SECTION("a stop") {
    std::stop_source stop;
    stop.request_stop();
    bench.request.stop = stop.get_token();
    const LaunchRecord record = bench.launch({1, 1, 1}, {32, 1, 1}, n);
    REQUIRE(record.error);
    CHECK(record.error->code == ErrorCode::cancelled);
  }
  SECTION("of output") {
    NestedBench printing("tree");
    printing.request.budget.output_bytes = 100;
    const LaunchRecord record = printing.launch({1, 1, 1}, {2, 1, 1}, 3, 1);
    REQUIRE(record.error);
    CHECK(record.error->code == ErrorCode::budget_output);
    CHECK(record.output.size() == 100);
    printing.request.budget.drop_output = true;
    const LaunchRecord dropped = printing.launch({1, 1, 1}, {2, 1, 1}, 3, 1);
    CHECK_FALSE(dropped.error);
    CHECK(dropped.output.size() == 100);
    CHECK(dropped.children > record.children);
  }
}

TEST_CASE("a copy of the device that reaches too far ends the launch at its line", "[device]") {
  NestedBench bench("copy_out_of_bounds");
  const Pointer values = bench.room<int>("values", 4);
  const LaunchRecord record = bench.launch({1, 1, 1}, {1, 1, 1}, values);
  REQUIRE(record.error);
  CHECK(record.error->code == ErrorCode::copy_out_of_bounds);
  CHECK(said(*record.error, "call") == "cudaMemsetAsync");
  CHECK(record.error->place.file == "nested.cu");
  CHECK(record.output.empty());
}

TEST_CASE("what children write counts in the host's write map", "[device]") {
  NestedBench bench("add_around");
  const Pointer values = bench.buffer<int>("values", std::vector<int>(64));
  bench.request.observe.write_maps = {"values"};
  const LaunchRecord record = bench.good({1, 1, 1}, {32, 1, 1}, values);
  REQUIRE(record.written.size() == 1);
  CHECK(record.written[0].writes[3] == 3);   // by the parent and by two children
  CHECK(record.written[0].writes[40] == 2);  // by the children alone
  CHECK(record.written[0].writer[40] == 40);
}

TEST_CASE("a launch whose kernels launch others has no estimate", "[device]") {
  NestedBench bench("tree");
  bench.request.estimate.wanted = true;
  CHECK(bench.good({1, 1, 1}, {2, 1, 1}, 0, 1).estimate);
  CHECK_FALSE(bench.good({1, 1, 1}, {2, 1, 1}, 1, 1).estimate);
}

TEST_CASE("launches of kernels leave no memory behind", "[device]") {
  NestedBench bench("order");
  const std::uint64_t before = bench.memory->committed();
  bench.good_thread();
  CHECK(bench.memory->committed() == before);
}

TEST_CASE("an argument buffer of one's own is no argument buffer", "[device]") {
  PtxBench bench(R"(
.extern .func (.param .b32 r) cudaLaunchDeviceV2(.param .b64 a, .param .b64 b);
.visible .entry k(.param .u64 out) {
  .reg .b32 %r; .reg .b64 %d; .param .b64 a; .param .b64 b; .param .b32 r;
  ld.param.u64 %d, [out];
  st.param.b64 [a], %d;
  st.param.b64 [b], 0;
  call (r), cudaLaunchDeviceV2, (a, b);
  ld.param.b32 %r, [r];
  st.global.u32 [%d], %r;
  ret;
})");
  const Pointer out = bench.room<int>("out", 1);
  const LaunchRecord record = bench.launch({1, 1, 1}, {1, 1, 1}, out);
  CHECK(bench.read<int>(out, 1)[0] == 1);
  REQUIRE(record.findings.size() == 1);
  CHECK(said(record.findings[0].error, "why").starts_with("phrase.why.child-buffer("));
}

}  // namespace warpbook::device::tests::device_runtime_test
