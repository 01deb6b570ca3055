// The random programs on the GPU of this computer, from the same PTX: its bits are the simulator's, but for what the ISA leaves
// open (settled_program.hpp).
#include <catch2/catch_test_macros.hpp>
#include <catch2/generators/catch_generators.hpp>

#include <algorithm>
#include <atomic>
#include <bit>
#include <cstring>
#include <mutex>
#include <optional>
#include <thread>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "device/device.hpp"
#include "device/gpu/gpu_device.hpp"
#include "tests/device/simulator/reference/generator.hpp"
#include "tests/gpu/on_gpu.hpp"
#include "tests/gpu/settled_program.hpp"

namespace warpbook::tests::random_programs_test {

using namespace warpbook::device;
using device::tests::reference::generate;
using device::tests::reference::kSlotBytes;

namespace {

using RandomProgram = device::tests::reference::Program;

constexpr std::uint64_t kSeeds = 2000;
constexpr unsigned kMostGpus = 8;  // connections, each a process with a context of its own

struct Outcome {
  std::vector<std::byte> out, accumulators;
  std::optional<Error> error;
};

/// Buffers on a device for one run: in, out and accumulators.
class Buffers {
 public:
  explicit Buffers(Device& device) : device_(device) {}
  Buffers(const Buffers&) = delete;
  Buffers& operator=(const Buffers&) = delete;
  ~Buffers() {
    for (const Pointer buffer : all) (void)device_.release(buffer);
  }

  std::optional<Error> fill(const RandomProgram& program) {
    for (const std::vector<std::uint8_t>* bytes :
         {&program.in, &program.out, &program.accumulators}) {
      const auto buffer = device_.allocate("buffer", ElementType::u8, bytes->size());
      if (!buffer) return buffer.error();
      all.push_back(*buffer);
      const auto done = device_.copy_in(*buffer, std::as_bytes(std::span(*bytes))).wait();
      if (!done) return done.error();
    }
    return std::nullopt;
  }

  std::vector<Pointer> all;

 private:
  Device& device_;
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
  Buffers buffers(device);
  if (const auto error = buffers.fill(program)) return tl::unexpected(*error);
  for (const Pointer buffer : buffers.all) launch.arguments.push_back(Argument::pointer(buffer));
  launch.arguments.push_back(Argument::of(program.a));
  launch.arguments.push_back(Argument::of(std::bit_cast<float>(program.f)));
  const auto s = std::as_bytes(std::span(program.s));
  launch.arguments.push_back(Argument::structure({s.begin(), s.end()}));
  const auto record = device.launch(std::move(launch)).wait();
  if (!record) return tl::unexpected(record.error());
  Outcome outcome{std::vector<std::byte>(program.out.size()),
                  std::vector<std::byte>(program.accumulators.size()), (*record)->error};
  // A fault takes the memory along.
  if (outcome.error) return outcome;
  if (const auto done = device.copy_out(outcome.out, buffers.all[1]).wait(); !done)
    return tl::unexpected(done.error());
  if (const auto done = device.copy_out(outcome.accumulators, buffers.all[2]).wait(); !done)
    return tl::unexpected(done.error());
  return outcome;
}

/// As run(), and once more where the process was lost in which the driver runs: that is no answer about the program.
Expected<Outcome> run_on_gpu(Device& gpu, const RandomProgram& program, const std::string& ptx) {
  const auto outcome = run(gpu, program, ptx);
  const bool lost = !outcome && (outcome.error().code == ErrorCode::library_died ||
                                 outcome.error().code == ErrorCode::memory_lost);
  return lost ? run(gpu, program, ptx) : outcome;
}

/// What a lane that takes no part gives to a shuffle is not defined: such programs have no one result.
bool is_undefined(const std::optional<Error>& error) {
  return error &&
         (error->code == ErrorCode::missing_lane || error->code == ErrorCode::uninitialised_read);
}

/// The eight bytes around the first that differs, in both.
std::string values_at(const std::vector<std::byte>& got, const std::vector<std::byte>& expected,
                      std::size_t at) {
  constexpr std::size_t kWord = sizeof(std::uint64_t);
  std::uint64_t ours = 0, theirs = 0;
  std::memcpy(&theirs, got.data() + at / kWord * kWord, kWord);
  std::memcpy(&ours, expected.data() + at / kWord * kWord, kWord);
  return fmt::format("{:#018x} on the GPU, {:#018x} on the simulator", theirs, ours);
}

/// Where two outcomes of a program differ first, with both values and the instructions that made them; empty: nowhere.
std::string difference(const Outcome& got, const Outcome& expected, const std::string& ptx) {
  const auto first = [](const std::vector<std::byte>& a, const std::vector<std::byte>& b) {
    return static_cast<std::size_t>(std::ranges::mismatch(a, b).in1 - a.begin());
  };
  if (got.out != expected.out) {
    const std::size_t at = first(got.out, expected.out), offset = at % kSlotBytes;
    return fmt::format("out, thread {}, offset {}: {}, by {}", at / kSlotBytes, offset,
                       values_at(got.out, expected.out, at), made_by(ptx, offset));
  }
  if (got.accumulators != expected.accumulators) {
    const std::size_t at = first(got.accumulators, expected.accumulators);
    return fmt::format("accumulators, offset {}: {}", at,
                       values_at(got.accumulators, expected.accumulators, at));
  }
  return {};
}

/// How a program ended on the two devices.
struct Ending {
  std::string difference;      ///< empty: none
  bool compared = false;       ///< it has one result and ran on both
  bool killed_driver = false;  ///< twice, so it is the program that the driver cannot compile
};

/// From what the GPU gave, and the simulator.
Ending ending(const Expected<Outcome>& got, const Outcome& expected, const std::string& ptx) {
  if (!got && got.error().code == ErrorCode::library_died) return {.killed_driver = true};
  if (!got) return {"GPU: " + got.error().english()};
  if (got->error) return {"GPU: " + got->error->english()};
  return {difference(*got, expected, ptx), true};
}

Ending ending(Device& gpu, Device& simulated, const RandomProgram& program) {
  if (program.approximate) return {};
  const std::string ptx = settled(program.ptx);
  const auto expected = run(simulated, program, ptx);
  if (!expected) return {"simulator: " + expected.error().english()};
  if (is_undefined(expected->error)) return {};
  if (expected->error) return {"simulator: " + expected->error->english()};
  return ending(run_on_gpu(gpu, program, ptx), *expected, ptx);
}

}  // namespace

TEST_CASE("on the GPU: random programs give the simulator's bits", "[ci]") {
  const auto first = gpu_or_skip();
  std::atomic<std::uint64_t> next{1}, compared{0};
  std::mutex lock;
  std::vector<std::string> differences;
  std::vector<std::uint64_t> killers;
  const auto work = [&] {
    const auto gpu = gpu::GpuDevice::open();
    if (!gpu) {
      const std::lock_guard held(lock);
      differences.push_back(gpu.error().english());
      return;
    }
    const auto simulated = make_simulated_device((*gpu)->properties());
    for (std::uint64_t seed = next++; seed <= kSeeds; seed = next++) {
      const Ending end = ending(**gpu, *simulated, generate(seed));
      if (end.compared) ++compared;
      const std::lock_guard held(lock);
      if (end.killed_driver) killers.push_back(seed);
      if (!end.difference.empty())
        differences.push_back(fmt::format("seed {}: {}", seed, end.difference));
    }
  };
  std::vector<std::jthread> threads(std::clamp(std::thread::hardware_concurrency(), 1u, kMostGpus));
  for (std::jthread& thread : threads) thread = std::jthread(work);
  threads.clear();
  for (const std::string& different : differences) FAIL_CHECK(different);
  // A compiler that dies says nothing about a program's result. Driver 580.159.04 died of seeds 24, 890, 1080 and 1462, as they were
  // settled on 26 November 2026. ptxas 13.0 compiles all four. nvJitLink 13.0 died of 24 and 1080, too, and 13.1 gave them up with an
  // internal error (C7907), but neither did where their votes were taken out. All four have votes, and so have half of
  // all programs, which would show less without them.
  if (!killers.empty()) WARN(fmt::format("the driver died of seeds {}", fmt::join(killers, ", ")));
  CHECK(killers.size() <= kSeeds / 100);
  CHECK(compared > kSeeds / 4);
}

TEST_CASE("What the ISA leaves open in a program is settled") {
  const auto [line, wanted] = GENERATE(table<std::string, std::string>(
      {{"add.f32 %r1, %r2, %r3;", "add.rn.f32 %r1, %r2, %r3;"},
       {"mov.u32 %r1, %warpid;", "shr.u32 %r1, %lin, 5;"},
       {"@%p1 rem.u32 %r1, %r2, %r3;", "or.b32 %open, %r3, 1;\n@%p1 rem.u32 %r1, %r2, %open;"},
       {"div.s64 %d1, %d2, 0x0;", "div.s64 %d1, %d2, 1;"},
       {"neg.f64 %d1, %d2;", "@%open mov.b64 %d1, 0x7fffffffffffffff;"},
       {"@%p1 fma.rz.f64 %d1, %d2, %d3, %d4;", "setp.nan.f64 %open, %d1, %d1;"},
       {"copysign.f64 %d1, %d2, %d3;", "setp.nan.f64 %open, %d1, %d1;"},
       {"max.NaN.xorsign.abs.bf16 %h1, %h2, %h2;", "@%open mov.b16 %h1, 0x7fff;"},
       {"cvt.rz.ftz.f32.f64 %r1, %d2;", "@%open mov.b32 %r1, 0x7fffffff;"},
       {"cvt.sat.f64.f16 %d1, %h2;", "setp.nan.f64 %open, %d1, %d1;"},
       {"cvt.rni.s64.bf16 %d1, %h2;", "@%open mov.b64 %d1, 0x8000000000000000;"},
       {"atom.global.add.f64 %d1, [%dx2], %d3;", "st.global.b64 [%dx2], %sum;"},
       {"bfe.s64 %d1, %d2+-1, %r3, 99;", "and.b32 %at, %r3, 0xff;\nbfe.s64 %d1, %d2+-1, %at, 99;"},
       {"@!%p1 bfi.b64 %d1, %d2, %d3, 7, %r4+4;",
        "and.b32 %length, %r4+4, 0xff;\n@!%p1 bfi.b64 %d1, %d2, %d3, 7, %length;"},
       {"bfe.s32 %r1, %r2, 42, 7;", "bfe.s32 %r1, %r2, 10, 7;"},
       {"bfe.u32 %r1, %r2, 42, 7;", "bfe.u32 %r1, %r2, 42, 7;"},
       {"bfe.u32 %r1, %r2, %r3, 7;", "or.b32 %open, %open, %r2;\nbfe.u32 %r1, %open, %at, 7;"},
       {"@%p1 shr.b64 %d1, %d2, %r3;", "mov.b32 %open, %r3;\n@%p1 shr.b64 %d1, %d2, %open;"},
       {"shfl.sync.bfly.b32 %r1|%p1, %r2, 31, 0xf, -1;",
        "or.b32 %open, %open, %r2;\nshfl.sync.bfly.b32 %r1|%p1, %open, 31, 0xf, -1;"},
       {".func f()\n{\ncall f;\n}\n.entry k()\n{\nmatch.sync.any.b32 %r1, %r2, -1;\n}",
        "or.b32 %members, %members, %rest;\nmatch.sync.any.b32 %r1, %r2, %members;"},
       {"fns.b32 %r1, %r2, 3, %r4;", "max.s32 %open, %r4, -0x7fffffff;"},
       {"@!%p1 set.eq.f32.u16 %r1, %h2, 7;",
        "set.eq.f32.u16 %open, %h2, 7;\n@!%p1 mov.b32 %r1, %open;"},
       {"@%p1 testp.finite.f64 %p1, %d2;",
        "testp.finite.f64 %open, %d2;\n@%p1 mov.pred %p1, %open;"},
       {"abs.ftz.f16x2 %r1, %r2;", "setp.nan.f16 %open, %high, %high;"},
       {"cvt.rn.f32.bf16 %r1, %h2;", "@%open mov.b32 %r1, 0x7fffffff;"},
       {"cvt.rna.tf32.f32 %r1, %r2;", "and.b32 %r1, %r1, 0xffffe000;"}}));
  CAPTURE(line, settled(line));
  CHECK(settled(line).find(wanted) != std::string::npos);
}

TEST_CASE("What the ISA defines in a program stays as it is") {
  for (const std::string line :
       {"selp.f64 %d1, %d2, %d3, %p4;", "div.s32 %r1, %r2, -7;", "neg.s32 %r1, %r2;",
        "st.global.b32 [%own+4], %r1;", "cvt.rn.bf16.f32 %h1, %r2;", "shl.b64 %d1, %d2, 7;",
        "shr.u32 %r1, %r2, %r3;", "shfl.sync.up.b32 %r1, %r2, 3, 0, -1;",
        ".entry k()\n{\ncall f;\nmatch.sync.any.b32 %r1, %r2, -1;\n}"})
    CHECK(settled(line) == line + "\n");
}

TEST_CASE("What is only said in other words gives the same") {
  RandomProgram program = generate(1);
  program.grid = {1, 1, 1};
  program.block = {32, 1, 1};
  program.out.resize(32 * kSlotBytes);
  program.ptx = R"(
.version 9.0
.target sm_90
.address_size 64
.func (.param .b32 r) down(.param .b32 a)
{
.reg .pred %p; .reg .b32 %r;
ld.param.b32 %r, [a];
setp.eq.u32 %p, %r, 0;
@%p bra END;
sub.u32 %r, %r, 1;
{ .param .b32 pa; .param .b32 pr;
st.param.b32 [pa], %r;
call (pr), down, (pa);
ld.param.b32 %r, [pr];
}
add.u32 %r, %r, 2;
END:
st.param.b32 [r], %r;
ret;
}
.visible .entry k(.param .u64 pin, .param .u64 pout, .param .u64 pacc, .param .u32 a, .param .f32 f, .param .align 8 .b8 s[24])
{
.reg .pred %p; .reg .b32 %lane, %low, %r<5>; .reg .b64 %own, %d;
ld.param.u64 %own, [pout];
mov.u32 %lane, %tid.x;
mad.wide.u32 %own, %lane, 512, %own;
ld.param.b32 %r0, [a];
bfe.s32 %r1, %r0, %lane, %lane;
shfl.sync.bfly.b32 %r0|%p, %lane, 31, 0xf, -1;
selp.u32 %r2, 1, 0, %p;
shr.b64 %d, 0x89abcdef01234567, %lane;
and.b32 %low, %lane, 3;
{ .param .b32 pa; .param .b32 pr;
st.param.b32 [pa], %low;
call (pr), down, (pa);
ld.param.b32 %r3, [pr];
}
match.sync.any.b32 %r4, %r3, -1;
st.global.v4.b32 [%own], {%r0, %r1, %r2, %r3};
st.global.b32 [%own+16], %r4;
st.global.b64 [%own+24], %d;
ret;
})";
  const auto device = make_simulated_device(*find_gpu("h200"));
  const auto plain = run(*device, program, program.ptx),
             other = run(*device, program, settled(program.ptx));
  REQUIRE((plain && other && !plain->error && !other->error));
  CHECK_FALSE(std::ranges::equal(plain->out, std::as_bytes(std::span(program.out))));
  CHECK(difference(*other, *plain, program.ptx).empty());
}

TEST_CASE("A difference is told with both values and the instructions that made them") {
  const auto first = make_simulated_device(*find_gpu("h200")),
             second = make_simulated_device(*find_gpu("h200"));
  RandomProgram program = generate(1);
  const std::string ptx = settled(program.ptx), store = "st.global.b64 [%own+264], ";
  const std::size_t at = ptx.find(store);
  REQUIRE(at != std::string::npos);
  const std::size_t begin = at + store.size();
  const std::string name = ptx.substr(begin, ptx.find(';', begin) - begin);
  std::string planted = ptx;
  planted.insert(at, fmt::format("xor.b64 {0}, {0}, 1;\n", name));
  const auto expected = run(*first, program, ptx), got = run(*second, program, planted);
  REQUIRE((expected && got));
  CHECK(difference(*expected, *expected, ptx).empty());
  const std::string told = difference(*got, *expected, planted);
  CAPTURE(told);
  CHECK(told.starts_with("out, thread 0, offset 264: 0x"));
  CHECK(told.find(fmt::format("by xor.b64 {0}, {0}, 1; st.global.b64 [%own+264], {0};", name)) !=
        std::string::npos);
}

TEST_CASE("A driver that dies of a program is told from one that fails, and from a difference") {
  const Outcome outcome{{std::byte{1}}, {}, {}};
  const auto failed_by = [&](ErrorCode code, MessageArguments arguments) {
    return ending(tl::unexpected(Error{code, std::move(arguments), {}}), outcome, "");
  };
  const Ending died =
      failed_by(ErrorCode::library_died, {{"library", "the driver"}, {"detail", "signal 11"}});
  CHECK((died.killed_driver && !died.compared && died.difference.empty()));
  const Ending failed = failed_by(ErrorCode::memory_lost, {{"name", "out"}, {"cause", "a trap"}});
  CHECK((!failed.killed_driver && !failed.compared && failed.difference.starts_with("GPU: ")));
  const Ending same = ending(outcome, outcome, "");
  CHECK((!same.killed_driver && same.compared && same.difference.empty()));
}

}  // namespace warpbook::tests::random_programs_test
