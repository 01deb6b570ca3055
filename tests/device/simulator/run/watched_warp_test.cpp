// What the watched warp issues, in order, with its lanes.
#include <bit>
#include <numeric>

#include <catch2/generators/catch_generators.hpp>

#include "tests/device/simulator/ptx_bench.hpp"

namespace warpbook::device::tests::watched_warp_test {
namespace {

/// Even lanes take the upper side, odd lanes the lower one; y[tid] = 2 or 3.
constexpr const char* kSides = R"(
.visible .entry k(.param .u64 y) {
  .reg .pred %p; .reg .b32 %r<4>; .reg .b64 %d;
  ld.param.u64 %d, [y];
  mov.u32 %r0, %tid.x;
  and.b32 %r1, %r0, 1;
  setp.eq.s32 %p, %r1, 1;
  @%p bra odd;
  mov.u32 %r2, 2;
  bra.uni meet;
odd:
  mov.u32 %r2, 3;
meet:
  mad.wide.u32 %d, %r0, 4, %d;
  st.global.u32 [%d], %r2;
  ret;
})";

constexpr std::uint32_t kAll = ~0u, kEven = 0x55555555u;

LaunchRecord watched(WatchedWarp warp, std::uint64_t seed = 0, bool initcheck = true) {
  PtxBench bench(kSides);
  bench.request.observe.watched_warp = warp;
  bench.request.observe.initcheck = initcheck;
  bench.request.seed = seed;
  const Pointer y = bench.room<std::uint32_t>("y", 80);
  return bench.good({2, 1, 1}, {40, 1, 1}, y);
}

std::string opcode(const LaunchRecord& record, const Issue& issue) {
  const std::string& text = record.instructions[issue.instruction].text;
  return text.substr(0, text.find_first_of(" .;"));
}

}  // namespace

TEST_CASE("a watched warp issues one side of a branch after the other, each for its own lanes",
          "[device]") {
  const bool initcheck = GENERATE(false, true);
  const LaunchRecord record = watched({0, 0, 100}, 0, initcheck);
  std::vector<std::pair<std::string, std::uint32_t>> seen;
  for (const Issue& issue : record.issues) seen.emplace_back(opcode(record, issue), issue.lanes);
  using Seen = std::vector<std::pair<std::string, std::uint32_t>>;
  CHECK(seen == Seen{{"ld", kAll},
                     {"mov", kAll},
                     {"and", kAll},
                     {"setp", kAll},
                     {"@%p", kAll},
                     {"mov", kEven},
                     {"bra", kEven},
                     {"mov", ~kEven},
                     {"mad", kAll},
                     {"st", kAll},
                     {"ret", kAll}});
  CHECK_FALSE(record.issues_cut);
}

TEST_CASE("only the watched warp is recorded, with the lanes that it has", "[device]") {
  const LaunchRecord record = watched({1, 1, 100});
  REQUIRE_FALSE(record.issues.empty());
  CHECK(record.issues.front().lanes == 0xffu);  // 40 threads: 8 in the second warp
  CHECK(watched({2, 0, 100}).issues.empty());
  CHECK(watched({0, 2, 100}).issues.empty());
  CHECK(watched({}).issues.empty());
  CHECK_FALSE(watched({}).issues_cut);
}

TEST_CASE("a recording of issues ends where it is full, and says so", "[device]") {
  const std::uint64_t seed = GENERATE(0, 1);
  for (const std::uint32_t most : {1u, 6u, 10u}) {
    CAPTURE(seed, most);
    const LaunchRecord record = watched({0, 0, most}, seed);
    CHECK(record.issues.size() == most);
    CHECK(record.issues_cut);
  }
}

TEST_CASE("what a watched warp issues under a schedule is all that its lanes execute", "[device]") {
  for (const std::uint64_t seed : {0, 1, 2, 3, 7}) {
    CAPTURE(seed);
    const LaunchRecord record = watched({0, 0, 10'000}, seed);
    std::vector<int> executed(32, 0);
    for (const Issue& issue : record.issues) {
      for (int lane = 0; lane < 32; ++lane)
        executed[static_cast<std::size_t>(lane)] += issue.lanes >> lane & 1;
    }
    // 8 instructions that all lanes share, and two or one of its side.
    for (int lane = 0; lane < 32; ++lane)
      CHECK(executed[static_cast<std::size_t>(lane)] == (lane % 2 == 0 ? 10 : 9));
  }
}

}  // namespace warpbook::device::tests::watched_warp_test
