// racecheck on the ways in which CUDA programs share memory, as compiled by NVRTC: silent where they synchronise, and
// loud where that is left out, whatever the schedule.
#include "tests/device/kernels/kernel_bench.hpp"

#include <algorithm>
#include <functional>
#include <tuple>

namespace warpbook::device::races_test {
namespace {

constexpr std::uint64_t kSeeds[] = {0, 1, 2, 77};

struct Pattern {
  std::string name;
  Dim3 grid, block;
  /// Fresh buffers, so that no launch sees another's.
  std::function<std::vector<Argument>(KernelBench&)> arguments;
  ErrorCode wrong;           ///< what the wrong one is told
  bool any_schedule = true;  ///< the same findings in every schedule
  bool cooperative = false;
};

Argument ints(KernelBench& bench, const char* name, std::size_t count) {
  return Argument::pointer(bench.put(name, numbers<std::int32_t>(count, 1, 9)));
}
Argument zeros(KernelBench& bench, const char* name, std::size_t count) {
  return Argument::pointer(bench.zeros<std::int32_t>(name, count));
}

std::vector<Pattern> patterns() {
  const auto xy = [](std::size_t x, std::size_t y) {
    return [=](KernelBench& b) { return std::vector{ints(b, "x", x), zeros(b, "y", y)}; };
  };
  using B = KernelBench&;
  const auto counter = [](B b) { return std::vector{zeros(b, "counter", 2), zeros(b, "y", 64)}; };
  const auto flagged = [](std::size_t values) {
    return [=](B b) {
      return std::vector{zeros(b, "value", values), zeros(b, "flag", 1), zeros(b, "y", 64)};
    };
  };
  return {
      {"tree", {1, 1, 1}, {128, 1, 1}, xy(128, 1), ErrorCode::race_in_line},
      {"scan_in_place", {1, 1, 1}, {128, 1, 1}, xy(128, 128), ErrorCode::race_in_block},
      {"double_buffer", {1, 1, 1}, {96, 1, 1}, xy(768, 96), ErrorCode::race_in_block},
      {"warp_tree", {1, 1, 1}, {64, 1, 1}, xy(64, 2), ErrorCode::race_in_warp},
      {"half_warps", {1, 1, 1}, {32, 1, 1}, xy(32, 32), ErrorCode::race_in_warp},
      {"neighbours", {1, 1, 1}, {64, 1, 1}, xy(64, 64), ErrorCode::race_in_block},
      {"shuffled", {1, 1, 1}, {256, 1, 1}, xy(256, 1), ErrorCode::race_in_block},
      {"bins",
       {3, 1, 1},
       {64, 1, 1},
       [](B b) {
         return std::vector{Argument::pointer(b.put("x", numbers<std::uint8_t>(1000, 0, 15))),
                            zeros(b, "y", 16), Argument::of<std::int32_t>(1000)};
       },
       ErrorCode::race_in_line},
      {"total", {1, 1, 1}, {64, 1, 1}, xy(128, 1), ErrorCode::race_in_line},
      {"reverse_block",
       {2, 1, 1},
       {128, 1, 1},
       [](B b) { return std::vector{ints(b, "x", 256)}; },
       ErrorCode::race_in_block},
      {"last_block",
       {20, 1, 1},
       {64, 1, 1},
       [](B b) {
         return std::vector{ints(b, "x", 1280), zeros(b, "partial", 20), zeros(b, "y", 1)};
       },
       ErrorCode::race_between_blocks,
       false},
      {"last_block_all",
       {5, 1, 1},
       {64, 1, 1},
       [](B b) {
         return std::vector{zeros(b, "partial", 320), zeros(b, "y", 64)};
       },
       ErrorCode::race_between_blocks,
       false},
      {"chain",
       {12, 1, 1},
       {64, 1, 1},
       [](B b) {
         return std::vector{zeros(b, "value", 12), zeros(b, "flag", 12), zeros(b, "y", 768)};
       },
       ErrorCode::race_between_blocks,
       false},
      {"locked",
       {1, 1, 1},
       {40, 1, 1},
       [](B b) {
         return std::vector{zeros(b, "lock", 1), zeros(b, "count", 1)};
       },
       ErrorCode::race_in_line,
       false},
      {"whole_grid",
       {4, 1, 1},
       {64, 1, 1},
       [](B b) {
         return std::vector{zeros(b, "x", 256), zeros(b, "y", 256)};
       },
       ErrorCode::race_between_blocks,
       false,
       true},
      {"grouped", {1, 1, 1}, {64, 1, 1}, xy(64, 64), ErrorCode::race_in_warp},
      {"wide_tile", {1, 1, 1}, {128, 1, 1}, xy(128, 128), ErrorCode::race_in_block},
      {"guide",
       {2, 1, 1},
       {96, 1, 1},
       [](B b) { return std::vector{Argument::pointer(b.zeros<double>("y", 1))}; },
       ErrorCode::race_in_line},
      {"bytes",
       {1, 1, 1},
       {96, 1, 1},
       [](B b) { return std::vector{Argument::pointer(b.zeros<std::uint8_t>("y", 96))}; },
       ErrorCode::race_in_block},
      {"one_place",
       {1, 1, 1},
       {64, 1, 1},
       [](B b) {
         return std::vector{zeros(b, "y", 2), Argument::of<std::int32_t>(5)};
       },
       ErrorCode::race_one_instruction},
      {"counted_plainly",
       {1, 1, 1},
       {32, 1, 1},
       [](B b) { return std::vector{zeros(b, "y", 1)}; },
       ErrorCode::race_in_line},
      {"counted_together",
       {3, 1, 1},
       {40, 1, 1},
       [](B b) { return std::vector{zeros(b, "y", 1)}; },
       ErrorCode::race_between_blocks,
       false},
      {"handed_on", {3, 1, 1}, {32, 1, 1}, flagged(1), ErrorCode::race_between_blocks, false},
      {"handed_on_in_a_block", {1, 1, 1}, {64, 1, 1}, flagged(1), ErrorCode::race_in_block, false},
      {"counted_by_swaps", {1, 1, 1}, {64, 1, 1}, counter, ErrorCode::race_in_block},
      {"largest",
       {1, 1, 1},
       {64, 1, 1},
       [](B b) { return std::vector{zeros(b, "y", 1)}; },
       ErrorCode::race_in_line,
       false},
      {"expected_from_elsewhere", {1, 1, 1}, {64, 1, 1}, counter, ErrorCode::race_in_block},
      {"first_one", {1, 1, 1}, {64, 1, 1}, counter, ErrorCode::race_in_line},
      {"last_one_reads", {1, 1, 1}, {64, 1, 1}, counter, ErrorCode::race_in_block, false},
      {"one_writer", {1, 1, 1}, {64, 1, 1}, counter, ErrorCode::race_in_line},
      {"one_block", {3, 1, 1}, {1, 1, 1}, counter, ErrorCode::race_between_blocks, false},
      {"producers", {1, 1, 1}, {128, 1, 1}, xy(64, 64), ErrorCode::race_in_block},
      {"pairs_of_warps", {1, 1, 1}, {128, 1, 1}, xy(128, 128), ErrorCode::race_in_block},
  };
}

KernelBench& bench() {
  static KernelBench one("races.cu");
  return one;
}

std::shared_ptr<const LaunchRecord> raced(KernelBench& b, const Pattern& p, bool right,
                                          std::uint64_t seed) {
  KernelBench::Shape shape{p.grid, p.block, 0, p.cooperative, 0, seed};
  shape.observe.racecheck = shape.observe.synccheck = true;
  shape.observe.initcheck = right;  // what comes too early is often not there yet
  return b.run_anyhow(p.name + (right ? "<true>" : "<false>"), shape, p.arguments(b));
}

std::string told(const Finding& f) { return f.error.message().english(); }

using Told = std::tuple<ErrorCode, std::uint32_t, std::uint32_t, std::uint32_t, std::uint32_t,
                        std::uint32_t, std::uint32_t, std::string, std::int64_t>;
std::vector<Told> all_told(const LaunchRecord& r) {
  std::vector<Told> list;
  for (const Finding& f : r.findings) {
    list.emplace_back(f.error.code, f.by.block, f.by.thread, f.by.place.line, f.other->block,
                      f.other->thread, f.other->place.line, f.allocation, f.element);
  }
  return list;
}

}  // namespace

TEST_CASE("racecheck is silent on what synchronises, in every schedule", "[device][ci]") {
  for (const Pattern& p : patterns()) {
    for (const std::uint64_t seed : kSeeds) {
      CAPTURE(p.name, seed);
      const auto record = raced(bench(), p, true, seed);
      for (const Finding& f : record->findings) {
        UNSCOPED_INFO(f.error.english());
        break;
      }
      CHECK(record->findings_total == 0);
      CHECK_FALSE(record->error.has_value());
    }
  }
}

TEST_CASE("racecheck finds what is left out, in every schedule the same within a block",
          "[device][ci]") {
  for (const Pattern& p : patterns()) {
    std::vector<Told> first;
    for (const std::uint64_t seed : kSeeds) {
      CAPTURE(p.name, seed);
      const auto record = raced(bench(), p, false, seed);
      REQUIRE_FALSE(record->findings.empty());
      const bool has = std::any_of(record->findings.begin(), record->findings.end(),
                                   [&](const Finding& f) { return f.error.code == p.wrong; });
      if (!has) UNSCOPED_INFO(told(record->findings[0]));
      CHECK(has);
      for (const Finding& f : record->findings) {
        REQUIRE(f.other);
        CHECK((f.by.thread != f.other->thread || f.by.block != f.other->block));
        CHECK(f.by.place.file == "races.cu");
      }
      if (seed == 0) first = all_told(*record);
      if (p.any_schedule) CHECK((all_told(*record) == first));
    }
  }
}

TEST_CASE("NVIDIA's bf16 atomicAdd below 9.0, which begins with a plain load, races with nobody",
          "[device][ci]") {
  KernelBench old("races.cu", true, 75);
  Pattern p{
      "brain",
      {4, 1, 1},
      {64, 1, 1},
      [](KernelBench& b) { return std::vector{Argument::pointer(b.zeros<std::uint16_t>("y", 1))}; },
      ErrorCode::race_in_line};
  CHECK(raced(old, p, true, 0)->findings_total == 0);
  CHECK(raced(old, p, true, 3)->findings_total == 0);
  CHECK_FALSE(raced(old, p, false, 0)->findings.empty());
}

TEST_CASE("a race names both threads, both lines, the element and what to do", "[device][ci]") {
  const auto all = patterns();
  const auto of = [&](const std::string& name) {
    const auto p =
        std::find_if(all.begin(), all.end(), [&](const auto& x) { return x.name == name; });
    return raced(bench(), *p, false, 0);
  };
  const auto shuffled = of("shuffled");
  REQUIRE(shuffled->findings.size() == 1);
  const Finding& f = shuffled->findings[0];
  CHECK(f.by.kind == AccessKind::store);
  CHECK(f.other->kind == AccessKind::load);
  CHECK(f.by.thread == 32);
  CHECK(f.other->thread == 1);
  CHECK(f.element == 1);
  CHECK(f.space == Space::shared);
  const std::string write = std::to_string(f.by.place.line),
                    read = std::to_string(f.other->place.line);
  CHECK(told(f) ==
        "race: write of shared memory[1] at line " + write + " by thread 32 and read at line " +
            read +
            " by thread 1, both of block 0, are in no order; put __syncthreads() between "
            "line " +
            write + " and line " + read);
  CHECK(f.by.place.line + 3 == f.other->place.line);

  const auto remedy = [&](const std::string& name) {
    const auto record = of(name);
    const Message* told_remedy = argument_of(record->findings[0].error.arguments, "remedy");
    return told_remedy ? told_remedy->key : "none";
  };
  CHECK(remedy("tree") == "phrase.remedy.barrier");
  CHECK(remedy("counted_plainly") == "phrase.remedy.update");
  CHECK(remedy("first_one") == "phrase.remedy.all-atomic");
  CHECK(remedy("one_writer") == "phrase.remedy.one-writer");
  CHECK(remedy("counted_together") == "phrase.remedy.wider-scope");
  CHECK(remedy("chain") == "phrase.remedy.between-blocks");
  CHECK(remedy("one_block") == "phrase.remedy.one-block");

  const auto reverse = of("reverse_block");
  CHECK(reverse->findings[0].allocation == "x");
  CHECK(reverse->error->code == ErrorCode::race_in_block);
}

TEST_CASE("threads that write one value to one place are a note, and no error", "[device][ci]") {
  const auto all = patterns();
  const auto p =
      std::find_if(all.begin(), all.end(), [](const auto& x) { return x.name == "one_place"; });
  for (const std::uint64_t seed : kSeeds) {
    CAPTURE(seed);
    const auto right = raced(bench(), *p, true, seed);
    CHECK(right->findings_total == 0);
    REQUIRE(right->notes.size() == 1);
    CHECK(right->notes[0].error.code == ErrorCode::race_same_value);
    CHECK(right->notes[0].by.thread == 0);
    CHECK(right->notes[0].other->thread == 1);
  }
}

TEST_CASE("a seed other than 0 makes what a race leaves differ", "[device][ci]") {
  const std::vector<std::int32_t> x = numbers<std::int32_t>(128, 1, 9);
  std::vector<std::vector<std::int32_t>> results;
  for (std::uint64_t seed = 0; seed < 8; ++seed) {
    const Pointer from = bench().put("x", x), to = bench().zeros<std::int32_t>("y", 128);
    KernelBench::Shape shape{{1, 1, 1}, {128, 1, 1}, 0, false, 0, seed};
    shape.observe.racecheck = false;
    (void)bench().run_anyhow("scan_in_place<false>", shape,
                             {Argument::pointer(from), Argument::pointer(to)});
    results.push_back(bench().get<std::int32_t>(to, 128));
  }
  std::sort(results.begin(), results.end());
  const auto different = std::unique(results.begin(), results.end()) - results.begin();
  CHECK(different >= 3);
}

}  // namespace warpbook::device::races_test
