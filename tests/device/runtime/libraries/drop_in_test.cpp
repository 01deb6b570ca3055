// The drop-in libraries, by programs that call them: each case holds what the library gives against plain loops, or against what
// NVIDIA's gives.
#include <algorithm>
#include <string>

#include <catch2/catch_test_macros.hpp>
#include <catch2/generators/catch_generators.hpp>

#include "tests/device/runtime/whole_program.hpp"

namespace warpbook::tests::drop_in_test {
namespace {

/// The program's answers are right, its kernels touched nothing but its arrays, and the library freed what it had allocated.
void check_library(std::string_view library, const std::string& wanted) {
  CAPTURE(library, wanted);
  const RanProgram ran = run_case(library, wanted);
  check_documented(ran);
  CHECK(never_freed(ran.outcome) == 0);
  for (const auto& launch : ran.outcome.record.launches) CHECK(launch.findings_total == 0);
}

bool launched(const RanProgram& ran, std::string_view kernel) {
  return std::ranges::any_of(ran.outcome.record.launches,
                             [&](const auto& launch) { return launch.kernel == kernel; });
}

}  // namespace

TEST_CASE("cuBLAS computes what plain loops compute, and refuses what NVIDIA's refuses") {
  check_library("cublas",
                GENERATE(as<std::string>{}, "vectors", "edges", "matrix-and-vector", "products",
                         "unread", "batches", "special-matrices", "sums", "mixed-types",
                         "device-pointers", "streams", "copies", "errors", "naming"));
}

TEST_CASE("cuBLAS's functions from before it had handles do the same, and keep their errors") {
  check_library("cublas_legacy", GENERATE(as<std::string>{}, "all", "errors"));
}

TEST_CASE("cuFFT gives the sums that define a transform, for every size and type") {
  check_library("cufft", GENERATE(as<std::string>{}, "lines", "planes-and-boxes", "batches",
                                  "strided", "work-areas-and-streams", "errors"));
}

TEST_CASE("cuDNN's layers give what plain loops give, in every layout") {
  check_library("cudnn", GENERATE(as<std::string>{}, "convolutions", "activations", "softmax",
                                  "pooling", "biases", "errors"));
}

TEST_CASE("cuRAND gives NVIDIA's numbers for a seed, whole or in pieces") {
  check_library("curand",
                GENERATE(as<std::string>{}, "bits", "distributions", "pieces", "rows-of-philox",
                         "poisson", "for-the-host", "streams", "errors"));
}

TEST_CASE("A library's kernels stand in the record under the library's name") {
  const RanProgram ran = run_case("cublas", "device-pointers");
  CHECK(launched(ran, "cublas_saxpy"));
  CHECK(launched(ran, "cublas_sdot"));
  CHECK(launched(ran, "cublas_sdot_partials"));
}

}  // namespace warpbook::tests::drop_in_test
