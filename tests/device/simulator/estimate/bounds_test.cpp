// Each bound against arithmetic by hand, for round numbers on an A100 40GB: 108 multiprocessors at 1,410 MHz, 64 multiply-adds per
// clock, 1,555.2 GB/s.
#include <catch2/catch_test_macros.hpp>

#include <catch2/generators/catch_generators.hpp>
#include <catch2/matchers/catch_matchers_floating_point.hpp>
#include <cmath>

#include "device/simulator/estimate/estimate.hpp"

namespace warpbook::device::bounds_test {
namespace {

using Catch::Matchers::WithinRel;

constexpr double kClock = 1.41e9;
constexpr double kBlocks = 1080;  // ten on each multiprocessor

GpuModel model(const char* gpu = "A100 40GB") {
  Calibration plain;
  plain.dram = plain.l2 = plain.multiply_add = plain.latency = 1;
  plain.atomic_clocks = 3;
  plain.launch = 2e-6;
  return GpuModel(*find_gpu(gpu), plain);
}

Demand demand() {
  Demand d;
  d.blocks = kBlocks;
  d.warps_per_block = 8;
  d.resident = 5;
  return d;
}

/// A demand of `count` instructions on one pipe.
Demand on(Pipe pipe, double count) {
  Demand d = demand();
  at(d.pipes, pipe) = count;
  return d;
}

}  // namespace

TEST_CASE("a pipe's bound is its lanes a clock on every multiprocessor") {
  struct Case {
    Pipe pipe;
    double (*bound)(const GpuModel&, const Demand&);
    double clocks;  // of one multiprocessor for one of its warp instructions
  };
  const auto c =
      GENERATE(Case{Pipe::multiply_add, multiply_add_bound, 0.5},
               Case{Pipe::integer_multiply, multiply_add_bound, 0.5},
               Case{Pipe::integer, integer_bound, 0.5}, Case{Pipe::half, half_bound, 0.25},
               Case{Pipe::wide, wide_bound, 1}, Case{Pipe::special, special_bound, 2},
               Case{Pipe::load_store, load_store_bound, 1}, Case{Pipe::texture, texture_bound, 8},
               Case{Pipe::control, issue_bound, 0.25});
  CAPTURE(static_cast<int>(c.pipe));
  const double count = 108e6;  // a million on each multiprocessor
  CHECK_THAT(c.bound(model(), on(c.pipe, count)), WithinRel(1e6 * c.clocks / kClock, 1e-9));
}

TEST_CASE(
    "integer multiplications and multiply-adds share a pipe, which has more lanes for floats on "
    "GA10x") {
  Demand d = on(Pipe::multiply_add, 84e6);
  at(d.pipes, Pipe::integer_multiply) = 84e6;
  d.blocks = 840;
  // RTX A6000: the pipe takes 128 lanes per clock, but only 64 of integer multiplications.
  CHECK_THAT(multiply_add_bound(model("RTX A6000"), d), WithinRel(2e6 * 0.25 / 1.8e9, 1e-9));
  at(d.pipes, Pipe::multiply_add) = 0;
  CHECK_THAT(multiply_add_bound(model("RTX A6000"), d), WithinRel(1e6 * 0.5 / 1.8e9, 1e-9));
}

TEST_CASE("the busiest multiprocessor counts: blocks that do not divide leave others idle") {
  Demand d = on(Pipe::multiply_add, 109e6);
  d.blocks = 109;  // one multiprocessor has two, of a million instructions each
  CHECK(busiest_blocks(model(), d) == 2);
  CHECK_THAT(multiply_add_bound(model(), d), WithinRel(2e6 * 0.5 / kClock, 1e-9));
  d.blocks = 1;
  CHECK_THAT(multiply_add_bound(model(), d), WithinRel(109e6 * 0.5 / kClock, 1e-9));
}

TEST_CASE("tensor instructions are bound by their multiply-adds") {
  Demand d = demand();
  d.tensor_half = 108.0 * 1024 * 1e6;
  d.tensor_single = 108.0 * 512 * 1e6;
  CHECK_THAT(tensor_bound(model(), d), WithinRel(2e6 / kClock, 1e-9));
}

TEST_CASE("shared memory is bound by wavefronts, of which Turing takes half as many a clock") {
  Demand d = demand();
  d.shared_wavefronts = 108e6;
  CHECK_THAT(shared_bound(model(), d), WithinRel(1e6 / kClock, 1e-9));
  d.shared_wavefronts = 40e6;
  d.blocks = 40;
  CHECK_THAT(shared_bound(model("T4"), d), WithinRel(2e6 / 1.59e9, 1e-9));
}

TEST_CASE("L1 is bound by the lines it looks up or by the bytes it gives, whichever takes longer") {
  Demand d = demand();
  d.l1_lines = 108e6;
  d.l1_bytes = 108e6 * 4;
  CHECK_THAT(l1_bound(model(), d), WithinRel(1e6 / kClock, 1e-9));
  d.l1_bytes = 108e6 * 512;
  CHECK_THAT(l1_bound(model(), d), WithinRel(4e6 / kClock, 1e-9));
}

TEST_CASE("L2 and DRAM are bound by their bandwidth, however the blocks are spread") {
  Demand d = demand();
  d.blocks = 1;
  d.l2_bytes = 5.5e9;
  d.dram_bytes = 1555.2e6;
  CHECK_THAT(l2_bound(model(), d), WithinRel(1e-3, 1e-6));
  CHECK_THAT(dram_bound(model(), d), WithinRel(1e-3, 1e-6));
  CHECK_THAT(memory_rate(*find_gpu("A100 40GB")), WithinRel(1555.2e9, 1e-9));
}

TEST_CASE("small requests keep L2 busy for more than their bytes") {
  Demand d = demand();
  d.l2_bytes = 5.5e9;
  d.l2_busy = 11e9;
  CHECK_THAT(l2_bound(model(), d), WithinRel(2e-3, 1e-6));
  d.l2_busy = 1e9;
  CHECK_THAT(l2_bound(model(), d), WithinRel(1e-3, 1e-6));
  CHECK(rates_of(*find_gpu("T4")).l2_request == 128);
  CHECK(rates_of(*find_gpu("A100 40GB")).l2_request == 64);
}

TEST_CASE("DRAM takes longer for what is written, and for every run of lines") {
  Demand d = demand();
  d.dram_bytes = 1555.2e6;
  d.dram_written = d.dram_bytes / 2;
  GpuModel m = model();
  m.rates.dram_write = 1.5;
  CHECK_THAT(dram_bound(m, d), WithinRel(1.25e-3, 1e-6));
  d.dram_runs = 1555.2e6 / 128;
  m.calibration.dram_run_bytes = 64;
  CHECK_THAT(dram_bound(m, d), WithinRel(1.75e-3, 1e-6));
}

TEST_CASE(
    "T4 and L4, which keep ECC among their data, are the slowest writers, also by the driver's "
    "names") {
  const double slowest = rates_of(*find_gpu("T4")).dram_write;
  for (const Properties& gpu : gpu_table()) {
    CAPTURE(gpu.name);
    const double write = rates_of(gpu).dram_write;
    CHECK(write >= 1);
    CHECK((write == slowest) == (gpu.name == "T4" || gpu.name == "L4"));
    CHECK(write <= slowest);
  }
  for (const char* name : {"Tesla T4", "NVIDIA L4"}) {
    Properties driver = *find_gpu(name);
    driver.name = name;
    CHECK(rates_of(driver).dram_write == slowest);
  }
}

TEST_CASE("L2 has its share of every stack of HBM") {
  const Properties &five = *find_gpu("H100 SXM"), &six = *find_gpu("H200");
  CHECK_THAT(rates_of(six).l2_bytes, WithinRel(rates_of(five).l2_bytes * 6 / 5, 1e-9));
}

TEST_CASE("atomic operations on one line of L2 go one after another") {
  Demand d = demand();
  d.atomic_turns = 1e6;
  CHECK_THAT(atomic_bound(model(), d), WithinRel(3e6 / kClock, 1e-9));
}

TEST_CASE("latency: rounds of resident blocks, each as long as one of its warps") {
  Demand d = demand();  // ten blocks on each, five at once: two rounds
  d.serial_warp_clocks = kBlocks * 8 * 1000;
  CHECK_THAT(latency_bound(model(), d), WithinRel(2 * 1000 / kClock, 1e-9));
  d.resident = 10;
  CHECK_THAT(latency_bound(model(), d), WithinRel(1000 / kClock, 1e-9));
  d.resident = 9;
  CHECK_THAT(latency_bound(model(), d), WithinRel(2 * 1000 / kClock, 1e-9));
}

TEST_CASE(
    "latency: a block stays until its longest warp ends, and the launch until the longest of all") {
  Demand d = demand();  // two rounds
  d.serial_warp_clocks = kBlocks * 8 * 1000;
  d.unevenness = 8;
  d.waiting_warp_clocks =
      kBlocks * 8 * 500;  // the longest warp of a block takes half as long again
  CHECK_THAT(latency_bound(model(), d), WithinRel(2 * 1500 / kClock, 1e-9));
  CHECK(is_uneven(model(), d));
  d.longest_warp_clocks = 50'000;
  CHECK_THAT(latency_bound(model(), d), WithinRel(50'000 / kClock, 1e-9));
  CHECK(bounds_of(model(), d).front().name == "longest");
  d.unevenness = 3;
  d.longest_warp_clocks = 3000;
  CHECK_THAT(latency_bound(model(), d), WithinRel(2 * 1250 / kClock, 1e-9));
  CHECK_FALSE(is_uneven(model(), d));
  d.unevenness = 1.7;  // of a sum's last steps: others hide them
  CHECK_THAT(latency_bound(model(), d), WithinRel(2 * 1000 / kClock, 1e-9));
  CHECK(bounds_of(model(), d).front().name == "latency");
}

TEST_CASE("the heaviest block's share stays on one multiprocessor") {
  Demand d = on(Pipe::multiply_add, 108e6);
  d.heaviest_block_share = 0.5;
  CHECK_THAT(multiply_add_bound(model(), d), WithinRel(54e6 * 0.5 / kClock, 1e-9));
  d.heaviest_block_share = 1 / kBlocks;
  CHECK_THAT(multiply_add_bound(model(), d), WithinRel(1e6 * 0.5 / kClock, 1e-9));
}

TEST_CASE("behind barriers a block does not hide its own waiting, others do") {
  Demand d =
      on(Pipe::multiply_add, 108e6);  // half a million clocks on each multiprocessor, ten blocks
  d.serial_warp_clocks = kBlocks * 8 * 1000;
  d.barriers = true;
  d.resident = 1;
  CHECK_THAT(latency_bound(model(), d), WithinRel((10 * 1000 + 0.5e6) / kClock, 1e-9));
  d.resident = 5;
  CHECK_THAT(latency_bound(model(), d), WithinRel((2 * 1000 + 0.5e6 * 2 / 10) / kClock, 1e-9));
  CHECK_THAT(multiprocessor_bound(model(), d), WithinRel(0.5e6 / kClock, 1e-9));
}

TEST_CASE("bounds come the longest first, without those that are nothing") {
  Demand d = on(Pipe::multiply_add, 108e6);
  d.dram_bytes = 1555.2e6;
  const auto bounds = bounds_of(model(), d);
  REQUIRE(bounds.size() == 3);
  CHECK(bounds[0].name == "dram");
  CHECK(bounds[1].name == "fp32");
  CHECK(bounds[2].name == "issue");
}

TEST_CASE(
    "the time is no shorter than the longest bound and no longer than all in a row, launch "
    "included") {
  GpuModel m = model();
  const std::vector<EstimateBound> bounds{{"dram", 3e-3}, {"fp32", 2e-3}, {"issue", 1e-3}};
  m.calibration.joining = 1;
  CHECK_THAT(seconds_of(m, bounds), WithinRel(6e-3 + 2e-6, 1e-9));
  m.calibration.joining = 100;
  CHECK_THAT(seconds_of(m, bounds), WithinRel(3e-3 + 2e-6, 1e-6));
  m.calibration.joining = 2;
  CHECK_THAT(seconds_of(m, bounds), WithinRel(std::sqrt(14.0) * 1e-3 + 2e-6, 1e-9));
  CHECK_THAT(seconds_of(m, {}), WithinRel(2e-6, 1e-9));
}

TEST_CASE("every GPU of the table has every rate") {
  for (const Properties& gpu : gpu_table()) {
    CAPTURE(gpu.name);
    const GpuRates r = rates_of(gpu);
    for (const double rate : {r.issue, r.multiply_add, r.integer_multiply, r.integer, r.half,
                              r.wide, r.special, r.tensor_half, r.load_store, r.shared_bytes,
                              r.l1_bytes, r.l1_lines, r.texels, r.constant_words, r.l2_bytes})
      CHECK(rate > 0);
    CHECK(r.l1_kib * 1024 >= gpu.shared_per_multiprocessor);
    CHECK(r.shared_latency < r.l1_latency);
    CHECK(r.l1_latency < r.l2_latency);
    CHECK(r.l2_latency < r.dram_latency);
    // L2 would be of no use if it were slower than DRAM.
    CHECK(r.l2_bytes * gpu.clock_khz * 1e3 > memory_rate(gpu));
  }
}

TEST_CASE("peak single precision is what NVIDIA states") {
  struct Stated {
    const char* gpu;
    double teraflops;  // 2 x lanes x multiprocessors x clock
  };
  const auto s =
      GENERATE(Stated{"T4", 8.1}, Stated{"RTX 2080 Ti", 14.2}, Stated{"A100 40GB", 19.5},
               Stated{"RTX 3090", 35.6}, Stated{"RTX 3080", 29.8}, Stated{"RTX A6000", 38.7},
               Stated{"RTX 4090", 82.6}, Stated{"L4", 30.3}, Stated{"H100 SXM", 67},
               Stated{"H200", 67}, Stated{"RTX 5090", 104.8}, Stated{"RTX PRO 6000 Blackwell", 125},
               Stated{"RTX 5070 Laptop", 13.13}, Stated{"RTX 3050 Laptop", 7.13});
  const Properties& gpu = *find_gpu(s.gpu);
  CAPTURE(s.gpu);
  const double peak =
      2 * rates_of(gpu).multiply_add * gpu.multiprocessors * gpu.clock_khz * 1e3 / 1e12;
  CHECK_THAT(peak, WithinRel(s.teraflops, 0.01));
}

}  // namespace warpbook::device::bounds_test
