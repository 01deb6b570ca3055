// serial_warp_clocks() on machine code that is written by hand, and what real machine code says about itself.
#include <catch2/catch_test_macros.hpp>
#include <catch2/generators/catch_generators.hpp>
#include <catch2/matchers/catch_matchers_floating_point.hpp>

#include <algorithm>

#include "device/compiler/compiler.hpp"
#include "device/simulator/cubin/cubin.hpp"
#include "device/simulator/estimate/executed.hpp"

namespace warpbook::device::executed_test {
namespace {

constexpr std::uint16_t kLdg = 0x181, kFfma = 0x023, kBranch = 0x147;

MachineInstruction plain(std::uint8_t stall, std::uint8_t waits_for = 0) {
  MachineInstruction i;
  i.opcode = kFfma;
  i.stall = stall;
  i.wait_mask = waits_for;
  return i;
}
MachineInstruction load(std::uint8_t stall, std::uint8_t scoreboard) {
  MachineInstruction i;
  i.opcode = kLdg;
  i.stall = stall;
  i.write_barrier = scoreboard;
  return i;
}
MachineInstruction back(std::int32_t jump) {
  MachineInstruction i = plain(5);
  i.opcode = kBranch;
  i.jump = jump;
  return i;
}

double clocks(std::vector<MachineInstruction> code, std::vector<double> executions) {
  MachineCode machine;
  machine.instructions = std::move(code);
  return serial_warp_clocks(machine, executions, [](const MachineInstruction&) { return 400.0; });
}

}  // namespace

TEST_CASE("a warp alone takes the stalls that ptxas wrote") {
  CHECK(clocks({plain(4), plain(2), plain(0)}, {1, 1, 1}) == 4 + 2 + 1);
  CHECK(clocks({plain(4), plain(2)}, {10, 3}) == 40 + 6);
}

TEST_CASE("a warp waits for a load where its value is needed, less what it did meanwhile") {
  CHECK(clocks({load(2, 0), plain(4, 0b1)}, {1, 1}) == 400 + 4);
  CHECK(clocks({load(2, 0), plain(8), plain(4, 0b1)}, {1, 1, 1}) == 400 + 4);
  // Two loads that follow each other wait at the same time.
  CHECK(clocks({load(2, 0), load(2, 1), plain(4, 0b11)}, {1, 1, 1}) == 402 + 4);
  CHECK(clocks({load(2, 0), plain(4, 0b1), load(2, 0), plain(4, 0b1)}, {1, 1, 1, 1}) == 2 * 404);
}

TEST_CASE("a loop that loads ahead waits less than its first round says") {
  // Each round needs a value that the round before loaded at its end.
  std::vector<MachineInstruction> code{load(2, 0)};
  code.push_back(plain(4, 0b1));  // head of the loop: needs the load
  code.push_back(load(2, 0));     // for the next round
  code.push_back(plain(200));
  code.push_back(back(-3));
  // In the steady state 200 + 5 + 2 of the 400 clocks are over when the head of the loop needs the value.
  const double round = 4 + 2 + 200 + 5 + (400 - 207);
  CHECK_THAT(clocks(code, {1, 100, 100, 100, 100}),
             Catch::Matchers::WithinRel(2 + 100 * round, 0.03));
}

TEST_CASE("opcodes go to their pipes") {
  CHECK(pipe_of(0x023) == Pipe::multiply_add);
  CHECK(pipe_of(0x024) == Pipe::integer_multiply);
  CHECK(pipe_of(0x010) == Pipe::integer);
  CHECK(pipe_of(0x031) == Pipe::half);
  CHECK(pipe_of(0x02b) == Pipe::wide);
  CHECK(pipe_of(0x108) == Pipe::special);
  CHECK(pipe_of(0x03c) == Pipe::tensor);
  CHECK(pipe_of(0x181) == Pipe::load_store);
  CHECK(pipe_of(0x189) == Pipe::load_store);
  CHECK(pipe_of(0x147) == Pipe::control);
  CHECK(pipe_of(0x0b9) == Pipe::control);
}

TEST_CASE("machine code tells loops, and what waits for what", "[ci]") {
  const int architecture = GENERATE(75, 80, 86, 89, 90);
  CAPTURE(architecture);
  static Compiler compiler;
  CompileRequest request;
  request.name = "loop.cu";
  request.source =
      R"(extern "C" __global__ void loop(const float* a, const float* b, float* c, int n) {
  float sum = 0;
#pragma unroll 1
  for (int k = 0; k < n; ++k) sum += a[k * 32 + threadIdx.x] * b[k];
  c[threadIdx.x] = sum;
}
)";
  request.architecture = architecture;
  request.cubin = true;
  const auto program = compiler.compile(request);
  REQUIRE(program);
  const auto kernels = read_cubin((*program)->cubin);
  REQUIRE(kernels);
  REQUIRE(kernels->size() == 1);
  const auto& code = kernels->front().code.instructions;
  const auto is = [](std::uint16_t opcode) {
    return [opcode](const MachineInstruction& i) { return i.opcode == opcode; };
  };
  // There is one loop: one branch goes back, to before the multiply-add.
  const auto goes_back = [](const MachineInstruction& i) { return i.jump < 0; };
  CHECK(std::ranges::count_if(code, goes_back) == 1);
  const auto branch = std::ranges::find_if(code, goes_back);
  const auto multiply = std::ranges::find_if(code, is(kFfma));
  REQUIRE(multiply != code.end());
  REQUIRE(branch != code.end());
  CHECK(multiply < branch);
  CHECK(branch + branch->jump < multiply);
  // Both loads set a scoreboard that the multiply-add, or something between, waits for.
  std::uint8_t waited = 0;
  for (auto i = branch + branch->jump; i <= multiply; ++i) waited |= i->wait_mask;
  for (auto i = branch + branch->jump; i < branch; ++i) {
    if (i->opcode != kLdg) continue;
    CHECK(i->write_barrier < 6);
    CHECK((waited >> i->write_barrier & 1) == 1);
  }
  for (const MachineInstruction& i : code) CHECK(i.stall <= 15);
}

}  // namespace warpbook::device::executed_test
