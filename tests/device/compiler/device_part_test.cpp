#include <filesystem>
#include <fstream>

#include <catch2/catch_test_macros.hpp>

#include "device/compiler/device_part.hpp"

using namespace warpbook::device;

namespace {

std::string squeezed(const std::string& text) {
  std::string result;
  for (const char c : text) {
    if (c != ' ' && c != '\n') result += c;
  }
  return result;
}

}  // namespace

TEST_CASE("A main() and the host's own functions and variables go, lines and columns stay") {
  const std::string source =
      "__global__ void k(int* x) { *x = 1; }\n"
      "std::vector<float> v(10);\n"
      "static int calls = 0;\n"
      "float cpu(float x) { return x; }\n"
      "template <class T> void check(T e, const char* text = \"}\") { if (e) { abort(); } }\n"
      "int main(int argc, char** argv) {\n"
      "  k<<<1, 1>>>(nullptr);  // }\n"
      "  const char* s = R\"(})\";\n"
      "}\n"
      "__device__ int after;\n";
  const std::string part = without_host_code(source);
  CHECK(part.size() == source.size());
  CHECK(squeezed(part) == squeezed("__global__ void k(int* x) { *x = 1; }__device__ int after;"));
  CHECK(part.find("__device__ int after") == source.find("__device__ int after"));
}

TEST_CASE("Device code stays as it is, letter for letter") {
  const std::string source = R"(
#define HD __host__ __device__
const int N = 1 << 20;
typedef float real;
using Real = float;
struct __align__(8) P { float a, b; };
enum class E : short { A };
HD float sq(float x) { return x * x; }
__host__ __device__ inline bool operator==(P a, P b) { return a.a == b.a; }
struct P make(float);
__device__ struct P make(float a) { return {a, a}; }
__constant__ float c[2] = {1, 2};
template <int T = 4, bool B = true> __global__ void t(float* x) { x[0] = T; }
template __global__ void t<4, true>(float*);
__device__ auto twice = [] __device__(int x) { return 2 * x; };
namespace ns { __device__ float g(float x) { return x; } }
extern "C" { __global__ void k(float* x) { x[0] = ns::g(1); } }
extern "C" __global__ void k1(float* x) { x[0] = 1; }
extern __shared__ float tile[];
#ifdef FOO
__global__
#else
__global__ __launch_bounds__(64)
#endif
void k2(float* x) { x[0] = 1; }
asm(".global .u32 g;");
static_assert(sizeof(P) == 8);
)";
  CHECK(without_host_code(source) == source);
}

TEST_CASE("A constexpr function becomes one that device code may call") {
  CHECK(without_host_code("constexpr int twice(int x) { return 2 * x; }") ==
        "__device__ constexpr int twice(int x) { return 2 * x; }");
  CHECK(without_host_code("template <class T> constexpr T id(T x) { return x; }") ==
        "template <class T> __device__ constexpr T id(T x) { return x; }");
  CHECK(without_host_code("__host__ __device__ constexpr int f() { return 1; }") ==
        "__host__ __device__ constexpr int f() { return 1; }");
}

TEST_CASE("Preprocessor lines inside host code stay, so that conditions stay paired") {
  const std::string part = without_host_code("int main() {\n#ifdef A\n  f();\n#endif\n}\n");
  CHECK(squeezed(part) == "#ifdefA#endif");
}

TEST_CASE("Text that is no program stays as it is") {
  for (const std::string source :
       {"", "}}}}", "int main() {", "\"", "/*", "R\"(", "#define", "((((", "a", "operator"}) {
    CAPTURE(source);
    CHECK(without_host_code(source).size() == source.size());
  }
}

TEST_CASE("A file's own headers take the place of their includes, at their own lines") {
  const auto folder = std::filesystem::temp_directory_path() / "warpbook-device-part-test";
  std::filesystem::remove_all(folder);
  std::filesystem::create_directories(folder / "inner");
  const auto write = [](const std::filesystem::path& file, std::string_view text) {
    std::ofstream(file) << text;
  };
  write(folder / "inner" / "own.cuh", "#pragma once\n#include \"deep.cuh\"\n__device__ int own;\n");
  write(folder / "inner" / "deep.cuh", "__device__ int deep;\n");
  write(folder.parent_path() / "warpbook-outside.cuh", "__device__ int secret;\n");
  const auto part = device_part_of(
      folder / "a.cu",
      "#include \"inner/own.cuh\"\n#include \"inner/own.cuh\"\n"
      "#include \"../warpbook-outside.cuh\"\n#include <cuda_fp16.h>\n__global__ void k() {}\n");
  REQUIRE(part);
  CHECK(part->find("__device__ int own;") != std::string::npos);
  CHECK(part->find("__device__ int deep;") != std::string::npos);
  CHECK(part->find("__device__ int own;") == part->rfind("__device__ int own;"));
  CHECK(part->find("#line 1 \"own.cuh\"") != std::string::npos);
  CHECK(part->find("#line 2 \"a.cu\"") != std::string::npos);
  // What lies outside the file's folder stays an include, which the compiler's box then refuses.
  CHECK(part->find("secret") == std::string::npos);
  CHECK(part->find("#include \"../warpbook-outside.cuh\"") != std::string::npos);
  std::filesystem::remove_all(folder);
  std::filesystem::remove(folder.parent_path() / "warpbook-outside.cuh");
}
