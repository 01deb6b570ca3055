// The engine: what is wrong shows, what a step took is noted, and the same seed gives the same bits.
#include "training/engine.hpp"

#include <catch2/catch_test_macros.hpp>

#include "device/launch_memo.hpp"
#include "lab/operation/rung_block.hpp"
#include "tests/training/training_lab.hpp"
#include "training/operations.hpp"

namespace warpbook::tests::engine_test {

using namespace warpbook;
using namespace warpbook::training;

namespace {

using Floats = std::vector<float>;

device::ErrorCode code_of_finish(Engine& engine) {
  try {
    engine.finish();
  } catch (const lab::ExperimentFailed& failed) {
    return failed.error.code;
  }
  return device::ErrorCode::compile_error;
}

}  // namespace

TEST_CASE("engine: a sum of memory that nobody wrote is a finding when the launch is waited for") {
  const auto lab = training_lab();
  Engine engine(*lab);
  (void)add(engine, engine.empty("FloatTensor", {3, 3}), engine.constant(5));
  CHECK(code_of_finish(engine) == device::ErrorCode::uninitialised_read);
  engine.finish();  // it was told once
}

TEST_CASE("engine: memory that a step gave back is the next one's, by name and size") {
  const auto lab = training_lab();
  Engine engine(*lab);
  const Tensor x = engine.upload("x", {64}, Floats(64, 1));
  const device::Pointer first = add(engine, x, x).address();
  CHECK(add(engine, x, x).address() == first);
  const Tensor kept = add(engine, x, x);
  CHECK(add(engine, x, x).address() != first);
}

TEST_CASE("engine: a rung of one's own runs in an operation's place, as it says it is launched") {
  const auto lab = training_lab();
  Engine engine(*lab);
  // Adds only where its two blocks of two threads reach, and takes the second factor from constant memory.
  const auto rung = lab::require(lab::parse_rung("kernels/add/00_own.cu",
                                                 "//@ idea: four elements\n"
                                                 "//@ constant: fixed = y\n"
                                                 "//@ block: 2\n"
                                                 "//@ grid: 2\n"));
  const auto module =
      lab->compile_source("own.cu",
                          "__constant__ int fixed[8];\n"
                          "__global__ void add(const int* x, const int* y, int* out, int n) {\n"
                          "  int i = blockIdx.x * blockDim.x + threadIdx.x;\n"
                          "  if (i < n) out[i] = x[i] + fixed[i];\n"
                          "}\n");
  engine.use_rung("add", rung, module);
  const std::vector<std::int32_t> x{1, 2, 3, 4, 5, 6}, y{10, 20, 30, 40, 50, 60}, none(6, 0);
  const std::span<const std::int32_t> all(x), second(y), zeros(none);
  const Tensor left = engine.upload("x", {6}, all), right = engine.upload("y", {6}, second),
               out = engine.upload("out", {6}, zeros);
  engine.run("add", {{"x", &left}, {"y", &right}, {"out", &out}}, {{"n", 6}});
  CHECK(engine.download<std::int32_t>(out) == std::vector<std::int32_t>{11, 22, 33, 44, 0, 0});
}

TEST_CASE("engine: the peak of memory and each block's lifetime are noted by launches") {
  const auto lab = training_lab();
  Engine engine(*lab);
  const Tensor x = engine.upload("x", {64}, Floats(64, 1));
  engine.observe({.costs = true});
  {
    const Engine::LayerScope layer(engine, "fc1");
    const Tensor y = add(engine, x, x);
    const Tensor z = multiply(engine, y, y);
  }
  engine.finish();
  const MemoryUse use = engine.memory_use();
  CHECK(use.peak_bytes == 3 * 256);
  REQUIRE(use.lifetimes.size() == 3);
  CHECK(use.lifetimes[0].name == "fc1.broadcast_add");
  CHECK(use.lifetimes[0].begin == 0);
  CHECK(use.lifetimes[0].end == 2);
  CHECK(use.lifetimes[2].name == "fc1.broadcast_multiply");
  CHECK(use.lifetimes[2].begin == 1);

  const std::vector<OperationCost> costs = engine.costs();
  REQUIRE(costs.size() == 2);
  CHECK(costs[0].layer == "fc1");
  CHECK(costs[0].launches == 1);
  CHECK(costs[0].bytes == 2 * 256 + 256);
  CHECK(costs[0].warp_instructions > 0);
  CHECK(costs[0].low <= costs[0].seconds);
  CHECK(costs[0].seconds <= costs[0].high);
  CHECK(costs[0].low > 0);
}

TEST_CASE("engine: a reader's kernel runs in the place of ours, and what it does wrong is found") {
  const auto lab = training_lab();
  Engine engine(*lab);
  const Tensor x = engine.upload("x", {3}, {1, -2, 3});
  const std::string head =
      "__global__ void activation_relu(const float* x, float* y, int n) {\n"
      "  int i = blockIdx.x * blockDim.x + threadIdx.x;\n";
  engine.use_source("activation_relu", "one_each", head + "  if (i < n) y[i] = 2 * x[i];\n}\n");
  CHECK(engine.download(activate(engine, Activation::relu, x)) == Floats{2, -4, 6});
  engine.use_source("activation_relu", "one_each", head + "  y[i] = x[i];\n}\n");
  (void)activate(engine, Activation::relu, x);
  CHECK(code_of_finish(engine) == device::ErrorCode::out_of_bounds_read);
  CHECK_THROWS_AS(engine.use_source("activation_relu", "one_each", "no kernel"),
                  lab::ExperimentFailed);
}

TEST_CASE("engine: launches are checked and bounded as was said last") {
  const auto lab = training_lab();
  Engine engine(*lab);
  const auto sum_of_nothing = [&] {
    (void)add(engine, engine.empty("nothing", {3}), engine.constant(5));
    engine.finish();
  };
  engine.set_checks({.memcheck = true, .initcheck = false});
  CHECK_NOTHROW(sum_of_nothing());
  engine.set_checks({.memcheck = true, .initcheck = true});
  CHECK_THROWS_AS(sum_of_nothing(), lab::ExperimentFailed);
  device::Budget none;
  none.thread_instructions = 1;
  engine.set_budget(none);
  // Large, because a simulator counts what has run only every few million instructions.
  const Tensor x = engine.upload("x", {1 << 20}, Floats(1 << 20, 1));
  (void)add(engine, x, x);
  CHECK(code_of_finish(engine) == device::ErrorCode::budget_instructions);
}

TEST_CASE(
    "engine: what was launched before, with the same memory, is recalled with the same result") {
  const auto run = [](const std::shared_ptr<device::LaunchMemo>& memo, float first) {
    const auto of_tests = training_lab();
    lab::Lab::Context context = of_tests->context();
    context.memo = memo;
    lab::Lab lab(std::move(context));
    Engine engine(lab);
    engine.observe({.records = true});
    const Tensor x = engine.upload("x", {2}, Floats{first, 2});
    const Floats sum = engine.download(add(engine, x, x));
    return std::pair(sum, engine.launches().front().record);
  };
  const auto memo = std::make_shared<device::LaunchMemo>(1u << 20);
  const auto before = run(memo, 1), again = run(memo, 1), other = run(memo, 3);
  CHECK(again.first == before.first);
  CHECK(other.first == Floats{6, 4});
  // A launch that is simulated takes a time of its own; one that is recalled has the record of before.
  CHECK(again.second->seconds == before.second->seconds);
}

TEST_CASE("engine: a launch of the caller's own is in order with the others, checked and noted") {
  const auto lab = training_lab();
  Engine engine(*lab);
  const Tensor x = engine.upload("x", {3}, {1, -2, 3});
  const Tensor y = add(engine, x, x);
  device::Launch launch;
  launch.module = lab->compile_source(
      "halve.cu", "__global__ void halve(float* y, int n) { y[threadIdx.x] /= 2; }");
  launch.grid = {1, 1, 1};
  launch.block = {3, 1, 1};
  launch.arguments = {device::Argument::pointer(y.address()), device::Argument::of(3)};
  engine.observe({.costs = true, .records = true});
  engine.launch("halve", "halve.cu", launch);
  CHECK(engine.download(y) == Floats{1, -2, 3});
  REQUIRE(engine.launches().size() == 1);
  CHECK(engine.launches()[0].operation == "halve");
  CHECK(engine.launches()[0].record->block.x == 3);
  launch.block = {4, 1, 1};
  engine.launch("halve", "halve.cu", launch);
  CHECK(code_of_finish(engine) == device::ErrorCode::out_of_bounds_read);
}

TEST_CASE("engine: every operation's chosen rung is there") {
  const std::string root = WARPBOOK_SOURCE_DIR;
  const Sizes small{{"m", 4}, {"n", 4}, {"k", 4}, {"c", 4}, {"r", 3}, {"s", 3}};
  const Sizes large{{"m", 512}, {"n", 512}, {"k", 512}, {"c", 512}, {"r", 3}, {"s", 3}};
  int chosen = 0;
  for (const std::string& name : lab::operation_names(root)) {
    for (const Sizes& sizes : {small, large}) {
      std::string rung;
      try {
        rung = choose_kernel(name, sizes).rung;
      } catch (const std::logic_error&) {
        continue;
      }
      CAPTURE(name);
      CHECK_NOTHROW(lab::rung_named(*lab::load_operation(root, name), rung));
      ++chosen;
    }
  }
  CHECK(chosen == 2 * 37);
}

}  // namespace warpbook::tests::engine_test
