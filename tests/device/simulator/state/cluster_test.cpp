// Clusters: their special registers, their barrier, and each other's shared memory.
#include "tests/device/simulator/ptx_bench.hpp"

#include <fmt/format.h>
#include <catch2/generators/catch_generators.hpp>

namespace warpbook::device::tests::cluster_test {
namespace {

std::string kernel(const std::string& body, const std::string& attributes = "") {
  return fmt::format(R"(
.visible .entry k(.param .u64 y) {1}
{{
  .shared .align 16 .b32 cells[64];
  .shared .align 8 .b64 bar;
  .reg .b32 %v, %w, %i, %n, %rank, %ranks, %other, %s, %r; .reg .b64 %y, %g, %h, %t;
  .reg .pred %p, %q, %first;
  ld.param.u64 %y, [y];
  mov.u32 %i, %tid.x; mov.u32 %n, %ntid.x;
  setp.eq.u32 %first, %i, 0;
  mov.u32 %rank, %cluster_ctarank; mov.u32 %ranks, %cluster_nctarank;
  mov.u32 %s, cells; cvta.shared.u64 %g, %t;
{0}
  ret;
}})",
                     body, attributes);
}

// What every block of a cluster has to say about its neighbour of rank + 1.
constexpr const char* kNeighbour = "add.u32 %other, %rank, 1; rem.u32 %other, %other, %ranks;\n";
constexpr const char* kMeet = "barrier.cluster.arrive; barrier.cluster.wait;\n";

}  // namespace

TEST_CASE("every block knows its place in its cluster", "[device]") {
  PtxBench bench(R"(
.visible .entry k(.param .u64 y) {
  .reg .b32 %a<16>, %i; .reg .b64 %y; .reg .pred %p;
  ld.param.u64 %y, [y];
  mov.u32 %a0, %ctaid.x; mov.u32 %a1, %ctaid.y; mov.u32 %a2, %ctaid.z;
  mov.u32 %a3, %nctaid.x; mov.u32 %a4, %nctaid.y;
  mad.lo.u32 %i, %a2, %a4, %a1; mad.lo.u32 %i, %i, %a3, %a0;
  mad.wide.u32 %y, %i, 64, %y;
  mov.u32 %a0, %clusterid.x; mov.u32 %a1, %clusterid.y; mov.u32 %a2, %clusterid.z;
  mov.u32 %a3, %nclusterid.x; mov.u32 %a4, %nclusterid.y; mov.u32 %a5, %nclusterid.z;
  mov.u32 %a6, %cluster_ctaid.x; mov.u32 %a7, %cluster_ctaid.y; mov.u32 %a8, %cluster_ctaid.z;
  mov.u32 %a9, %cluster_nctaid.x; mov.u32 %a10, %cluster_nctaid.y; mov.u32 %a11, %cluster_nctaid.z;
  mov.u32 %a12, %cluster_ctarank; mov.u32 %a13, %cluster_nctarank;
  mov.pred %p, %is_explicit_cluster;
  selp.u32 %a14, 1, 0, %p; mov.u32 %a15, 0;
  st.global.v4.u32 [%y], {%a0, %a1, %a2, %a3};
  st.global.v4.u32 [%y+16], {%a4, %a5, %a6, %a7};
  st.global.v4.u32 [%y+32], {%a8, %a9, %a10, %a11};
  st.global.v4.u32 [%y+48], {%a12, %a13, %a14, %a15};
  ret;
})");
  const Dim3 grid{6, 4, 3};
  for (const Dim3 cluster : {Dim3{1, 1, 1}, Dim3{2, 1, 1}, Dim3{3, 2, 1}, Dim3{1, 2, 3}}) {
    for (const std::uint64_t seed : {0u, 9u}) {
      CAPTURE(cluster.x, cluster.y, cluster.z, seed);
      bench.request.cluster = cluster;
      bench.request.seed = seed;
      const Pointer y = bench.room<std::uint32_t>("y", 72 * 16);
      bench.good(grid, {1, 1, 1}, y);
      const auto got = bench.read<std::uint32_t>(y, 72 * 16);
      std::size_t at = 0, wrong = 0;
      for (std::uint32_t z = 0; z < grid.z; ++z) {
        for (std::uint32_t b = 0; b < grid.y; ++b) {
          for (std::uint32_t x = 0; x < grid.x; ++x) {
            const std::uint32_t in[3] = {x % cluster.x, b % cluster.y, z % cluster.z};
            const std::uint32_t want[16] = {x / cluster.x,
                                            b / cluster.y,
                                            z / cluster.z,
                                            grid.x / cluster.x,
                                            grid.y / cluster.y,
                                            grid.z / cluster.z,
                                            in[0],
                                            in[1],
                                            in[2],
                                            cluster.x,
                                            cluster.y,
                                            cluster.z,
                                            in[0] + cluster.x * (in[1] + cluster.y * in[2]),
                                            cluster.x * cluster.y * cluster.z,
                                            cluster.x * cluster.y * cluster.z > 1 ? 1u : 0u,
                                            0};
            for (const std::uint32_t w : want) wrong += got[at++] != w;
          }
        }
      }
      CHECK(wrong == 0);
    }
  }
}

TEST_CASE("128 bits are exchanged with a neighbour's shared memory in one piece", "[device]") {
  const char* forms[] = {
      "mapa.shared::cluster.u32 %r, %s, %other;"
      "atom.relaxed.cluster.shared::cluster.exch.b128 %was, [%r], %mine;"
      "atom.shared::cluster.cas.b128 %now, [%r], %mine, %next;",
      "mov.u64 %t, cells; cvta.shared.u64 %g, %t; mapa.u64 %h, %g, %other;"
      "atom.exch.b128 %was, [%h], %mine; atom.cas.b128 %now, [%h], %mine, %next;"};
  for (const char* form : forms) {
    CAPTURE(form);
    constexpr std::uint32_t kBlocks = 3;
    PtxBench bench(kernel(std::string(R"(
  .reg .b64 %a<6>; .reg .b128 %mine, %next, %was, %now;
  cvt.u64.u32 %a0, %rank; add.u64 %a1, %a0, 100; mov.b128 %mine, {%a0, %a1};
  add.u64 %a2, %a0, 200; add.u64 %a3, %a0, 300; mov.b128 %next, {%a2, %a3};
  add.u64 %a4, %a0, 400; st.shared.u64 [cells], %a4; st.shared.u64 [cells+8], %a4;
)") + kMeet + kNeighbour + form +
                          kMeet + R"(
  mov.u32 %v, %ctaid.x; mad.wide.u32 %y, %v, 48, %y;
  mov.b128 {%a0, %a1}, %was; mov.b128 {%a2, %a3}, %now;
  ld.shared.u64 %a4, [cells]; ld.shared.u64 %a5, [cells+8];
  st.global.v2.u64 [%y], {%a0, %a1}; st.global.v2.u64 [%y+16], {%a2, %a3};
  st.global.v2.u64 [%y+32], {%a4, %a5};
)"));
    bench.request.cluster = {kBlocks, 1, 1};
    const Pointer y = bench.room<std::uint64_t>("y", 6 * kBlocks);
    bench.good({kBlocks, 1, 1}, {1, 1, 1}, y);
    const auto got = bench.read<std::uint64_t>(y, 6 * kBlocks);
    std::vector<std::uint64_t> want;
    for (std::uint64_t b = 0; b < kBlocks; ++b) {
      const std::uint64_t other = (b + 1) % kBlocks, before = (b + kBlocks - 1) % kBlocks;
      want.insert(want.end(), {400 + other, 400 + other, b, 100 + b, 200 + before, 300 + before});
    }
    CHECK((got == want));
  }
}

TEST_CASE("a block reads, writes and counts in its neighbours' shared memory", "[device]") {
  const char* forms[] = {// by an address in shared::cluster
                         R"(mapa.shared::cluster.u32 %r, %s, %other;
         ld.shared::cluster.u32 %v, [%r+4];
         st.shared::cluster.u32 [%r+8], %v;
         atom.shared::cluster.add.u32 %w, [%r+12], 1;
         red.shared::cluster.add.u32 [%r+12], 1;)",
                         // by a generic one
                         R"(mov.u64 %t, cells; cvta.shared.u64 %g, %t; mapa.u64 %h, %g, %other;
         ld.u32 %v, [%h+4]; st.u32 [%h+8], %v; atom.add.u32 %w, [%h+12], 1; red.add.u32 [%h+12], 1;)",
                         // by a generic one that came from shared::cluster
                         R"(mapa.shared::cluster.u32 %r, %s, %other; cvt.u64.u32 %t, %r;
         cvta.shared::cluster.u64 %h, %t;
         ld.u32 %v, [%h+4]; st.u32 [%h+8], %v; atom.add.u32 %w, [%h+12], 1; red.add.u32 [%h+12], 1;)",
                         // by a variable's name
                         R"(mapa.shared::cluster.u64 %t, cells, %other;
         ld.shared::cluster.u32 %v, [%t+4]; st.shared::cluster.u32 [%t+8], %v;
         atom.shared::cluster.add.u32 %w, [%t+12], 1; atom.shared::cluster.add.u32 %w, [%t+12], 1;)"};
  for (const char* form : forms) {
    for (const std::uint32_t blocks : {1u, 2u, 5u, 8u}) {
      CAPTURE(form, blocks);
      PtxBench bench(kernel(std::string(R"(
  @!%first bra meet;
  add.u32 %v, %rank, 100; st.shared.u32 [cells+4], %v; st.shared.u32 [cells+12], 0;
meet:
)") + kMeet + kNeighbour + form +
                            kMeet + R"(
  mov.u32 %v, %ctaid.x; mad.wide.u32 %y, %v, 8, %y;
  ld.shared.u32 %v, [cells+8]; ld.shared.u32 %w, [cells+12];
  st.global.u32 [%y], %v; st.global.u32 [%y+4], %w;
)"));
      bench.request.cluster = {blocks, 1, 1};
      const Pointer y = bench.room<std::uint32_t>("y", 4 * blocks);
      bench.good({2 * blocks, 1, 1}, {40, 1, 1}, y);
      const auto got = bench.read<std::uint32_t>(y, 4 * blocks);
      std::size_t wrong = 0;
      for (std::uint32_t b = 0; b < 2 * blocks; ++b) {
        // Its own 100 + rank comes back from the neighbour before it, which reads it here and writes it here.
        wrong += got[2 * b] != 100 + b % blocks;
        wrong += got[2 * b + 1] != 80;  // 40 threads, two each
      }
      CHECK(wrong == 0);
    }
  }
}

TEST_CASE("addresses say whose shared memory they name", "[device]") {
  PtxBench bench(kernel(std::string(kNeighbour) + R"(
  mapa.shared::cluster.u32 %r, %s, %other;
  getctarank.shared::cluster.u32 %v, %r;
  st.global.u32 [%y], %v;
  mov.u64 %t, cells; cvta.shared.u64 %g, %t; mapa.u64 %h, %g, %other;
  getctarank.u64 %v, %h;
  st.global.u32 [%y+4], %v;
  getctarank.shared::cluster.u32 %v, %s;
  st.global.u32 [%y+8], %v;
  isspacep.shared %p, %g; selp.u32 %v, 1, 0, %p;
  isspacep.shared::cta %p, %h; selp.u32 %w, 2, 0, %p; or.b32 %v, %v, %w;
  isspacep.shared::cluster %p, %h; selp.u32 %w, 4, 0, %p; or.b32 %v, %v, %w;
  isspacep.shared::cluster %p, %g; selp.u32 %w, 8, 0, %p; or.b32 %v, %v, %w;
  isspacep.global %p, %h; selp.u32 %w, 16, 0, %p; or.b32 %v, %v, %w;
  isspacep.shared::cluster %p, %y; selp.u32 %w, 32, 0, %p; or.b32 %v, %v, %w;
  st.global.u32 [%y+12], %v;
)"));
  bench.request.cluster = {2, 1, 1};
  const Pointer y = bench.room<std::uint32_t>("y", 4);
  // Blocks of a cluster run in the order of their ranks: the last to write is rank 1.
  bench.good({2, 1, 1}, {1, 1, 1}, y);
  CHECK(bench.read<std::uint32_t>(y, 4) == std::vector<std::uint32_t>{0, 0, 1, 1 + 4 + 8});
}

TEST_CASE("the cluster's barrier waits for every thread that has not exited", "[device]") {
  // Blocks add up what the others wrote before the barrier, ten times; some threads leave early.
  const char* arrive = GENERATE("barrier.cluster.arrive", "barrier.cluster.arrive.release.aligned",
                                "barrier.cluster.arrive.relaxed");
  const char* wait = GENERATE("barrier.cluster.wait", "barrier.cluster.wait.acquire.aligned");
  const std::uint64_t seed = GENERATE(0u, 3u);
  CAPTURE(arrive, wait, seed);
  const std::string meet = std::string(arrive) + "; " + wait + ";\n";
  PtxBench bench(kernel(R"(
  setp.ge.u32 %p, %i, 40; @%p bra leave;
  mov.u32 %v, %ctaid.x; @%first st.shared.u32 [cells], %v;
  mov.u32 %w, 0;
again:
  )" + meet + kNeighbour +
                        R"(
  mapa.shared::cluster.u32 %r, %s, %other;
  ld.shared::cluster.u32 %v, [%r];
  )" + meet + R"(
  @%first ld.shared.u32 %other, [cells];
  @%first add.u32 %other, %other, %v;
  @%first st.shared.u32 [cells], %other;
  add.u32 %w, %w, 1; setp.lt.u32 %p, %w, 10; @%p bra again;
  @!%first bra leave;
  mov.u32 %w, %ctaid.x; mad.wide.u32 %y, %w, 4, %y;
  ld.shared.u32 %v, [cells]; st.global.u32 [%y], %v;
leave:
)"));
  bench.request.cluster = {4, 1, 1};
  bench.request.seed = seed;
  std::vector<std::uint32_t> want(8);
  for (std::uint32_t b = 0; b < 8; ++b) want[b] = b;
  for (int round = 0; round < 10; ++round) {
    std::vector<std::uint32_t> next(8);
    for (std::uint32_t b = 0; b < 8; ++b) next[b] = want[b] + want[b / 4 * 4 + (b + 1) % 4];
    want = next;
  }
  const Pointer y = bench.room<std::uint32_t>("y", 8);
  bench.good({8, 1, 1}, {70, 1, 1}, y);
  CHECK(bench.read<std::uint32_t>(y, 8) == want);
}

TEST_CASE("blocks arrive at each other's mbarriers and wait at their own", "[device]") {
  PtxBench bench(kernel(std::string(R"(
  @%first mbarrier.init.shared.b64 [bar], %ranks;
)") + kMeet + R"(
  setp.lt.u32 %p, %i, %ranks;
  mov.u32 %s, bar; mapa.shared::cluster.u32 %r, %s, %i;
  add.u32 %v, %rank, 7;
  mov.u32 %w, cells; mapa.shared::cluster.u32 %w, %w, %i; mad.lo.u32 %w, %rank, 4, %w;
  @%p st.shared::cluster.u32 [%w], %v;
  @%p mbarrier.arrive.release.cluster.shared::cluster.b64 _, [%r];
wait:
  mbarrier.try_wait.parity.acquire.cluster.shared::cta.b64 %q, [bar], 0;
  @!%q bra wait;
  @!%p bra done;
  mov.u32 %w, cells; mad.lo.u32 %w, %i, 4, %w; ld.shared.u32 %v, [%w];
  mov.u32 %w, %ctaid.x; mad.lo.u32 %w, %w, %ranks, %i; mad.wide.u32 %y, %w, 4, %y;
  st.global.u32 [%y], %v;
done:
)" + kMeet));
  bench.request.cluster = {4, 1, 1};
  const Pointer y = bench.room<std::uint32_t>("y", 32);
  bench.good({8, 1, 1}, {64, 1, 1}, y);
  const auto got = bench.read<std::uint32_t>(y, 32);
  for (std::uint32_t k = 0; k < 32; ++k) CHECK(got[k] == 7 + k % 4);
}

TEST_CASE("misuse of a cluster has a name", "[device]") {
  struct Case {
    std::string body;
    ErrorCode code;
  };
  const std::string remote = "mapa.shared::cluster.u32 %r, %s, %other;\n";
  const Case cases[] = {
      {"barrier.cluster.arrive; barrier.cluster.arrive;", ErrorCode::cluster_barrier_twice},
      {"barrier.cluster.wait;", ErrorCode::cluster_barrier_unarrived},
      {"mov.u32 %other, 2;" + remote + "ld.shared::cluster.u32 %v, [%r];", ErrorCode::no_such_rank},
      {"mov.u32 %other, 99;" + remote + "st.shared::cluster.u32 [%r], 1;", ErrorCode::no_such_rank},
      {"mov.u32 %other, 1;" + remote + "atom.shared::cluster.add.u32 %v, [%r+4096], 1;",
       ErrorCode::shared_out_of_bounds},
      {"mov.u32 %other, 1;" + remote + "ld.shared::cluster.u32 %v, [%r+1];",
       ErrorCode::misaligned_access},
      {"mov.u32 %other, 1;" + remote + "ld.shared.u32 %v, [%r];", ErrorCode::shared_out_of_bounds},
      {"mov.u32 %other, 1; mov.u32 %s, bar;" + remote +
           "cvt.u64.u32 %t, %r; cvta.shared::cluster.u64 %t, %t;" + "mbarrier.init.b64 [%t], 1;",
       ErrorCode::mbarrier_remote},
      {"ld.shared::cluster.u32 %v, [0x100000000];", ErrorCode::no_such_rank}};
  for (const Case& c : cases) {
    CAPTURE(c.body);
    // Only rank 0 does it, and no block leaves before.
    PtxBench bench(kernel("setp.ne.u32 %p, %rank, 0; @%p bra done;\n" + c.body + "\ndone:\n" +
                          (c.body.find("barrier.cluster") == std::string::npos ? kMeet : "")));
    bench.request.cluster = {2, 1, 1};
    const LaunchRecord record =
        bench.launch({2, 1, 1}, {1, 1, 1}, bench.room<std::uint32_t>("y", 4));
    REQUIRE(record.error);
    const std::string text = record.error->english();
    CAPTURE(text);
    CHECK(name_of(record.error->code) == name_of(c.code));
    CHECK(text.find('{') == std::string::npos);
  }
}

TEST_CASE("shared memory of a block that has ended is a finding to its cluster", "[device]") {
  for (const char* access : {"ld.shared::cluster.u32 %v, [%r];", "st.shared::cluster.u32 [%r], 1;",
                             "atom.shared::cluster.add.u32 %v, [%r], 1;"}) {
    CAPTURE(access);
    PtxBench bench(kernel(std::string(R"(
  st.shared.u32 [cells], 5;
)") + kMeet + R"(
  setp.eq.u32 %p, %rank, 1; @%p bra done;
  mov.u32 %other, 1; mapa.shared::cluster.u32 %r, %s, %other;
  mov.u32 %w, 0;
idle:
  nanosleep.u32 100; add.u32 %w, %w, 1; setp.lt.u32 %p, %w, 20; @%p bra idle;
)" + access + "\ndone:\n"));
    bench.request.cluster = {2, 1, 1};
    const LaunchRecord record =
        bench.launch({2, 1, 1}, {1, 1, 1}, bench.room<std::uint32_t>("y", 4));
    REQUIRE(record.findings.size() == 1);
    CHECK(record.findings[0].error.code == ErrorCode::block_has_ended);
    CHECK(argument_of(record.findings[0].error.arguments, "size")->text == "1");
  }
}

TEST_CASE("a cluster whose blocks wait for each other in vain is a deadlock that names them",
          "[device]") {
  PtxBench bench(kernel(R"(
  setp.eq.u32 %p, %rank, 1;
  @%p bra other;
  barrier.cluster.arrive; barrier.cluster.wait;
other:
  @!%p bra done;
  @%first mbarrier.init.shared.b64 [bar], 1;
wait:
  mbarrier.try_wait.parity.shared.b64 %q, [bar], 0;
  @!%q bra wait;
done:
)"));
  bench.request.cluster = {2, 1, 1};
  const LaunchRecord record = bench.launch({4, 1, 1}, {1, 1, 1}, bench.room<std::uint32_t>("y", 4));
  REQUIRE(record.error);
  CHECK(record.error->code == ErrorCode::deadlock);
  const std::string text = record.error->english();
  CAPTURE(text);
  CHECK(text.find("barrier.cluster.wait") != std::string::npos);
  CHECK(text.find("mbarrier.try_wait") != std::string::npos);
  CHECK(text.find("block 1") != std::string::npos);
}

TEST_CASE("fences of every form are taken, and no others", "[device]") {
  const auto run = [](const std::string& text) {
    PtxBench bench(kernel("mov.u64 %t, cells; cvta.shared.u64 %g, %t;\n" + text + ";\n"));
    return bench.try_launch({1, 1, 1}, {32, 1, 1}, bench.room<std::uint32_t>("y", 1)).has_value();
  };
  for (const char* text :
       {"fence.sc.cta",
        "fence.sc.cluster",
        "fence.sc.gpu",
        "fence.sc.sys",
        "fence.acq_rel.cta",
        "fence.acq_rel.gpu",
        "fence.cta",
        "fence.acquire.cluster",
        "fence.release.gpu",
        "fence.acquire.sync_restrict::shared::cluster.cluster",
        "fence.release.sync_restrict::shared::cta.cluster",
        "fence.mbarrier_init.release.cluster",
        "fence.proxy.alias",
        "fence.proxy.async",
        "fence.proxy.async.global",
        "fence.proxy.async.shared::cta",
        "fence.proxy.async.shared::cluster",
        "fence.proxy.async::generic.acquire.sync_restrict::shared::cluster.cluster",
        "fence.proxy.async::generic.release.sync_restrict::shared::cta.cluster",
        "membar.cta",
        "membar.gl",
        "membar.sys",
        "griddepcontrol.launch_dependents",
        "griddepcontrol.wait"}) {
    CAPTURE(text);
    CHECK(run(text));
  }
  for (const char* text :
       {"fence.relaxed.cta", "fence.sc", "fence.proxy", "membar.gpu", "membar",
        "fence.proxy.async.local", "fence.mbarrier_init.release.gpu", "griddepcontrol"}) {
    CAPTURE(text);
    CHECK_FALSE(run(text));
  }
}

}  // namespace warpbook::device::tests::cluster_test
