// What the hardware is predicted to issue, against the machine code that ptxas made: of every kernel here, in kernels/ and
// in the lessons.
#include <algorithm>
#include <filesystem>

#include <fmt/format.h>

#include "device/simulator/cubin/cubin.hpp"
#include "tests/device/kernels/kernel_bench.hpp"

namespace warpbook::tests::machine_code_test {

using namespace warpbook::device;

namespace {

namespace fs = std::filesystem;

std::vector<fs::path> kernel_files() {
  std::vector<fs::path> files;
  for (const char* folder : {"tests/device/kernels", "kernels", "lessons", "solutions"}) {
    for (const auto& entry :
         fs::recursive_directory_iterator(fs::path(WARPBOOK_SOURCE_DIR) / folder)) {
      if (entry.path().extension() == ".cu") files.push_back(entry.path());
    }
  }
  std::ranges::sort(files);
  return files;
}

/// Runs a kernel on nothing: what it became is known however it ends.
std::shared_ptr<const LaunchRecord> touch(Device& device,
                                          const std::shared_ptr<const Module>& module,
                                          const KernelInfo& kernel) {
  Launch launch;
  launch.module = module;
  launch.kernel = kernel.mangled;
  launch.block = kernel.required_block.value_or(Dim3{32});
  launch.cluster = launch.grid = kernel.required_cluster.value_or(Dim3{1});
  launch.budget.thread_instructions = 100'000;
  for (const ParameterInfo& p : kernel.parameters)
    launch.arguments.push_back({Argument::Kind::structure, {}, std::vector<std::byte>(p.bytes)});
  const auto record = device.launch(std::move(launch)).wait();
  if (!record) FAIL(kernel.name << ": " << record.error().english());
  return *record;
}

std::string in_words(const AccessInstructions& a) {
  return fmt::format("LDG {} STG {} LDS {} STS {}", a.global_loads, a.global_stores, a.shared_loads,
                     a.shared_stores);
}

void hold_predictions(const char* gpu, int architecture) {
  CAPTURE(gpu);
  static Compiler compiler;
  const auto device = make_simulated_device(*find_gpu(gpu));
  int lines = 0, right = 0;
  std::string wrong;
  for (const fs::path& file : kernel_files()) {
    CompileRequest request;
    request.name = file.filename();
    request.source = *read_file(file, 1u << 20);
    request.architecture = architecture;
    request.cubin = true;
    const auto program = compiler.compile(request);
    if (!program) continue;  // for a newer architecture, or wrong on purpose
    const auto module = device->load(*program);
    REQUIRE(module);
    for (const KernelInfo& kernel : (*module)->kernels()) {
      INFO(file.filename().string() << ": " << kernel.name);
      const auto record = touch(*device, *module, kernel);
      for (const LineCounters& line : record->lines) {
        INFO("line " << line.line);
        REQUIRE(line.machine);
        if (!line.predicted.any() && !line.machine->any()) continue;
        ++lines;
        right += line.predicted == *line.machine;
        if (line.predicted != *line.machine)
          wrong += fmt::format("{} {}:{}: predicted {}, in the cubin {}\n", kernel.name, line.file,
                               line.line, in_words(line.predicted), in_words(*line.machine));
      }
    }
  }
  INFO(right << " of " << lines << " lines are right. The others:\n" << wrong);
  CHECK(lines >= 50);
  CHECK(10 * right >= 9 * lines);
}

}  // namespace

TEST_CASE("Nine of ten lines have the memory instructions in machine code that were predicted",
          "[ci]") {
  hold_predictions("h200", 90);
}

TEST_CASE("So they have on older architectures", "[long]") {
  hold_predictions("t4", 75);
  hold_predictions("a100", 80);
}

TEST_CASE("Shared loads that lie side by side are issued as one, and counted so") {
  KernelBench bench("algorithms.cu");
  const Pointer a = bench.zeros<float>("a", 64 * 64), b = bench.zeros<float>("b", 64 * 64),
                c = bench.space<float>("c", 64 * 64);
  const auto record = bench.run("gemm_tiled<16>", {{4, 4}, {16, 16}},
                                {Argument::pointer(a), Argument::pointer(b), Argument::pointer(c),
                                 Argument::of(64), Argument::of(64), Argument::of(64)});
  const std::uint64_t tiles = 16 * 8 * 4;  // blocks x warps x tiles along the sum
  // Of a row's 16 elements four are loaded at once; those of a column lie apart.
  CHECK(record->total.issued_shared_loads == tiles * (16 / 4 + 16));
  CHECK(record->total.issued_shared_stores == tiles * 2);
  CHECK(record->total.shared_requests == tiles * (16 + 16 + 2));
  CHECK(record->total.issued_global_loads == tiles * 2);
  CHECK(record->total.issued_global_stores == 16 * 8);
}

TEST_CASE("A short if is a branch in PTX and none in machine code; a loop is one in both") {
  static Compiler compiler;
  CompileRequest request;
  request.name = "branches.cu";
  request.source =
      "__global__ void pick(int* y, int n) {\n"
      "  if (threadIdx.x < n)\n"
      "    y[threadIdx.x] = 7;\n"
      "}\n"
      "__global__ void halve(int* y) {\n"
      "  int v = y[threadIdx.x];\n"
      "#pragma unroll 1\n"
      "  while (v > 1)\n"
      "    v = v % 2 ? 3 * v + 1 : v / 2;\n"
      "  y[threadIdx.x] = v;\n"
      "}\n";
  request.cubin = true;
  const auto program = compiler.compile(request);
  REQUIRE(program);
  const auto device = make_simulated_device(*find_gpu("h200"));
  const auto module = device->load(*program);
  REQUIRE(module);
  const auto branches_of = [&](std::string_view name) {
    std::vector<std::uint32_t> branches;
    const auto record = touch(*device, *module, **(*module)->kernel(name));
    for (const InstructionCounters& i : record->instructions) {
      if (i.machine_branches) branches.push_back(*i.machine_branches);
    }
    return branches;
  };
  CHECK(branches_of("pick") == std::vector<std::uint32_t>{0});
  const auto loop = branches_of("halve");
  CHECK(std::ranges::count_if(loop, [](std::uint32_t n) { return n != 0; }) >= 1);
}

TEST_CASE("A cubin with damaged line tables loses them at most") {
  static Compiler compiler;
  CompileRequest request;
  request.name = "loop.cu";
  request.source =
      "__global__ void add(float* y, int n) { for (int i = threadIdx.x; i < n; i += 32) y[i] += 1; "
      "}";
  request.cubin = true;
  const auto program = compiler.compile(request);
  REQUIRE(program);
  const std::vector<std::uint8_t>& whole = (*program)->cubin;
  const auto sound = read_cubin(whole);
  REQUIRE(sound);
  REQUIRE(sound->size() == 1);
  CHECK_FALSE(sound->front().code.empty());
  CHECK(sound->front().code.opcodes.at(0x14d) >= 1);
  CHECK(opcode_name(0x14d) == "EXIT");
  std::mt19937 random(7);
  for (int round = 0; round < 4000; ++round) {
    auto damaged = whole;
    for (int hits = 0; hits < 4; ++hits)
      damaged[random() % damaged.size()] = static_cast<std::uint8_t>(random());
    if (round % 4 == 0) damaged.resize(random() % damaged.size());
    const auto read = read_cubin(damaged);
    if (read) CHECK(read->size() <= 3);
  }
}

}  // namespace warpbook::tests::machine_code_test
