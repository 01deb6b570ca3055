// Two memories: its figures against arithmetic, and every kind of memory against what CUDA says of it.
#include <algorithm>
#include <cstdint>
#include <string>
#include <vector>

#include <catch2/catch_approx.hpp>
#include <catch2/catch_test_macros.hpp>
#include <catch2/generators/catch_generators.hpp>

#include "lab/exhibits/exhibit.hpp"
#include "lab/exhibits/memories/memories_summary.hpp"
#include "lab/exhibits/timeline/timeline_summary.hpp"
#include "lessons/catalogue.hpp"
#include "tests/lessons/chapter.hpp"

namespace warpbook::two_memories_test {
namespace {

using Catch::Approx;
using Int = std::int64_t;
using lab::MemoriesExhibit;
using lab::TimelineExhibit;
using tests::chapter::answer;
using tests::chapter::exhibit;
using Activity = TimelineExhibit::Activity;

lab::Report run(const tests::chapter::Values& values, const std::string& source = {}) {
  tests::chapter::Circumstances with;
  with.slot = source.empty() ? "" : "plus";
  with.source = source;
  return tests::chapter::run("two-memories", values, with);
}

constexpr Int kHundredMillion = 100'000'000;
const std::string kPlus = "t+5", kSum = "a+b";

const TimelineExhibit& timeline(const lab::Report& report) {
  return exhibit<TimelineExhibit>(report, "timeline");
}
const MemoriesExhibit& memories(const lab::Report& report) {
  return exhibit<MemoriesExhibit>(report, "memories");
}

/// Names of the host's calls, in order; what it waits in is no call of its own.
std::vector<std::string> calls(const lab::Report& report) {
  std::vector<std::string> names;
  for (const auto& span : timeline(report).spans)
    if (span.activity == Activity::host_call) names.push_back(span.label);
  return names;
}

bool right(const lab::Report& report) {
  const auto& check = exhibit<lab::CheckExhibit>(report, "check");
  return check.items.front().state == lab::CheckExhibit::State::passed;
}

}  // namespace

TEST_CASE("Two memories comes after Your machine and before Grids") {
  const auto all = lessons::catalogue();
  const auto found = std::ranges::find(all, "two-memories", &lab::Lesson::slug);
  REQUIRE(found != all.end());
  CHECK(found[-1].slug == "your-machine");
  CHECK(std::ranges::find(found, all.end(), "grids", &lab::Lesson::slug) != all.end());
}

TEST_CASE("Two memories carries 3 x 2 readings there and back by default") {
  const lab::Report report = run({});
  CHECK(report.errors.empty());
  CHECK(right(report));
  const auto& table = exhibit<lab::TensorExhibit>(report, "table");
  CHECK(table.shape == std::vector<std::uint64_t>{3, 2});
  CHECK(answer(report, "table") == "12 18 11 19 9 14");
  CHECK(answer(report, "crossed") == "48");
  CHECK(calls(report) ==
        std::vector<std::string>{"cudaMalloc", "cudaMemcpy", "cudaMemcpy", "cudaFree"});
}

TEST_CASE("Two memories adds two tables of 3 x 3 and copies three") {
  const lab::Report report = run({{"n", Int{9}}, {"work", kSum}});
  CHECK(report.errors.empty());
  CHECK(right(report));
  CHECK(exhibit<lab::TensorExhibit>(report, "table").shape == std::vector<std::uint64_t>{3, 3});
  CHECK(answer(report, "crossed") == "108");
  CHECK(lab::bytes_across(memories(report), true) == 72);
  CHECK(lab::bytes_across(memories(report), false) == 36);
}

TEST_CASE("Two memories is right for every kind of memory, work, number of tables and launches") {
  const auto memory = GENERATE(as<std::string>{}, "pageable", "pinned", "managed", "mapped");
  const auto work = GENERATE(as<std::string>{}, "t", "t+5", "a+b");
  const auto anew = GENERATE(as<std::string>{}, "-", "cudaMalloc", "cudaMallocAsync");
  CAPTURE(memory, work, anew);
  const lab::Report report = run({{"n", Int{33}},
                                  {"work", work},
                                  {"memory", memory},
                                  {"anew", anew},
                                  {"tables", Int{3}},
                                  {"launches", Int{2}}});
  CHECK(report.errors.empty());
  CHECK(right(report));
  REQUIRE(timeline(report).times);
  CHECK(timeline(report).times->kind == device::EvidenceKind::estimated);
  CHECK(lab::valid(timeline(report)));
  CHECK(lab::valid(memories(report)));
}

TEST_CASE(
    "Two memories finds that a forgotten copy leaves the result open, and shows the old table "
    "where nothing is copied back") {
  CHECK(answer(run({{"work", kPlus}, {"copy_in", false}}), "table") == "unknown");
  const lab::Report report = run({{"work", kPlus}, {"copy_back", false}});
  CHECK(answer(report, "table") == "12 18 11 19 9 14");
  CHECK_FALSE(right(report));
  const auto& arrays = memories(report).arrays;
  REQUIRE(arrays.size() == 2);
  CHECK(arrays[1].values == "17 23 16 24 14 19");
}

TEST_CASE("Two memories hands a kernel an address of the host, and it fails in every run") {
  CHECK(answer(run({}), "handed") == "fault");
  CHECK(answer(run({{"work", kSum}}), "handed") == "fault");
  CHECK(run({}).errors.empty());
}

TEST_CASE("Two memories' launch returns long before its kernel ends, and the copy back waits") {
  const lab::Report report = run({{"n", kHundredMillion}, {"work", kPlus}});
  CHECK(answer(report, "launch-returns") == "at-once");
  const auto& spans = timeline(report).spans;
  const auto kernel = std::ranges::find(spans, Activity::kernel, &TimelineExhibit::Span::activity);
  const auto back = std::ranges::find(spans, Activity::copy_out, &TimelineExhibit::Span::activity);
  REQUIRE(kernel != spans.end());
  REQUIRE(back != spans.end());
  CHECK(back->begin >= kernel->end);
  CHECK(spans[*back->call].begin < kernel->end);
  // "about 240 µs", as the text says.
  CHECK(lab::shares_of(timeline(report)).kernels == Approx(240e-6).epsilon(0.05));
}

TEST_CASE("Two memories' times for 100 million readings are those that its text works out") {
  const lab::Report plus = run({{"n", kHundredMillion}, {"work", kPlus}});
  CHECK(lab::shares_of(timeline(plus)).copies == Approx(64e-3).epsilon(0.02));
  CHECK(answer(plus, "magnitude") == "2");
  CHECK(answer(plus, "crossing") == "4");
  const lab::Report sum = run({{"n", kHundredMillion}, {"work", kSum}});
  CHECK(lab::shares_of(timeline(sum)).copies == Approx(96e-3).epsilon(0.02));
  CHECK(tests::chapter::figure(sum, "cpu") == "30 ms");
  CHECK(answer(sum, "winner") == "cpu");
  CHECK(answer(run({{"n", kHundredMillion}, {"work", kSum}, {"memory", std::string("pinned")}}),
               "winner") == "gpu");
}

TEST_CASE("Two memories' search over 100 million readings is faster on the CPU") {
  const lab::Report report = run({{"n", kHundredMillion}, {"work", kPlus}, {"copy_back", false}},
                                 tests::chapter::variant("two-memories", "broken"));
  CHECK(tests::chapter::figure(report, "cpu") == "10 ms");
  CHECK(lab::shares_of(timeline(report)).copies == Approx(32e-3).epsilon(0.02));
  CHECK(answer(report, "winner") == "cpu");
}

TEST_CASE(
    "Two memories pays for each allocation, once from a pool, and not at all when it keeps one") {
  const auto with = [](const std::string& anew) {
    return run({{"n", Int{1000}}, {"work", kPlus}, {"tables", Int{8}}, {"anew", anew}});
  };
  const lab::Report anew = with("cudaMalloc"), once = with("-"), pool = with("cudaMallocAsync");
  CHECK(answer(anew, "longest") == "allocations");
  CHECK(tests::chapter::figure(anew, "mallocs") == "8");
  CHECK(tests::chapter::figure(once, "mallocs") == "1");
  CHECK(tests::chapter::figure(pool, "mallocs") == "8");
  CHECK(lab::whole_of(timeline(anew)) == Approx(lab::whole_of(timeline(once)) + 7 * 100e-6));
  CHECK(lab::whole_of(timeline(pool)) < lab::whole_of(timeline(once)));
}

TEST_CASE(
    "Two memories' copies of pinned memory take a quarter as long, and its pages take longest") {
  const auto copies = [](const std::string& memory) {
    return lab::shares_of(
               timeline(run({{"n", kHundredMillion}, {"work", kPlus}, {"memory", memory}})))
        .copies;
  };
  const double pageable = copies("pageable");
  CHECK(copies("pinned") == Approx(pageable / 4).epsilon(0.01));
  CHECK(copies("managed") == Approx(pageable * 12.5 / 7.5).epsilon(0.01));
  CHECK(copies("mapped") == 0);
}

TEST_CASE("Two memories' kernel on mapped memory takes as long as the link") {
  const lab::Report report =
      run({{"n", kHundredMillion}, {"work", kSum}, {"memory", std::string("mapped")}});
  CHECK(lab::shares_of(timeline(report)).kernels == Approx(16e-3).epsilon(0.02));
  REQUIRE(memories(report).transfers.size() == 3);
  for (const auto& transfer : memories(report).transfers) {
    CHECK(transfer.way == MemoriesExhibit::Way::access);
    CHECK_FALSE(transfer.device);
  }
}

}  // namespace warpbook::two_memories_test
