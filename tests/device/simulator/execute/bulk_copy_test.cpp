// cp.async.bulk, cp.reduce.async.bulk, st.async and red.async: every direction, operation and type.
#include "tests/device/simulator/ptx_bench.hpp"

#include <fmt/format.h>
#include <algorithm>
#include <bit>
#include <catch2/generators/catch_generators.hpp>
#include <cmath>
#include <functional>
#include <random>

namespace warpbook::device::tests::bulk_copy_test {
namespace {

std::vector<std::uint32_t> some_words(std::size_t count, std::uint32_t seed = 1) {
  std::mt19937 random(seed);
  std::vector<std::uint32_t> words(count);
  for (auto& w : words) w = random();
  return words;
}

// tile is 4096 bytes at offset 0, source 4096 after it, bar at 8192.
std::string kernel(const std::string& body) {
  return fmt::format(R"(
.visible .entry k(.param .u64 x, .param .u64 y, .param .u32 size)
{{
  .shared .align 128 .b8 tile[4096];
  .shared .align 128 .b8 source[4096];
  .shared .align 8 .b64 bar;
  .reg .b32 %v, %w, %i, %n, %size, %rank, %ranks, %s, %r, %b; .reg .b64 %x, %y, %h, %t, %state;
  .reg .b16 %m; .reg .pred %p, %q, %first, %zero;
  ld.param.u64 %x, [x]; ld.param.u64 %y, [y]; ld.param.u32 %size, [size];
  mov.u32 %i, %tid.x; mov.u32 %n, %ntid.x;
  setp.eq.u32 %first, %i, 0;
  mov.u32 %rank, %cluster_ctarank; mov.u32 %ranks, %cluster_nctarank;
  setp.eq.u32 %zero, %rank, 0;
{}
  ret;
}})",
                     body);
}

// All threads copy `size` bytes from tile to y, a word at a time.
constexpr const char* kOut = R"(
  mul.lo.u32 %v, %i, 4; mul.lo.u32 %n, %n, 4;
out:
  setp.ge.u32 %p, %v, %size; @%p bra out_end;
  mov.u32 %s, tile; add.u32 %s, %s, %v; ld.shared.u32 %w, [%s];
  cvt.u64.u32 %t, %v; add.u64 %t, %t, %y; st.global.u32 [%t], %w;
  add.u32 %v, %v, %n; bra out;
out_end:
)";
// All threads fill source from x.
constexpr const char* kIn = R"(
  mul.lo.u32 %v, %i, 4; mul.lo.u32 %w, %n, 4;
in:
  setp.ge.u32 %p, %v, %size; @%p bra in_end;
  cvt.u64.u32 %t, %v; add.u64 %t, %t, %x; ld.global.u32 %r, [%t];
  mov.u32 %s, source; add.u32 %s, %s, %v; st.shared.u32 [%s], %r;
  add.u32 %v, %v, %w; bra in;
in_end:
  fence.proxy.async.shared::cta;
  bar.sync 0;
)";
constexpr const char* kWait = R"(
wait:
  mbarrier.try_wait.parity.shared::cta.b64 %p, [bar], 0;
  @!%p bra wait;
)";

}  // namespace

TEST_CASE("a bulk copy brings global memory into shared memory and tells an mbarrier", "[device]") {
  const char* form =
      GENERATE("shared::cluster.global.mbarrier::complete_tx::bytes [tile], [%x], %size, [bar];",
               "shared::cta.global.mbarrier::complete_tx::bytes [tile], [%x], %size, [bar];",
               "shared::cluster.global.mbarrier::complete_tx::bytes.L2::cache_hint [tile], [%x], "
               "%size, [bar], %t;");
  const std::uint32_t size = GENERATE(16u, 48u, 1024u, 4096u);
  const char* expect =
      GENERATE("mbarrier.arrive.expect_tx.shared::cta.b64 _, [bar], %size;",
               "mbarrier.expect_tx.relaxed.cta.shared.b64 [bar], %size; mbarrier.arrive.shared.b64 "
               "_, [bar];");
  const bool late = GENERATE(false, true);  // the copy before or after it is expected
  CAPTURE(form, size, expect, late);
  const std::string copy = std::string("cp.async.bulk.") + form;
  PtxBench bench(kernel(std::string(R"(
  @%first mbarrier.init.shared.b64 [bar], 1;
  @%first fence.mbarrier_init.release.cluster;
  bar.sync 0;
  mov.u64 %t, 0;
  @!%first bra wait;
)") + (late ? expect + copy : copy + expect) +
                        kWait + kOut));
  const auto words = some_words(1024);
  const Pointer x = bench.buffer("x", words), y = bench.room<std::uint32_t>("y", size / 4);
  bench.good({3, 1, 1}, {48, 1, 1}, x, y, size);
  CHECK(bench.read<std::uint32_t>(y, size / 4) ==
        std::vector<std::uint32_t>(words.begin(), words.begin() + size / 4));
}

TEST_CASE("a bulk copy reaches all blocks of a multicast, and each one's mbarrier", "[device]") {
  PtxBench bench(kernel(std::string(R"(
  @%first mbarrier.init.shared.b64 [bar], 1;
  @%first mbarrier.arrive.expect_tx.shared.b64 _, [bar], %size;
  barrier.cluster.arrive; barrier.cluster.wait;
  and.pred %q, %first, %zero;
  mov.u16 %m, 13;
  @%q cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes.multicast::cluster [tile], [%x], %size, [bar], %m;
  setp.eq.u32 %p, %rank, 1; @%p bra out_end;
  mul.wide.u32 %t, %rank, 4096; add.u64 %y, %y, %t;
)") + kWait + kOut + "barrier.cluster.arrive; barrier.cluster.wait;"));
  bench.request.cluster = {4, 1, 1};
  const auto words = some_words(1024);
  const Pointer x = bench.buffer("x", words),
                y = bench.buffer("y", std::vector<std::uint32_t>(4096));
  bench.good({4, 1, 1}, {32, 1, 1}, x, y, 4096u);
  const auto got = bench.read<std::uint32_t>(y, 4096);
  std::size_t wrong = 0;
  for (std::size_t k = 0; k < 4096; ++k) wrong += got[k] != (k / 1024 == 1 ? 0 : words[k % 1024]);
  CHECK(wrong == 0);
}

TEST_CASE("bulk copies into global memory are waited for by groups", "[device]") {
  const char* wait = GENERATE("cp.async.bulk.wait_group 0;", "cp.async.bulk.wait_group.read 0;");
  const std::uint32_t size = GENERATE(16u, 4096u);
  CAPTURE(wait, size);
  PtxBench bench(kernel(std::string(kIn) + R"(
  mov.u32 %v, %ctaid.x; mad.wide.u32 %y, %v, %size, %y;
  @!%first bra done;
  cp.async.bulk.global.shared::cta.bulk_group [%y], [source], %size;
  cp.async.bulk.commit_group;
)" + wait + "\ndone:\n"));
  const auto words = some_words(1024);
  const Pointer x = bench.buffer("x", words), y = bench.room<std::uint32_t>("y", size / 2);
  bench.good({2, 1, 1}, {64, 1, 1}, x, y, size);
  const auto got = bench.read<std::uint32_t>(y, size / 2);
  std::size_t wrong = 0;
  for (std::size_t k = 0; k < got.size(); ++k) wrong += got[k] != words[k % (size / 4)];
  CHECK(wrong == 0);
}

TEST_CASE("groups of bulk copies land in order, as late as they may", "[device]") {
  // Two groups; the source of the second changes after the first was waited for.
  PtxBench bench(kernel(std::string(kIn) + R"(
  cp.async.bulk.global.shared::cta.bulk_group [%y], [source], 16;
  cp.async.bulk.commit_group;
  cp.async.bulk.global.shared::cta.bulk_group [%y+16], [source], 16;
  cp.async.bulk.commit_group;
  cp.async.bulk.wait_group 1;
  st.shared.u32 [source], 99;
  cp.async.bulk.wait_group 0;
)"));
  const Pointer x = bench.buffer<std::uint32_t>("x", {1, 2, 3, 4});
  const Pointer y = bench.room<std::uint32_t>("y", 8);
  bench.good({1, 1, 1}, {1, 1, 1}, x, y, 16u);
  CHECK(bench.read<std::uint32_t>(y, 8) == std::vector<std::uint32_t>{1, 2, 3, 4, 99, 2, 3, 4});
}

TEST_CASE("a bulk copy goes from a block to another one of its cluster", "[device]") {
  PtxBench bench(kernel(std::string(R"(
  @%first mbarrier.init.shared.b64 [bar], 1;
  @%first mbarrier.arrive.expect_tx.shared.b64 _, [bar], %size;
  barrier.cluster.arrive; barrier.cluster.wait;
  mul.wide.u32 %t, %rank, %size; add.u64 %x, %x, %t; add.u64 %y, %y, %t;
)") + kIn + R"(
  add.u32 %r, %rank, 1; rem.u32 %r, %r, %ranks;
  mov.u32 %s, tile; mapa.shared::cluster.u32 %v, %s, %r;
  mov.u32 %s, bar; mapa.shared::cluster.u32 %b, %s, %r;
  @%first cp.async.bulk.shared::cluster.shared::cta.mbarrier::complete_tx::bytes [%v], [source], %size, [%b];
)" + kWait + kOut + "barrier.cluster.arrive; barrier.cluster.wait;"));
  bench.request.cluster = {4, 1, 1};
  const std::uint32_t size = 512;
  const auto words = some_words(512);
  const Pointer x = bench.buffer("x", words), y = bench.room<std::uint32_t>("y", 512);
  bench.good({4, 1, 1}, {32, 1, 1}, x, y, size);
  const auto got = bench.read<std::uint32_t>(y, 512);
  std::size_t wrong = 0;
  for (std::size_t k = 0; k < 512; ++k) wrong += got[k] != words[(k + 384) % 512];
  CHECK(wrong == 0);
}

namespace {

// What the ISA says of one element, on its bits.
std::uint64_t reduced(const std::string& op, const std::string& type, std::uint64_t a,
                      std::uint64_t b) {
  const auto as = [&](auto apply) { return apply(a, b); };
  const auto u32 = [](std::uint64_t v) { return static_cast<std::uint32_t>(v); };
  const auto s32 = [](std::uint64_t v) { return static_cast<std::int32_t>(v); };
  const auto s64 = [](std::uint64_t v) { return static_cast<std::int64_t>(v); };
  (void)as;
  if (op == "and") return a & b;
  if (op == "or") return a | b;
  if (op == "xor") return a ^ b;
  if (op == "inc") return u32(a) >= u32(b) ? 0 : u32(a) + 1;
  if (op == "dec") return u32(a) == 0 || u32(a) > u32(b) ? u32(b) : u32(a) - 1;
  if (type == "f32")
    return std::bit_cast<std::uint32_t>(std::bit_cast<float>(u32(a)) +
                                        std::bit_cast<float>(u32(b)));
  if (type == "f64")
    return std::bit_cast<std::uint64_t>(std::bit_cast<double>(a) + std::bit_cast<double>(b));
  if (op == "add") return type == "u64" ? a + b : u32(u32(a) + u32(b));
  const bool less = type == "s32" ? s32(a) < s32(b) : type == "s64" ? s64(a) < s64(b) : a < b;
  return (op == "min") == less ? a : b;
}

struct Reduction {
  const char *operation, *type;
  std::uint32_t bytes;
  bool shared;
};
const Reduction kReductions[] = {
    {"add", "u32", 4, true},  {"add", "s32", 4, true},  {"add", "u64", 8, true},
    {"add", "f32", 4, false}, {"add", "f64", 8, false}, {"min", "u32", 4, true},
    {"min", "s32", 4, true},  {"max", "u32", 4, true},  {"max", "s32", 4, true},
    {"min", "u64", 8, false}, {"max", "u64", 8, false}, {"min", "s64", 8, false},
    {"max", "s64", 8, false}, {"inc", "u32", 4, true},  {"dec", "u32", 4, true},
    {"and", "b32", 4, true},  {"or", "b32", 4, true},   {"xor", "b32", 4, true},
    {"and", "b64", 8, false}, {"or", "b64", 8, false},  {"xor", "b64", 8, false}};

std::vector<std::uint32_t> operands_for(const Reduction& r, std::uint32_t seed) {
  auto words = some_words(64, seed);
  const std::string type = r.type;
  std::mt19937 random(seed + 5);
  if (type == "f32")
    for (auto& w : words)
      w = std::bit_cast<std::uint32_t>(static_cast<float>(random() % 1000) / 8 - 60);
  if (type == "f32") words[3] = 1;  // a subnormal is kept
  if (type == "f64") {
    for (std::size_t k = 0; k < words.size(); k += 2) {
      const double v = static_cast<double>(random()) / 1000 - 2e6;
      std::memcpy(&words[k], &v, 8);
    }
  }
  if (std::string(r.operation) == "inc" || std::string(r.operation) == "dec")
    for (auto& w : words) w %= 4;
  return words;
}

std::vector<std::uint32_t> expected(const Reduction& r, const std::vector<std::uint32_t>& a,
                                    const std::vector<std::uint32_t>& b) {
  std::vector<std::uint32_t> want(a.size());
  for (std::size_t k = 0; k < a.size(); k += r.bytes / 4) {
    std::uint64_t x = 0, y = 0;
    std::memcpy(&x, &a[k], r.bytes);
    std::memcpy(&y, &b[k], r.bytes);
    const std::uint64_t z = reduced(r.operation, r.type, x, y);
    std::memcpy(&want[k], &z, r.bytes);
  }
  return want;
}

}  // namespace

TEST_CASE("bulk reductions combine every type as the ISA says", "[device]") {
  for (const Reduction& r : kReductions) {
    CAPTURE(r.operation, r.type);
    const auto a = operands_for(r, 3), b = operands_for(r, 4);
    PtxBench bench(kernel(std::string(kIn) + fmt::format(R"(
  @!%first bra done;
  cp.reduce.async.bulk.global.shared::cta.bulk_group.{}.{} [%y], [source], %size;
  cp.async.bulk.commit_group;
  cp.async.bulk.wait_group 0;
done:
)",
                                                         r.operation, r.type)));
    const Pointer x = bench.buffer("x", b), y = bench.buffer("y", a);
    bench.good({1, 1, 1}, {32, 1, 1}, x, y, 256u);
    CHECK(bench.read<std::uint32_t>(y, 64) == expected(r, a, b));
    if (!r.shared) continue;
    PtxBench other(kernel(std::string(R"(
  @%first mbarrier.init.shared.b64 [bar], 1;
  @%first mbarrier.arrive.expect_tx.shared.b64 _, [bar], %size;
  mul.lo.u32 %v, %i, 4; cvt.u64.u32 %t, %v; add.u64 %t, %t, %y; ld.global.u32 %w, [%t];
  mov.u32 %s, tile; add.u32 %s, %s, %v; st.shared.u32 [%s], %w;
  ld.global.u32 %w, [%t+128]; st.shared.u32 [%s+128], %w;
  barrier.cluster.arrive; barrier.cluster.wait;
)") + kIn +
                          fmt::format(R"(
  xor.b32 %r, %rank, 1;
  mov.u32 %s, tile; mapa.shared::cluster.u32 %v, %s, %r;
  mov.u32 %s, bar; mapa.shared::cluster.u32 %b, %s, %r;
  @%first cp.reduce.async.bulk.shared::cluster.shared::cta.mbarrier::complete_tx::bytes.{}.{} [%v], [source], %size, [%b];
)",
                                      r.operation, r.type) +
                          kWait + kOut + "barrier.cluster.arrive; barrier.cluster.wait;"));
    other.request.cluster = {2, 1, 1};
    const Pointer x2 = other.buffer("x", b), y2 = other.buffer("y", a);
    other.good({2, 1, 1}, {32, 1, 1}, x2, y2, 256u);
    CHECK(other.read<std::uint32_t>(y2, 64) == expected(r, a, b));
  }
}

TEST_CASE("bulk reductions of halves round once and order NaN after numbers", "[device]") {
  struct Case {
    const char* form;
    std::uint16_t a, b, want;
  };
  const Case cases[] = {
      {"add.noftz.f16", 0x3c00, 0x4000, 0x4200},  // 1 + 2
      {"add.noftz.f16", 0x7bff, 0x7bff, 0x7c00},  // overflow
      {"add.noftz.f16", 0x0001, 0x0001, 0x0002},  // subnormals
      {"add.noftz.f16", 0x6800, 0x3800, 0x6800},  // 2048 + 0.5 to even
      {"min.f16", 0x3c00, 0xbc00, 0xbc00},        {"max.f16", 0x3c00, 0xbc00, 0x3c00},
      {"min.f16", 0x7e01, 0x3c00, 0x3c00},        {"max.f16", 0x3c00, 0x7e01, 0x3c00},
      {"max.f16", 0x8000, 0x0000, 0x0000},        {"min.f16", 0x0000, 0x8000, 0x8000},
      {"add.noftz.bf16", 0x3f80, 0x4000, 0x4040}, {"add.noftz.bf16", 0x4300, 0x3e80, 0x4300},
      {"min.bf16", 0x3f80, 0xbf80, 0xbf80},       {"max.bf16", 0x7fc0, 0xbf80, 0xbf80}};
  for (const Case& c : cases) {
    CAPTURE(c.form, c.a, c.b);
    PtxBench bench(kernel(std::string(kIn) + fmt::format(R"(
  @!%first bra done;
  cp.reduce.async.bulk.global.shared::cta.bulk_group.{} [%y], [source], %size;
  cp.async.bulk.commit_group;
  cp.async.bulk.wait_group 0;
done:
)",
                                                         c.form)));
    const Pointer x = bench.buffer("x", std::vector<std::uint16_t>(8, c.b));
    const Pointer y = bench.buffer("y", std::vector<std::uint16_t>(8, c.a));
    bench.good({1, 1, 1}, {32, 1, 1}, x, y, 16u);
    CHECK(bench.read<std::uint16_t>(y, 8) == std::vector<std::uint16_t>(8, c.want));
  }
}

TEST_CASE("st.async and red.async reach another block and count their bytes", "[device]") {
  struct Case {
    const char* instruction;
    std::uint32_t bytes;
    std::vector<std::uint32_t> want;  // of the four words at the target, which were 10, 20, 30, 40
  };
  const Case cases[] = {
      {"st.async.weak.shared::cluster.mbarrier::complete_tx::bytes.u32 [%v], 5, [%b];",
       4,
       {5, 20, 30, 40}},
      {"st.async.shared::cluster.mbarrier::complete_tx::bytes.b64 [%v], %t, [%b];",
       8,
       {7, 1, 30, 40}},
      {"st.async.weak.shared::cluster.mbarrier::complete_tx::bytes.v2.b32 [%v], {%i, %size}, [%b];",
       8,
       {0, 16, 30, 40}},
      {"st.async.weak.shared::cluster.mbarrier::complete_tx::bytes.v4.s32 [%v], {%i, %size, %i, "
       "%size}, [%b];",
       16,
       {0, 16, 0, 16}},
      {"red.async.relaxed.cluster.shared::cluster.mbarrier::complete_tx::bytes.add.u32 [%v], 5, "
       "[%b];",
       4,
       {15, 20, 30, 40}},
      {"red.async.relaxed.cluster.shared::cluster.mbarrier::complete_tx::bytes.max.s32 [%v], 3, "
       "[%b];",
       4,
       {10, 20, 30, 40}},
      {"red.async.relaxed.cluster.shared::cluster.mbarrier::complete_tx::bytes.add.u64 [%v], %t, "
       "[%b];",
       8,
       {17, 21, 30, 40}},
      {"red.async.relaxed.cluster.shared::cluster.mbarrier::complete_tx::bytes.xor.b32 [%v], 3, "
       "[%b];",
       4,
       {9, 20, 30, 40}},
      {"red.async.relaxed.cluster.shared::cluster.mbarrier::complete_tx::bytes.inc.u32 [%v], 10, "
       "[%b];",
       4,
       {0, 20, 30, 40}}};
  for (const Case& c : cases) {
    CAPTURE(c.instruction);
    PtxBench bench(kernel(std::string(R"(
  mov.u32 %v, 10; st.shared.u32 [tile], %v; mov.u32 %v, 20; st.shared.u32 [tile+4], %v;
  mov.u32 %v, 30; st.shared.u32 [tile+8], %v; mov.u32 %v, 40; st.shared.u32 [tile+12], %v;
  mbarrier.init.shared.b64 [bar], 1;
)") + fmt::format("mbarrier.arrive.expect_tx.shared.b64 _, [bar], {};\n", c.bytes) +
                          R"(
  barrier.cluster.arrive; barrier.cluster.wait;
  xor.b32 %r, %rank, 1;
  mov.u32 %s, tile; mapa.shared::cluster.u32 %v, %s, %r;
  mov.u32 %s, bar; mapa.shared::cluster.u32 %b, %s, %r;
  mov.u64 %t, 0x100000007;
)" + c.instruction + kWait +
                          kOut + "barrier.cluster.arrive; barrier.cluster.wait;"));
    bench.request.cluster = {2, 1, 1};
    const Pointer x = bench.room<std::uint32_t>("x", 4), y = bench.room<std::uint32_t>("y", 4);
    bench.good({2, 1, 1}, {1, 1, 1}, x, y, 16u);
    CHECK(bench.read<std::uint32_t>(y, 4) == c.want);
  }
}

TEST_CASE("a bulk copy that nobody waits for is noticed", "[device]") {
  const std::string begin = R"(
  mbarrier.init.shared.b64 [bar], 1;
  mov.u32 %v, 17; st.shared.u32 [tile], %v;
  mbarrier.arrive.expect_tx.shared.b64 _, [bar], 64;
  cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [tile], [%x], 64, [bar];
)";
  const std::string end = "ld.shared.u32 %v, [tile]; st.global.u32 [%y], %v;\n";
  const auto words = some_words(16);
  {
    PtxBench bench(kernel(begin + end + kWait));
    const Pointer x = bench.buffer("x", words), y = bench.buffer<std::uint32_t>("y", {0});
    const LaunchRecord record = bench.launch({1, 1, 1}, {1, 1, 1}, x, y, 16u);
    REQUIRE(record.findings.size() == 1);
    CHECK(record.findings[0].error.code == ErrorCode::async_not_waited);
    CHECK(bench.read<std::uint32_t>(y, 1)[0] == 17);
  }
  {
    PtxBench bench(kernel(begin));
    const Pointer x = bench.buffer("x", words), y = bench.buffer<std::uint32_t>("y", {0});
    const LaunchRecord record = bench.launch({1, 1, 1}, {1, 1, 1}, x, y, 16u);
    REQUIRE(record.findings.size() == 1);
    CHECK(record.findings[0].error.code == ErrorCode::bulk_not_waited);
    CHECK(record.instructions[record.findings[0].by.instruction].text.substr(0, 13) ==
          "cp.async.bulk");
  }
}

TEST_CASE("both ends of a bulk copy are checked where it is issued", "[device]") {
  struct Case {
    const char* instruction;
    ErrorCode code;
  };
  const Case cases[] = {
      {"cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [tile], [%x], 80, [bar];",
       ErrorCode::out_of_bounds_read},
      {"cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [tile], [%x], 24, [bar];",
       ErrorCode::bulk_size},
      {"cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [tile], [%x+4], 16, "
       "[bar];",
       ErrorCode::misaligned_access},
      {"cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [tile+8], [%x], 16, "
       "[bar];",
       ErrorCode::misaligned_access},
      {"cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [tile+8192], [%x], 64, "
       "[bar];",
       ErrorCode::shared_out_of_bounds},
      {"cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [tile], [%x], 16, "
       "[tile+4];",
       ErrorCode::misaligned_access},
      {"cp.async.bulk.global.shared::cta.bulk_group [%x+64], [source], 16;",
       ErrorCode::out_of_bounds_write},
      {"cp.async.bulk.global.shared::cta.bulk_group [%x], [source+16384], 16;",
       ErrorCode::shared_out_of_bounds},
      {"cp.async.bulk.prefetch.L2.global [%x], 128;", ErrorCode::out_of_bounds_read}};
  for (const Case& c : cases) {
    CAPTURE(c.instruction);
    PtxBench bench(kernel(std::string("mbarrier.init.shared.b64 [bar], 1;\n") + c.instruction));
    const Pointer x = bench.buffer("x", some_words(16)), y = bench.room<std::uint32_t>("y", 1);
    const LaunchRecord record = bench.launch({1, 1, 1}, {1, 1, 1}, x, y, 16u);
    REQUIRE(record.findings.size() == 1);
    CHECK(name_of(record.findings[0].error.code) == name_of(c.code));
    CHECK(record.instructions[record.findings[0].by.instruction].text == c.instruction);
  }
  PtxBench bench(kernel("cp.async.bulk.prefetch.L2.global [%x], 64;"));
  bench.good({1, 1, 1}, {1, 1, 1}, bench.buffer("x", some_words(16)),
             bench.room<std::uint32_t>("y", 1), 16u);
}

TEST_CASE("tensor copies and forms that do not exist are errors by name", "[device]") {
  for (const std::string_view body :
       {"cp.async.bulk.tensor.1d.shared::cluster.global.mbarrier::complete_tx::bytes [tile], [%x, "
        "{%v}], [bar];",
        "cp.async.bulk.global.shared::cta.mbarrier::complete_tx::bytes [%x], [source], 16, [bar];",
        "cp.async.bulk.shared::cluster.global.bulk_group [tile], [%x], 16;",
        "cp.reduce.async.bulk.global.shared::cta.bulk_group.add.f16 [%x], [source], 16;",
        "cp.reduce.async.bulk.global.shared::cta.bulk_group.mul.u32 [%x], [source], 16;",
        "cp.reduce.async.bulk.shared::cluster.shared::cta.mbarrier::complete_tx::bytes.add.f32 "
        "[tile], [source], 16, [bar];",
        "st.async.weak.shared::cluster.mbarrier::complete_tx::bytes.v4.b64 [%v], {%t, %t, %t, %t}, "
        "[%b];",
        "clusterlaunchcontrol.try_cancel.async.shared::cta.mbarrier::complete_tx::bytes.b128 "
        "[tile], [bar];"}) {
    CAPTURE(body);
    PtxBench bench(kernel(std::string(body)));
    const auto record = bench.try_launch({1, 1, 1}, {1, 1, 1}, bench.room<std::uint32_t>("x", 4),
                                         bench.room<std::uint32_t>("y", 4), 16u);
    REQUIRE(!record);
    const bool has_a_reason =
        body.starts_with("cp.async.bulk.tensor") || body.starts_with("cluster");
    CHECK(record.error().code ==
          (has_a_reason ? ErrorCode::ptx_left_out : ErrorCode::ptx_unsupported));
  }
}

}  // namespace warpbook::device::tests::bulk_copy_test
