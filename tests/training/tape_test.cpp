// The tape as a reader of the chapter uses it: the figures of its presets, to the digit.
#include "training/tape.hpp"

#include <catch2/catch_test_macros.hpp>

#include "tests/training/training_lab.hpp"

namespace warpbook::tests::tape_test {

using namespace warpbook;
using namespace warpbook::training;

namespace {

using Floats = std::vector<float>;

/// z = (3 x + 2)^2 at x = 2.
struct Square {
  explicit Square(Tape& tape)
      : x(tape.parameter("x", tape.engine().upload("x", {1}, {2.0f}))),
        y(tape.add(tape.multiply(tape.constant(3), x), tape.constant(2))),
        z(tape.multiply(y, y)) {}
  Variable x, y, z;
};

}  // namespace

TEST_CASE("tape: of z = (3 x + 2)^2 at x = 2, dz/dx is 48, and 96 after a second backward") {
  const auto lab = training_lab();
  Engine engine(*lab);
  Tape tape(engine);
  Square square(tape);
  CHECK(engine.download(square.z.value()) == Floats{64});
  tape.backward(square.z);
  CHECK(engine.download(*square.x.gradient()) == Floats{48});
  tape.backward(square.z);
  CHECK(engine.download(*square.x.gradient()) == Floats{96});
  square.x.zero_gradient();
  tape.backward(square.z);
  CHECK(engine.download(*square.x.gradient()) == Floats{48});
}

TEST_CASE("tape: gradients of results are kept where they are asked for, and do not add up") {
  const auto lab = training_lab();
  Engine engine(*lab);
  Tape tape(engine);
  Square square(tape);
  tape.backward(square.z);
  CHECK_FALSE(square.y.gradient().has_value());
  for (int times = 0; times < 2; ++times) {
    tape.backward(square.z, Tape::Keep::gradients);
    CHECK(engine.download(*square.y.gradient()) == Floats{16});
    CHECK(engine.download(*square.z.gradient()) == Floats{1});
  }
}

TEST_CASE("tape: each node says what it launched, forward and backward") {
  const auto lab = training_lab();
  Engine engine(*lab);
  engine.observe({.costs = true, .records = true});
  Tape tape(engine);
  Square square(tape);
  tape.backward(square.z);
  engine.finish();
  REQUIRE(tape.nodes().size() == 3);
  const Tape::Node& add = tape.nodes()[1];
  CHECK(add.operation == "add");
  CHECK(add.forward.end - add.forward.begin == 1);
  CHECK(add.backward.end == add.backward.begin);  // a sum passes its gradient on as it is
  const Tape::Node& multiply = tape.nodes()[2];
  CHECK(multiply.backward.end - multiply.backward.begin == 3);  // two products, and their sum
  const NotedLaunch& launch = engine.launches().at(multiply.backward.begin);
  CHECK(launch.pass == Pass::backward);
  CHECK(launch.kernel_file == "kernels/broadcast_multiply/01_one_each.cu");
  REQUIRE(launch.record);
  CHECK(launch.record->kernel == "broadcast_multiply");
}

TEST_CASE("tape: what is not kept goes at once, and its memory with it") {
  const auto lab = training_lab();
  Engine engine(*lab);
  Tape tape(engine);
  const Variable x = tape.parameter("x", engine.upload("x", {1}, {2.0f}));
  tape.backward(tape.multiply(tape.multiply(x, x), x), Tape::Keep::nothing);
  CHECK(tape.nodes().empty());
  CHECK(engine.download(*x.gradient()) == Floats{12});
}

TEST_CASE("tape: 3x3 + 3x3 and 3x3 + 5 broadcast, and the gradient of 5 is the sum") {
  const auto lab = training_lab();
  Engine engine(*lab);
  Tape tape(engine);
  const Variable a = tape.parameter("a", engine.upload("a", {3, 3}, {1, 2, 3, 4, 5, 6, 7, 8, 9}));
  const Variable five = tape.parameter("five", engine.upload("five", {1}, {5}));
  CHECK(engine.download(tape.add(a, a).value()) == Floats{2, 4, 6, 8, 10, 12, 14, 16, 18});
  const Variable sum = tape.add(a, five);
  CHECK(engine.download(sum.value()) == Floats{6, 7, 8, 9, 10, 11, 12, 13, 14});
  tape.backward(tape.sum(sum));
  CHECK(engine.download(*five.gradient()) == Floats{9});
  CHECK(engine.download(*a.gradient()) == Floats{1, 1, 1, 1, 1, 1, 1, 1, 1});
}

TEST_CASE("tape: only a single number can be gone back from") {
  const auto lab = training_lab();
  Engine engine(*lab);
  Tape tape(engine);
  const Variable x = tape.parameter("x", engine.upload("x", {2}, {1, 2}));
  CHECK_THROWS_AS(tape.backward(tape.add(x, x)), lab::ExperimentFailed);
}

}  // namespace warpbook::tests::tape_test
