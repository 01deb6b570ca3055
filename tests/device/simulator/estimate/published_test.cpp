// The estimate against published timings (published.toml; tests/bench/estimate.cpp prints them all).
#include <catch2/catch_test_macros.hpp>
#include <catch2/generators/catch_generators.hpp>

#include "tests/device/simulator/estimate/published.hpp"

namespace warpbook::device::published_test {
namespace {

constexpr double kSame = 0.05;  // published times nearer than this are not ranked

}  // namespace

TEST_CASE("published timings: thirty and more, of eight GPUs and more, every one with its source") {
  const auto timings = read_published();
  std::map<std::string, int> gpus;
  std::size_t fits = 0;
  for (const PublishedTiming& t : timings) {
    CAPTURE(t.kernel, t.gpu);
    CHECK(find_gpu(t.gpu) != nullptr);
    CHECK_FALSE(t.address.empty());
    CHECK(t.seconds > 1e-6);
    CHECK(t.seconds < 1);
    ++gpus[t.gpu];
    fits += t.fits;
  }
  CHECK(timings.size() >= 30);
  CHECK(gpus.size() >= 7);
  CHECK(fits * 3 > timings.size());
  CHECK(fits * 3 < timings.size() * 2);
}

TEST_CASE("published timings: addresses take turns to fit and to judge, and none does both") {
  std::map<std::string, bool> side;
  std::size_t second = 0, fits = 0, second_fits = 0;
  for (const PublishedTiming& t : read_published()) {
    CAPTURE(t.address);
    CHECK(side.try_emplace(t.address, t.fits).first->second == t.fits);
    second += t.second ? 1 : 0;
    fits += t.fits ? 1 : 0;
    second_fits += t.second && t.fits ? 1 : 0;
  }
  CHECK(second == 59);
  CHECK(second_fits == 36);
  CHECK(fits - second_fits == 35);  // of the first 14 sources
  CHECK(side.at("github.com/Azure/AI-benchmarking-guide"));
  CHECK_FALSE(side.at("github.com/mmjerge/cudatorch/results/transpose"));
}

TEST_CASE("published timings: one is doubted, and says why") {
  const auto timings = read_published();
  CHECK(std::ranges::count_if(timings, [](const PublishedTiming& t) { return !t.doubt.empty(); }) ==
        1);
}

TEST_CASE("published ladders of matrix products, sums and filters are climbed in their order",
          "[ci]") {
  // The ladder on one GPU, with fewer blocks than tests/bench/estimate.cpp runs for all of them.
  const auto* const ladder = GENERATE("sgemm_", "sum_", "filter_");
  CAPTURE(ladder);
  PublishedBench bench(std::string(ladder) == "sgemm_" ? 16 : 1);
  std::vector<double> published, estimated;
  for (const PublishedTiming& t : read_published()) {
    const bool here = t.kernel.starts_with(ladder) && !t.kernel.starts_with("sum_atomic") &&
                      (t.gpu == "RTX A6000" || t.gpu == "RTX 3080");
    if (!here) continue;
    published.push_back(t.seconds);
    estimated.push_back(bench.estimate(t).seconds);
    CAPTURE(t.kernel, t.seconds, estimated.back());
    CHECK(estimated.back() > t.seconds / 2);
    CHECK(estimated.back() < t.seconds * 2);
  }
  CHECK(published.size() >= 6);
  CHECK(kendall(published, estimated, kSame) >= 0.9);
}

TEST_CASE("Kendall's tau of rankings made by hand") {
  CHECK(kendall({1, 2, 3}, {10, 20, 30}) == 1);
  CHECK(kendall({1, 2, 3}, {30, 20, 10}) == -1);
  CHECK(kendall({1, 2, 3, 4}, {1, 3, 2, 4}) == 4.0 / 6);
  CHECK(kendall({1, 1.01, 2}, {2, 1, 3}, 0.05) == 1);
  CHECK(median({3, 1, 2}) == 2);
  CHECK(median({4, 1, 2, 3}) == 2.5);
}

}  // namespace warpbook::device::published_test
