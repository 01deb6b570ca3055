// `warpbook launch` on a .cu as it is found: a whole program with its host code and headers.
#include <cstring>
#include <string>
#include <vector>

#include <catch2/catch_test_macros.hpp>
#include <catch2/matchers/catch_matchers_string.hpp>

#include "tests/cli/program.hpp"

namespace warpbook::tests::launch_foreign_test {

using Catch::Matchers::ContainsSubstring;

namespace {

constexpr const char* kProgram = R"(
#include "helper_cuda.h"
#include <thrust/host_vector.h>
#include <shapes.cuh>
float* d_values;
template <typename T, int N> __global__ void fill(T* x, T* d_values) {
  x[threadIdx.x] = kCorners + N;
}
template <typename T> __global__ void clear(T* x) { x[threadIdx.x] = 0; }
void run(float* x) { checkCudaErrors(cudaMalloc(&d_values, 4)); fill<float, 3><<<1, 4>>>(x, x); }
int main(int argc, char** argv) { thrust::host_vector<float> v(4); run(v.data()); }
)";

std::vector<float> floats_of(const std::string& bytes) {
  std::vector<float> values(bytes.size() / sizeof(float));
  std::memcpy(values.data(), bytes.data(), bytes.size());
  return values;
}

}  // namespace

TEST_CASE("A whole program's kernel runs, its instance and its headers' folder named", "[ci]") {
  const TemporaryFolder folder;
  const std::string file = folder.write("src/program.cu", kProgram);
  folder.write("inc/shapes.cuh", "#pragma once\n__constant__ int kCorners = 4;\n");
  const std::string headers = (folder.path() / "inc").string();
  const std::string out = (folder.path() / "out.bin").string();
  const auto run = [&](const std::string& kernel) {
    return warpbook({"launch", file, "-I", headers, "--kernel", kernel, "--block", "4", "--arg",
                     "out:16=" + out, "--arg", "null"});
  };
  for (const std::string& kernel : {std::string("fill"), std::string("fill<float, 3>")}) {
    const Outcome done = run(kernel);
    CAPTURE(done.err);
    REQUIRE(done.code == 0);
    CHECK(floats_of(read_whole(out)) == std::vector<float>(4, 7.0f));
    CHECK_THAT(done.err, ContainsSubstring("left out: helper_cuda.h"));
  }
  const Outcome other = run("fill<float, 6>");
  CAPTURE(other.err);
  REQUIRE(other.code == 0);
  CHECK(floats_of(read_whole(out)) == std::vector<float>(4, 10.0f));
}

TEST_CASE("A template that is launched nowhere is told how to be named", "[ci]") {
  const TemporaryFolder folder;
  const std::string file = folder.write("program.cu", kProgram);
  folder.write("shapes.cuh", "");
  const Outcome done = warpbook(
      {"launch", file, "-I", folder.path().string(), "--kernel", "clear", "--arg", "out:16"});
  CHECK(done.code == 2);
  CHECK_THAT(done.err, ContainsSubstring("'clear<float>'"));
}

TEST_CASE("A header that a kernel needs and that is not here is named with the remedy", "[ci]") {
  const TemporaryFolder folder;
  const Outcome done = warpbook({"launch", folder.write("program.cu", kProgram), "--kernel", "fill",
                                 "--arg", "out:16", "--arg", "null"});
  CHECK(done.code == 1);
  CHECK_THAT(done.err, ContainsSubstring("shapes.cuh") && ContainsSubstring("--include"));
}

TEST_CASE("A program may use vectors' arithmetic though helper_math.h is not beside it", "[ci]") {
  const TemporaryFolder folder;
  const std::string file = folder.write("shade.cu", R"(
#include <helper_math.h>
__global__ void shade(float* y) {
  float3 a = make_float3(1, 2, 3), b = make_float3(make_float2(4.0f), 5.0f);
  a += 1.0f;
  b = 2.0f * b - a;
  y[0] = dot(a, b);
  y[1] = length(make_float2(make_int2(3, -4)));
  y[2] = cross(a, b).z;
  y[3] = clamp(lerp(a, b, 0.5f), 0.0f, 4.5f).y;
  y[4] = fminf(make_float4(a, 9), make_float4(7)).w + max(make_int3(4), abs(make_int3(-6, 0, 1))).x;
  y[5] = (normalize(a) / 2.0f).x * length(a);
})");
  const std::string out = (folder.path() / "out.bin").string();
  const Outcome done = warpbook({"launch", file, "--arg", "out:24=" + out});
  CAPTURE(done.err);
  REQUIRE(done.code == 0);
  // a = 2 3 4, b = 8 8 10 - a = 6 5 6
  const std::vector<float> y = floats_of(read_whole(out));
  CHECK(std::vector<float>(y.begin(), y.end() - 1) ==
        std::vector<float>{51, 5, 2 * 5 - 3 * 6, 4, 7 + 6});
  CHECK(y.back() > 0.9999f);
  CHECK(y.back() < 1.0001f);
}

TEST_CASE("Of overloaded kernels one is named with its parameters", "[ci]") {
  const TemporaryFolder folder;
  const std::string file = folder.write("overloads.cu",
                                        "__global__ void set(int* x) { *x = 1; }\n"
                                        "__global__ void set(float* x, float v) { *x = v; }\n");
  const std::string out = (folder.path() / "out.bin").string();
  const auto run = [&](const std::string& kernel, std::vector<std::string> arguments) {
    std::vector<std::string> words{"launch", file, "--kernel", kernel, "--arg", "out:4=" + out};
    words.insert(words.end(), arguments.begin(), arguments.end());
    return warpbook(words);
  };
  const Outcome both = run("set", {});
  CHECK(both.code == 1);
  CHECK_THAT(both.err, ContainsSubstring("set(int*), set(float*, float)"));
  const Outcome one = run("set(float*,float)", {"--arg", "f32:2.5"});
  CAPTURE(one.err);
  REQUIRE(one.code == 0);
  CHECK(floats_of(read_whole(out)) == std::vector<float>(1, 2.5f));
}

}  // namespace warpbook::tests::launch_foreign_test
