// Operations that no tape walks back through.
#include "training/operations.hpp"

#include <catch2/catch_test_macros.hpp>

#include "tests/training/training_lab.hpp"

namespace warpbook::tests::operations_test {

using namespace warpbook::training;

TEST_CASE("an answer with a label's number is right where no other label's number is nearer") {
  const auto lab = training_lab();
  Engine engine(*lab);
  const Tensor answers = engine.upload("answers", {6, 1}, {0.4f, 1.6f, 8.9f, -3, 12, 4.4f});
  const auto hits = [&](const std::vector<std::int32_t>& labels) {
    const Tensor of = engine.upload("labels", {6}, std::span(labels));
    return engine.download<std::int32_t>(nearest_number_hits(engine, answers, of, 10))[0];
  };
  CHECK(hits({0, 2, 9, 0, 9, 4}) == 6);
  CHECK(hits({1, 1, 8, 1, 8, 5}) == 0);
  CHECK(hits({0, 2, 9, 0, 9, 5}) == 5);
}

}  // namespace warpbook::tests::operations_test
