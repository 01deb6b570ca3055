// Programs as they are found: written for nvcc, with headers that are not here and host code around.
#include <catch2/catch_test_macros.hpp>
#include <catch2/matchers/catch_matchers_string.hpp>

#include "device/compiler/host_code.hpp"
#include "device/compiler/kernel_templates.hpp"
#include "device/compiler/nvcc_conditions.hpp"
#include "tests/device/compiler/compilers.hpp"

namespace warpbook::tests::foreign_program_test {

using namespace warpbook::device;
using Catch::Matchers::ContainsSubstring;

namespace {

CompileRequest foreign(const std::string& source) {
  CompileRequest request = request_of(source);
  request.foreign = true;
  return request;
}

std::string ptx_of(const CompileRequest& request) {
  const auto program = compiler().compile(request);
  if (!program) FAIL(everything_said(program.error()));
  return (*program)->ptx;
}

std::string first_error_of(const CompileRequest& request) {
  const auto program = compiler().compile(request);
  if (program) FAIL("it compiles");
  return program.error().error.english();
}

}  // namespace

TEST_CASE("Headers that only host code needs may be absent, and a warning names each") {
  const auto program = compiler().compile(foreign(R"(
#include <GL/glut.h>
#include "helper_cuda.h"
#include <mpi.h>
__global__ void k(int* x) { *x = 1; }
int main() { checkCudaErrors(cudaDeviceSynchronize()); }
)"));
  if (!program) FAIL(everything_said(program.error()));
  REQUIRE((*program)->diagnostics.size() == 3);
  CHECK((*program)->diagnostics[1].severity == Severity::warning);
  CHECK((*program)->diagnostics[1].place.line == 3);
  CHECK_THAT((*program)->diagnostics[1].text, ContainsSubstring("helper_cuda.h"));
}

TEST_CASE("A program of ours is held to its headers") {
  CHECK_THAT(first_error_of(request_of("#include \"helper_cuda.h\"\n__global__ void k() {}\n")),
             ContainsSubstring("cannot open source file \"helper_cuda.h\""));
}

TEST_CASE("An absent header that a kernel needs is named with the remedy") {
  CHECK_THAT(first_error_of(foreign("#include \"shapes.h\"\n__global__ void k(Shape s) {}\n")),
             ContainsSubstring("shapes.h, not found: put that beside the file, or name its folder "
                               "with --include"));
}

TEST_CASE("The headers of CUDA's host libraries cost nothing") {
  for (const std::string& header : std::initializer_list<std::string>{
           "cuda.h", "cublas_v2.h", "cufft.h", "cusparse.h", "cuda_profiler_api.h",
           "cuda_gl_interop.h", "thrust/device_vector.h", "thrust/sort.h", "map", "sys/stat.h",
           "bits/stdc++.h"}) {
    CAPTURE(header);
    CHECK_THAT(
        ptx_of(foreign("#include <" + header + ">\n__global__ void k(int* x) { *x = 1; }\n")),
        ContainsSubstring(".entry _Z1kPi"));
  }
}

TEST_CASE("What nvcc declares unasked is there") {
  CHECK_THAT(ptx_of(request_of(R"(
__global__ void k(int* x, float* y) {
  uint a = 1; ushort b = 2; ulong c = 3; int64_t d = 4; std::size_t e = 5;
  x[0] = a + b + c + d + e + INT_MAX + CHAR_BIT + std::min(1, 2) + std::abs(-3) + RAND_MAX;
  y[0] = std::sqrt(2.0f) + M_PI;
}
)")),
             ContainsSubstring(".entry"));
}

TEST_CASE("A program that asks for nvcc gets the branch that nvcc would take") {
  for (const std::string& condition : std::initializer_list<std::string>{
           "ifdef __NVCC__", "if defined(__NVCC__) && __NVCC__ == 1", "if __NVCC__",
           "if 0\n#elif defined(__CUDACC__) && \\\n    defined(__NVCC__)",
           "ifndef __NVCC__\n#error not nvcc\n#endif\n#if 1"}) {
    CAPTURE(condition);
    CHECK_THAT(ptx_of(foreign("#" + condition + R"(
#define HD __host__ __device__
#else
#define HD
#endif
HD int twice(int x) { return 2 * x; }
__global__ void k(int* x) { *x = twice(*x); }
)")),
               ContainsSubstring(".entry _Z1kPi"));
  }
}

TEST_CASE("The toolkit's own headers still know NVRTC where a program asks for nvcc") {
  CHECK_THAT(ptx_of(foreign(R"(
#ifdef __NVCC__
#include <cooperative_groups.h>
#include <cuda/std/climits>
#include <cuda/std/limits>
#endif
__global__ void k(int* x) {
  cooperative_groups::this_thread_block().sync();
  *x = cuda::std::numeric_limits<int>::max();
}
)")),
             ContainsSubstring(".entry _Z1kPi"));
}

TEST_CASE("Only conditions that ask for nvcc are put otherwise, and lines stay") {
  const std::string others =
      "// __NVCC__\n#define A __NVCC__\nconst char* s = \"__NVCC__\";\n#ifdef __NVCC__X\n#endif\n";
  CHECK(asked_as_of_nvcc(others) == others);
  CHECK(asked_as_of_nvcc("#if !defined(__NVCC__) \\\n || __NVCC__ // __NVCC__\n#endif\n") ==
        "#if !defined(__CUDACC__) \\\n || __CUDACC__ // __NVCC__\n#endif\n");
  CHECK(asked_as_of_nvcc("").empty());
}

TEST_CASE("The machine's macros have the values that nvcc gives them") {
  CHECK_THAT(ptx_of(foreign(R"(
#if __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__ || __BYTE_ORDER__ != __ORDER_LITTLE_ENDIAN__
#error big
#endif
#include <cuda/std/climits>
static_assert(__SIZEOF_POINTER__ == sizeof(void*) && __SIZEOF_LONG__ == sizeof(long), "");
static_assert(__SIZEOF_SIZE_T__ == sizeof(size_t) && __SIZEOF_DOUBLE__ == sizeof(double), "");
static_assert(__CHAR_BIT__ == 8 && __INT_MAX__ == 0x7fffffff, "");
static_assert(__LONG_MAX__ == 0x7fffffffffffffff, "");
__global__ void k(float* x) { *x = __FLT_MAX__ * __FLT_EPSILON__; }
)")),
             ContainsSubstring(".entry _Z1kPf"));
}

TEST_CASE("The function objects of the standard library are there on the device") {
  CHECK_THAT(ptx_of(foreign(R"(
#include <functional>
template <class Operation> __device__ int fold(const int* x, Operation operation) {
  return operation(x[0], x[1]);
}
__global__ void k(int* x) {
  static_assert(std::greater<int>()(1, 0) && !std::less<>()(1, 0), "");
  static_assert(std::negate<int>()(3) == -3 && std::bit_not<>()(0) == -1, "");
  x[0] = fold(x, std::plus<int>()) + fold(x, std::multiplies<>()) + fold(x, std::logical_and<int>());
}
)")),
             ContainsSubstring(".entry _Z1kPi"));
}

TEST_CASE("What was said of statements of the host goes with them") {
  CompileRequest one = foreign(R"(
void host(float* x, int n) {
#pragma omp parallel for
  for (int i = 0; i < n; ++i) std::cout << x[i];
}
__global__ void other(int* x) {
#pragma unroll
  for (int i = 0; i < 4; ++i) nowhere(x[i]);
}
__global__ void k(int* x) {
#pragma unroll
  for (int i = 0; i < 4; ++i) x[i] = i;
}
int main() { k<<<1, 1>>>(0); }
)");
  one.kernel = "k";
  const auto alone = compiler().compile(one);
  if (!alone) FAIL(everything_said(alone.error()));
  CHECK((*alone)->diagnostics.empty());
}

TEST_CASE("A kernel waits for the one before it, with and without the header that says how") {
  const std::string kernel = R"(
__global__ void k(int* x) {
  cudaGridDependencySynchronize();
  *x = 1;
  cudaTriggerProgrammaticLaunchCompletion();
}
)";
  for (const char* header :
       {"", "#include <cuda_runtime.h>", "#include <cuda_device_runtime_api.h>"}) {
    CAPTURE(header);
    CompileRequest request = foreign(header + kernel);
    request.architecture = 90;
    const std::string ptx = ptx_of(request);
    CHECK_THAT(ptx, ContainsSubstring("griddepcontrol.wait"));
    CHECK_THAT(ptx, ContainsSubstring("griddepcontrol.launch_dependents"));
  }
}

TEST_CASE("GNU's mark of an extension is taken as the host compiler takes it") {
  CHECK_THAT(ptx_of(foreign("struct S { __extension__ union { int a; float b; }; };\n"
                            "__global__ void k(S* s) { s->a = 1; }\n")),
             ContainsSubstring(".entry"));
}

TEST_CASE("Host functions, variables and methods are left out without a main") {
  for (const std::string& host : std::initializer_list<std::string>{
           "int divide_up(int a, int b) { return a / b; }", "float* n = NULL;", "static int n;",
           "bool n(int);", "enum E { none };\nextern enum E n(struct S* s);",
           "extern const struct S* n(void);", "__host__ void n() { std::cout << 1; }",
           "using namespace absent; void f(std::string s) {}", "struct Host { std::string name; };",
           "std::ostream& operator<<(std::ostream& o, int x) { return o; }",
           "#define M_GLOBAL 4\nvoid f() { int a = M_GLOBAL; std::cout << a; }",
           "#ifdef A\nvoid f() {\n#else\nvoid g(int x) {\n#endif\n  std::cout << 1;\n}",
           "void f(int x) {\n  if (x &&\n#ifdef A\n1) {\n#else\n2) {\n#endif\n std::cout; }}"}) {
    CAPTURE(host);
    CHECK_THAT(ptx_of(foreign(host + "\n__global__ void k(int* x, int n) { *x = n; }\n")),
               ContainsSubstring(".entry"));
  }
}

TEST_CASE("Of a class that kernels use, the methods of the host are left out") {
  CHECK_THAT(ptx_of(foreign(R"(
#include <iostream>
struct Grid {
  float* data; int n = 4, m = (2 * 3);
  int table[(16 + 2) / 3];
  float (*hook)(float);
  Grid(int count) : n(count) { cudaMalloc(&data, n); }
  ~Grid() { cudaFree(data); }
  void print(const std::string& title) const;
  friend std::ostream& operator<<(std::ostream& o, const Grid& g) { return o << g.n; }
  __device__ float& at(int i) { return data[i]; }
  constexpr int twice() const { return 2 * n; }
};
void Grid::print(const std::string& title) const { std::cout << title; }
struct Scaled : public absent::unary_function<float, float> {
  __host__ __device__ float operator()(float x) const { return 2 * x; }
};
static_assert(sizeof(Grid) == 48, "as large as it is written");
__global__ void k(Grid* g) { g->at(0) = g->twice() + g->m + g->table[5]; }
)")),
             ContainsSubstring(".entry"));
}

TEST_CASE("A foreign kernel that lacks a __device__ is told so") {
  CHECK_THAT(
      first_error_of(foreign("int f() { return 1; }\n__global__ void k(int* x) { *x = f(); }\n")),
      ContainsSubstring("needs __device__ in front of it"));
  CHECK_THAT(first_error_of(foreign("int n = 3;\n__global__ void k(int* x) { *x = n; }\n")),
             ContainsSubstring("needs __device__ or __constant__ in front of it"));
}

TEST_CASE("Only the kernel that is asked for has to compile") {
  CompileRequest request = foreign(R"(
__global__ void child(int* x) { *x = 1; }
__global__ void parent(int* x) { child<<<1, 1>>>(x); cudaDeviceSynchronize(); }
)");
  CHECK_THAT(first_error_of(request), ContainsSubstring("does not run here"));
  request.kernel = "child";
  CHECK_THAT(ptx_of(request), ContainsSubstring(".entry _Z5childPi"));
}

TEST_CASE("The instances that host code launches are in the PTX") {
  const std::string source = R"(
enum Mode { sum, product };
#define SIZE 64
template <typename T, int N, Mode M = sum> __global__ void k(T* x) { x[threadIdx.x] = N; }
template <typename T> __global__ void other(T* x) { *x = 1; }
template <typename T> void run(T* x) { k<T, 3><<<1, 1>>>(x); other<T><<<1, 1>>>(x); }
namespace a { template <int N> __global__ void scoped(int* x) { *x = N; } }
int main() {
  a::scoped<5><<<1, 1>>>(nullptr);
  k<float, SIZE><<<1, 1>>>(nullptr);
  k<unsigned int, 2, product><<<1, 1>>>(nullptr);
}
)";
  CHECK(template_kernels(source) == std::vector<std::string>{"k", "other", "scoped"});
  CHECK(launched_instances(source) ==
        std::vector<std::string>{"a::scoped<5>", "k<float, SIZE>", "k<unsigned int, 2, product>"});
  const std::string ptx = ptx_of(foreign(source));
  CHECK_THAT(ptx, ContainsSubstring(".entry _Z1kIfLi64"));
  CHECK_THAT(ptx, ContainsSubstring(".entry _Z1kIjLi2"));
}

TEST_CASE("A template kernel is found behind bounds that are computed") {
  CHECK(template_kernels(
            "template <int N> __global__ void __launch_bounds__((f() < 4 ? f() : N) * 4, 2)\n"
            "k(int* x) { *x = N; }\n") == std::vector<std::string>{"k"});
}

TEST_CASE("Random numbers of thrust run in kernels", "[ci]") {
  CHECK_THAT(ptx_of(foreign(R"(
#include <thrust/random.h>
#include <thrust/device_vector.h>
__global__ void k(float* x) {
  thrust::default_random_engine engine(7);
  thrust::uniform_real_distribution<float> distribution(0, 1);
  *x = distribution(engine);
}
int main() { thrust::device_vector<float> v(10); }
)")),
             ContainsSubstring(".entry"));
}

TEST_CASE("CUB's one header has the primitives of blocks and warps", "[ci]") {
  CHECK_THAT(ptx_of(foreign(R"(
#include <cub/cub.cuh>
__global__ void k(int* x) {
  __shared__ typename cub::BlockReduce<int, 64>::TempStorage storage;
  *x = cub::BlockReduce<int, 64>(storage).Sum(threadIdx.x);
}
int main() { cub::DeviceReduce::Sum(nullptr, 0, 0, 0, 0); }
)")),
             ContainsSubstring(".entry"));
}

TEST_CASE("cuda.h says which version CUDA has, as programs ask it to") {
  CHECK_THAT(ptx_of(foreign(R"(
#include <cuda.h>
#if CUDA_VERSION < 13000
#error too old
#endif
__global__ void k(int* x) { *x = CUDA_VERSION; }
)")),
             ContainsSubstring(".entry _Z1kPi"));
}

TEST_CASE("Complex numbers of thrust run in kernels", "[ci]") {
  CHECK_THAT(ptx_of(foreign(R"(
#include <thrust/complex.h>
__global__ void k(thrust::complex<float>* z) { z[threadIdx.x] *= thrust::complex<float>(0, 1); }
int main() { k<<<1, 32>>>(nullptr); }
)")),
             ContainsSubstring(".entry"));
}

TEST_CASE("A lambda in a kernel may have auto parameters") {
  CHECK_THAT(ptx_of(foreign(R"(
__global__ void k(float* x) {
  const auto squared = [](auto v) { return v * v; };
  x[threadIdx.x] = squared(x[threadIdx.x]);
}
int host(int v) { return v; }
int main() { k<<<1, 32>>>(nullptr); return host(0); }
)")),
             ContainsSubstring(".entry _Z1kPf"));
}

TEST_CASE("What CUDA took away is named with what to write in its place") {
  CHECK_THAT(first_error_of(foreign(R"(
texture<float, 2> picture;
__global__ void k(float* x) { *x = tex2D(picture, 1, 2); }
int main() { k<<<1, 1>>>(nullptr); }
)")),
             ContainsSubstring("hand the kernel a cudaTextureObject_t"));
  CHECK_THAT(first_error_of(foreign("__global__ void k(int* x) { *x = __shfl_down(*x, 16); }\n")),
             ContainsSubstring("write __shfl_down_sync(0xffffffff, ...)"));
}

TEST_CASE("A header that opens extern \"C\" and, included again, closes it hides no host code") {
  const std::string wrap = R"(
#ifndef WRAPPED
#define WRAPPED
#ifdef __cplusplus
extern "C" {
#endif
#else
#undef WRAPPED
#ifdef __cplusplus
}
#endif
#endif
)";
  CHECK_THAT(ptx_of(foreign("#include <complex.h>\n" + wrap +
                            "extern void* allocate(size_t n);\n_Complex float sum(int n);\n" +
                            wrap + "__global__ void k(int* x) { *x = 1; }\n")),
             ContainsSubstring(".entry _Z1kPi"));
}

}  // namespace warpbook::tests::foreign_program_test
