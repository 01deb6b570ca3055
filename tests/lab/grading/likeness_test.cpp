#include <catch2/catch_test_macros.hpp>

#include "lab/grading/likeness.hpp"

namespace warpbook::lab::likeness_test {

namespace {

const std::string kStarter = "__global__ void sum(const float* x, float* out, int n) {\n}\n";

const std::string kTree =
    "__global__ void sum(const float* x, float* out, int n) {\n"
    "  __shared__ float part[256];\n"
    "  float mine = 0;\n"
    "  for (int i = threadIdx.x; i < n; i += blockDim.x) mine += x[i] * 2;\n"
    "  part[threadIdx.x] = mine;\n"
    "  __syncthreads();\n"
    "  for (int step = 128; step > 0; step /= 2) {\n"
    "    if (threadIdx.x < step) part[threadIdx.x] += part[threadIdx.x + step];\n"
    "    __syncthreads();\n"
    "  }\n"
    "  if (threadIdx.x == 0) out[blockIdx.x] = part[0];\n"
    "}\n";

/// The same with other names, another layout and comments.
const std::string kRenamed =
    "// my own work\n"
    "__global__ void sum(const float* x, float* out, int n) {\n"
    "  __shared__ float buffer[256];\n"
    "  float total = 0;  /* so far */\n"
    "  for (int k = threadIdx.x; k < n;\n"
    "       k += blockDim.x) total += x[k] * 2;\n"
    "  buffer[threadIdx.x] = total; __syncthreads();\n"
    "  for (int half = 128; half > 0; half /= 2) { if (threadIdx.x < half)\n"
    "    buffer[threadIdx.x] += buffer[threadIdx.x + half]; __syncthreads(); }\n"
    "  if (threadIdx.x == 0) out[blockIdx.x] = buffer[0];\n"
    "}\n";

const std::string kShuffle =
    "__global__ void sum(const float* x, float* out, int n) {\n"
    "  int i = blockIdx.x * blockDim.x + threadIdx.x;\n"
    "  float v = i < n ? x[i] : 0.0f;\n"
    "  v += __shfl_down_sync(0xffffffffu, v, 16);\n"
    "  v += __shfl_down_sync(0xffffffffu, v, 8);\n"
    "  v += __shfl_down_sync(0xffffffffu, v, 4);\n"
    "  v += __shfl_down_sync(0xffffffffu, v, 2);\n"
    "  v += __shfl_down_sync(0xffffffffu, v, 1);\n"
    "  if ((threadIdx.x & 31) == 0) atomicAdd(out, v);\n"
    "}\n";

std::vector<Likeness> of(const std::vector<std::string_view>& sources) {
  return likenesses(sources, kStarter);
}

}  // namespace

TEST_CASE(
    "Likeness: renamed, laid out anew and commented, a submission is still like its original") {
  const auto found = of({kTree, kShuffle, kRenamed});
  REQUIRE(found.size() == 1);
  CHECK(found[0].a == 0);
  CHECK(found[0].b == 2);
  CHECK(found[0].share > 0.8);
  REQUIRE_FALSE(found[0].parts.empty());
  CHECK(found[0].parts.front().a.first == 2);
  CHECK(found[0].parts.front().b.first == 3);
  CHECK(found[0].parts.back().a.last == 11);
  CHECK(found[0].parts.back().b.last == 10);
}

TEST_CASE(
    "Likeness: what both have from the starter, or what is too short to tell, is no evidence") {
  CHECK(of({kStarter, kStarter}).empty());
  const std::string line =
      "__global__ void sum(const float* x, float* out, int n) {\n  out[0] = x[0];\n}\n";
  CHECK(of({line, line}).empty());
  CHECK(likenesses(std::vector<std::string_view>{kTree, kTree}, kTree).empty());
}

TEST_CASE("Likeness: what more than a quarter of a class wrote is nobody's own") {
  std::vector<std::string_view> sources(4, kTree);
  while (sources.size() < 12) sources.push_back(kShuffle);
  CHECK(of(sources).empty());
  std::vector<std::string_view> pair(2, kTree);
  while (pair.size() < 12) pair.push_back(kShuffle);
  const auto found = of(pair);
  REQUIRE(found.size() == 1);
  CHECK(found[0].b == 1);
}

TEST_CASE("Likeness: hostile sources are compared like any other") {
  const std::string quote(10000, '"'), deep(100000, '('), comment = "/*" + std::string(1000, 'x');
  CHECK_NOTHROW(of({quote, deep, comment, std::string_view()}));
}

}  // namespace warpbook::lab::likeness_test
