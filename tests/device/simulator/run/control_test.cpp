// Divergence, fairness, barriers, calls, externals, budgets.
#include <numeric>

#include <fmt/format.h>
#include <catch2/generators/catch_generators.hpp>

#include "tests/device/simulator/ptx_bench.hpp"
#include "tests/says.hpp"

namespace warpbook::device::tests::control_test {
namespace {

constexpr const char* kSpinLanes = R"(
.visible .entry k(.param .u64 lock, .param .u64 count) {
  .reg .pred %p; .reg .b32 %r<6>; .reg .b64 %d<3>;
  ld.param.u64 %d0, [lock]; ld.param.u64 %d1, [count];
again:
  atom.global.cas.b32 %r0, [%d0], 0, 1;
  setp.ne.s32 %p, %r0, 0;
  @%p bra again;
  ld.volatile.global.u32 %r1, [%d1];
  add.u32 %r1, %r1, 1;
  st.volatile.global.u32 [%d1], %r1;
  membar.gl;
  atom.global.exch.b32 %r2, [%d0], 0;
  ret;
})";

}  // namespace

TEST_CASE("a spin lock between lanes and blocks is handed on to every thread", "[device]") {
  PtxBench bench(kSpinLanes);
  for (const std::uint64_t seed : {0, 1, 2}) {
    CAPTURE(seed);
    bench.request.seed = seed;
    const Pointer lock = bench.buffer<std::uint32_t>("lock", {0}),
                  count = bench.buffer<std::uint32_t>("count", {0});
    bench.good({3, 1, 1}, {40, 1, 1}, lock, count);
    CHECK(bench.read<std::uint32_t>(count, 1)[0] == 120);
  }
}

TEST_CASE("thousands of blocks that wait for one without a place are seen to wait for ever",
          "[device]") {
  // All but the last block wait for what the last one writes.
  PtxBench bench(R"(
.visible .entry k(.param .u64 flag) {
  .reg .pred %p; .reg .b32 %r<4>; .reg .b64 %d;
  ld.param.u64 %d, [flag];
  mov.u32 %r0, %ctaid.x;
  mov.u32 %r1, %nctaid.x;
  sub.u32 %r1, %r1, 1;
  setp.eq.u32 %p, %r0, %r1;
  @%p bra write;
wait:
  ld.acquire.gpu.global.u32 %r2, [%d];
  setp.eq.u32 %p, %r2, 0;
  @%p bra wait;
  ret;
write:
  st.release.gpu.global.u32 [%d], 1;
  ret;
})");
  bench.request.resident_blocks = 2000;
  Pointer flag = bench.buffer<std::uint32_t>("flag", {0});
  bench.good({2000, 1, 1}, {1, 1, 1}, flag);
  flag = bench.buffer<std::uint32_t>("flag", {0});
  const LaunchRecord record = bench.launch({2001, 1, 1}, {1, 1, 1}, flag);
  REQUIRE(record.error);
  CHECK(record.error->code == ErrorCode::deadlock);
  CHECK(record.error->english().find("reading flag[0]") != std::string::npos);
  // Found because nothing differs from one round to the next, long before the rounds are out that end any other wait.
  CHECK(record.total.thread_instructions < 2000 * 20'000);
}

TEST_CASE("blocks that wait only so long, counting, are no deadlock", "[device]") {
  PtxBench bench(R"(
.visible .entry k(.param .u64 flag) {
  .reg .pred %p, %q; .reg .b32 %r<4>; .reg .b64 %d;
  ld.param.u64 %d, [flag];
  mov.u32 %r0, 0;
wait:
  add.u32 %r0, %r0, 1;
  ld.volatile.global.u32 %r1, [%d];
  setp.ne.u32 %q, %r1, 0;
  @%q bra end;
  setp.lt.u32 %p, %r0, 100000;
  @%p bra wait;
end:
  ret;
})");
  const Pointer flag = bench.buffer<std::uint32_t>("flag", {0});
  bench.request.seed = GENERATE(0, 3);
  bench.good({5, 1, 1}, {32, 1, 1}, flag);
}

TEST_CASE("blocks that wait for each other take turns", "[device]") {
  // Block 0 waits for what block 1 writes, which waits for nothing.
  PtxBench bench(R"(
.visible .entry k(.param .u64 flag) {
  .reg .pred %p; .reg .b32 %r<4>; .reg .b64 %d;
  ld.param.u64 %d, [flag];
  mov.u32 %r0, %ctaid.x;
  setp.ne.u32 %p, %r0, 0;
  @%p bra write;
wait:
  ld.acquire.gpu.global.u32 %r1, [%d];
  setp.eq.u32 %p, %r1, 0;
  @%p bra wait;
  ret;
write:
  st.release.gpu.global.u32 [%d], 1;
  ret;
})");
  const Pointer flag = bench.buffer<std::uint32_t>("flag", {0});
  bench.good({2, 1, 1}, {32, 1, 1}, flag);
  SECTION("but not where nobody writes, in a random order as in any other") {
    REQUIRE(bench.memory->fill(flag, std::byte{0}, 4));
    bench.request.seed = GENERATE(0, 1, 77);
    bench.request.budget.thread_instructions = 20'000'000;  // what it does without is far less
    const LaunchRecord record = bench.launch({1, 1, 1}, {64, 1, 1}, flag);
    REQUIRE(record.error);
    CHECK(record.error->code == ErrorCode::deadlock);
    CHECK(record.error->english().find("reading flag[0]") != std::string::npos);
  }
  SECTION("but not where the second cannot be resident") {
    REQUIRE(bench.memory->fill(flag, std::byte{0}, 4));
    bench.request.resident_blocks = 1;
    const LaunchRecord record = bench.launch({2, 1, 1}, {32, 1, 1}, flag);
    REQUIRE(record.error);
    CHECK(record.error->code == ErrorCode::deadlock);
    CHECK(record.error->english().find("block 0, warp 0: lanes 0-31") != std::string::npos);
    CHECK(record.error->english().find(fmt::format("reading flag[0] ({:#x})", flag)) !=
          std::string::npos);
  }
}

TEST_CASE("of many blocks that fail the first is named, whoever runs it", "[device]") {
  PtxBench bench(R"(
.visible .entry k(.param .u32 n) {
  .reg .pred %p; .reg .b32 %r<4>;
  ld.param.u32 %r0, [n];
  mov.u32 %r1, %ctaid.x;
  mov.u32 %r2, 300;
round:
  sub.u32 %r2, %r2, 1;
  setp.ne.u32 %p, %r2, 0;
  @%p bra round;
  setp.ge.u32 %p, %r1, %r0;
  @%p trap;
  ret;
})");
  for (const std::uint32_t host_threads : {1u, 2u, 5u}) {
    for (const std::uint32_t failing : {0u, 7u, 500u}) {
      CAPTURE(host_threads, failing);
      bench.request.host_threads = host_threads;
      const LaunchRecord record = bench.launch({2001, 1, 1}, {32, 1, 1}, failing);
      CHECK(record.host_threads == host_threads);
      REQUIRE(record.error);
      CHECK(record.error->code == ErrorCode::trap);
      CHECK(record.error->arguments[1].value.text == std::to_string(failing));
    }
  }
}

TEST_CASE("lanes that parted meet again after the branch", "[device]") {
  PtxBench bench(R"(
.visible .entry k(.param .u64 out) {
  .reg .pred %p; .reg .b32 %r<4>; .reg .b64 %d;
  ld.param.u64 %d, [out];
  mov.u32 %r0, %tid.x;
  and.b32 %r1, %r0, 1;
  setp.eq.u32 %p, %r1, 0;
  @%p bra even;
  mul.lo.u32 %r2, %r0, 3;
  bra join;
even:
  mul.lo.u32 %r2, %r0, 5;
join:
  activemask.b32 %r3;
  xor.b32 %r2, %r2, %r3;
  mad.wide.u32 %d, %r0, 4, %d;
  st.global.u32 [%d], %r2;
  ret;
})");
  const Pointer out = bench.room<std::uint32_t>("out", 32);
  const LaunchRecord record = bench.good({1, 1, 1}, {32, 1, 1}, out);
  const auto v = bench.read<std::uint32_t>(out, 32);
  for (std::uint32_t i = 0; i < 32; ++i) CHECK(v[i] == ((i % 2 ? 3 * i : 5 * i) ^ 0xffffffffu));
  CHECK(record.total.branches == 1);
  CHECK(record.total.divergent_branches == 1);
  // @%p bra counts for the lanes that take it alone.
  CHECK(record.total.thread_instructions == 16 * (4 + 2 + 5) + 16 * (4 + 1 + 1 + 5));
  CHECK(record.longest_lane == 11);
}

TEST_CASE("barriers count warps, with ids, counts and reductions", "[device]") {
  PtxBench bench(R"(
.visible .entry k(.param .u64 out) {
  .reg .pred %p, %q; .reg .b32 %r<6>; .reg .b64 %d;
  ld.param.u64 %d, [out];
  mov.u32 %r0, %tid.x;
  setp.lt.u32 %p, %r0, 40;
  barrier.cta.red.popc.aligned.u32 %r1, 0, %p;
  bar.red.or.pred %q, 1, 96, !%p;
  selp.u32 %r2, 1000, 0, %q;
  add.u32 %r1, %r1, %r2;
  mad.wide.u32 %d, %r0, 4, %d;
  st.global.u32 [%d], %r1;
  ret;
})");
  const Pointer out = bench.room<std::uint32_t>("out", 96);
  const LaunchRecord record = bench.good({1, 1, 1}, {96, 1, 1}, out);
  CHECK(bench.read<std::uint32_t>(out, 96) == std::vector<std::uint32_t>(96, 1040));
  CHECK(record.total.barriers == 6);
}

TEST_CASE("threads at different barriers are reported, with who waits where", "[device]") {
  PtxBench bench(R"(
.visible .entry k() {
  .reg .pred %p; .reg .b32 %r;
  mov.u32 %r, %tid.x;
  setp.lt.u32 %p, %r, 32;
  @%p bra other;
  bar.sync 0;
  ret;
other:
  bar.sync 1;
  ret;
})");
  const LaunchRecord record = bench.launch({1, 1, 1}, {64, 1, 1});
  REQUIRE(record.error);
  CHECK(record.error->code == ErrorCode::barrier_mismatch);
  for (const int warp : {0, 1}) {
    const Message lanes{"phrase.who.lanes", {{"warp", warp}, {"lanes", "0-31"}}, {}};
    CHECK_THAT(record.error->english(),
               warpbook::tests::Says(
                   "phrase.who.waits",
                   {{"who", lanes}, {"instruction", "bar.sync " + std::to_string(1 - warp)}}));
  }
}

TEST_CASE("a shuffle whose lanes cannot come is an error of its own", "[device]") {
  PtxBench bench(R"(
.visible .entry k() {
  .reg .pred %p; .reg .b32 %r<3>;
  mov.u32 %r0, %tid.x;
  setp.lt.u32 %p, %r0, 16;
  @%p bra low;
  bar.sync 0;
  ret;
low:
  shfl.sync.bfly.b32 %r1, %r0, 1, 31, 0xffffffff;
  bar.sync 0;
  ret;
})");
  const LaunchRecord record = bench.launch({1, 1, 1}, {32, 1, 1});
  REQUIRE(record.error);
  CHECK(record.error->code == ErrorCode::sync_mask_mismatch);
  CHECK(record.error->english().find("shfl.sync.bfly.b32") != std::string::npos);
}

TEST_CASE("shuffles, votes, matches and reductions give what their formulas say", "[device]") {
  const std::string text = R"(
.visible .entry k(.param .u64 out) {
  .reg .pred %p<4>; .reg .b32 %r<20>; .reg .b64 %d;
  ld.param.u64 %d, [out];
  mov.u32 %r0, %tid.x;
  shfl.sync.up.b32 %r1|%p0, %r0, 3, 0, -1;
  shfl.sync.down.b32 %r2|%p1, %r0, 5, 31, -1;
  shfl.sync.idx.b32 %r3, %r0, 9, 0x181f, -1;
  shfl.sync.bfly.b32 %r4, %r0, 16, 31, -1;
  setp.lt.u32 %p2, %r0, 7;
  vote.sync.ballot.b32 %r5, !%p2, -1;
  vote.sync.any.pred %p3, %p2, -1;
  shr.u32 %r6, %r0, 3;
  match.any.sync.b32 %r7, %r6, -1;
  redux.sync.add.s32 %r8, %r0, -1;
  redux.sync.max.u32 %r9, %r0, -1;
  selp.u32 %r10, 1, 0, %p0;
  selp.u32 %r11, 1, 0, %p3;
  mad.wide.u32 %d, %r0, 40, %d;
  st.global.u32 [%d], %r1; st.global.u32 [%d+4], %r2; st.global.u32 [%d+8], %r3; st.global.u32 [%d+12], %r4;
  st.global.u32 [%d+16], %r5; st.global.u32 [%d+20], %r7; st.global.u32 [%d+24], %r8; st.global.u32 [%d+28], %r9;
  st.global.u32 [%d+32], %r10; st.global.u32 [%d+36], %r11;
  ret;
})";
  for (const std::uint64_t seed : {0, 5}) {
    PtxBench bench(text);
    bench.request.seed = seed;
    const Pointer out = bench.room<std::uint32_t>("out", 320);
    const LaunchRecord record = bench.good({1, 1, 1}, {32, 1, 1}, out);
    const auto v = bench.read<std::uint32_t>(out, 320);
    for (std::uint32_t i = 0; i < 32; ++i) {
      CAPTURE(i, seed);
      const std::uint32_t* row = v.data() + 10 * i;
      CHECK(row[0] == (i >= 3 ? i - 3 : i));
      CHECK(row[1] == (i + 5 <= 31 ? i + 5 : i));
      CHECK(row[2] == ((i & 24) | (9 & ~24u)));
      CHECK(row[3] == (i ^ 16));
      CHECK(row[4] == 0xffffff80u);
      CHECK(row[5] == 0xffu << (i / 8 * 8));
      CHECK(row[6] == 496);
      CHECK(row[7] == 31);
      CHECK(row[8] == (i >= 3 ? 1u : 0u));
      CHECK(row[9] == 1);
    }
    if (seed == 0) CHECK(record.total.shuffles == 4);
  }
}

TEST_CASE("calls recurse, return values and end with an error where the stack is full",
          "[device]") {
  const std::string text = R"(
.func (.param .b32 r) fact(.param .b32 n) {
  .reg .pred %p; .reg .b32 %r<4>;
  ld.param.u32 %r0, [n];
  setp.le.u32 %p, %r0, 1;
  mov.u32 %r1, 1;
  @%p bra done;
  sub.u32 %r2, %r0, 1;
  { .param .b32 a; st.param.b32 [a], %r2; .param .b32 b; call.uni (b), fact, (a); ld.param.b32 %r1, [b]; }
  mul.lo.u32 %r1, %r1, %r0;
done:
  st.param.b32 [r], %r1;
  ret;
}
.visible .entry k(.param .u64 out, .param .u32 extra) {
  .reg .b32 %r<4>; .reg .b64 %d;
  ld.param.u64 %d, [out]; ld.param.u32 %r3, [extra];
  mov.u32 %r0, %tid.x;
  and.b32 %r1, %r0, 7;
  add.u32 %r1, %r1, %r3;
  { .param .b32 a; st.param.b32 [a], %r1; .param .b32 b; call.uni (b), fact, (a); ld.param.b32 %r2, [b]; }
  mad.wide.u32 %d, %r0, 4, %d;
  st.global.u32 [%d], %r2;
  ret;
})";
  PtxBench bench(text);
  const Pointer out = bench.room<std::uint32_t>("out", 64);
  bench.good({1, 1, 1}, {64, 1, 1}, out, std::uint32_t{0});
  const std::uint32_t factorials[] = {1, 1, 2, 6, 24, 120, 720, 5040};
  const auto v = bench.read<std::uint32_t>(out, 64);
  for (std::size_t i = 0; i < 64; ++i) CHECK(v[i] == factorials[i % 8]);
  const LaunchRecord deep = bench.launch({1, 1, 1}, {64, 1, 1}, out, std::uint32_t{100000});
  REQUIRE(deep.error);
  CHECK(deep.error->code == ErrorCode::stack_overflow);
  CHECK(argument_of(deep.error->arguments, "depth")->text == "1024");
  CHECK(argument_of(deep.error->arguments, "name")->text == "fact");
}

TEST_CASE("calls through registers and jump tables go where each lane says", "[device]") {
  const std::string text = R"(
.func (.param .b32 r) twice(.param .b32 n) { .reg .b32 %r; ld.param.u32 %r, [n]; shl.b32 %r, %r, 1; st.param.b32 [r], %r; ret; }
.func (.param .b32 r) square(.param .b32 n) { .reg .b32 %r; ld.param.u32 %r, [n]; mul.lo.u32 %r, %r, %r; st.param.b32 [r], %r; ret; }
.global .align 8 .u64 table[2] = {twice, square};
.visible .entry k(.param .u64 out, .param .u32 bad) {
  .reg .pred %p; .reg .b32 %r<6>; .reg .b64 %d<4>;
  ld.param.u64 %d0, [out]; ld.param.u32 %r4, [bad];
  mov.u32 %r0, %tid.x;
  and.b32 %r1, %r0, 1;
  mov.u64 %d1, table;
  mad.wide.u32 %d1, %r1, 8, %d1;
  ld.global.u64 %d2, [%d1];
  cvt.u64.u32 %d3, %r4;
  add.u64 %d2, %d2, %d3;
  { .param .b32 a; st.param.b32 [a], %r0; .param .b32 b;
    proto: .callprototype (.param .b32 _) _ (.param .b32 _);
    call (b), %d2, (a), proto; ld.param.b32 %r2, [b]; }
  and.b32 %r3, %r0, 3;
  places: .branchtargets zero, one, two, two;
  brx.idx %r3, places;
zero: add.u32 %r2, %r2, 100; bra end;
one: add.u32 %r2, %r2, 200; bra end;
two: add.u32 %r2, %r2, 300;
end:
  mad.wide.u32 %d0, %r0, 4, %d0;
  st.global.u32 [%d0], %r2;
  ret;
})";
  PtxBench bench(text);
  const Pointer out = bench.room<std::uint32_t>("out", 32);
  bench.good({1, 1, 1}, {32, 1, 1}, out, std::uint32_t{0});
  const auto v = bench.read<std::uint32_t>(out, 32);
  for (std::uint32_t i = 0; i < 32; ++i) {
    const std::uint32_t jumps[] = {100, 200, 300, 300};
    CHECK(v[i] == (i % 2 ? i * i : 2 * i) + jumps[i % 4]);
  }
  const LaunchRecord wild = bench.launch({1, 1, 1}, {32, 1, 1}, out, std::uint32_t{8});
  REQUIRE(wild.error);
  CHECK(wild.error->code == ErrorCode::bad_branch);
}

TEST_CASE("printf prints every conversion, ordered by block", "[device]") {
  const std::string text = R"(
.extern .func (.param .b32 r) vprintf(.param .b64 f, .param .b64 a);
.global .align 1 .b8 format[64] = {98,37,100,32,37,45,53,117,124,37,108,108,120,32,37,46,50,102,32,37,99,32,37,115,37,37,10,0};
.global .align 1 .b8 word[3] = {104,105,0};
.visible .entry k(.param .u64 counts) {
  .local .align 8 .b8 depot[48];
  .reg .b32 %r<3>; .reg .b64 %d<6>;
  mov.u64 %d0, depot;
  cvta.local.u64 %d1, %d0;
  mov.u32 %r0, %ctaid.x;
  st.local.u32 [%d0], %r0;
  st.local.u32 [%d0+4], 42;
  mov.u64 %d2, 0x123456789a; st.local.u64 [%d0+8], %d2;
  mov.f64 %d3, 0d3FF8000000000000; st.local.u64 [%d0+16], %d3;
  st.local.u32 [%d0+24], 120;
  mov.u64 %d4, word; cvta.global.u64 %d4, %d4; st.local.u64 [%d0+32], %d4;
  mov.u64 %d5, format; cvta.global.u64 %d5, %d5;
  { .param .b64 f; st.param.b64 [f], %d5; .param .b64 a; st.param.b64 [a], %d1; .param .b32 r; call.uni (r), vprintf, (f, a); ld.param.b32 %r1, [r]; }
  ld.param.u64 %d5, [counts];
  mad.wide.u32 %d5, %r0, 4, %d5;
  st.global.u32 [%d5], %r1;
  ret;
})";
  PtxBench bench(text);
  bench.request.host_threads = 2;
  const Pointer counts = bench.room<std::uint32_t>("counts", 1000);
  const LaunchRecord record = bench.good({3, 1, 1}, {1, 1, 1}, counts);
  // The arguments printed: "%%" takes none.
  CHECK(bench.read<std::uint32_t>(counts, 3) == std::vector<std::uint32_t>{6, 6, 6});
  CHECK(record.output ==
        "b0 42   |123456789a 1.50 x hi%\nb1 42   |123456789a 1.50 x hi%\nb2 42   |123456789a 1.50 "
        "x hi%\n");
  bench.request.budget.output_bytes = 40;
  const LaunchRecord cut = bench.launch({1000, 1, 1}, {32, 1, 1}, counts);
  REQUIRE(cut.error);
  CHECK(cut.error->code == ErrorCode::budget_output);
  CHECK(cut.output.size() <= 80);
  bench.request.budget = {};
  const std::string whole = bench.good({1000, 1, 1}, {32, 1, 1}, counts).output;
  bench.request.budget.drop_output = true;
  for (const std::uint64_t most : {std::uint64_t{40}, std::uint64_t{5000}}) {
    for (const std::uint32_t threads : {1u, 3u}) {
      CAPTURE(most, threads);
      bench.request.budget.output_bytes = most;
      bench.request.host_threads = threads;
      const LaunchRecord dropped = bench.good({1000, 1, 1}, {32, 1, 1}, counts);
      CHECK(dropped.output == whole.substr(0, most));
      CHECK(bench.read<std::uint32_t>(counts, 1000) == std::vector<std::uint32_t>(1000, 6));
    }
  }
}

TEST_CASE("an endless loop ends at its budget, by time and by request", "[device]") {
  const std::string text = ".visible .entry k() {\nagain: bra again;\n}";
  PtxBench bench(text);
  SECTION("instructions") {
    bench.request.budget.thread_instructions = 1'000'000;
    const LaunchRecord record = bench.launch({4, 1, 1}, {64, 1, 1});
    REQUIRE(record.error);
    CHECK_THAT(record.error->message().english(),
               warpbook::tests::Says("error.budget_instructions.long", {{"count", 1'000'000}}));
    CHECK(record.error->place.line == 5);  // after three lines of header
  }
  SECTION("time") {
    bench.request.budget.thread_instructions = 0;
    bench.request.budget.seconds = 0.05;
    const LaunchRecord record = bench.launch({1, 1, 1}, {1, 1, 1});
    REQUIRE(record.error);
    CHECK(record.error->code == ErrorCode::budget_time);
  }
  SECTION("cancelled") {
    std::stop_source source;
    source.request_stop();
    bench.request.stop = source.get_token();
    const LaunchRecord record = bench.launch({1, 1, 1}, {32, 1, 1});
    REQUIRE(record.error);
    CHECK(record.error->code == ErrorCode::cancelled);
  }
}

TEST_CASE("what the simulator does not have is an error at its line, and only where it would run",
          "[device]") {
  const std::string text = R"(
.visible .entry fine() { ret; }
.visible .entry k() {
  .reg .b32 %r<4>;
  .loc 1 7 3
  setmaxnreg.inc.sync.aligned.u32 64;
  ret;
}
.file 1 "my.cu"
)";
  PtxBench bench(text);
  bench.good({1, 1, 1}, {1, 1, 1});
  bench.request.kernel = "k";
  const auto record = bench.try_launch({1, 1, 1}, {1, 1, 1});
  REQUIRE_FALSE(record);
  CHECK(record.error().code == ErrorCode::ptx_left_out);
  CHECK(record.error().place == SourcePlace{"my.cu", 7, 3});
  CHECK(record.error().english().find("setmaxnreg.inc") != std::string::npos);
}

TEST_CASE(
    "lanes that lag behind write nothing over those that are ahead, whatever the registers' widths",
    "[device]") {
  PtxBench bench(R"(
.visible .entry k(.param .u64 y) {
  .reg .b16 %h<3>; .reg .b32 %r<4>; .reg .b64 %d<2>;
  ld.param.u64 %d0, [y]; mov.u32 %r0, %tid.x; mad.wide.u32 %d0, %r0, 4, %d0;
  ld.global.u16 %h0, [%d0]; add.u16 %h1, %h0, 1; st.global.u16 [%d0], %h1;
  ld.global.u32 %r1, [%d0]; add.u32 %r2, %r1, 5; st.global.u32 [%d0+128], %r2;
  ret;
})");
  std::vector<std::uint32_t> expected(64);
  for (std::uint32_t t = 0; t < 32; ++t) {
    expected[t] = t << 20 | (t + 1);
    expected[32 + t] = expected[t] + 5;
  }
  for (std::uint64_t seed = 0; seed < 40; ++seed) {
    CAPTURE(seed);
    std::vector<std::uint32_t> initial(64);
    for (std::uint32_t t = 0; t < 32; ++t) initial[t] = t << 20 | t;
    const Pointer y = bench.buffer("y", initial);
    bench.request.seed = seed;
    bench.good({1, 1, 1}, {32, 1, 1}, y);
    CHECK((bench.read<std::uint32_t>(y, 64) == expected));
  }
}

}  // namespace warpbook::device::tests::control_test
