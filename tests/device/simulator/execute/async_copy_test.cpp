// cp.async: which bytes are copied, when they are visible, and the findings where a thread does not wait.
#include "tests/device/simulator/ptx_bench.hpp"

#include <fmt/format.h>
#include <algorithm>
#include <catch2/generators/catch_generators.hpp>

namespace warpbook::device::tests::async_copy_test {
namespace {

std::vector<std::uint8_t> some_bytes(std::size_t count, std::uint32_t seed = 11) {
  std::vector<std::uint8_t> bytes(count);
  for (std::size_t i = 0; i < count; ++i)
    bytes[i] = static_cast<std::uint8_t>((i + 1) * 37 + i / 251 + seed);
  return bytes;
}

const Finding& only_finding(const LaunchRecord& record) {
  REQUIRE(record.findings.size() == 1);
  return record.findings[0];
}

}  // namespace

TEST_CASE("cp.async copies what it is asked for, in every form", "[device]") {
  struct Form {
    const char* modifiers;
    std::uint32_t bytes;
    const char* extra;    // operands behind the size
    std::uint32_t taken;  // bytes from the source; the rest are zeros
  };
  const Form forms[] = {{"ca.shared.global", 4, "", 4},
                        {"ca.shared::cta.global", 8, "", 8},
                        {"ca.shared.global.L2::128B", 16, "", 16},
                        {"cg.shared.global", 16, "", 16},
                        {"cg.shared.global.L2::256B", 16, ", 0", 0},
                        {"ca.shared.global", 4, ", %n", 3},
                        {"ca.shared.global", 8, ", 4", 4},
                        {"cg.shared.global", 16, ", %n", 3},
                        {"cg.shared.global", 16, ", 12", 12},
                        {"ca.shared.global", 8, ", %yes", 0},
                        {"cg.shared.global", 16, ", %no", 16},
                        {"cg.shared.global.L2::cache_hint", 16, ", %policy", 16},
                        {"ca.shared.global.L2::cache_hint.L2::64B", 4, ", %n, %policy", 3}};
  for (const Form& form : forms) {
    for (const std::uint32_t live : {32u, 7u}) {
      CAPTURE(form.modifiers, form.bytes, form.extra, live);
      PtxBench bench(fmt::format(R"(
.visible .entry k(.param .u64 x, .param .u64 y) {{
  .shared .align 16 .b8 tile[1024];
  .reg .b32 %i, %s, %v, %n; .reg .b64 %x, %y, %policy; .reg .pred %yes, %no, %q;
  ld.param.u64 %x, [x]; ld.param.u64 %y, [y];
  mov.u32 %i, %tid.x; mov.u32 %n, 3;
  setp.ne.u32 %yes, %n, 0; setp.eq.u32 %no, %n, 0;
  createpolicy.fractional.L2::evict_first.b64 %policy, 1.0;
  mov.u32 %s, tile; mad.lo.u32 %s, %i, 16, %s;
  mad.wide.u32 %x, %i, {1}, %x; mad.wide.u32 %y, %i, 16, %y;
  mov.u32 %v, 0xdeadbeef;
  st.shared.v4.u32 [%s], {{%v, %v, %v, %v}};
  cp.async.{0} [%s], [%x+16], {1}{2};
  cp.async.wait_all;
  .reg .b32 %a, %b, %c, %d;
  ld.shared.v4.u32 {{%a, %b, %c, %d}}, [%s];
  st.global.v4.u32 [%y], {{%a, %b, %c, %d}};
  ret;
}})",
                                 form.modifiers, form.bytes, form.extra));
      const auto bytes = some_bytes(16 + std::size_t{32} * form.bytes);
      const Pointer x = bench.buffer("x", bytes);
      const Pointer y = bench.buffer("y", std::vector<std::uint8_t>(512));
      bench.good({1, 1, 1}, {live, 1, 1}, x, y);
      const auto got = bench.read<std::uint8_t>(y, 512);
      const std::uint8_t old[4] = {0xef, 0xbe, 0xad, 0xde};
      std::size_t wrong = 0;
      for (std::size_t lane = 0; lane < live; ++lane) {
        for (std::size_t b = 0; b < 16; ++b) {
          const std::uint8_t want = b >= form.bytes   ? old[b % 4]
                                    : b >= form.taken ? std::uint8_t{0}
                                                      : bytes[16 + lane * form.bytes + b];
          wrong += got[lane * 16 + b] != want;
        }
      }
      CHECK(wrong == 0);
    }
  }
}

namespace {

// Three groups of one copy each, into words 0, 1 and 2; then a wait, and the words as they are.
std::string three_groups(const std::string& wait) {
  return fmt::format(R"(
.visible .entry k(.param .u64 x, .param .u64 y) {{
  .shared .align 16 .b8 tile[16];
  .reg .b32 %a, %b, %c, %s; .reg .b64 %x, %y;
  ld.param.u64 %x, [x]; ld.param.u64 %y, [y];
  mov.u32 %s, tile;
  st.shared.u32 [%s], 7; st.shared.u32 [%s+4], 8; st.shared.u32 [%s+8], 9;
  cp.async.ca.shared.global [%s], [%x], 4;
  cp.async.commit_group;
  cp.async.ca.shared.global [%s+4], [%x+4], 4;
  cp.async.commit_group;
  cp.async.ca.shared.global [%s+8], [%x+8], 4;
  {}
  ld.shared.u32 %a, [%s]; ld.shared.u32 %b, [%s+4]; ld.shared.u32 %c, [%s+8];
  st.global.u32 [%y], %a; st.global.u32 [%y+4], %b; st.global.u32 [%y+8], %c;
  ret;
}})",
                     wait);
}

}  // namespace

TEST_CASE("a copy is seen after its group was waited for, and not before", "[device]") {
  struct Case {
    const char* wait;
    std::vector<std::uint32_t> seen;
  };
  const Case cases[] = {
      {"", {7, 8, 9}},
      {"cp.async.commit_group;", {7, 8, 9}},
      {"cp.async.wait_group 0;", {70, 80, 9}},
      {"cp.async.wait_group 1;", {70, 8, 9}},
      {"cp.async.wait_group 2;", {7, 8, 9}},
      {"cp.async.commit_group; cp.async.wait_group 2;", {70, 8, 9}},
      {"cp.async.commit_group; cp.async.wait_group 0;", {70, 80, 90}},
      {"cp.async.commit_group; cp.async.commit_group; cp.async.wait_group 1;", {70, 80, 90}},
      {"cp.async.wait_all;", {70, 80, 90}}};
  for (const Case& c : cases) {
    CAPTURE(c.wait);
    PtxBench bench(three_groups(c.wait));
    bench.request.observe.initcheck = false;
    const Pointer x = bench.buffer<std::uint32_t>("x", {70, 80, 90});
    const Pointer y = bench.buffer("y", std::vector<std::uint32_t>(3));
    bench.good({1, 1, 1}, {1, 1, 1}, x, y);
    CHECK(bench.read<std::uint32_t>(y, 3) == c.seen);
  }
}

TEST_CASE("a read before the wait is a finding that names both lines", "[device]") {
  PtxBench bench(three_groups("cp.async.commit_group; cp.async.wait_group 1;"));
  const Pointer x = bench.buffer<std::uint32_t>("x", {70, 80, 90});
  const Pointer y = bench.buffer("y", std::vector<std::uint32_t>(3));
  const LaunchRecord record = bench.launch({1, 1, 1}, {1, 1, 1}, x, y);
  const Finding& finding = only_finding(record);
  CHECK(finding.error.code == ErrorCode::async_not_waited);
  CHECK(finding.address == 8);
  CHECK(record.instructions[finding.by.instruction].text == "ld.shared.u32 %c, [%s+8];");
  REQUIRE(finding.other);
  CHECK(record.instructions[finding.other->instruction].text ==
        "cp.async.ca.shared.global [%s+8], [%x+8], 4;");
  CHECK(argument_of(finding.error.arguments, "offset")->text == "8");
}

TEST_CASE("both ends of a copy are checked where it is issued", "[device]") {
  struct Case {
    const char* instruction;
    ErrorCode code;
  };
  const Case cases[] = {
      {"cp.async.ca.shared.global [%s], [%x+12], 4;", ErrorCode::out_of_bounds_read},
      {"cp.async.cg.shared.global [%s], [%x], 16;", ErrorCode::out_of_bounds_read},
      {"cp.async.ca.shared.global [%s+64], [%x], 4;", ErrorCode::shared_out_of_bounds},
      {"cp.async.ca.shared.global [%s+2], [%x], 4;", ErrorCode::misaligned_access},
      {"cp.async.ca.shared.global [%s], [%x+4], 8;", ErrorCode::misaligned_access},
      {"cp.async.ca.shared.global [%s], [%x], 4, 5;", ErrorCode::async_size},
      {"cp.async.ca.shared.global [%s], [0], 4;", ErrorCode::null_access}};
  for (const Case& c : cases) {
    CAPTURE(c.instruction);
    PtxBench bench(fmt::format(R"(
.visible .entry k(.param .u64 x) {{
  .shared .align 16 .b8 tile[64];
  .reg .b32 %s; .reg .b64 %x;
  ld.param.u64 %x, [x];
  mov.u32 %s, tile;
  {}
  cp.async.wait_all;
  ret;
}})",
                               c.instruction));
    const Pointer x = bench.buffer<std::uint32_t>("x", {70, 80, 90});
    const LaunchRecord record = bench.launch({1, 1, 1}, {1, 1, 1}, x);
    const Finding& finding = only_finding(record);
    CHECK(name_of(finding.error.code) == name_of(c.code));
    CHECK(record.instructions[finding.by.instruction].text == c.instruction);
  }
  // Bytes that are not taken need not be there.
  PtxBench bench(R"(
.visible .entry k(.param .u64 x) {
  .shared .align 16 .b8 tile[64];
  .reg .b32 %s; .reg .b64 %x;
  ld.param.u64 %x, [x];
  mov.u32 %s, tile;
  cp.async.cg.shared.global [%s], [%x], 16, 12;
  cp.async.cg.shared.global [%s+16], [%x+16], 16, 0;
  cp.async.wait_all;
  ret;
})");
  bench.good({1, 1, 1}, {1, 1, 1}, bench.buffer<std::uint32_t>("x", {70, 80, 90}));
}

TEST_CASE("a copy brings along that its source was never written", "[device]") {
  PtxBench bench(three_groups("cp.async.wait_all;"));
  const Pointer x = bench.room<std::uint32_t>("x", 3);
  const std::vector<std::uint32_t> first = {70, 80};
  REQUIRE(bench.memory->write(x, std::as_bytes(std::span(first))));
  const Pointer y = bench.buffer("y", std::vector<std::uint32_t>(3));
  const LaunchRecord record = bench.launch({1, 1, 1}, {1, 1, 1}, x, y);
  const Finding& finding = only_finding(record);
  CHECK(finding.error.code == ErrorCode::uninitialised_read);
  CHECK(finding.address == 8);
}

TEST_CASE("an mbarrier counts the copies that it tracks, with and without its own arrival",
          "[device]") {
  const bool increments = GENERATE(true, false);
  const bool tries = GENERATE(true, false);
  const std::uint32_t threads = GENERATE(1u, 32u, 100u);
  CAPTURE(increments, tries, threads);
  // Each thread copies a word, then reads its neighbour's.
  PtxBench bench(fmt::format(R"(
.visible .entry k(.param .u64 x, .param .u64 y) {{
  .shared .align 8 .b64 bar;
  .shared .align 16 .b32 tile[128];
  .reg .b32 %i, %s, %t, %n, %v; .reg .b64 %x, %y, %state; .reg .pred %p;
  ld.param.u64 %x, [x]; ld.param.u64 %y, [y];
  mov.u32 %i, %tid.x; mov.u32 %n, %ntid.x;
  {0}
  setp.eq.u32 %p, %i, 0;
  @%p mbarrier.init.shared.b64 [bar], %t;
  bar.sync 0;
  mov.u32 %s, tile; mad.lo.u32 %s, %i, 4, %s;
  mad.wide.u32 %x, %i, 4, %x; mad.wide.u32 %y, %i, 4, %y;
  cp.async.ca.shared.global [%s], [%x], 4;
  cp.async.mbarrier.arrive{1}.shared.b64 [bar];
  mbarrier.arrive.shared.b64 %state, [bar];
again:
  mbarrier.{2}_wait.shared.b64 %p, [bar], %state;
  @!%p bra again;
  add.u32 %i, %i, 1; rem.u32 %i, %i, %n;
  mov.u32 %s, tile; mad.lo.u32 %s, %i, 4, %s;
  ld.shared.u32 %v, [%s];
  st.global.u32 [%y], %v;
  ret;
}})",
                             increments ? "mov.u32 %t, %n;" : "add.u32 %t, %n, %n;",
                             increments ? "" : ".noinc", tries ? "try" : "test"));
  std::vector<std::uint32_t> values(threads), want(threads);
  for (std::uint32_t i = 0; i < threads; ++i) values[i] = 1000 + i * 3;
  for (std::uint32_t i = 0; i < threads; ++i) want[i] = values[(i + 1) % threads];
  const Pointer x = bench.buffer("x", values), y = bench.room<std::uint32_t>("y", threads);
  bench.good({3, 1, 1}, {threads, 1, 1}, x, y);
  CHECK(bench.read<std::uint32_t>(y, threads) == want);
}

TEST_CASE("copies that nobody waits for cost no more than a bounded amount of memory", "[device]") {
  PtxBench bench(R"(
.visible .entry k(.param .u64 x) {
  .shared .align 16 .b8 tile[64];
  .reg .b32 %s, %i; .reg .b64 %x; .reg .pred %p;
  ld.param.u64 %x, [x];
  mov.u32 %s, tile; mov.u32 %i, 0;
again:
  cp.async.ca.shared.global [%s], [%x], 4;
  cp.async.commit_group;
  add.u32 %i, %i, 1;
  setp.lt.u32 %p, %i, 200000;
  @%p bra again;
  ret;
})");
  bench.good({1, 1, 1}, {1, 1, 1}, bench.buffer<std::uint32_t>("x", {70}));
}

TEST_CASE("copies count as loads from global memory and stores into shared memory", "[device]") {
  PtxBench bench(R"(
.visible .entry k(.param .u64 x) {
  .shared .align 16 .b8 tile[512];
  .reg .b32 %s, %i; .reg .b64 %x;
  ld.param.u64 %x, [x];
  mov.u32 %i, %tid.x;
  mov.u32 %s, tile; mad.lo.u32 %s, %i, 16, %s; mad.wide.u32 %x, %i, 16, %x;
  cp.async.cg.shared.global [%s], [%x], 16;
  cp.async.wait_all;
  ret;
})");
  const LaunchRecord record =
      bench.good({1, 1, 1}, {32, 1, 1}, bench.buffer("x", std::vector<std::uint32_t>(128)));
  const auto copy = std::find_if(
      record.instructions.begin(), record.instructions.end(),
      [](const InstructionCounters& i) { return i.text.substr(0, 11) == "cp.async.cg"; });
  REQUIRE(copy != record.instructions.end());
  CHECK(copy->counters.global_requests == 1);
  CHECK(copy->counters.global_sectors == 16);
  CHECK(copy->counters.global_load_sectors == 16);
  CHECK(copy->counters.shared_requests == 1);
  CHECK(copy->counters.shared_wavefronts == 4);
}

}  // namespace warpbook::device::tests::async_copy_test
