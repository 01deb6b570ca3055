// What a check says of a kernel, and what it refuses to check. That it finds wrong kernels out is shown in tests/kernels.
#include "lab/operation/kernel_check.hpp"

#include <fstream>

#include <catch2/catch_test_macros.hpp>

#include "tests/keyed.hpp"
#include "tests/temporary_folder.hpp"

namespace warpbook::tests::kernel_check_test {

using namespace warpbook;
using namespace warpbook::lab;

namespace {

std::string says(const KernelFailure& failure, const std::string& language = "en") {
  return sentence(failure, **Strings::load(language, WARPBOOK_SOURCE_DIR));
}

Deviation deviation_of(double allowed_l2) {
  Deviation d;
  d.name = "out";
  d.tolerance = "products";
  d.elements = 1000;
  d.bad = 3;
  d.relative_l2 = 0.5;
  d.allowed_l2 = allowed_l2;
  d.worst = 7;
  d.worst_error = 1.25;
  d.first = {{7, 2.25, 1}};
  return d;
}

/// What ends a check of the only rung of kernels/add/ in a folder with this //@ block and these parameters.
std::string ends_with(const std::string& block, const std::string& operation = "add") {
  const tests::TemporaryFolder folder;
  folder.write(
      "kernels/" + operation + "/operation.toml",
      "tolerance = \"sum\"\n[[parameter]]\nname = \"x\"\nkind = \"input\"\ntype = \"f32\"\n"
      "shape = [\"n\"]\n[[parameter]]\nname = \"y\"\nkind = \"input\"\nlike = \"x\"\n"
      "[[parameter]]\nname = \"out\"\nkind = \"output\"\nlike = \"x\"\n"
      "[[parameter]]\nname = \"n\"\nkind = \"scalar\"\ntype = \"i32\"\n[[case]]\nn = 3\n");
  folder.write("kernels/" + operation + "/01_plain.cu",
               "//@ idea: plain\n" + block +
                   "__global__ void add(const float* x, const float* y, float* out, int n) {\n"
                   "  const int i = blockIdx.x * blockDim.x + threadIdx.x;\n"
                   "  if (i < n) out[i] = x[i] + y[i];\n}\n");
  const auto loaded = load_operation(folder.path().string(), operation);
  REQUIRE(loaded.has_value());
  const auto lab =
      checking_lab(std::make_shared<device::Compiler>(), folder.path().string(), "h200");
  REQUIRE(lab.has_value());
  try {
    const KernelVerdict verdict =
        check_rung(**lab, *loaded, loaded->rungs.at(0), loaded->cases.at(0));
    return verdict.passed() ? "passed" : says(verdict.failures.front());
  } catch (const ExperimentFailed& failed) {
    return warpbook::tests::keyed(failed.error);
  }
}

}  // namespace

TEST_CASE("a failed check says what is wrong, where, and by how much, in both languages") {
  KernelFailure failure;
  failure.caught = Caught::values;
  failure.inputs = "normal";
  failure.deviation = deviation_of(-1);
  CHECK(
      says(failure) ==
      "normal numbers: 3 of 1,000 elements of out are wrong (allowed: products); the relative L2 "
      "error is 0.5, and the worst element is out[7], off by 1.25\n  out[7] is 2.25 and should be "
      "1");
  CHECK(says(failure, "zh").find("out 的 1,000 个元素中有 3 个是错的") != std::string::npos);
  failure.deviation = deviation_of(1e-6);
  CHECK(says(failure).find("the relative L2 error of out is 0.5, and 1e-6 is allowed (products)") !=
        std::string::npos);

  failure = {Caught::repeat, "integers", {}, {}, "out", 12};
  CHECK(says(failure).find(
            "small integers: a second run on the same inputs gives a different out in 12") == 0);
  failure = {Caught::barrier,
             "edges",
             device::Error{device::ErrorCode::deadlock, {{"who", "all"}}, {}},
             {},
             {},
             0};
  CHECK(says(failure) ==
        "edge values: no thread can go on: all; let those that are waited for arrive");
}

TEST_CASE("a check ends at what is no fault of the kernel's, with its file and line") {
  const std::string geometry = "//@ block: 32\n//@ grid: ceil_div(n, block)\n";
  CHECK(ends_with(geometry + "//@ depth: 1\n") == "passed");
  CHECK(ends_with(geometry) == "kernels/add/01_plain.cu:1: bad_rung(why=phrase.rung.sum-depth)");
  const std::string unnamed = ends_with("//@ block: 32\n//@ grid: blocks\n//@ depth: 1\n");
  CHECK(unnamed.find("why=phrase.expression.no-name(known=") != std::string::npos);
  CHECK(unnamed.find(", name=blocks)") != std::string::npos);
  CHECK(ends_with(geometry + "//@ depth: 1\n//@ zero: flags\n")
            .find("bad_rung(why=phrase.rung.zero(name=flags))") != std::string::npos);
  CHECK(ends_with(geometry + "//@ depth: 1\n//@ workspace: x f32[n]\n")
            .find("bad_rung(why=phrase.rung.workspace-name(name=x))") != std::string::npos);
  CHECK(ends_with(geometry + "//@ depth: 1\n", "subtract")
            .find("unknown_name(kind=phrase.kind.reference, known=phrase.operation.references, "
                  "name=subtract)") != std::string::npos);
  CHECK(ends_with("//@ block: 4096\n//@ grid: 1\n//@ depth: 1\n")
            .find("cudaErrorInvalidConfiguration") != std::string::npos);
}

}  // namespace warpbook::tests::kernel_check_test
