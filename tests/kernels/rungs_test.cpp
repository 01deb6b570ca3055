// Every rung of every operation held to the truth, with every checker on (lab/operation/kernel_check.hpp).
#include <algorithm>
#include <string>

#include <catch2/catch_test_macros.hpp>
#include <catch2/generators/catch_generators.hpp>
#include <catch2/generators/catch_generators_adapters.hpp>

#include "device/sanitized.hpp"
#include "tests/kernels/ladder.hpp"

namespace warpbook::tests::rungs_test {

using namespace warpbook;
using namespace warpbook::lab;
using Label = OperationCase::Label;

namespace {

/// Every rung that this GPU can run, at the cases that `wanted` picks; gives how many checks there were.
template <class Wanted>
int check_all(const std::string& gpu, Wanted&& wanted) {
  int checks = 0;
  for (const Operation& operation : tests::operations()) {
    for (const Rung& rung : operation.rungs) {
      // A device of its own a rung, so that no rung sees another's memory.
      const auto lab = tests::checking_lab(gpu);
      if (rung.needs > lab->device().properties().compute_capability) continue;
      const auto module = compile_rung(*lab, rung, {});
      for (const OperationCase& size : operation.cases) {
        if (!wanted(size) || !admits(rung, size.scalars)) continue;
        const KernelVerdict verdict = check_rung(*lab, operation, rung, size, module);
        ++checks;
        if (verdict.passed()) continue;
        FAIL_CHECK(rung.path << " on " << gpu << " at " << size.text() << "\n"
                             << tests::english(verdict));
      }
    }
  }
  return checks;
}

}  // namespace

TEST_CASE("every rung is right and clean at its quick sizes") {
  CHECK(check_all("h200", [](const auto& size) { return size.label == Label::quick; }) > 0);
}

TEST_CASE("every rung is right and clean at all sizes, on three architectures", "[ci]") {
  // The simulator's own code, which sanitizers watch, is the same for each.
  const std::string gpu =
      GENERATE(filter([](const std::string& name) { return !device::kSanitized || name == "h200"; },
                      values<std::string>({"t4", "rtx 4090", "h200"})));
  CHECK(check_all(gpu, [](const auto& size) { return size.label != Label::full; }) > 0);
}

TEST_CASE("every rung is right and clean at large sizes", "[long]") {
  CHECK(check_all("h200", [](const auto& size) { return size.label == Label::full; }) > 0);
}

TEST_CASE("every rung is run at some quick size") {
  for (const Operation& operation : tests::operations()) {
    for (const Rung& rung : operation.rungs) {
      CAPTURE(rung.path);
      CHECK(std::ranges::any_of(operation.cases, [&](const OperationCase& size) {
        return size.label == Label::quick && admits(rung, size.scalars);
      }));
      CHECK(admits(rung, operation.ladder.scalars));
    }
  }
}

}  // namespace warpbook::tests::rungs_test
