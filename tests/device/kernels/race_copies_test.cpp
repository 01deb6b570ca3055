// racecheck on asynchronous copies, on barriers with phases and on clusters, as compiled by NVRTC: silent where they are
// waited for, and loud where that is left out, whatever the schedule.
#include "tests/device/kernels/kernel_bench.hpp"

#include <algorithm>
#include <tuple>

namespace warpbook::device::race_copies_test {
namespace {

constexpr std::uint64_t kSeeds[] = {0, 1, 2, 3, 4};

struct Pattern {
  std::string name;
  std::uint32_t arrays;  ///< parameters
  ErrorCode wrong;       ///< what the wrong one is told
  std::uint32_t cluster = 1;
};

const Pattern kPatterns[] = {
    {"not_waited", 2, ErrorCode::race_with_copy},
    {"refilled", 2, ErrorCode::race_with_copy},
    {"own_only", 2, ErrorCode::race_with_copy},
    {"own_warp", 2, ErrorCode::race_with_copy},
    {"source_changed", 2, ErrorCode::race_with_copy},
    {"group_waited", 2, ErrorCode::race_with_copy},
    {"bulk_early", 2, ErrorCode::race_with_copy},
    {"bulk_source", 1, ErrorCode::race_with_copy},
    {"handed_over", 2, ErrorCode::race_in_block},
    {"piped", 2, ErrorCode::race_with_copy},
    {"piped_alone", 2, ErrorCode::race_with_copy},
    {"split_phase", 1, ErrorCode::race_in_block},
    {"neighbour", 1, ErrorCode::race_in_cluster, 4},
    {"gone", 1, ErrorCode::block_has_ended, 4},
    {"one_word", 1, ErrorCode::race_in_cluster, 4},
    {"through_global", 2, ErrorCode::race_between_blocks, 2},
    {"copied_next_door", 2, ErrorCode::race_with_copy, 2},
};

std::shared_ptr<const LaunchRecord> raced(const Pattern& p, bool right, std::uint64_t seed) {
  static KernelBench bench("race_copies.cu");
  std::vector<Argument> arguments;
  if (p.arrays == 2)
    arguments.push_back(Argument::pointer(bench.put("x", numbers<std::int32_t>(384, 1, 9))));
  arguments.push_back(Argument::pointer(bench.zeros<std::int32_t>("y", 384)));
  KernelBench::Shape shape{{p.cluster}, {64}};
  shape.cluster = {p.cluster, 1, 1};
  shape.seed = seed;
  shape.observe.racecheck = shape.observe.synccheck = true;
  shape.observe.initcheck = right;
  return bench.run_anyhow(p.name + (right ? "<true>" : "<false>"), shape, arguments);
}

std::string told(const Finding& f) { return f.error.message().english(); }

std::vector<std::string> all_told(const LaunchRecord& r) {
  std::vector<std::string> list;
  for (const Finding& f : r.findings) list.push_back(told(f));
  std::sort(list.begin(), list.end());
  return list;
}

}  // namespace

TEST_CASE("racecheck is silent on copies that are waited for, in every schedule", "[device][ci]") {
  for (const Pattern& p : kPatterns) {
    for (const std::uint64_t seed : kSeeds) {
      CAPTURE(p.name, seed);
      const auto record = raced(p, true, seed);
      if (!record->findings.empty()) UNSCOPED_INFO(told(record->findings[0]));
      CHECK(record->findings_total == 0);
      CHECK_FALSE(record->error.has_value());
    }
  }
}

TEST_CASE("racecheck finds copies and phases that nobody waits for, in every schedule the same",
          "[device][ci]") {
  for (const Pattern& p : kPatterns) {
    std::vector<std::string> first;
    for (const std::uint64_t seed : kSeeds) {
      CAPTURE(p.name, seed);
      const auto record = raced(p, false, seed);
      REQUIRE_FALSE(record->findings.empty());
      const bool has = std::any_of(record->findings.begin(), record->findings.end(),
                                   [&](const Finding& f) { return f.error.code == p.wrong; });
      if (!has) UNSCOPED_INFO(told(record->findings[0]));
      CHECK(has);
      if (seed == 0) first = all_told(*record);
      CHECK((all_told(*record) == first));
    }
  }
}

TEST_CASE("a race with a copy names the copy, both threads, both lines and what to do",
          "[device][ci]") {
  const auto record = raced(kPatterns[2], false, 0);
  REQUIRE(record->findings.size() == 1);
  const Finding& f = record->findings[0];
  REQUIRE(f.other);
  const std::string copy = std::to_string(f.by.place.line),
                    read = std::to_string(f.other->place.line);
  CHECK(f.by.place.line + 4 == f.other->place.line);
  CHECK(f.by.kind == AccessKind::store);
  CHECK(told(f) ==
        "race: write of shared memory[0] at line " + copy +
            " by thread 0 of block 0 and read at line " + read +
            " by thread 63 of block 0 are in no order, since the asynchronous copy of line " +
            copy +
            " runs on by itself; start it after all are done with that memory, and let "
            "all wait for it before they use it");
}

}  // namespace warpbook::device::race_copies_test
