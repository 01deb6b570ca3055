// Loads, stores and atomic operations in every width and space, and generic addresses.
#include "tests/device/simulator/ptx_bench.hpp"

#include <fmt/format.h>
#include <catch2/generators/catch_generators.hpp>

namespace warpbook::device::tests::memory_access_test {

TEST_CASE("every width is loaded with its sign and stored, also as vectors", "[device]") {
  struct Width {
    const char *load, *store, *reg;
    std::uint32_t bytes;
  };
  const Width widths[] = {{"ld.global.u8", "st.global.u32", "b32", 1},
                          {"ld.global.s8", "st.global.u32", "b32", 1},
                          {"ld.global.s16", "st.global.u32", "b32", 2},
                          {"ld.global.u16", "st.global.u32", "b32", 2},
                          {"ld.global.b32", "st.global.u32", "b32", 4}};
  std::vector<std::uint8_t> bytes(512);
  for (std::size_t i = 0; i < bytes.size(); ++i) bytes[i] = static_cast<std::uint8_t>(i * 37 + 11);
  for (const Width& w : widths) {
    for (const std::uint32_t live : {32u, 7u}) {
      CAPTURE(w.load, live);
      PtxBench bench(fmt::format(R"(
.visible .entry k(.param .u64 x, .param .u64 y) {{
  .reg .{2} %v; .reg .b32 %i; .reg .b64 %x, %y;
  ld.param.u64 %x, [x]; ld.param.u64 %y, [y];
  mov.u32 %i, %tid.x;
  mad.wide.u32 %x, %i, {3}, %x; mad.wide.u32 %y, %i, 4, %y;
  {0} %v, [%x+{3}];
  {1} [%y], %v;
  ret;
}})",
                                 w.load, w.store, w.reg, w.bytes));
      const Pointer x = bench.buffer("x", bytes),
                    y = bench.buffer("y", std::vector<std::uint32_t>(32));
      bench.good({1, 1, 1}, {live, 1, 1}, x, y);
      const auto got = bench.read<std::uint32_t>(y, 32);
      const bool is_signed = std::string(w.load).find(".s") != std::string::npos;
      for (std::uint32_t i = 0; i < live; ++i) {
        std::uint32_t want = 0;
        for (std::uint32_t b = 0; b < w.bytes; ++b)
          want |= static_cast<std::uint32_t>(bytes[(i + 1) * w.bytes + b]) << (8 * b);
        if (is_signed && w.bytes < 4 && (want >> (8 * w.bytes - 1) & 1))
          want |= ~0u << (8 * w.bytes);
        CHECK(got[i] == want);
      }
    }
  }
}

TEST_CASE("an access that begins before shared memory is caught, whatever was accessed before it",
          "[device]") {
  // Thread t reads the word before its own: with the address in 64 bits, thread 0's is just below the end of all addresses.
  PtxBench bench(
      ".visible .entry k(.param .u64 y) { .shared .align 4 .b8 tile[512]; .reg .b32 %r<4>; .reg "
      ".b64 %d<8>;\n"
      "ld.param.u64 %d0, [y]; mov.u32 %r0, %tid.x; mul.wide.u32 %d1, %r0, 4; mov.u64 %d2, tile; "
      "add.u64 %d3, %d2, %d1;\nst.shared.u32 [%d3], %r0; bar.sync 0;\n"
      "ld.shared.u32 %r1, [%d3+-4];\nadd.u64 %d0, %d0, %d1; st.global.u32 [%d0], %r1; ret; }");
  const bool check = GENERATE(false, true);
  bench.request.observe.memcheck = true;
  bench.request.observe.initcheck = check;
  const Pointer y = bench.room<std::uint32_t>("y", 128);
  const LaunchRecord record = bench.launch({4, 1, 1}, {128, 1, 1}, y);
  CAPTURE(check);
  CHECK(record.findings_total == 4);
  for (const Finding& finding : record.findings) CHECK(finding.by.thread == 0);
}

TEST_CASE("vectors keep their elements in order, in global and shared memory", "[device]") {
  for (const char* space : {"global", "shared"}) {
    CAPTURE(space);
    const bool shared = std::string(space) == "shared";
    PtxBench bench(
        fmt::format(R"(
.visible .entry k(.param .u64 x, .param .u64 y) {{
  .shared .align 16 .b8 tile[1024];
  .reg .f32 %f<4>; .reg .b32 %i, %s; .reg .b64 %x, %y, %t, %h<2>;
  ld.param.u64 %x, [x]; ld.param.u64 %y, [y];
  mov.u32 %i, %tid.x;
  mad.wide.u32 %x, %i, 16, %x; mad.wide.u32 %y, %i, 32, %y;
  mov.u64 %t, tile; mad.wide.u32 %t, %i, 16, %t;
  ld.global.v4.f32 {{%f0, %f1, %f2, %f3}}, [%x];
  {0}
  st.global.v2.f32 [%y], {{%f3, %f2}};
  st.global.v2.f32 [%y+8], {{%f1, %f0}};
  ld.global.v2.u64 {{%h0, %h1}}, [%x];
  st.global.v2.u64 [%y+16], {{%h1, %h0}};
  ret;
}})",
                    shared ? "st.shared.v4.f32 [%t], {%f0, %f1, %f2, %f3}; ld.shared.v2.f32 {%f2, "
                             "%f3}, [%t]; ld.shared.v2.f32 {%f0, %f1}, [%t+8];"
                           : ""));
    std::vector<float> values(128);
    for (std::size_t i = 0; i < values.size(); ++i) values[i] = static_cast<float>(i);
    const Pointer x = bench.buffer("x", values), y = bench.room<float>("y", 256);
    bench.good({1, 1, 1}, {32, 1, 1}, x, y);
    const auto got = bench.read<float>(y, 256);
    for (std::size_t i = 0; i < 32; ++i) {
      const float a = static_cast<float>(4 * i);
      const std::vector<float> want =
          shared ? std::vector<float>{a + 1, a, a + 3, a + 2, a + 2, a + 3, a, a + 1}
                 : std::vector<float>{a + 3, a + 2, a + 1, a, a + 2, a + 3, a, a + 1};
      CHECK(std::vector<float>(got.begin() + static_cast<std::ptrdiff_t>(8 * i),
                               got.begin() + static_cast<std::ptrdiff_t>(8 * i + 8)) == want);
    }
  }
}

TEST_CASE("one generic access may reach global, shared and local memory at once", "[device]") {
  PtxBench bench(R"(
.visible .entry k(.param .u64 x, .param .u64 y) {
  .shared .align 4 .u32 tile[1];
  .local .align 4 .b8 mine[4];
  .reg .pred %p<4>; .reg .b32 %r<4>; .reg .b64 %d<6>;
  ld.param.u64 %d0, [x]; ld.param.u64 %d1, [y];
  mov.u32 %r0, %tid.x;
  mov.u64 %d2, tile; st.shared.u32 [%d2], 100; cvta.shared.u64 %d2, %d2;
  mov.u64 %d3, mine; st.local.u32 [%d3], %r0; cvta.local.u64 %d3, %d3;
  rem.u32 %r1, %r0, 3;
  setp.eq.u32 %p0, %r1, 0; setp.eq.u32 %p1, %r1, 1;
  selp.b64 %d4, %d0, %d2, %p0;
  selp.b64 %d4, %d3, %d4, %p1;
  bar.sync 0;
  ld.u32 %r2, [%d4];
  isspacep.shared %p2, %d4;
  selp.u32 %r3, 1000, 0, %p2;
  isspacep.global %p3, %d4;
  @%p3 add.u32 %r3, %r3, 2000;
  add.u32 %r2, %r2, %r3;
  mad.wide.u32 %d5, %r0, 4, %d1;
  st.u32 [%d5], %r2;
  ret;
})");
  const Pointer x = bench.buffer<std::uint32_t>("x", {7}), y = bench.room<std::uint32_t>("y", 32);
  bench.good({1, 1, 1}, {32, 1, 1}, x, y);
  const auto got = bench.read<std::uint32_t>(y, 32);
  for (std::uint32_t i = 0; i < 32; ++i)
    CHECK(got[i] == (i % 3 == 0 ? 2007 : i % 3 == 1 ? i : 1100));
}

TEST_CASE("atomic operations act lane by lane and give the old value", "[device]") {
  struct Case {
    const char* instruction;
    std::uint64_t start, want;
    std::uint32_t bytes;
  };
  // 32 lanes with the values 0 to 31, in order.
  const Case cases[] = {{"add.u32", 5, 501, 4}, {"add.u64", ~0ull, 495, 8}, {"min.s32", 100, 0, 4},
                        {"max.u32", 3, 31, 4},  {"and.b32", 0xff, 0, 4},    {"or.b32", 0, 31, 4},
                        {"xor.b32", 0, 0, 4},   {"exch.b32", 9, 31, 4},     {"inc.u32", 0, 31, 4},
                        {"dec.u32", 3, 31, 4},  {"max.s64", ~0ull, 31, 8},  {"min.u64", 7, 0, 8}};
  for (const char* space : {"global", "shared"}) {
    for (const Case& c : cases) {
      CAPTURE(space, c.instruction);
      PtxBench bench(fmt::format(R"(
.visible .entry k(.param .u64 x, .param .u64 old) {{
  .shared .align 8 .b8 word[8];
  .reg .b32 %i, %v32, %o32; .reg .b64 %x, %y, %v64, %o64, %s;
  .reg .pred %p;
  ld.param.u64 %x, [x]; ld.param.u64 %y, [old];
  mov.u32 %i, %tid.x; mov.u32 %v32, %i; cvt.u64.u32 %v64, %i;
  mov.u64 %s, word;
  ld.global.u64 %o64, [%x]; st.shared.u64 [%s], %o64;
  bar.sync 0;
  atom.{0}.{1} %o{2}, [{3}], %v{2};
  mad.wide.u32 %y, %i, 8, %y;
  st.global.b{2} [%y], %o{2};
  bar.sync 0;
  ld.{0}.u64 %o64, [{3}];
  st.global.u64 [%x], %o64;
  ret;
}})",
                                 space, c.instruction, 8 * c.bytes,
                                 std::string(space) == "shared" ? "%s" : "%x"));
      const Pointer x = bench.buffer<std::uint64_t>("x", {c.start}),
                    old = bench.buffer("old", std::vector<std::uint64_t>(32));
      const LaunchRecord r = bench.good({1, 1, 1}, {32, 1, 1}, x, old);
      const std::uint64_t got = bench.read<std::uint64_t>(x, 1)[0];
      CHECK((c.bytes == 4 ? got & 0xffffffff : got) == c.want);
      CHECK(bench.read<std::uint64_t>(old, 1)[0] ==
            (c.bytes == 4 ? c.start & 0xffffffff : c.start));
      CHECK(r.total.atomics == 32);
    }
  }
}

TEST_CASE("a kernel may read nothing but its parameters, several elements at a time", "[device]") {
  // Nothing else is accessed, so nothing is remembered of any access (found by the fuzzer).
  PtxBench bench(R"(
.visible .entry k(.param .align 16 .b8 p[64]) {
  .reg .b64 %a, %b;
  ld.param::func.v2.u64 {%a, %b}, [p+16];
  ret;
})");
  const LaunchRecord record = bench.good({1, 1, 1}, {40, 1, 1}, std::array<std::uint64_t, 8>{});
  CHECK(record.total.thread_instructions == 80);
  CHECK(record.total.global_requests == 0);
}

TEST_CASE("any number of host threads gives the same memory and the same counters", "[device]") {
  // NVRTC writes the second where the source drops the old value.
  const std::string add = GENERATE(as<std::string>(), "red.global.add.u32 [%d0], %r6;",
                                   "atom.global.add.u32 %r7, [%d0], %r6;");
  PtxBench bench(R"(
.visible .entry k(.param .u64 x, .param .u64 y, .param .u32 n) {
  .reg .pred %p; .reg .b32 %r<8>; .reg .b64 %d<4>;
  ld.param.u64 %d0, [x]; ld.param.u64 %d1, [y]; ld.param.u32 %r0, [n];
  mov.u32 %r1, %ctaid.x; mov.u32 %r2, %ntid.x; mov.u32 %r3, %tid.x;
  mad.lo.u32 %r4, %r1, %r2, %r3;
  setp.ge.u32 %p, %r4, %r0;
  @%p bra done;
  and.b32 %r5, %r4, 31;
  mov.u32 %r6, 0;
loop:
  add.u32 %r6, %r6, %r4;
  sub.u32 %r5, %r5, 1;
  setp.gt.s32 %p, %r5, 0;
  @%p bra loop;
  mad.wide.u32 %d2, %r4, 4, %d1;
  st.global.u32 [%d2], %r6;
)" + add + R"(
done: ret;
})");
  const Pointer x = bench.buffer<std::uint32_t>("x", {0}),
                y = bench.room<std::uint32_t>("y", 96'200);
  std::optional<LaunchRecord> first;
  std::uint32_t sum = 0;
  for (const std::uint32_t host_threads : {1u, 2u, 5u}) {
    CAPTURE(host_threads);
    REQUIRE(bench.memory->fill(x, std::byte{0}, 4));
    bench.request.host_threads = host_threads;
    LaunchRecord record = bench.good({1003, 1, 1}, {96, 1, 1}, x, y, std::uint32_t{96'200});
    CHECK(record.host_threads == host_threads);
    if (!first) {
      first = record;
      sum = bench.read<std::uint32_t>(x, 1)[0];
    }
    CHECK(bench.read<std::uint32_t>(x, 1)[0] == sum);
    CHECK(record.total == first->total);
    CHECK((record.instructions == first->instructions));
    CHECK((record.lines == first->lines));
    CHECK(record.longest_lane == first->longest_lane);
    CHECK((record.trace == first->trace));
  }
}

}  // namespace warpbook::device::tests::memory_access_test
