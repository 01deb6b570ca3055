// What makes a softmax one, beside its values: rows sum to 1, a shift changes nothing, and what is masked out is 0.
#include <cmath>
#include <limits>

#include <catch2/catch_test_macros.hpp>

#include "tests/kernels/ladder.hpp"

namespace warpbook::tests::softmax_test {

using namespace warpbook;
using namespace warpbook::lab;

namespace {

constexpr std::int64_t kRows = 5, kColumns = 131;
constexpr float kInfinity = std::numeric_limits<float>::infinity();

std::vector<float> softmax_of(const Operation& operation, const Rung& rung,
                              const std::vector<float>& x) {
  const auto lab = tests::checking_lab("h200");
  RungArguments arguments;
  arguments.scalars = {{"rows", kRows}, {"columns", kColumns}};
  arguments.inputs["x"].resize(x.size() * sizeof(float));
  __builtin_memcpy(arguments.inputs["x"].data(), x.data(), x.size() * sizeof(float));
  const RungResult result = run_rung(*lab, rung, operation, arguments);
  std::vector<float> y(x.size());
  __builtin_memcpy(y.data(), result.outputs.at("y").data.data(), y.size() * sizeof(float));
  return y;
}

}  // namespace

TEST_CASE(
    "every softmax sums to 1 from -80 to 80, gives 0 where it is masked, and all but the naive one "
    "ignore a shift") {
  const auto operation = load_operation(WARPBOOK_SOURCE_DIR, "softmax");
  REQUIRE(operation.has_value());
  // Eighths, which a shift by 512 leaves exact.
  std::vector<float> x, shifted;
  for (int i = 0; i < kRows * kColumns; ++i) {
    x.push_back(i % 7 == 3 ? -kInfinity : static_cast<float>(i * 37 % 1281 - 640) / 8);
    shifted.push_back(x.back() + 512);
  }
  for (const Rung& rung : operation->rungs) {
    CAPTURE(rung.path);
    const std::vector<float> y = softmax_of(*operation, rung, x);
    for (std::int64_t row = 0; row < kRows; ++row) {
      double sum = 0;
      for (std::int64_t i = row * kColumns; i < (row + 1) * kColumns; ++i) {
        const auto at = static_cast<std::size_t>(i);
        if (x[at] == -kInfinity) CHECK(y[at] == 0);
        sum += y[at];
      }
      CHECK(std::abs(sum - 1) <= 1e-5);
    }
    if (rung.name != "naive") CHECK(softmax_of(*operation, rung, shifted) == y);
  }
}

}  // namespace warpbook::tests::softmax_test
