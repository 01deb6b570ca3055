// mbarriers against a plain model of PTX ISA 9.0, 9.7.13.15, and the findings where they are used wrongly.
#include "tests/device/simulator/ptx_bench.hpp"
#include "tests/says.hpp"

#include <fmt/format.h>
#include <catch2/generators/catch_generators.hpp>
#include <random>

namespace warpbook::device::tests::mbarrier_test {
namespace {

/// The five numbers that an mbarrier is made of, as the ISA says them.
struct Model {
  std::uint32_t expected = 0, pending = 0;
  std::int64_t transactions = 0;
  std::uint32_t phase = 0;
  void settle() {
    if (pending != 0 || transactions != 0) return;
    ++phase;
    pending = expected;
  }
};

struct Program {
  std::string text;
  std::vector<std::uint32_t> results;  ///< of waits (0 or 1) and pending counts, in order
};

/// One thread does `steps` legal operations on one mbarrier.
Program random_program(std::mt19937& random, int steps) {
  Program p;
  Model m;
  m.expected = m.pending = 1 + random() % 20;
  p.text = fmt::format("mbarrier.init.shared.b64 [bar], {};\n", m.expected);
  std::uint32_t token_phase = 0, token_pending = 0;
  bool token = false;
  const char* const orders[] = {"", ".release.cta", ".release.cluster", ".relaxed.cta"};
  const char* const places[] = {"", ".shared", ".shared::cta"};
  for (int s = 0; s < steps; ++s) {
    const char* order = orders[random() % 4];
    const char* place = places[random() % 3];
    const char* address = *place ? "bar" : "%generic";
    const auto result = [&](std::uint32_t value) {
      p.text += "st.global.u32 [%y], %v; add.u64 %y, %y, 4;\n";
      p.results.push_back(value);
    };
    const std::uint32_t most = m.pending;
    switch (random() % 9) {
      case 0:
      case 1: {  // arrive, with a count or without
        const std::uint32_t count = most == 0 ? 0 : 1 + random() % std::min(most, 5u);
        if (count == 0) break;
        token_phase = m.phase, token_pending = m.pending, token = true;
        p.text +=
            count == 1 && random() % 2
                ? fmt::format("mbarrier.arrive{}{}.b64 %state, [{}];\n", order, place, address)
                : fmt::format("mbarrier.arrive{}{}.b64 %state, [{}], {};\n", order, place, address,
                              count);
        m.pending -= count;
        m.settle();
        break;
      }
      case 2: {
        if (most < 2) break;
        token_phase = m.phase, token_pending = m.pending, token = true;
        p.text +=
            fmt::format("mbarrier.arrive.noComplete{}.b64 %state, [{}], 1;\n", place, address);
        m.pending -= 1;
        break;
      }
      case 3: {
        if (most == 0 || m.expected < 2) break;
        p.text += fmt::format("mbarrier.arrive_drop{}{}.b64 _, [{}];\n", order, place, address);
        m.pending -= 1;
        m.expected -= 1;
        m.settle();
        break;
      }
      case 4: {
        if (most == 0) break;
        const std::uint32_t bytes = 16 * (random() % 100);
        p.text += fmt::format("mbarrier.arrive.expect_tx{}{}.b64 _, [{}], {};\n", order, place,
                              address, bytes);
        m.transactions += bytes;
        m.pending -= 1;
        m.settle();
        break;
      }
      case 5: {
        const std::uint32_t bytes = 1 + random() % 1000;
        if (m.pending == 0 && m.transactions + bytes == 0) break;
        p.text +=
            fmt::format("mbarrier.expect_tx.relaxed.cta{}.b64 [{}], {};\n", place, address, bytes);
        m.transactions += bytes;
        break;
      }
      case 6: {
        if (m.transactions <= 0) break;
        const auto bytes = static_cast<std::uint32_t>(
            random() % 2 ? m.transactions
                         : 1 + static_cast<std::int64_t>(random()) % m.transactions);
        p.text += fmt::format("mbarrier.complete_tx{}.b64 [{}], {};\n", place, address, bytes);
        m.transactions -= bytes;
        m.settle();
        break;
      }
      case 7: {
        if (!token) break;
        // A token is good for its phase and the next one.
        if (m.phase - token_phase <= 1) {
          p.text += fmt::format("mbarrier.test_wait{}.b64 %p, [{}], %state;\n", place, address);
          p.text += "selp.u32 %v, 1, 0, %p;\n";
          result(m.phase != token_phase);
        }
        p.text += "mbarrier.pending_count.b64 %v, %state;\n";
        result(token_pending);
        break;
      }
      default: {
        const std::uint32_t parity = random() % 2;
        const bool complete = (m.phase & 1) != parity;
        // try_wait without a loop: it answers, be it after a while.
        p.text += fmt::format("mbarrier.{}_wait.parity{}{}.b64 %p, [{}], {}{};\n",
                              random() % 2 ? "test" : "try", random() % 2 ? ".acquire.cta" : "",
                              place, address, parity, "");
        p.text += "selp.u32 %v, 1, 0, %p;\n";
        result(complete);
        break;
      }
    }
  }
  p.text += "mbarrier.inval.shared.b64 [bar];\n";
  return p;
}

std::string kernel(const std::string& body) {
  return fmt::format(R"(
.visible .entry k(.param .u64 y) {{
  .shared .align 8 .b64 bar;
  .shared .align 8 .b64 other;
  .reg .b32 %v, %i; .reg .b64 %y, %state, %generic, %here; .reg .pred %p, %first;
  ld.param.u64 %y, [y];
  mov.u64 %here, bar; cvta.shared.u64 %generic, %here;
  mov.u32 %i, %tid.x; setp.eq.u32 %first, %i, 0;
{}
  ret;
}})",
                     body);
}

}  // namespace

TEST_CASE("an mbarrier goes through its phases as the ISA says", "[device]") {
  std::mt19937 random(GENERATE(1u, 2u, 3u, 4u, 5u, 6u, 7u, 8u));
  const Program program = random_program(random, 150);
  REQUIRE(!program.results.empty());
  PtxBench bench(kernel(program.text));
  const Pointer y = bench.room<std::uint32_t>("y", program.results.size());
  bench.good({1, 1, 1}, {1, 1, 1}, y);
  CHECK(bench.read<std::uint32_t>(y, program.results.size()) == program.results);
}

TEST_CASE("threads meet at an mbarrier, phase after phase", "[device]") {
  const std::uint32_t threads = GENERATE(1u, 33u, 256u);
  const char* wait = GENERATE("try_wait", "test_wait", "try_wait.parity", "test_wait.parity");
  const std::uint64_t seed = GENERATE(0u, 5u);
  CAPTURE(threads, wait, seed);
  const bool parity = std::string(wait).find("parity") != std::string::npos;
  // Ten rounds of: add what the neighbour had before. Any thread that runs ahead would read too new a value.
  PtxBench bench(fmt::format(R"(
.visible .entry k(.param .u64 y) {{
  .shared .align 8 .b64 bar;
  .shared .align 4 .b32 cells[512];
  .reg .b32 %i, %n, %own, %next, %v, %w, %round, %phase, %j; .reg .b64 %y, %state; .reg .pred %p;
  ld.param.u64 %y, [y];
  mov.u32 %i, %tid.x; mov.u32 %n, %ntid.x;
  setp.eq.u32 %p, %i, 0;
  @%p mbarrier.init.shared.b64 [bar], %n;
  mov.u32 %own, cells; mov.u32 %next, cells;
  mad.lo.u32 %own, %i, 4, %own;
  add.u32 %j, %i, 1; rem.u32 %j, %j, %n; mad.lo.u32 %next, %j, 4, %next;
  st.shared.u32 [%own], %i;
  bar.sync 0;
  mov.u32 %round, 0; mov.u32 %phase, 0;
rounds:
  ld.shared.u32 %v, [%own]; ld.shared.u32 %w, [%next];
  mbarrier.arrive.shared.b64 %state, [bar];
first:
  mbarrier.{0}.shared.b64 %p, [bar], {1};
  @!%p bra first;
  xor.b32 %phase, %phase, 1;
  add.u32 %v, %v, %w; st.shared.u32 [%own], %v;
  mbarrier.arrive.shared.b64 %state, [bar];
second:
  mbarrier.{0}.shared.b64 %p, [bar], {1};
  @!%p bra second;
  xor.b32 %phase, %phase, 1;
  add.u32 %round, %round, 1;
  setp.lt.u32 %p, %round, 10;
  @%p bra rounds;
  ld.shared.u32 %v, [%own];
  mad.wide.u32 %y, %i, 4, %y;
  st.global.u32 [%y], %v;
  ret;
}})",
                             wait, parity ? "%phase" : "%state"));
  std::vector<std::uint32_t> want(threads);
  for (std::uint32_t i = 0; i < threads; ++i) want[i] = i;
  for (int round = 0; round < 10; ++round) {
    std::vector<std::uint32_t> next(threads);
    for (std::uint32_t i = 0; i < threads; ++i) next[i] = want[i] + want[(i + 1) % threads];
    want = next;
  }
  bench.request.seed = seed;
  const Pointer y = bench.room<std::uint32_t>("y", threads);
  bench.good({2, 1, 1}, {threads, 1, 1}, y);
  CHECK(bench.read<std::uint32_t>(y, threads) == want);
}

TEST_CASE("lanes of one warp hand work to each other through an mbarrier", "[device]") {
  // Lane 0 arrives only after the others have begun to wait.
  PtxBench bench(kernel(R"(
  @%first mbarrier.init.shared.b64 [bar], 1;
  bar.warp.sync 0xffffffff;
  @%first bra produce;
wait:
  mbarrier.try_wait.parity.shared.b64 %p, [bar], 0, 1000;
  @!%p bra wait;
  bra done;
produce:
  st.shared.u64 [other], 4711;
  mbarrier.arrive.shared.b64 _, [bar];
done:
  ld.shared.u32 %v, [other];
  mad.wide.u32 %y, %i, 4, %y;
  st.global.u32 [%y], %v;
)"));
  const Pointer y = bench.room<std::uint32_t>("y", 32);
  bench.good({1, 1, 1}, {32, 1, 1}, y);
  CHECK(bench.read<std::uint32_t>(y, 32) == std::vector<std::uint32_t>(32, 4711));
}

TEST_CASE("misuse of an mbarrier has a name", "[device]") {
  struct Case {
    const char* body;
    ErrorCode code;
  };
  const Case cases[] = {
      {"mbarrier.arrive.shared.b64 %state, [bar];", ErrorCode::mbarrier_uninitialised},
      {"mbarrier.test_wait.parity.shared.b64 %p, [bar], 0;", ErrorCode::mbarrier_uninitialised},
      {"mbarrier.try_wait.parity.shared.b64 %p, [bar], 0;", ErrorCode::mbarrier_uninitialised},
      {"mbarrier.init.shared.b64 [bar], 0;", ErrorCode::mbarrier_count},
      {"mbarrier.init.shared.b64 [bar], 1048576;", ErrorCode::mbarrier_count},
      {"mbarrier.init.shared.b64 [bar], 2; mbarrier.init.shared.b64 [bar], 2;",
       ErrorCode::mbarrier_reinitialised},
      {"mbarrier.init.shared.b64 [bar], 2; mbarrier.arrive.shared.b64 _, [bar], 3;",
       ErrorCode::mbarrier_overflow},
      {"mbarrier.init.shared.b64 [bar], 2; mbarrier.arrive.shared.b64 _, [bar], 0;",
       ErrorCode::mbarrier_count},
      {"mbarrier.init.shared.b64 [bar], 1; mbarrier.arrive.noComplete.shared.b64 %state, [bar], 1;",
       ErrorCode::mbarrier_completed},
      {"mbarrier.init.shared.b64 [bar], 1; mbarrier.expect_tx.shared.b64 [bar], 1048576;",
       ErrorCode::mbarrier_bytes},
      {"mbarrier.init.shared.b64 [bar], 1; st.shared.u64 [bar], 5; "
       "mbarrier.arrive.shared.b64 _, [bar];",
       ErrorCode::mbarrier_overwritten},
      {"mbarrier.init.shared.b64 [bar], 1; mbarrier.arrive.shared.b64 %state, [bar]; "
       "mbarrier.arrive.shared.b64 _, [bar]; mbarrier.test_wait.shared.b64 %p, [bar], %state;",
       ErrorCode::mbarrier_phase},
      {"mbarrier.init.shared.b64 [bar], 1; mbarrier.inval.shared.b64 [bar]; "
       "mbarrier.arrive.shared.b64 _, [bar];",
       ErrorCode::mbarrier_uninitialised},
      {"mbarrier.init.shared.b64 [bar+4], 1;", ErrorCode::misaligned_access},
      {"mbarrier.init.shared.b64 [bar+64], 1;", ErrorCode::shared_out_of_bounds},
      {"mbarrier.init.b64 [%y], 1;", ErrorCode::not_shared_memory}};
  for (const Case& c : cases) {
    CAPTURE(c.body);
    PtxBench bench(kernel(c.body));
    const Pointer y = bench.room<std::uint32_t>("y", 4);
    const LaunchRecord record = bench.launch({1, 1, 1}, {1, 1, 1}, y);
    REQUIRE(record.findings.size() == 1);
    CHECK(name_of(record.findings[0].error.code) == name_of(c.code));
    const std::string text = record.findings[0].error.english();
    CAPTURE(text);
    CHECK(text.find('{') == std::string::npos);
  }
}

TEST_CASE("a wait that nobody ends is a deadlock that says what is missing at which mbarrier",
          "[device]") {
  PtxBench bench(kernel(R"(
  @%first mbarrier.init.shared.b64 [bar], 3;
  bar.sync 0;
  @%first mbarrier.arrive.expect_tx.shared.b64 _, [bar], 64;
wait:
  mbarrier.try_wait.parity.shared.b64 %p, [bar], 0;
  @!%p bra wait;
)"));
  const LaunchRecord record =
      bench.launch({1, 1, 1}, {64, 1, 1}, bench.room<std::uint32_t>("y", 4));
  REQUIRE(record.error);
  CHECK(record.error->code == ErrorCode::deadlock);
  const std::string text = record.error->english();
  CAPTURE(text);
  CHECK_THAT(text,
             warpbook::tests::Says(
                 "phrase.who.phase-bytes",
                 {{"phase", 0}, {"offset", 0}, {"missing", 2}, {"arrivals", 3}, {"bytes", 64}}));
  CHECK(text.find("warp 1") != std::string::npos);
  CHECK(text.find("mbarrier.try_wait.parity.shared.b64") != std::string::npos);
}

TEST_CASE("a try_wait gives up after a while, so that its thread can do what others wait for",
          "[device]") {
  // Thread 0 waits for thread 32, which waits for a flag that thread 0 sets when its first wait has failed.
  PtxBench bench(kernel(R"(
  @%first mbarrier.init.shared.b64 [bar], 1;
  @%first st.shared.u64 [other], 0;
  bar.sync 0;
  setp.eq.u32 %p, %i, 32;
  @%p bra spin;
  @!%first ret;
wait:
  mbarrier.try_wait.parity.shared.b64 %p, [bar], 0;
  @%p bra done;
  st.shared.u32 [other], 1;
  bra wait;
spin:
  ld.volatile.shared.u32 %v, [other];
  setp.eq.u32 %p, %v, 0;
  @%p bra spin;
  mbarrier.arrive.shared.b64 _, [bar];
  ret;
done:
  st.global.u32 [%y], 1;
)"));
  const Pointer y = bench.room<std::uint32_t>("y", 1);
  bench.good({1, 1, 1}, {64, 1, 1}, y);
  CHECK(bench.read<std::uint32_t>(y, 1)[0] == 1);
}

TEST_CASE("forms of mbarrier and cp.async that the ISA does not have are errors by name",
          "[device]") {
  for (const char* body :
       {"mbarrier.arrive.noComplete.expect_tx.shared.b64 _, [bar], 1;",
        "mbarrier.arrive.release.shared.b64 _, [bar];",
        "mbarrier.init.shared::cluster.b64 [bar], 1;",
        "mbarrier.test_wait.shared::cluster.b64 %p, [bar], %state;",
        "mbarrier.arrive.shared::cluster.b64 %state, [bar];",
        "mbarrier.arrive.shared.b32 _, [bar];", "cp.async.cg.shared.global [bar], [%y], 8;",
        "cp.async.ca.shared.global [bar], [%y], 2;", "cp.async.ca.global.shared [%y], [bar], 8;",
        "cp.async.wait_group;", "mbarrier.expect_tx.shared.b64 [bar];"}) {
    CAPTURE(body);
    PtxBench bench(kernel(body));
    const auto record = bench.try_launch({1, 1, 1}, {1, 1, 1}, bench.room<std::uint32_t>("y", 4));
    REQUIRE(!record);
    CHECK(record.error().code == ErrorCode::ptx_unsupported);
  }
}

}  // namespace warpbook::device::tests::mbarrier_test
