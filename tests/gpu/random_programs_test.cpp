// The random programs on the GPU of this computer, from the same PTX: its bits are the simulator's.
#include <catch2/catch_test_macros.hpp>

#include <algorithm>
#include <atomic>
#include <bit>
#include <mutex>
#include <optional>
#include <regex>
#include <thread>

#include <fmt/format.h>

#include "device/device.hpp"
#include "device/gpu/gpu_device.hpp"
#include "tests/device/simulator/reference/generator.hpp"
#include "tests/gpu/on_gpu.hpp"

namespace warpbook::tests::random_programs_test {

using namespace warpbook::device;
using device::tests::reference::generate;
using device::tests::reference::kSlotBytes;

namespace {

using RandomProgram = device::tests::reference::Program;

constexpr std::uint64_t kSeeds = 2000;
constexpr unsigned kMostGpus = 8;  // connections, each a process with a context of its own

/// An addition and a multiplication that say how they round are not fused into one operation by the assembler.
std::string unfused(const std::string& ptx) {
  static const std::regex may_be_fused(R"((\s)(add|sub|mul)((\.ftz|\.sat)*)\.(f16|f32|f64|bf16))");
  return std::regex_replace(ptx, may_be_fused, "$1$2.rn$3.$5");
}

struct Outcome {
  std::vector<std::byte> out, accumulators;
  std::optional<Error> error;
};

Expected<Outcome> run(Device& device, const RandomProgram& program, const std::string& ptx) {
  auto compiled = std::make_shared<Program>();
  compiled->name = "random.ptx";
  compiled->ptx = ptx;
  const auto module = device.load(compiled);
  if (!module) return tl::unexpected(module.error());
  Launch launch;
  launch.module = *module;
  launch.grid = program.grid;
  launch.block = program.block;
  launch.observe.initcheck = true;
  launch.budget.seconds = 20;
  std::vector<Pointer> buffers;
  for (const std::vector<std::uint8_t>* bytes :
       {&program.in, &program.out, &program.accumulators}) {
    const auto buffer = device.allocate("buffer", ElementType::u8, bytes->size());
    if (!buffer) return tl::unexpected(buffer.error());
    buffers.push_back(*buffer);
    launch.arguments.push_back(Argument::pointer(*buffer));
    if (const auto done = device.copy_in(*buffer, std::as_bytes(std::span(*bytes))).wait(); !done)
      return tl::unexpected(done.error());
  }
  launch.arguments.push_back(Argument::of(program.a));
  launch.arguments.push_back(Argument::of(std::bit_cast<float>(program.f)));
  const auto s = std::as_bytes(std::span(program.s));
  launch.arguments.push_back(Argument::structure({s.begin(), s.end()}));
  const auto record = device.launch(std::move(launch)).wait();
  if (!record) return tl::unexpected(record.error());
  Outcome outcome{std::vector<std::byte>(program.out.size()),
                  std::vector<std::byte>(program.accumulators.size()), (*record)->error};
  if (const auto done = device.copy_out(outcome.out, buffers[1]).wait(); !done)
    return tl::unexpected(done.error());
  if (const auto done = device.copy_out(outcome.accumulators, buffers[2]).wait(); !done)
    return tl::unexpected(done.error());
  for (const Pointer buffer : buffers) (void)device.release(buffer);
  return outcome;
}

/// What a lane that takes no part gives to a shuffle is not defined: such programs have no one result.
bool is_undefined(const std::optional<Error>& error) {
  return error &&
         (error->code == ErrorCode::missing_lane || error->code == ErrorCode::uninitialised_read);
}

std::string difference(Device& gpu, Device& simulated, std::uint64_t seed, bool& compared) {
  const RandomProgram program = generate(seed);
  compared = false;
  if (program.approximate) return {};
  const std::string ptx = unfused(program.ptx);
  const auto expected = run(simulated, program, ptx);
  if (!expected) return "simulator: " + expected.error().english();
  if (is_undefined(expected->error)) return {};
  if (expected->error) return "simulator: " + expected->error->english();
  const auto got = run(gpu, program, ptx);
  if (!got) return "GPU: " + got.error().english();
  if (got->error) return "GPU: " + got->error->english();
  compared = true;
  const auto differs = [](const std::vector<std::byte>& a, const std::vector<std::byte>& b) {
    return std::ranges::mismatch(a, b).in1 - a.begin();
  };
  if (got->out != expected->out) {
    const auto at = differs(got->out, expected->out);
    return fmt::format("out, thread {}, offset {}", at / kSlotBytes, at % kSlotBytes);
  }
  if (got->accumulators != expected->accumulators)
    return fmt::format("accumulators, offset {}",
                       differs(got->accumulators, expected->accumulators));
  return {};
}

}  // namespace

TEST_CASE("on the GPU: random programs give the simulator's bits", "[ci]") {
  const auto first = gpu_or_skip();
  std::atomic<std::uint64_t> next{1}, compared{0};
  std::mutex lock;
  std::vector<std::string> differences;
  const auto work = [&] {
    const auto gpu = gpu::GpuDevice::open();
    if (!gpu) {
      const std::lock_guard held(lock);
      differences.push_back(gpu.error().english());
      return;
    }
    const auto simulated = make_simulated_device((*gpu)->properties());
    for (std::uint64_t seed = next++; seed <= kSeeds; seed = next++) {
      bool counts = false;
      const std::string different = difference(**gpu, *simulated, seed, counts);
      if (counts) ++compared;
      if (different.empty()) continue;
      const std::lock_guard held(lock);
      differences.push_back(fmt::format("seed {}: {}", seed, different));
    }
  };
  std::vector<std::jthread> threads(std::clamp(std::thread::hardware_concurrency(), 1u, kMostGpus));
  for (std::jthread& thread : threads) thread = std::jthread(work);
  threads.clear();
  for (const std::string& different : differences) FAIL_CHECK(different);
  CHECK(compared > kSeeds / 4);
}

}  // namespace warpbook::tests::random_programs_test
