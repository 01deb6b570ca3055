// Views: what only rearranges shares its memory, and reads as it should.
#include "training/tensor.hpp"

#include <catch2/catch_test_macros.hpp>

#include "tests/training/training_lab.hpp"

namespace warpbook::tests::tensor_test {

using namespace warpbook;
using namespace warpbook::training;

namespace {

using Floats = std::vector<float>;

/// The key of what a shape should have been, of the refusal that `attempt` throws.
template <class Attempt>
std::string refusal(Attempt&& attempt) {
  try {
    attempt();
  } catch (const lab::ExperimentFailed& failed) {
    REQUIRE(failed.error.code == device::ErrorCode::bad_value);
    return device::argument_of(failed.error.arguments, "expected")->key;
  }
  return "nothing was refused";
}

}  // namespace

TEST_CASE("tensor: a transposed, a sliced and a broadcast tensor are views of the same memory") {
  const auto lab = training_lab();
  Engine engine(*lab);
  const Tensor x = engine.upload("x", {3, 2}, {1, 2, 3, 4, 5, 6});
  const Tensor turned = x.transposed(0, 1), rows = x.sliced(0, 1, 3);
  const Tensor repeated = x.sliced(0, 0, 1).broadcast_to({2, 3, 2});
  CHECK(turned.shape == Extents{2, 3});
  CHECK(turned.strides == Extents{1, 2});
  CHECK(repeated.strides == Extents{0, 0, 1});
  CHECK(rows.address() == x.address() + 2 * sizeof(float));
  CHECK(engine.launched() == 0);
  CHECK(engine.download(turned) == Floats{1, 3, 5, 2, 4, 6});
  CHECK(engine.download(rows) == Floats{3, 4, 5, 6});
  CHECK(engine.download(repeated) == Floats{1, 2, 1, 2, 1, 2, 1, 2, 1, 2, 1, 2});
  CHECK(engine.download(turned.sliced(1, 1, 2)) == Floats{3, 4});
}

TEST_CASE("tensor: only what lies side by side is contiguous, and is not copied") {
  const auto lab = training_lab();
  Engine engine(*lab);
  const Tensor x = engine.upload("x", {3, 2}, {1, 2, 3, 4, 5, 6});
  CHECK(x.contiguous());
  CHECK(x.sliced(0, 1, 3).contiguous());
  CHECK_FALSE(x.sliced(1, 0, 1).contiguous());
  CHECK_FALSE(x.transposed(0, 1).contiguous());
  CHECK(x.sliced(0, 1, 2).transposed(0, 1).contiguous());  // an axis of one element has no stride
  CHECK(engine.contiguous(x).storage == x.storage);
  CHECK(engine.launched() == 0);
  CHECK(engine.contiguous(x.transposed(0, 1)).storage != x.storage);
  CHECK(engine.launched() == 1);
}

TEST_CASE("tensor: shapes that do not fit are refused with what would") {
  const auto lab = training_lab();
  Engine engine(*lab);
  const Tensor x = engine.upload("x", {3, 2}, {1, 2, 3, 4, 5, 6});
  CHECK(refusal([&] { (void)x.transposed(0, 2); }) == "phrase.training.axis");
  CHECK(refusal([&] { (void)x.sliced(0, 2, 4); }) == "phrase.training.slice");
  CHECK(refusal([&] { (void)x.broadcast_to({3, 4}); }) == "phrase.training.broadcast");
  CHECK(refusal([&] { (void)x.reshaped({4}); }) == "phrase.training.reshape");
  CHECK(refusal([&] { (void)x.transposed(0, 1).reshaped({6}); }) == "phrase.training.reshape");
  CHECK(refusal([] { (void)broadcast_shape("add", {3, 2}, {3}); }) == "phrase.training.broadcast");
  CHECK(refusal([] { (void)as_four({1, 1, 1, 1, 1}, 1); }) == "phrase.training.axes");
}

TEST_CASE("tensor: two shapes broadcast to the one that both repeat to") {
  CHECK(broadcast_shape("add", {3, 1}, {4}) == Extents{3, 4});
  CHECK(broadcast_shape("add", {}, {2, 2}) == Extents{2, 2});
  CHECK(broadcast_shape("add", {5, 1, 3}, {1, 7, 1}) == Extents{5, 7, 3});
}

}  // namespace warpbook::tests::tensor_test
