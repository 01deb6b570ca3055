// ldmatrix, stmatrix and movmatrix against the ISA's pictures; whole warps that meet, or cannot; what checkers say.
#include <algorithm>
#include <catch2/generators/catch_generators.hpp>
#include <numeric>
#include <set>

#include "tests/device/simulator/ptx_bench.hpp"

#include <fmt/format.h>

namespace warpbook::device::tests::matrix_test {
namespace {

/// A kernel whose threads have their number in %t, the parameter in %p and shared memory `room` of 4 KiB, of which each
/// of 32 threads has written its share from the parameter.
std::string kernel(const std::string& body, bool fill = true) {
  std::string copy;
  if (fill) {
    copy =
        "mul.wide.u32 %x, %t, 128;\nadd.u64 %y, %p, %x;\nmov.u64 %z, room;\nadd.u64 %z, %z, %x;\n";
    for (int i = 0; i < 128; i += 16)
      copy += fmt::format(
          "ld.global.v4.b32 {{%r0,%r1,%r2,%r3}}, [%y+{0}];\nst.shared.v4.b32 [%z+{0}], "
          "{{%r0,%r1,%r2,%r3}};\n",
          i);
    copy += "bar.sync 0;\n";
  }
  return fmt::format(
      ".visible .entry k(.param .u64 in, .param .u64 out)\n{{\n.shared .align 128 .b8 "
      "room[4096];\n.reg .b64 %p, %o, %x, %y, %z;\n.reg .b32 %t, %u, %v, %r<16>;\n.reg .f32 "
      "%f<16>;\n.reg .pred %q;\nld.param.u64 %p, [in];\nld.param.u64 %o, [out];\nmov.u32 %t, "
      "%tid.x;\n{}{}ret;\n}}\n",
      copy, body);
}

/// Each thread stores %r0 to %r(count-1) side by side.
std::string store_registers(int count) {
  std::string s = fmt::format("mul.wide.u32 %x, %t, {};\nadd.u64 %o, %o, %x;\n", 4 * count);
  for (int i = 0; i < count; ++i) s += fmt::format("st.global.b32 [%o+{}], %r{};\n", 4 * i, i);
  return s;
}

std::vector<std::uint16_t> numbers(std::size_t count) {
  std::vector<std::uint16_t> v(count);
  std::iota(v.begin(), v.end(), std::uint16_t{1});
  return v;
}

const std::string kProduct =
    "mma.sync.aligned.m16n8k8.row.col.f32.f16.f16.f32 {%f0,%f1,%f2,%f3}, {%r0,%r1}, {%r2}, "
    "{%f0,%f1,%f2,%f3};\n";

std::string lists(int count) {
  std::string s;
  for (int i = 0; i < count; ++i) s += fmt::format("{}%r{}", i ? "," : "", i);
  return s;
}

}  // namespace

TEST_CASE("ldmatrix gives each lane two halves of a row, or of a column with .trans") {
  const int count = GENERATE(1, 2, 4);
  const bool transposed = GENERATE(false, true);
  const std::string space = GENERATE(as<std::string>{}, ".shared", ".shared::cta", "");
  CAPTURE(count, transposed, space);
  // Row i of all the matrices lies at 80 (i * 7 % 32): scattered, and aligned to 16 bytes.
  const std::string text = kernel(
      "mul.lo.u32 %u, %t, 7;\nand.b32 %u, %u, 31;\nmul.lo.u32 %u, %u, 80;\ncvt.u64.u32 %x, "
      "%u;\nmov.u64 %y, room;\nadd.u64 %x, %x, %y;\n" +
      std::string(space.empty() ? "cvta.shared.u64 %x, %x;\n" : "") +
      fmt::format("ldmatrix.sync.aligned.m8n8.x{}{}{}.b16 {{{}}}, [%x];\n", count,
                  transposed ? ".trans" : "", space, lists(count)) +
      store_registers(count));
  PtxBench bench(text);
  const auto memory = numbers(2048);
  const Pointer out = bench.room<std::uint16_t>("out", static_cast<std::size_t>(64 * count));
  const LaunchRecord record = bench.good({1, 1, 1}, {32, 1, 1}, bench.buffer("in", memory), out);
  CHECK(record.findings_total == 0);
  const auto got = bench.read<std::uint16_t>(out, static_cast<std::size_t>(64 * count));
  std::vector<std::uint16_t> want;
  for (int lane = 0; lane < 32; ++lane) {
    for (int matrix = 0; matrix < count; ++matrix) {
      for (int i = 0; i < 2; ++i) {
        int row = lane / 4, column = lane % 4 * 2 + i;
        if (transposed) std::swap(row, column);
        const int line = (8 * matrix + row) * 7 % 32;
        want.push_back(memory[static_cast<std::size_t>(line * 40 + column)]);
      }
    }
  }
  CHECK((got == want));
}

TEST_CASE("Elements of a result that nobody wants are not written") {
  std::string body = "mov.b32 %r0, 0x3c003c00;\nmov.b32 %r1, %r0;\nmov.b32 %r2, 0x40004000;\n";
  for (int i = 0; i < 4; ++i) body += fmt::format("mov.f32 %f{}, 0f3F800000;\n", i);
  body +=
      "mma.sync.aligned.m16n8k8.row.col.f32.f16.f16.f32 {_,%f1,_,%f3}, {%r0,%r1}, {%r2}, "
      "{%f0,%f1,%f2,%f3};\n";
  for (int i = 0; i < 4; ++i) body += fmt::format("cvt.rzi.u32.f32 %r{0}, %f{0};\n", i);
  body +=
      "mov.u64 %y, room;\nmov.b32 %r4, 0x70007;\nmul.wide.u32 %x, %t, 4;\nadd.u64 %x, %x, %y;\n"
      "st.shared.b32 [%x], %r4;\nbar.sync 0;\n"
      "ldmatrix.sync.aligned.m8n8.x2.shared.b16 {_, %r4}, [%y];\n";
  PtxBench bench(kernel(body + store_registers(5), false));
  const Pointer out = bench.room<std::uint32_t>("out", 32 * 5);
  bench.good({1, 1, 1}, {32, 1, 1}, Pointer{0}, out);
  const auto got = bench.read<std::uint32_t>(out, 32 * 5);
  for (std::size_t lane = 0; lane < 32; ++lane) {
    const std::vector<std::uint32_t> own(got.begin() + static_cast<std::ptrdiff_t>(5 * lane),
                                         got.begin() + static_cast<std::ptrdiff_t>(5 * lane + 5));
    CHECK(own == std::vector<std::uint32_t>{1, 17, 1, 17, 0x70007});
  }
}

TEST_CASE("stmatrix is ldmatrix the other way round") {
  const int count = GENERATE(1, 2, 4);
  const bool transposed = GENERATE(false, true);
  CAPTURE(count, transposed);
  std::string body;
  for (int i = 0; i < count; ++i)
    body += fmt::format("mad.lo.u32 %r{0}, %t, 131074, {1};\n", i, 256 * i + (256 * i + 1) * 65536);
  body += fmt::format(
      "mul.lo.u32 %u, %t, 16;\nmov.u32 %v, room;\nadd.u32 %v, %v, "
      "%u;\nstmatrix.sync.aligned.m8n8.x{}{}.shared.b16 [%v], {{{}}};\nmul.wide.u32 %x, %t, "
      "{};\nadd.u64 %o, %o, %x;\nmov.u64 %y, room;\nadd.u64 %y, %y, %x;\n",
      count, transposed ? ".trans" : "", lists(count), 4 * count);
  for (int i = 0; i < count; ++i)
    body += fmt::format("ld.shared.b32 %r15, [%y+{0}];\nst.global.b32 [%o+{0}], %r15;\n", 4 * i);
  PtxBench bench(kernel(body, false));
  const Pointer out = bench.room<std::uint16_t>("out", static_cast<std::size_t>(64 * count));
  const LaunchRecord record = bench.good({1, 1, 1}, {32, 1, 1}, Pointer{0}, out);
  CHECK(record.findings_total == 0);
  const auto got = bench.read<std::uint16_t>(out, static_cast<std::size_t>(64 * count));
  for (int matrix = 0; matrix < count; ++matrix) {
    for (int row = 0; row < 8; ++row) {
      for (int column = 0; column < 8; ++column) {
        const int r = transposed ? column : row, c = transposed ? row : column;
        // Lane l holds 2 l in the low half of its first register and 2 l + 1 in the high one.
        const int want = 256 * matrix + 2 * (4 * r + c / 2) + c % 2;
        REQUIRE(got[static_cast<std::size_t>(64 * matrix + 8 * row + column)] == want);
      }
    }
  }
}

TEST_CASE("movmatrix transposes eight by eight halves") {
  PtxBench bench(
      kernel("mad.lo.u32 %r1, %t, 131074, 65536;\n"
             "movmatrix.sync.aligned.m8n8.trans.b16 %r0, %r1;\n" +
                 store_registers(1),
             false));
  const Pointer out = bench.room<std::uint16_t>("out", 64);
  bench.good({1, 1, 1}, {32, 1, 1}, Pointer{0}, out);
  const auto got = bench.read<std::uint16_t>(out, 64);
  for (int i = 0; i < 64; ++i) CHECK(got[static_cast<std::size_t>(i)] == i % 8 * 8 + i / 8);
}

TEST_CASE("ldmatrix counts one wavefront for eight rows in different banks, eight in the same") {
  const auto wavefronts = [](int stride) {
    PtxBench bench(kernel(fmt::format(
        "mul.lo.u32 %u, %t, {};\nrem.u32 %u, %u, 4096;\nmov.u32 %v, room;\nadd.u32 %v, %v, "
        "%u;\nldmatrix.sync.aligned.m8n8.x4.shared.b16 {{%r0,%r1,%r2,%r3}}, [%v];\n",
        stride)));
    const LaunchRecord r =
        bench.good({1, 1, 1}, {32, 1, 1}, bench.buffer("in", numbers(2048)), Pointer{0});
    for (const InstructionCounters& i : r.instructions) {
      if (i.text.substr(0, 8) != "ldmatrix") continue;
      CHECK(i.counters.shared_requests == 1);
      CHECK(i.counters.shared_bytes == 512);
      CHECK(i.counters.shared_wavefronts_ideal == 4);
      return i.counters.shared_wavefronts;
    }
    return std::uint64_t{0};
  };
  CHECK(wavefronts(16) == 4);
  CHECK(wavefronts(32) == 8);
  CHECK(wavefronts(80) == 4);
  CHECK(wavefronts(128) == 32);
}

TEST_CASE("A row that is misaligned or out of bounds is a finding, and loads zeros") {
  const auto run = [](const std::string& change) {
    PtxBench bench(
        kernel("mul.lo.u32 %u, %t, 16;\nmov.u32 %v, room;\nadd.u32 %v, %v, %u;\n"
               "setp.eq.u32 %q, %t, 9;\n" +
               change + "ldmatrix.sync.aligned.m8n8.x2.shared.b16 {%r0,%r1}, [%v];\n" +
               store_registers(2)));
    const auto memory = numbers(2048);
    const Pointer out = bench.room<std::uint16_t>("out", 128);
    const LaunchRecord r = bench.launch({1, 1, 1}, {32, 1, 1}, bench.buffer("in", memory), out);
    REQUIRE(r.findings.size() == 1);
    CHECK(r.findings[0].by.thread == 9);
    CHECK(r.findings[0].bytes == 16);
    const auto got = bench.read<std::uint16_t>(out, 128);
    for (std::size_t lane = 0; lane < 32; ++lane) {
      // Row 1 of the second matrix is lane 9's.
      CHECK(got[4 * lane] == memory[lane / 4 * 8 + lane % 4 * 2]);
      CHECK(got[4 * lane + 2] == (lane / 4 == 1 ? 0 : memory[64 + lane / 4 * 8 + lane % 4 * 2]));
    }
    return r.findings[0].error.code;
  };
  CHECK(run("@%q add.u32 %v, %v, 8;\n") == ErrorCode::misaligned_access);
  CHECK(run("@%q add.u32 %v, %v, 65536;\n") == ErrorCode::shared_out_of_bounds);
}

TEST_CASE("ldmatrix of a generic address outside of shared memory is out of its bounds") {
  PtxBench bench(
      kernel("ldmatrix.sync.aligned.m8n8.x1.b16 {%r0}, [%p];\n" + store_registers(1), false));
  const LaunchRecord r = bench.launch({1, 1, 1}, {32, 1, 1}, bench.buffer("in", numbers(2048)),
                                      bench.room<std::uint16_t>("out", 64));
  REQUIRE(r.findings.size() == 8);
  CHECK(r.findings[0].error.code == ErrorCode::shared_out_of_bounds);
}

TEST_CASE(
    "wmma out of bounds names the thread, the buffer and the instruction, and the rest goes on") {
  PtxBench bench(
      kernel("mov.u32 %u, 16;\n"
             "wmma.load.c.sync.aligned.row.m16n16k16.global.f32 "
             "{%f0,%f1,%f2,%f3,%f4,%f5,%f6,%f7}, [%p], %u;\n"
             "wmma.store.d.sync.aligned.row.m16n16k16.global.f32 [%o], "
             "{%f0,%f1,%f2,%f3,%f4,%f5,%f6,%f7}, %u;\n",
             false));
  std::vector<float> in(255);
  for (std::size_t i = 0; i < in.size(); ++i) in[i] = static_cast<float>(i + 1);
  const Pointer out = bench.buffer("out", std::vector<float>(256, -1.f));
  const LaunchRecord r = bench.launch({1, 1, 1}, {32, 1, 1}, bench.buffer("in", in), out);
  REQUIRE(r.findings.size() == 1);
  CHECK(r.findings[0].error.code == ErrorCode::out_of_bounds_read);
  CHECK(r.findings[0].allocation == "in");
  const auto got = bench.read<float>(out, 256);
  for (std::size_t i = 0; i < 256; ++i)
    REQUIRE(got[i] == (i < 252 ? static_cast<float>(i + 1) : 0));
}

TEST_CASE("Lanes that part come together again at a matrix instruction") {
  // Odd lanes take a way of their own to one and the same mma; --seed parts them anywhere.
  const std::uint64_t seed = GENERATE(0u, 1u, 2u, 3u, 4u);
  const std::string body =
      "mov.b32 %r0, 0x3c003c00;\nmov.b32 %r1, %r0;\nmov.b32 %r2, %r0;\nmov.f32 %f0, 0f00000000;\n"
      "mov.f32 %f1, %f0;\nmov.f32 %f2, %f0;\nmov.f32 %f3, %f0;\nand.b32 %u, %t, 1;\nsetp.eq.u32 "
      "%q, %u, 1;\n@%q bra odd;\nmov.b32 %r2, 0x40004000;\nbra.uni meet;\nodd:\nmov.b32 %r0, "
      "0x44004400;\nmeet:\n" +
      kProduct + "mul.wide.u32 %x, %t, 4;\nadd.u64 %o, %o, %x;\nst.global.f32 [%o], %f0;\n";
  PtxBench bench(kernel(body, false));
  bench.request.seed = seed;
  const Pointer out = bench.room<float>("out", 32);
  const LaunchRecord r = bench.good({1, 1, 1}, {32, 1, 1}, Pointer{0}, out);
  CHECK(r.total.tensor_operations >= 1);
  const auto got = bench.read<float>(out, 32);
  for (std::size_t lane = 0; lane < 32; ++lane) {
    // D[g][2t]: in every row, lanes of A with odd t hold 4, the others 1; in column 2t of B, that is of the lanes of group
    // 2t, those with even t hold 2, the others 1.
    CHECK(got[lane] == 2 * (1 * 2 + 4 * 1 + 1 * 2 + 4 * 1));
  }
}

TEST_CASE("A warp that cannot be whole at a matrix instruction is an error, never a hang") {
  const auto error_of = [](const std::string& body, std::uint32_t threads) {
    PtxBench bench(kernel(body, false));
    const LaunchRecord r = bench.launch({1, 1, 1}, {threads, 1, 1}, Pointer{0}, Pointer{0});
    REQUIRE(r.error);
    CHECK(r.error->code == ErrorCode::warp_incomplete);
    return r.error->english();
  };
  const auto has = [](const std::string& text, const std::string& part) {
    INFO(text);
    CHECK(text.find(part) != std::string::npos);
  };
  has(error_of(kProduct, 40), "only 8 lanes");
  has(error_of(kProduct, 40), "mma.sync");
  // Half of the lanes leave.
  has(error_of("setp.lt.u32 %q, %t, 16;\n@%q exit;\n" + kProduct, 32),
      "16 of its lanes have exited");
  // Half of them skip it and leave while the others wait.
  has(error_of("setp.lt.u32 %q, %t, 16;\n@%q " + kProduct, 32), "16 of its lanes have exited");
  // Two halves wait at different ones.
  has(error_of("setp.lt.u32 %q, %t, 16;\n@%q bra low;\n" + kProduct + "bra.uni end;\nlow:\n" +
                   kProduct + "end:\n",
               32),
      "wait at");
  // Some wait at a barrier that the others will never reach.
  has(error_of("setp.lt.u32 %q, %t, 16;\n@%q bra low;\n" + kProduct +
                   "bra.uni end;\nlow:\nbar.sync 0;\nend:\n",
               32),
      "wait at");
}

TEST_CASE("wmma.load with different addresses or strides in a warp is an error") {
  const auto error_of = [](const std::string& body) {
    PtxBench bench(kernel(body + "wmma.load.a.sync.aligned.row.m16n16k16.global.bf16 "
                                 "{%r0,%r1,%r2,%r3}, [%p], %u;\n",
                          false));
    const LaunchRecord r =
        bench.launch({1, 1, 1}, {32, 1, 1}, bench.buffer("in", numbers(2048)), Pointer{0});
    REQUIRE(r.error);
    CHECK(r.error->code == ErrorCode::lanes_disagree);
    return r.error->english();
  };
  CHECK(error_of("mov.u32 %u, 16;\nmul.wide.u32 %x, %t, 32;\nadd.u64 %p, %p, %x;\n")
            .find("another address by lane 1") != std::string::npos);
  CHECK(error_of("setp.eq.u32 %q, %t, 5;\nmov.u32 %u, 16;\n@%q mov.u32 %u, 24;\n")
            .find("another stride by lane 5") != std::string::npos);
}

TEST_CASE("initcheck follows an undefined row of A to its row of D and no further") {
  // A's tile of 16 x 16 in shared memory lacks row 5, B's lacks nothing; all of D goes to global memory.
  const bool column_of_b = GENERATE(false, true);
  const std::string lacking =
      column_of_b ? "setp.eq.u32 %q, %t, 19;\n" : "setp.eq.u32 %q, %t, 5;\n";
  const std::string body =
      lacking +
      "mul.lo.u32 %u, %t, 32;\nmov.u32 %v, room;\nadd.u32 %v, %v, %u;\nmov.b32 %r0, 0;\n"
      "@!%q st.shared.v4.b32 [%v], {%r0,%r0,%r0,%r0};\n@!%q st.shared.v4.b32 [%v+16], "
      "{%r0,%r0,%r0,%r0};\nbar.warp.sync -1;\n"
      // Threads 0 to 15 have written rows of A, 16 to 31 columns of B.
      "mul.lo.u32 %u, %t, 32;\nand.b32 %u, %u, 511;\nshr.u32 %r8, %t, 4;\nmul.lo.u32 %r8, %r8, "
      "16;\n"
      "add.u32 %u, %u, %r8;\nmov.u32 %v, room;\nadd.u32 %v, %v, %u;\n"
      "ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%r0,%r1,%r2,%r3}, [%v];\n"
      "add.u32 %v, %v, 512;\n"
      "ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%r4,%r5,%r6,%r7}, [%v];\n"
      "mov.f32 %f0, 0f00000000;\nmov.f32 %f1, %f0;\nmov.f32 %f2, %f0;\nmov.f32 %f3, %f0;\n"
      "mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 {%f0,%f1,%f2,%f3}, {%r0,%r1,%r2,%r3}, "
      "{%r4,%r6}, {%f0,%f1,%f2,%f3};\n"
      "mul.wide.u32 %x, %t, 16;\nadd.u64 %o, %o, %x;\nst.global.f32 [%o], %f0;\nst.global.f32 "
      "[%o+4], %f1;\nst.global.f32 [%o+8], %f2;\nst.global.f32 [%o+12], %f3;\n";
  PtxBench bench(kernel(body, false));
  const LaunchRecord r =
      bench.launch({1, 1, 1}, {32, 1, 1}, Pointer{0}, bench.room<float>("out", 128));
  for (const Finding& f : r.findings) {
    CHECK(f.error.code == ErrorCode::uninitialised_read);
    CHECK(f.space == Space::shared);
    REQUIRE(f.other);
  }
  std::set<std::uint32_t> threads;
  for (const Finding& f : r.findings) threads.insert(f.by.thread);
  if (column_of_b) {
    // Column 3 is element 1 of lanes with t = 1, in both halves of the rows.
    CHECK(r.findings_total == 16);
    CHECK(threads == std::set<std::uint32_t>{1, 5, 9, 13, 17, 21, 25, 29});
  } else {
    // Row 5 is that of lanes 20 to 23, elements 0 and 1.
    CHECK(r.findings_total == 8);
    CHECK(threads == std::set<std::uint32_t>{20, 21, 22, 23});
  }
}

TEST_CASE("What nobody wrote stays undefined through a wmma load and store in shared memory") {
  const std::string body =
      "mul.wide.u32 %x, %t, 16;\nmov.u64 %y, room;\nadd.u64 %y, %y, %x;\nmov.b32 %r0, 0;\n"
      // All of the 8 x 8 accumulators but elements 4 to 7.
      "setp.ne.u32 %q, %t, 1;\n@%q st.shared.v4.b32 [%y], {%r0,%r0,%r0,%r0};\nbar.warp.sync -1;\n"
      "wmma.load.c.sync.aligned.row.m8n8k32.shared.s32 {%r1,%r2}, [room];\n"
      "wmma.store.d.sync.aligned.row.m8n8k32.shared.s32 [room+1024], {%r1,%r2};\n"
      "ld.shared.v4.b32 {%r4,%r5,%r6,%r7}, [%y+1024];\n"
      "add.u64 %o, %o, %x;\nsetp.lt.u32 %q, %t, 16;\n@%q st.global.v4.b32 [%o], "
      "{%r4,%r5,%r6,%r7};\n";
  PtxBench bench(kernel(body, false));
  const LaunchRecord r =
      bench.launch({1, 1, 1}, {32, 1, 1}, Pointer{0}, bench.room<std::uint32_t>("out", 64));
  std::set<std::uint32_t> threads;
  for (const Finding& f : r.findings) threads.insert(f.by.thread);
  // Threads past the 16th read what the store never reached, and drop it.
  CHECK(threads == std::set<std::uint32_t>{1});
}

}  // namespace warpbook::device::tests::matrix_test
