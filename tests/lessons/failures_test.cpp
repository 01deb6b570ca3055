// Failures: what each call of its program returns, held against CUDA's rules, and the numbers that its text works out.
#include <algorithm>
#include <cstdint>
#include <string>
#include <vector>

#include <catch2/catch_test_macros.hpp>
#include <catch2/generators/catch_generators.hpp>

#include "lab/exhibits/exhibit.hpp"
#include "lessons/catalogue.hpp"
#include "tests/lessons/chapter.hpp"

namespace warpbook::failures_test {
namespace {

using Int = std::int64_t;
using lab::TrailExhibit;
using tests::chapter::answer;
using tests::chapter::exhibit;
using tests::chapter::figure;

lab::Report run(const tests::chapter::Values& values, const std::string& variant = {}) {
  tests::chapter::Circumstances with;
  if (!variant.empty()) {
    with.slot = "correct";
    with.source = tests::chapter::variant("failures", variant);
  }
  return tests::chapter::run("failures", values, with);
}

const std::string kFar = "99999999", kBefore = "-1";

/// A day whose launches are accepted.
lab::Report day(const std::string& missing, const std::string& check,
                const std::string& variant = {}) {
  return run({{"threads", Int{256}}, {"missing", missing}, {"check", check}}, variant);
}

const TrailExhibit& trail(const lab::Report& report, const std::string& id = "trail") {
  const TrailExhibit& found = exhibit<TrailExhibit>(report, id);
  CHECK(lab::valid(found));
  return found;
}

/// What the lines returned whose code begins with a call's name.
std::vector<std::string> returned(const lab::Report& report, const std::string& call) {
  std::vector<std::string> all;
  for (const auto& step : trail(report).steps)
    if (step.code.find(call + "(") != std::string::npos) all.push_back(step.returned);
  return all;
}

}  // namespace

TEST_CASE("Failures comes after Grids and before Warps") {
  const auto all = lessons::catalogue();
  const auto found = std::ranges::find(all, "failures", &lab::Lesson::slug);
  REQUIRE(found != all.end());
  CHECK(found[-1].slug == "grids");
  CHECK(found[1].slug == "warps");
}

TEST_CASE("Failures' program corrects every reading where nothing is wrong") {
  const std::string check = GENERATE("none", "calls", "launches", "waits", "once");
  CAPTURE(check);
  const lab::Report report = day("none", check);
  CHECK(report.errors.empty());
  CHECK(answer(report, "table") == "corrected");
  CHECK(answer(report, "failed") == "0");
  CHECK_FALSE(trail(report).cause);
}

TEST_CASE("Failures' refused launch leaves the table uncorrected, and no other call tells") {
  const std::string check = GENERATE("none", "calls");
  const lab::Report report = run({{"check", check}});
  CHECK(report.errors.empty());
  CHECK(answer(report, "table") == "uncorrected");
  CHECK(answer(report, "failed") == "0");
  CHECK(answer(report, "told-by") == "nobody");
  CHECK(trail(report).kernels.size() == 1);
}

TEST_CASE(
    "Failures' refused launch is told by cudaGetLastError, once, even behind another launch") {
  const lab::Report asked = run({{"check", std::string("launches")}});
  CHECK(answer(asked, "told-by") == "cudaGetLastError");
  CHECK(returned(asked, "cudaGetLastError").front() == "cudaErrorInvalidConfiguration");
  const lab::Report late = run({{"check", std::string("once")}});
  CHECK(answer(late, "told-by") == "cudaGetLastError");
  CHECK(answer(late, "failed") == "1");
  CHECK(*trail(late).told > *trail(late).cause + 1);
}

TEST_CASE("Failures' launch with too much shared memory is refused as an invalid value") {
  const lab::Report report =
      run({{"threads", Int{256}}, {"shared", Int{49153}}, {"check", std::string("launches")}});
  CHECK(returned(report, "cudaGetLastError").front() == "cudaErrorInvalidValue");
  CHECK(answer(run({{"threads", Int{256}}, {"shared", Int{49152}}}), "table") == "corrected");
}

TEST_CASE("Failures' access far outside is told by the next call that waits, and by all after it") {
  const lab::Report report = day(kFar, "none");
  CHECK(answer(report, "failed") == "4");
  CHECK(answer(report, "table") == "unchanged");
  CHECK(returned(report, "cudaFree") == std::vector<std::string>(3, "cudaErrorIllegalAddress"));
  CHECK(answer(day(kFar, "launches"), "told-by") == "cudaMemcpy");
  CHECK(answer(day(kFar, "waits"), "told-by") == "cudaDeviceSynchronize");
}

TEST_CASE(
    "Failures' access just outside is told by nobody but the checker, which names its thread") {
  const std::string missing = GENERATE("-1", "8");
  const lab::Report report = day(missing, "waits");
  CHECK(answer(report, "told-by") == "nobody");
  CHECK(answer(report, "failed") == "0");
  CHECK(answer(report, "astray") == "block 2, thread 188");
  CHECK_FALSE(report.errors.empty());
}

TEST_CASE("Failures' kernel that prints names the reading, and the one that asks leaves it alone") {
  const lab::Report printed = day(kBefore, "launches", "correct_printf");
  CHECK(exhibit<lab::TextExhibit>(printed, "output").text.text == "reading 700: station -1\n");
  const lab::Report mended = day(kFar, "launches", "correct_asks");
  CHECK(mended.errors.empty());
  CHECK(answer(mended, "table") == "corrected");
}

TEST_CASE("Failures' host reads too early unless it waits") {
  CHECK(answer(run({}), "read") == "unknown");
  CHECK(answer(run({{"wait", true}}), "read") == "120 180 110");
}

TEST_CASE("Failures' films fill the memory of an H200 on the day that its text works out") {
  CHECK(answer(run({}), "last-day") == "9");
  CHECK(answer(run({{"film", Int{32}}}), "last-day") == "5");
  CHECK(answer(run({{"freed", true}}), "last-day") == "never");
}

TEST_CASE("Failures' blocks of one thread make a warp for each reading, and no call minds") {
  const lab::Report report = run({{"threads", Int{1}}, {"check", std::string("launches")}});
  CHECK(answer(report, "failed") == "0");
  CHECK(figure(report, "warps") == "1,025");
  CHECK(figure(day("none", "launches"), "warps") == "40");
}

}  // namespace warpbook::failures_test
