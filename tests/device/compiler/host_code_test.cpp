#include "device/compiler/host_code.hpp"

#include <catch2/catch_test_macros.hpp>

#include <algorithm>

#include "tests/device/compiler/compilers.hpp"

namespace warpbook::tests::host_code_test {

using namespace warpbook::device;

namespace {

const std::string kMain = "int main() { return 0; }\n";

bool stays(const std::string& item, const std::string& source) {
  return without_host_code(source).find(item) != std::string::npos;
}

}  // namespace

TEST_CASE("A whole CUDA program compiles to its device code") {
  const auto program = compiler().compile(request_of(R"(
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cuda_runtime.h>
#include <iostream>
#include <string>
#include <vector>
#define CHECK(call)                                                      \
  do {                                                                   \
    cudaError_t e = (call);                                              \
    if (e != cudaSuccess) { report(e, __FILE__, __LINE__); exit(1); }    \
  } while (0)
#define BLOCK 256
using Clock = std::chrono::steady_clock;
typedef std::vector<float> Host;
static void report(cudaError_t e, const char* file, int line) {
  fprintf(stderr, "%s:%d: %s }\n", file, line, cudaGetErrorString(e));
}
struct Timer {
  cudaEvent_t begin, end;
  Timer() { cudaEventCreate(&begin); }
};
std::vector<float> g_host; float *d_x, *d_y = nullptr;
const int kScale = 3;
enum { kOne = 1 };
struct Point { float x, y; };
__device__ __constant__ float c_table[4];
__device__ float twice(float v) { return 2 * v + kOne; }
void verify(const Host& a, const Host& b);
template <typename T>
__global__ void __launch_bounds__(BLOCK) scale(T* x, Point p, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) x[i] = twice(x[i]) * kScale + p.x + c_table[i & 3];
}
template __global__ void scale<float>(float*, Point, int);
template <typename T> void run(T* x, int n) {
  scale<T><<<(n + BLOCK - 1) / BLOCK, BLOCK>>>(x, Point{1, 2}, n);
  CHECK(cudaGetLastError());
}
void verify(const Host& a, const Host& b) {
  for (size_t i = 0; i < a.size(); ++i) if (a[i] != b[i]) std::cout << "wrong" << std::endl;
}
int main(int argc, char** argv) {
  Host h(10);
  CHECK(cudaMalloc(&d_x, 40));
  auto t = Clock::now();
  run(d_x, 10);
  CHECK(cudaMemcpy(h.data(), d_x, 40, cudaMemcpyDeviceToHost));
  printf("a brace in a string }\n");
  return 0;
}
)"));
  if (!program) FAIL(everything_said(program.error()));
  CHECK((*program)->ptx.find(".entry _Z5scaleIfEvPT_5Pointi") != std::string::npos);
  CHECK((*program)->diagnostics.empty());
}

TEST_CASE("What is left out leaves its lines and columns") {
  const std::string source =
      "int host(int x) {\n  return x; /* é */\n}\n__global__ void f() {}\n" + kMain;
  const std::string left = without_host_code(source);
  REQUIRE(left.size() == source.size());
  CHECK(std::count(left.begin(), left.end(), '\n') ==
        std::count(source.begin(), source.end(), '\n'));
  CHECK(left.find("__global__ void f() {}") == source.find("__global__ void f() {}"));
  CHECK(left.find("return") == std::string::npos);
}

TEST_CASE("A source without a main and without launches stays as it is") {
  for (const std::string& source :
       std::initializer_list<std::string>{"int host() { return 1; }\n__global__ void f() {}\n", "",
                                          "main", "// int main() {}\nint x;"}) {
    CHECK(without_host_code(source) == source);
  }
}

TEST_CASE("A source whose braces do not match stays as it is") {
  for (const std::string& source :
       std::initializer_list<std::string>{"__global__ void f() {\n" + kMain, "}\n" + kMain,
                                          "int a[3\n;" + kMain, "namespace a {\n" + kMain}) {
    CHECK(without_host_code(source) == source);
  }
}

TEST_CASE("Device code stays, in whatever way it says that it is") {
  for (const std::string& item : std::initializer_list<std::string>{
           "__device__ int f() { return 1; }", "extern \"C\" __global__ void f() {}",
           "__constant__ int c[3] = {1, 2, 3};", "template <class T> __global__ void f(T* x) {}",
           "__host__ __device__ int f() { return 1; }", "static __device__ int f();",
           "struct S { __device__ int get() { return 1; } };", "_CCCL_DEVICE int f() { return 1; }",
           "#define HD __host__ __device__\nHD int f() { return 1; }",
           "#define INNER __device__\n#define OUTER INNER inline\nOUTER int f() { return 1; }",
           "#define KERNEL(n) __global__ void n()\nKERNEL(f) { }",
           "namespace a { namespace b { __device__ int f() { return 1; } } }",
           "extern \"C\" { __device__ int f() { return 1; } }",
           "__device__ S::S(int a) : x{a}, y(2) { z = 1; }"}) {
    CAPTURE(item);
    CHECK(stays(item, item + "\n" + kMain));
  }
}

TEST_CASE("What device code uses stays, and what that uses") {
  for (const auto& [item, use] : std::initializer_list<std::pair<std::string, std::string>>{
           {"struct P { int x; };", "P p"},
           {"const int n = 3, m = 4;", "int a = m"},
           {"enum E { A, B };", "int a = B"},
           {"typedef float T;", "T t"},
           {"typedef float (*F)(float);", "F f"},
           {"using T = float;", "T t"},
           {"constexpr int f(int x) { return x; }", "int a = f(1)"},
           {"template <class T> struct S { T x; };", "S<int> s"},
           {"template <> struct S<int> { };", "S<int> s"},
           {"#define N m\nconst int m = 3;", "int a = N"},
           {"const int m = 3;\nconst int n = m;", "int a = n"},
           {"struct alignas(16) V { int x; };", "V v"},
           {"union U { int a; float b; };", "U u"},
           {"inline int over(int x) { return x; }", "int a = over(1)"}}) {
    CAPTURE(item);
    CHECK(stays(item, item + "\n__global__ void k() { " + use + "; }\n" + kMain));
  }
}

TEST_CASE("What only the host uses is left out") {
  for (const std::string& item : std::initializer_list<std::string>{
           "struct P { std::string x; };", "int n = 3;", "std::vector<int> v{1, 2};",
           "dim3 grid(1, 2), block(3);", "void f(std::string s);", "void f() { k<<<1, 1>>>(); }",
           "auto f() -> std::string { return {}; }",
           "template <class T> void f(std::vector<T> x) {}", "using T = std::string;",
           "typedef std::vector<int> V;", "namespace a { int f() { return 1; } }",
           "__host__ int f() { return 1; }", "S::S(int a) : x{a}, y(2) { z = 1; }",
           "char const* s = R\"x(})x\";", "char c = '}', d = '\\'';",
           "static const char* const kNames[] = {\"a\", \"b\"};"}) {
    CAPTURE(item);
    CHECK_FALSE(stays(item, item + "\n__global__ void k() { }\n" + kMain));
    CHECK(stays("__global__ void k() { }", item + "\n__global__ void k() { }\n" + kMain));
  }
}

TEST_CASE("A function ends with its body also where it is an operator with = in its name") {
  for (const char* name : {"=", "+=", "==", "<<=", "!="}) {
    CAPTURE(name);
    const std::string item =
        std::string("__device__ V& operator") + name + "(V& a, V b) { return a; }";
    CHECK(stays(item, item + "\nint host() { return 1; }\n" + kMain));
    CHECK_FALSE(stays("host", item + "\nint host() { return 1; }\n" + kMain));
  }
}

TEST_CASE("A name expression counts as use") {
  const std::string source = "template <class T> struct S { };\n" + kMain;
  CHECK(without_host_code(source, {"k<S<int>>"}).find("struct S") != std::string::npos);
  CHECK(without_host_code(source).find("struct S") == std::string::npos);
}

TEST_CASE("Directives stay, also within what is left out") {
  CHECK(stays("#ifdef A", "int main() {\n#ifdef A\n  f();\n#endif\n}\n"));
  CHECK_FALSE(stays("f()", "int main() {\n#ifdef A\n  f();\n#endif\n}\n"));
}

TEST_CASE("Any cut of a program is taken without harm") {
  const std::string source =
      "#define A \\\n 1\nnamespace a { /* x */ struct S { char c = '}'; }; }\ntemplate <int N> "
      "__global__ void f(int* x) { *x = R\"(})\"[0]; }\n" +
      kMain;
  for (std::size_t length = 0; length <= source.size(); ++length) {
    CHECK(without_host_code(source.substr(0, length)).size() == length);
    CHECK(without_host_code(source.substr(length)).size() == source.size() - length);
  }
}

TEST_CASE("Branches that the text itself shows to be dead open and close nothing") {
  const std::string host = "int host() { return 1; }\n";
  for (const std::string& dead : std::initializer_list<std::string>{
           "#if 0\nvoid f() {\n#endif\n", "#if 1\n#else\nvoid f() {\n#endif\n",
           "#define A\n#ifndef A\nvoid f() {\n#endif\n",
           "#define A\n#undef A\n#ifdef A\nvoid f() {\n#endif\n",
           "#define A\n#if !defined(A)\nvoid f() {\n#endif\n",
           "#if 0\n#if B\nvoid f() {\n#else\n}}\n#endif\n#endif\n",
           "#ifndef G\n#define G\nint g();\n#endif\n#ifndef G\n#define G\nvoid f() {\n#endif\n"}) {
    CAPTURE(dead);
    CHECK_FALSE(stays("host", dead + host + kMain));
    CHECK(stays("__global__ void k() { }", dead + "__global__ void k() { }\n" + host + kMain));
  }
}

TEST_CASE("A half that closes what a guarded header opened before is left") {
  const std::string wrap =
      "#ifndef W\n#define W\n#ifdef __cplusplus\nextern \"C\" {\n#endif\n"
      "#else\n#undef W\n#ifdef __cplusplus\n}\n#endif\n#endif\n";
  const std::string text = wrap + "void host();\n" + wrap + wrap + "int other();\n" + wrap + kMain;
  CHECK_FALSE(stays("host", text));
  CHECK_FALSE(stays("other", text));
  CHECK(stays("#undef W", text));
}

TEST_CASE("Of branches that depend on what the text does not say, both stay") {
  for (const std::string& condition :
       std::initializer_list<std::string>{"#ifdef SAID_ELSEWHERE\n", "#if SAID_ELSEWHERE > 1\n",
                                          "#ifdef B\n#define A\n#endif\n#ifdef A\n"}) {
    const std::string both = condition +
                             "__device__ int f() { return 1; }\n#else\n"
                             "__device__ int f() { return 2; }\n#endif\n";
    CAPTURE(both);
    CHECK(stays("return 1;", both + kMain));
    CHECK(stays("return 2;", both + kMain));
  }
}

}  // namespace warpbook::tests::host_code_test
