// PTX that jumps, calls, prints and allocates as no program should: each ends in a named error,
// within its budgets.
#include <chrono>

#include "tests/device/simulator/ptx_bench.hpp"

namespace warpbook::device::tests::hostile_flow_test {
namespace {

double seconds_since(std::chrono::steady_clock::time_point begin) {
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
}

}  // namespace

TEST_CASE("accesses at the edges of every window stay inside or are reported", "[device]") {
  for (const char* access :
       {"ld.u8 %h, [%d];", "ld.u16 %h, [%d];", "ld.b32 %r, [%d];", "ld.b64 %e, [%d];",
        "ld.v4.b32 {%r, %r1, %r2, %r3}, [%d];", "ld.b128 %q, [%d];", "st.u8 [%d], %h;",
        "st.v2.b64 [%d], {%e, %e};", "st.b128 [%d], %q;", "atom.add.u64 %e, [%d], 1;",
        "red.or.b32 [%d], 1;"}) {
    CAPTURE(access);
    PtxBench bench(std::string(R"(
.visible .entry k(.param .u64 a) {
  .shared .align 16 .b8 tile[64]; .local .align 16 .b8 mine[64];
  .reg .b16 %h; .reg .b32 %r, %r1, %r2, %r3; .reg .b64 %d, %e; .reg .b128 %q;
  mov.b16 %h, 1; mov.b32 %r, 1; mov.b64 %e, 1; mov.b128 %q, {%e, %e};
  mov.u64 %d, tile; st.shared.b64 [%d], %e;
  mov.u64 %d, mine; st.local.b64 [%d], %e;
  ld.param.u64 %d, [a];
)") + access + "\nret; }");
    bench.request.observe.initcheck = false;
    for (const std::uint64_t window : {0ull, 1ull, 2ull, 3ull, 4ull, 5ull, 7ull, 8ull}) {
      for (const std::int64_t at : {-16, -8, -1, 0, 1, 60, 63, 64, 4096}) {
        const std::uint64_t address = (window << 32) + static_cast<std::uint64_t>(at);
        const LaunchRecord record = bench.launch({1, 1, 1}, {32, 1, 1}, address);
        const bool inside = (window == 1 || window == 2) && at >= 0 && at < 64;
        CAPTURE(window, at);
        if (!inside && window != 3) CHECK(record.findings_total == 32);
        if (at < 0 || at >= 64 || at % 2 != 0) {
          const bool byte = std::string_view(access).substr(2, 3) == ".u8";
          if (!(byte && (inside || window == 3))) CHECK(record.error);
        }
      }
    }
  }
}

TEST_CASE("a branch beyond its table is an error of its own", "[device]") {
  PtxBench bench(R"(
.visible .entry k(.param .u32 i) {
  .reg .b32 %r;
  ld.param.u32 %r, [i];
  T: .branchtargets A, B;
  brx.idx %r, T;
A: ret;
B: ret;
})");
  for (const std::uint32_t index : {2u, 3u, 0x7fffffffu, 0x80000000u, 0xffffffffu}) {
    const LaunchRecord record = bench.launch({1, 1, 1}, {32, 1, 1}, index);
    REQUIRE(record.error);
    CHECK(record.error->code == ErrorCode::bad_branch);
  }
  bench.good({1, 1, 1}, {32, 1, 1}, std::uint32_t{1});
}

TEST_CASE("calls of forged addresses go nowhere", "[device]") {
  PtxBench bench(R"(
.func one() { ret; }
.func other(.param .b32 a) { ret; }
.visible .entry k(.param .u64 f) {
  .reg .b64 %d, %e;
  mov.u64 %e, one; mov.u64 %e, other;
  ld.param.u64 %d, [f];
  P: .callprototype _ ();
  call %d, P;
  ret;
})");
  constexpr std::uint64_t kWindow = 0x4'0000'0000;
  int good = 0;
  for (const std::uint64_t address :
       {std::uint64_t{0}, std::uint64_t{16}, kWindow, kWindow + 16, kWindow + 32, kWindow + 48,
        kWindow + 64, kWindow + 24, kWindow + 17, kWindow - 16, ~std::uint64_t{0},
        ~std::uint64_t{15}, std::uint64_t{0x700000000}, kWindow + (std::uint64_t{1} << 36),
        reinterpret_cast<std::uint64_t>(&bench)}) {
    CAPTURE(address);
    const LaunchRecord record = bench.launch({1, 1, 1}, {32, 1, 1}, address);
    if (!record.error) {
      ++good;
      continue;
    }
    CHECK(record.error->code == ErrorCode::bad_branch);
  }
  CHECK(good == 1);  // `one` alone is what the prototype says; the kernel itself is none to call
}

TEST_CASE("a kernel cannot be called", "[device]") {
  PtxBench bench(".visible .entry k() { call k, (); ret; }");
  CHECK_FALSE(bench.try_launch({1, 1, 1}, {32, 1, 1}));
}

TEST_CASE("recursion without end stops, however it calls", "[device]") {
  for (const char* text : {
           ".func f() { call f, (); ret; }\n.visible .entry k() { call f, (); ret; }",
           ".func g();\n.func f() { .local .b8 x[1000]; call g, (); ret; }\n"
           ".func g() { call f, (); ret; }\n.visible .entry k() { call f, (); ret; }",
           ".func f() { .reg .b64 %d; mov.u64 %d, f; P: .callprototype _ (); call %d, P; ret; }\n"
           ".visible .entry k() { call f, (); ret; }",
           ".func f(.param .align 8 .b8 a[32000]) { .param .align 8 .b8 b[32000]; call f, (b); "
           "ret; "
           "}\n"
           ".visible .entry k() { .param .align 8 .b8 a[32000]; call f, (a); ret; }",
       }) {
    CAPTURE(text);
    PtxBench bench(text);
    bench.request.budget.memory_bytes = 64u << 20;
    const LaunchRecord record = bench.launch({1, 1, 1}, {64, 1, 1});
    REQUIRE(record.error);
    CAPTURE(record.error->english());
    const bool named = record.error->code == ErrorCode::stack_overflow ||
                       record.error->code == ErrorCode::budget_memory;
    CHECK(named);
  }
}

TEST_CASE("a chain of fifty thousand functions is no chain of the host's", "[device]") {
  std::string text = ".func f0() { ret; }\n";
  for (int i = 1; i < 50'000; ++i) {
    text +=
        ".func f" + std::to_string(i) + "() { call f" + std::to_string(i - 1) + ", (); ret; }\n";
  }
  PtxBench bench(text + ".visible .entry k() { call f49999, (); ret; }");
  const LaunchRecord record = bench.launch({1, 1, 1}, {1, 1, 1});
  REQUIRE(record.error);
  CHECK(record.error->code == ErrorCode::stack_overflow);
}

TEST_CASE("a long format full of %s ends at the budget of output", "[device]") {
  std::string format;
  for (int i = 0; i < 8000; ++i) format += "%s";
  PtxBench bench(R"(
.extern .func (.param .b32 r) vprintf(.param .b64 f, .param .b64 a);
.visible .entry k(.param .u64 format, .param .u64 arguments) {
  .reg .b64 %f, %a;
  ld.param.u64 %f, [format]; ld.param.u64 %a, [arguments];
  { .param .b64 x; .param .b64 y; .param .b32 r;
  st.param.b64 [x], %f; st.param.b64 [y], %a;
  call (r), vprintf, (x, y); }
  ret;
})");
  bench.request.budget.output_bytes = 100'000;
  std::vector<std::uint8_t> text(format.begin(), format.end());
  text.push_back(0);
  const Pointer f = bench.buffer("format", text);
  const Pointer s = bench.buffer("s", std::vector<std::uint8_t>(60'000, 'x'));  // without an end
  const Pointer a = bench.buffer("arguments", std::vector<std::uint64_t>(8000, s));
  const auto begin = std::chrono::steady_clock::now();
  const LaunchRecord record = bench.launch({1, 1, 1}, {32, 1, 1}, f, a);
  REQUIRE(record.error);
  CHECK(record.output.size() <= 100'000);
  CHECK(seconds_since(begin) < 20);
  // Wild pointers are findings, at the format, at its arguments and at a string.
  for (const std::uint64_t wild :
       {std::uint64_t{0}, std::uint64_t{0x100000000}, std::uint64_t{0x2ffffffff},
        std::uint64_t{0x3fffffff0}, std::uint64_t{0x400000010}, ~std::uint64_t{0}}) {
    CAPTURE(wild);
    CHECK(bench.launch({1, 1, 1}, {1, 1, 1}, wild, a).error);
    (void)bench.launch({1, 1, 1}, {1, 1, 1}, f, wild);
    const Pointer list = bench.buffer("arguments", std::vector<std::uint64_t>(8000, wild));
    const LaunchRecord with = bench.launch({1, 1, 1}, {1, 1, 1}, f, list);
    CHECK((wild == 0 || with.error));  // a null string is written as (null)
  }
}

TEST_CASE("a storm of malloc ends at its budgets, and free takes only what malloc gave",
          "[device]") {
  PtxBench bench(R"(
.extern .func (.param .b64 r) malloc(.param .b64 n);
.extern .func free(.param .b64 p);
.visible .entry k(.param .u64 n, .param .u64 p) {
  .reg .b64 %n, %d; .reg .pred %q;
  ld.param.u64 %d, [p];
  setp.eq.u64 %q, %d, 0;
  @%q bra STORM;
  { .param .b64 x; st.param.b64 [x], %d; call free, (x); }
  ret;
STORM:
  ld.param.u64 %n, [n];
  { .param .b64 x; .param .b64 r; st.param.b64 [x], %n; call (r), malloc, (x); }
  bra STORM;
})");
  bench.request.budget.memory_bytes = 4u << 20;
  bench.request.budget.seconds = 0.5;
  bench.request.budget.thread_instructions = 0;
  for (const std::uint64_t bytes : {std::uint64_t{0}, std::uint64_t{1}, std::uint64_t{100'000},
                                    std::uint64_t{1} << 40, ~std::uint64_t{0}}) {
    CAPTURE(bytes);
    const auto begin = std::chrono::steady_clock::now();
    const LaunchRecord record = bench.launch({1, 1, 1}, {32, 1, 1}, bytes, std::uint64_t{0});
    REQUIRE(record.error);
    CHECK(record.error->code == ErrorCode::budget_time);
    CHECK(seconds_since(begin) < 20);
    CHECK(bench.memory->table()->all().size() <= 5 * 8192 + 100);
  }
  const Pointer own = bench.room<std::uint32_t>("own", 64);
  for (const std::uint64_t forged : {own, own + 4, std::uint64_t{1}, std::uint64_t{0x100000000},
                                     std::uint64_t{0x400000010}, ~std::uint64_t{0}}) {
    CAPTURE(forged);
    const LaunchRecord record = bench.launch({1, 1, 1}, {1, 1, 1}, std::uint64_t{0}, forged);
    REQUIRE(record.error);
    CHECK(record.error->code == ErrorCode::bad_pointer);
  }
}

TEST_CASE("blocks that wait do not pile up beyond the budget of memory", "[device]") {
  // Every block has 32 KiB per thread and waits for a word that no thread writes.
  PtxBench bench(R"(
.visible .entry k(.param .u64 y) {
  .local .b8 big[32768];
  .reg .b32 %r; .reg .b64 %d; .reg .pred %p;
  ld.param.u64 %d, [y];
WAIT:
  ld.volatile.global.u32 %r, [%d];
  setp.eq.u32 %p, %r, 0;
  @%p bra WAIT;
  ret;
})");
  bench.request.budget.memory_bytes = 8u << 20;
  bench.request.budget.thread_instructions = 30'000'000;
  const Pointer y = bench.buffer("y", std::vector<std::uint32_t>(1));
  const LaunchRecord record = bench.launch({4000, 1, 1}, {32, 1, 1}, y);
  REQUIRE(record.error);
  const bool named = record.error->code == ErrorCode::budget_instructions ||
                     record.error->code == ErrorCode::deadlock;
  CHECK(named);
}

TEST_CASE("declarations that no GPU could hold are refused or harmless", "[device]") {
  for (const char* text : {
           ".global .align 4 .b8 huge[1152921504606846976];\n.visible .entry k() { ret; }",
           // NOLINTNEXTLINE(bugprone-suspicious-missing-comma): one text of two lines
           ".visible .entry k() { .local .align 1073741824 .b8 x[4]; .reg .b64 %d; mov.u64 %d, x; "
           "st.local.u8 [%d], 1; ret; }",
           ".visible .entry k(.param .align 1073741824 .b8 x[4]) { ret; }",
           ".func f(.param .align 1073741824 .b8 x[4]) { ret; }\n"
           ".visible .entry k() { .param .align 1073741824 .b8 x[4]; call f, (x); ret; }",
           ".global .b32 a[2] = {1, 2, 3};\n.visible .entry k() { ret; }",
           ".global .b8 a[4] = {0xFF00(k)};\n.visible .entry k() { ret; }",
           ".global .u64 a[1] = {nobody};\n.visible .entry k() { ret; }",
           ".visible .entry k() { .reg .v4 .b128 %q<65536>; ret; }",
           ".visible .entry k() { .reg .b32 %r<4294967295>; mov.b32 %r4294967294, 1; ret; }",
           ".visible .entry k() { .loc 4294967295 4294967295 4294967295\nret; }",
           ".file 1 \"a\"\n.visible .entry k() { .loc 1 1 1, function_name $L, inlined_at 1 0 "
           "0\nret; }",
           ".visible .entry k() { ret; }\n.section .debug_str { $L: .b8 1 }",
           ".visible .entry k() { ret; }\n.section .debug_info { .b32 .debug_abbrev+4294967295 }",
           ".visible .entry k() { .reg .b32 %r; bar.sync 4294967295; ret; }",
           ".visible .entry k() { .reg .b32 %r; mov.u32 %r, 99; bar.sync %r, %r; ret; }",
       }) {
    CAPTURE(text);
    auto module = ptx::parse(ptx_header() + text, "test.ptx");
    if (!module) continue;  // refused where it is read
    auto memory = std::make_shared<GlobalMemory>(std::uint64_t{1} << 24);
    auto image = load_module(std::move(*module), small_gpu(), memory);
    if (!image) continue;
    REQUIRE((*image)->kernels().size() == 1);
    if (!(*image)->prepare("k")) continue;
    RunRequest request;
    request.module = *image;
    request.kernel = "k";
    request.grid = {1, 1, 1};
    request.block = {32, 1, 1};
    request.parameters.resize(64);
    request.budget.thread_instructions = 1'000'000;
    const auto record = run(request);
    if (record && record->error) CHECK_FALSE(record->error->english().empty());
  }
}

}  // namespace warpbook::device::tests::hostile_flow_test
