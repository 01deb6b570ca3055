// What the checkers report, and what the counters count.
#include <fmt/format.h>

#include "tests/device/simulator/ptx_bench.hpp"
#include "tests/says.hpp"

namespace warpbook::device::tests::findings_test {
namespace {

using warpbook::tests::Says;

/// y[tid + shift] = x[tid], 4 bytes each, with `extra` added to the store's address.
constexpr const char* kCopy = R"(
.visible .entry k(.param .u64 x, .param .u64 y, .param .u64 extra) {
  .reg .b32 %r<2>; .reg .b64 %d<4>;
  ld.param.u64 %d0, [x]; ld.param.u64 %d1, [y]; ld.param.u64 %d2, [extra];
  mov.u32 %r0, %tid.x;
  mad.wide.u32 %d0, %r0, 4, %d0;
  mad.wide.u32 %d1, %r0, 4, %d1;
  add.u64 %d1, %d1, %d2;
  ld.global.u32 %r1, [%d0];
  st.global.u32 [%d1], %r1;
  ret;
})";

std::string first(const LaunchRecord& r) {
  return r.error ? r.error->message().english() : "no error";
}

const Message kWrite{"phrase.kind.write", {}, {}};

Says outside(const std::string& kind, std::string name, std::string elements, std::int64_t index,
             int thread) {
  return Says("error.out_of_bounds_" + kind + ".long", {{"name", std::move(name)},
                                                        {"elements", std::move(elements)},
                                                        {"index", index},
                                                        {"thread", thread},
                                                        {"block", 0}});
}
/// By the first thread.
Says after_free(const std::string& kind, std::string name) {
  return Says("error.use_after_free.long", {{"kind", Message{"phrase.kind." + kind, {}, {}}},
                                            {"name", std::move(name)},
                                            {"index", 0},
                                            {"thread", 0},
                                            {"block", 0}});
}

}  // namespace

TEST_CASE("memory errors name allocation, element, thread and block, and the launch goes on",
          "[device]") {
  PtxBench bench(kCopy);
  const Pointer x = bench.buffer("x", std::vector<std::uint32_t>(8, 5)),
                y = bench.buffer("y", std::vector<std::uint32_t>(8, 0));
  using L = std::uint64_t;
  const auto run = [&](Pointer from, Pointer to, std::int64_t extra, std::uint32_t threads = 8) {
    return bench.launch({1, 1, 1}, {threads, 1, 1}, from, to, static_cast<L>(extra));
  };
  SECTION("past the end") {
    const LaunchRecord r = run(x, y, 4);
    CHECK_THAT(first(r), outside("write", "y", "[0..7]", 8, 7));
    CHECK(r.findings_total == 1);
    CHECK(bench.read<std::uint32_t>(y, 8) == std::vector<std::uint32_t>{0, 5, 5, 5, 5, 5, 5, 5});
    CHECK(r.findings[0].element == 8);
    CHECK(r.findings[0].by.thread == 7);
  }
  SECTION("before the start") {
    CHECK_THAT(first(run(x, y, -4)), outside("write", "y", "[0..7]", -1, 0));
  }
  SECTION("of an array without elements") {
    const Pointer none = bench.buffer("none", std::vector<std::uint32_t>());
    CHECK_THAT(first(run(x, none, 0, 1)), outside("write", "none", "[]", 0, 0));
  }
  SECTION("by a gigabyte") {
    const LaunchRecord r = run(x, y, 1 << 30);
    CHECK(r.error->code == ErrorCode::wild_access);
    CHECK(r.findings_total == 8);
    CHECK_THAT(first(r), Says("error.wild_access.long", {{"kind", kWrite}, {"bytes", 4}}));
  }
  SECTION("reads, which give zero") {
    const LaunchRecord r = run(x, y, 0, 9);
    CHECK(r.findings_total == 2);
    CHECK_THAT(first(r), outside("read", "x", "[0..7]", 8, 8));
  }
  SECTION("misaligned") {
    CHECK_THAT(first(run(x, y, 2)),
               Says("error.misaligned_access.long", {{"bytes", 4}, {"thread", 0}, {"block", 0}}));
  }
  SECTION("null") {
    CHECK_THAT(
        first(run(x, 0, 8)),
        Says("error.null_access.long",
             {{"kind", kWrite}, {"bytes", 4}, {"address", "0x8"}, {"thread", 0}, {"block", 0}}));
  }
  SECTION("after it was freed") {
    REQUIRE(bench.memory->release(y));
    CHECK_THAT(first(run(x, y, 0)), after_free("write", "y"));
  }
  SECTION("a thousand are kept, all are counted") {
    const LaunchRecord r = bench.launch({40, 1, 1}, {32, 1, 1}, x, y, L{1 << 12});
    CHECK(r.findings.size() == 1000);
    CHECK(r.findings_total == 40 * (32 + 24));
  }
}

TEST_CASE("an access of several elements that reaches beyond its array names all of them",
          "[device]") {
  PtxBench bench(R"(
.visible .entry k(.param .u64 x) {
  .reg .b32 %r<4>; .reg .b64 %d;
  ld.param.u64 %d, [x];
  ld.global.v4.u32 {%r0, %r1, %r2, %r3}, [%d+16];
  ret;
})");
  const Pointer x = bench.buffer("x", std::vector<std::uint32_t>(6, 5));
  const LaunchRecord record = bench.launch({1, 1, 1}, {1, 1, 1}, x);
  REQUIRE(record.findings.size() == 1);
  CHECK(argument_of(record.findings[0].error.arguments, "index")->text == "4..7");
  CHECK(argument_of(record.findings[0].error.arguments, "elements")->text == "[0..5]");
}

TEST_CASE("a place that another buffer had is outside the buffer that a kernel was given",
          "[device]") {
  PtxBench bench(kCopy);
  const Pointer old = bench.room<std::uint32_t>("old", 8),
                x = bench.buffer("x", std::vector<std::uint32_t>(8, 5)),
                y = bench.room<std::uint32_t>("y", 1024);
  REQUIRE(bench.memory->release(old));
  const std::uint64_t back = old - y;
  const auto index = static_cast<std::int64_t>(back) / 4;
  CHECK_THAT(first(bench.launch({1, 1, 1}, {1, 1, 1}, x, y, back)),
             outside("write", "y", "[0..1023]", index, 0));
  // If an argument points there, the kernel got the address from it.
  CHECK_THAT(first(bench.launch({1, 1, 1}, {1, 1, 1}, old, y, std::uint64_t{0})),
             after_free("read", "old"));
}

TEST_CASE("memory without a known type is counted in elements as wide as the access", "[device]") {
  PtxBench bench(kCopy);
  const Pointer x = bench.buffer("x", std::vector<std::uint32_t>(8, 5)),
                bytes = bench.room<std::uint8_t>("bytes", 32);
  const auto run = [&](std::int64_t extra) {
    return bench.launch({1, 1, 1}, {8, 1, 1}, x, bytes, static_cast<std::uint64_t>(extra));
  };
  const LaunchRecord past = run(4);
  CHECK_THAT(first(past), outside("write", "bytes", "[0..7]", 8, 7));
  REQUIRE(past.findings.size() == 1);
  CHECK(past.findings[0].element == 8);
  CHECK_THAT(first(run(-4)), outside("write", "bytes", "[0..7]", -1, 0));
}

TEST_CASE("shared, local and constant memory have bounds of their own", "[device]") {
  PtxBench bench(R"(
.const .align 4 .u32 table[4] = {1, 2, 3, 4};
.visible .entry k(.param .u64 which, .param .u32 offset) {
  .shared .align 4 .b8 tile[64];
  .local .align 4 .b8 mine[16];
  .reg .pred %p<3>; .reg .b32 %r<4>; .reg .b64 %d<4>;
  ld.param.u64 %d0, [which]; ld.param.u32 %r0, [offset];
  setp.eq.u64 %p0, %d0, 0; @%p0 bra in_shared;
  setp.eq.u64 %p1, %d0, 1; @%p1 bra in_local;
  mov.u64 %d1, table; cvta.const.u64 %d1, %d1; st.u32 [%d1], 9;
  ret;
in_shared: mov.u32 %r1, tile; add.u32 %r1, %r1, %r0; st.shared.u32 [%r1], 7; ret;
in_local: mov.u64 %d2, mine; cvt.u64.u32 %d3, %r0; add.u64 %d2, %d2, %d3; st.local.u32 [%d2], 7; ret;
})");
  const auto run = [&](std::uint64_t which, std::uint32_t offset) {
    return bench.launch({1, 1, 1}, {1, 1, 1}, which, offset);
  };
  CHECK_FALSE(run(0, 60).error);
  CHECK_THAT(first(run(0, 64)), Says("error.shared_out_of_bounds.long", {{"kind", kWrite},
                                                                         {"bytes", 4},
                                                                         {"offset", 64},
                                                                         {"size", 64},
                                                                         {"thread", 0},
                                                                         {"block", 0}}));
  CHECK_THAT(first(run(0, 0xfffffffc)), Says("error.shared_out_of_bounds.long", {{"size", 64}}));
  CHECK_FALSE(run(1, 12).error);
  CHECK_THAT(first(run(1, 16)), Says("error.local_out_of_bounds.long", {{"kind", kWrite},
                                                                        {"bytes", 4},
                                                                        {"offset", 16},
                                                                        {"size", 16},
                                                                        {"thread", 0},
                                                                        {"block", 0}}));
  CHECK_THAT(first(run(2, 0)), Says("error.read_only_write.long"));
}

TEST_CASE("initcheck reports where unwritten words decide something, and only there", "[device]") {
  PtxBench bench(kCopy);
  const Pointer x = bench.room<std::uint32_t>("x", 8), y = bench.room<std::uint32_t>("y", 8);
  REQUIRE(bench.memory->fill(x, std::byte{1}, 16));
  const LaunchRecord r = bench.launch({1, 1, 1}, {8, 1, 1}, x, y, std::uint64_t{0});
  CHECK(first(r) ==
        "read of x[4], which no thread or copy has written, thread 4 of block 0; fill it first, or "
        "order the "
        "write before this read");
  CHECK(r.findings_total == 4);
  REQUIRE(r.findings[0].other);
  CHECK(r.instructions[r.findings[0].other->instruction].text.find("st.global") == 0);
  SECTION("unasked") {
    PtxBench quiet(kCopy);
    quiet.request.observe.initcheck = false;
    const Pointer a = quiet.room<std::uint32_t>("a", 8), b = quiet.room<std::uint32_t>("b", 8);
    quiet.good({1, 1, 1}, {8, 1, 1}, a, b, std::uint64_t{0});
  }
  SECTION("through registers and shared memory; a value that is dropped is none") {
    PtxBench more(R"(
.visible .entry k(.param .u64 x, .param .u64 y) {
  .shared .align 4 .u32 tile[32];
  .reg .pred %p; .reg .b32 %r<6>; .reg .b64 %d<3>;
  ld.param.u64 %d0, [x]; ld.param.u64 %d1, [y];
  mov.u32 %r0, %tid.x;
  mad.wide.u32 %d0, %r0, 4, %d0;
  mad.wide.u32 %d1, %r0, 4, %d1;
  ld.global.u32 %r1, [%d0];
  add.u32 %r2, %r1, 1;
  mov.u32 %r3, tile;
  mad.lo.u32 %r3, %r0, 4, %r3;
  st.shared.u32 [%r3], %r2;
  ld.shared.u32 %r4, [%r3];
  mov.u32 %r5, 3;
  setp.eq.u32 %p, %r0, 0;
  @%p mov.u32 %r5, %r4;
  st.global.u32 [%d1], %r5;
  ret;
})");
    const Pointer a = more.room<std::uint32_t>("a", 8), b = more.room<std::uint32_t>("b", 8);
    const LaunchRecord f = more.launch({1, 1, 1}, {8, 1, 1}, a, b);
    CHECK(f.findings_total == 1);
    REQUIRE_FALSE(f.findings.empty());
    CHECK(f.findings[0].by.thread == 0);
  }
}

TEST_CASE("counters count sectors, wavefronts, conflicts and collisions", "[device]") {
  PtxBench bench(R"(
.visible .entry k(.param .u64 x, .param .u32 stride) {
  .shared .align 16 .b8 tile[8192];
  .reg .b32 %r<6>; .reg .b64 %d<2>; .reg .f32 %f<4>;
  ld.param.u64 %d0, [x]; ld.param.u32 %r0, [stride];
  mov.u32 %r1, %tid.x;
  mul.lo.u32 %r2, %r1, %r0;
  cvt.u64.u32 %d1, %r2;
  add.u64 %d0, %d0, %d1;
  ld.global.f32 %f0, [%d0];
  mov.u32 %r3, tile;
  add.u32 %r3, %r3, %r2;
  st.shared.f32 [%r3], %f0;
  mov.u32 %r4, tile;
  red.shared.add.u32 [%r4], 1;
  ret;
})");
  const Pointer x = bench.buffer("x", std::vector<float>(2048, 1));
  struct Row {
    std::uint32_t stride;
    std::uint64_t sectors, wavefronts;
  };
  for (const Row& row : {Row{4, 4, 1}, Row{8, 8, 2}, Row{0, 1, 1}, Row{128, 32, 32},
                         Row{132, 32, 1}, Row{64, 32, 16}}) {
    CAPTURE(row.stride);
    const LaunchRecord r = bench.good({1, 1, 1}, {32, 1, 1}, x, row.stride);
    CHECK(r.total.global_requests == 1);
    CHECK(r.total.global_sectors == row.sectors);
    CHECK(r.total.global_load_sectors == row.sectors);
    CHECK(r.total.global_bytes_asked == 128);
    // One more wavefront for the atomic, whose lanes all access one word.
    CHECK(r.total.shared_wavefronts == row.wavefronts + 1);
    CHECK(r.total.shared_wavefronts_ideal == 2);
    CHECK(r.total.atomics == 32);
    CHECK(r.total.atomic_collisions == 31);
  }
}

TEST_CASE("the trace says how many barriers the block had passed at each access, loops included",
          "[device]") {
  PtxBench bench(R"(
.visible .entry k(.param .u64 y) {
  .reg .pred %p; .reg .b32 %r<4>; .reg .b64 %d;
  .shared .align 4 .b8 tile[256];
  ld.param.u64 %d, [y];
  mov.u32 %r0, %tid.x; shl.b32 %r1, %r0, 2; mov.u32 %r2, tile; add.u32 %r1, %r1, %r2;
  mov.u32 %r3, 0;
again:
  st.shared.u32 [%r1], %r0;
  bar.sync 0;
  add.u32 %r3, %r3, 1; setp.lt.u32 %p, %r3, 3; @%p bra again;
  st.global.u32 [%d], %r0;
  ret;
})");
  const Pointer y = bench.room<std::uint32_t>("y", 1);
  bench.request.observe.trace_accesses = 1 << 16;
  bench.request.observe.racecheck = false;
  const LaunchRecord record = bench.good({2, 1, 1}, {64, 1, 1}, y);
  REQUIRE(record.trace.size() == 2 * 64 * 4);
  // Warp 0 stores, then warp 1; each block begins anew.
  for (std::size_t i = 0; i < record.trace.size(); ++i) {
    CAPTURE(i);
    REQUIRE(record.trace[i].barriers == i / 64 % 4);
  }
}

TEST_CASE("the trace holds the first accesses in order of blocks, with any number of host threads",
          "[device]") {
  PtxBench bench(R"(
.visible .entry k(.param .u64 y) {
  .reg .b32 %r<4>; .reg .b64 %d;
  ld.param.u64 %d, [y];
  mov.u32 %r0, %tid.x; mov.u32 %r1, %ctaid.x; mov.u32 %r2, %ntid.x;
  mad.lo.u32 %r3, %r1, %r2, %r0;
  mad.wide.u32 %d, %r3, 4, %d;
  st.global.u32 [%d], %r3;
  ret;
})");
  const Pointer y = bench.room<std::uint32_t>("y", 64 * 48);
  bench.request.observe.write_maps = {"y"};
  bench.request.observe.trace_accesses = 1000;
  bench.request.host_threads = 1;
  LaunchRecord one = bench.good({64, 1, 1}, {48, 1, 1}, y);
  bench.request.host_threads = 3;
  LaunchRecord three = bench.good({64, 1, 1}, {48, 1, 1}, y);
  CHECK(three.host_threads == 3);
  CHECK(one.trace.size() == 1000);
  CHECK(one.trace_cut);
  CHECK(one.trace[50].block == 1);
  CHECK(one.trace[50].thread == 2);
  CHECK(one.trace[50].address == y + 200);
  CHECK(one.written[0].writes == std::vector<std::uint32_t>(64 * 48, 1));
  CHECK(one.written[0].writer[100] == 100);
  CHECK(one.blocks_writing == 64);
  three.host_threads = one.host_threads;
  three.seconds = one.seconds;
  CHECK((three == one));
}

}  // namespace warpbook::device::tests::findings_test
