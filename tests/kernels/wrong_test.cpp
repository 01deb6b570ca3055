// The checks bite: every kernel in tests/kernels/wrong/<operation>/ is found out, by what its block's `caught` says.
#include <filesystem>
#include <set>

#include <catch2/catch_test_macros.hpp>

#include "tests/kernels/ladder.hpp"

namespace warpbook::tests::wrong_test {

using namespace warpbook;
using namespace warpbook::lab;
namespace fs = std::filesystem;

namespace {

const std::string kWrong = "tests/kernels/wrong";

/// Whether some case finds it out as it should be; all that was found otherwise goes into `found`.
bool is_caught(const Operation& operation, const Rung& rung, std::string& found) {
  const auto lab = tests::checking_lab("h200");
  const auto module = compile_rung(*lab, rung, {});
  for (const OperationCase& size : operation.cases) {
    if (size.label == OperationCase::Label::full || !admits(rung, size.scalars)) continue;
    const KernelVerdict verdict = check_rung(*lab, operation, rung, size, module);
    for (const KernelFailure& failure : verdict.failures) {
      if (name_of(failure.caught) == rung.caught) return true;
    }
    found += tests::english(verdict);
  }
  return false;
}

}  // namespace

TEST_CASE("known-wrong kernels are found out, and by the checker that they name") {
  std::set<std::string> tried;
  for (const auto& folder : fs::directory_iterator(fs::path(WARPBOOK_SOURCE_DIR) / kWrong)) {
    const std::string name = folder.path().filename().string();
    tried.insert(name);
    const auto operation = load_operation(WARPBOOK_SOURCE_DIR, name);
    REQUIRE(operation.has_value());
    const auto rungs = load_rungs(WARPBOOK_SOURCE_DIR, kWrong + "/" + name);
    INFO((rungs ? "" : rungs.error().english()));
    REQUIRE(rungs.has_value());
    CHECK_FALSE(rungs->empty());
    for (const Rung& rung : *rungs) {
      std::string found;
      const bool caught = is_caught(*operation, rung, found);
      CAPTURE(rung.path, rung.caught, found);
      CHECK(caught);
    }
  }
  for (const Operation& operation : tests::operations()) {
    CAPTURE(operation.name);
    CHECK(tried.contains(operation.name));
  }
}

}  // namespace warpbook::tests::wrong_test
