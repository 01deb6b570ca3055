#include <catch2/catch_test_macros.hpp>
#include <catch2/generators/catch_generators.hpp>

#include <thread>
#include <vector>

#include "tests/device/compiler/compilers.hpp"
#include "tests/keyed.hpp"
#include "tests/says.hpp"

namespace warpbook::tests::compile_test {

using namespace warpbook::device;

namespace {

bool holds(const std::string& text, std::string_view part) {
  return text.find(part) != std::string::npos;
}

}  // namespace

TEST_CASE("A kernel becomes PTX for the architecture that was asked for") {
  auto request = request_of(kAdd);
  request.architecture = GENERATE(75, 90, 120);
  CAPTURE(request.architecture);
  const auto program = compiler().compile(request);
  REQUIRE(program);
  CHECK(holds((*program)->ptx, ".target sm_" + std::to_string(request.architecture)));
  CHECK(holds((*program)->ptx, ".entry"));
  CHECK((*program)->cubin.empty());
  CHECK((*program)->diagnostics.empty());
  CHECK((*program)->nvrtc == "13.0");
  CHECK((*program)->seconds > 0);
  CHECK_FALSE((*program)->cached);
}

TEST_CASE("A cubin comes with the PTX where it is asked for") {
  auto request = request_of(kAdd);
  request.cubin = true;
  const auto program = compiler().compile(request);
  REQUIRE(program);
  REQUIRE((*program)->cubin.size() > 4);
  CHECK(std::string((*program)->cubin.begin(), (*program)->cubin.begin() + 4) ==
        "\x7f"
        "ELF");
  CHECK(holds((*program)->ptx, ".entry"));
}

TEST_CASE("Line information names the source by its own name, without a folder") {
  auto request = request_of(kAdd);
  const auto with = compiler().compile(request);
  REQUIRE(with);
  CHECK(holds((*with)->ptx, "\t.file\t1 \"student.cu\""));
  CHECK(holds((*with)->ptx, "\t.loc\t1 3 "));
  request.line_info = false;
  const auto without = compiler().compile(request);
  REQUIRE(without);
  CHECK_FALSE(holds((*without)->ptx, ".loc"));
}

TEST_CASE("Multiplies and adds are fused, or not, as asked") {
  auto request = request_of("__global__ void f(float* x) { x[0] = x[1] * x[2] + x[3]; }");
  request.fmad = GENERATE(true, false);
  const auto program = compiler().compile(request);
  REQUIRE(program);
  CHECK(holds((*program)->ptx, "fma.rn.f32") == request.fmad);
}

TEST_CASE("Debug information is there where it is asked for") {
  auto request = request_of(kAdd);
  request.debug = true;
  const auto program = compiler().compile(request);
  REQUIRE(program);
  CHECK(holds((*program)->ptx, ".target sm_90, debug"));
}

TEST_CASE("Defines reach the source") {
  auto request = request_of("__global__ void f(T* x) { x[0] = (VALUE) EMPTY; }");
  request.defines = {{"T", "int"}, {"VALUE", "1 + 41"}, {"EMPTY", ""}};
  const auto program = compiler().compile(request);
  REQUIRE(program);
  CHECK(holds((*program)->ptx, "42"));
}

TEST_CASE("A define that would break CUDA's own headers reaches the source alone") {
  auto request = request_of(
      "#include <cooperative_groups.h>\n__global__ void f(T* x) { x[threadIdx.x] = N; }");
  request.defines = {{"T", "float"}, {"N", "2"}, {"x", "y"}};
  const auto program = compiler().compile(request);
  if (!program) FAIL(everything_said(program.error()));
  CHECK((*program)->diagnostics.empty());
}

TEST_CASE("Lines are the source's own, with defines and without") {
  auto request = request_of("__global__ void f() {\n  nothing;\n}\n");
  request.defines = {{"A", "1"}, {"B", "2"}};
  const auto program = compiler().compile(request);
  REQUIRE_FALSE(program);
  CHECK(program.error().diagnostics.at(0).place.line == 2);
  CHECK(program.error().diagnostics.at(0).place.file == "student.cu");
}

TEST_CASE("Name expressions keep instances of templates and tell their mangled names") {
  auto request =
      request_of("template <class T, int N> __global__ void scale(T* x) { x[threadIdx.x] *= N; }");
  request.name_expressions = {"scale<float, 3>", "&scale<int, 4>"};
  const auto program = compiler().compile(request);
  REQUIRE(program);
  REQUIRE((*program)->lowered.size() == 2);
  for (const auto& [expression, mangled] : (*program)->lowered) {
    CAPTURE(expression);
    CHECK(holds((*program)->ptx, ".entry " + mangled + "("));
  }
}

TEST_CASE("A name expression that names nothing is an error that says so") {
  auto request = request_of(kAdd);
  request.name_expressions = {"subtract<float>"};
  const auto program = compiler().compile(request);
  REQUIRE_FALSE(program);
  CHECK(program.error().error.code == ErrorCode::compile_error);
  CHECK(holds(everything_said(program.error()), "subtract"));
}

TEST_CASE("An error is told at the student's line and column") {
  const auto program = compiler().compile(
      request_of("__global__ void f(float* x) {\n  x[0] = y;\n  int unused;\n}\n"));
  REQUIRE_FALSE(program);
  const CompileFailure& failure = program.error();
  CHECK(failure.error.code == ErrorCode::compile_error);
  CHECK(warpbook::tests::keyed(failure.error) ==
        "student.cu:2:10: compile_error(count=1, line=2, name=student.cu, text=identifier \"y\" is "
        "undefined)");
  REQUIRE(failure.diagnostics.size() == 2);
  CHECK(failure.diagnostics[0] ==
        diagnostic_of("student.cu", 2, 10, Severity::error, "identifier \"y\" is undefined"));
  CHECK(failure.diagnostics[1].severity == Severity::warning);
  CHECK(failure.diagnostics[1].place.line == 3);
}

TEST_CASE("A function that lacks __device__ is told so, where it stands") {
  const auto program =
      compiler().compile(request_of("int next(int a) { return a + 1; }\n"
                                    "__global__ void f(int* x) { x[0] = next(x[0]); }\n"));
  REQUIRE_FALSE(program);
  CHECK(program.error().error.place.line == 1);
  CHECK(everything_said(program.error()).find("needs __device__ in front of it") !=
        std::string::npos);
  CHECK(everything_said(program.error()).find("JIT mode") == std::string::npos);
}

TEST_CASE("Warnings come with a program that compiles") {
  const auto program = compiler().compile(
      request_of("__global__ void f(float* x) {\n  int unused;\n  x[0] = 1;\n}\n"));
  REQUIRE(program);
  REQUIRE((*program)->diagnostics.size() == 1);
  CHECK((*program)->diagnostics[0].severity == Severity::warning);
  CHECK((*program)->diagnostics[0].place == SourcePlace{"student.cu", 2, 7});
}

TEST_CASE("A warning alone is not why a program fails") {
  const auto program =
      compiler().compile(request_of("__global__ void f() { int unused; }\n#error stop here\n"));
  REQUIRE_FALSE(program);
  CHECK_THAT(program.error().error.english(),
             warpbook::tests::Says("error.compile_error.long", {{"count", 1}, {"line", 2}}));
  CHECK(holds(program.error().error.english(), "stop here"));
}

TEST_CASE("A line that a #line directive makes up is no line of the source") {
  const std::string directive =
      GENERATE("#line 700", "#line 3 \"/etc/passwd\"", "# 900 \"student.cu\"");
  CAPTURE(directive);
  const auto program = compiler().compile(request_of(directive + "\n__global__ void f() { y; }\n"));
  REQUIRE_FALSE(program);
  const Diagnostic& first = program.error().diagnostics.at(0);
  CHECK(first.place.file == "student.cu");
  CHECK(first.place.line == 0);
  CHECK(holds(first.text, "identifier \"y\" is undefined (at "));
}

TEST_CASE(
    "A name with a folder, a quote or nothing in it does no harm, and diagnostics carry it as it "
    "is") {
  auto request = request_of("int x = ;");
  request.name = GENERATE("/etc/passwd", "../a.cu", "a\".cu", "a\\", "", ".", "--pre-include=x",
                          "\n", "核.cu");
  CAPTURE(request.name);
  const auto program = compiler().compile(request);
  REQUIRE_FALSE(program);
  CHECK(program.error().error.code == ErrorCode::compile_error);
  CHECK(program.error().diagnostics.at(0).place.file == request.name);
  CHECK(program.error().diagnostics.at(0).place.line == 1);
}

TEST_CASE("An architecture that there is not is refused with those there are") {
  auto request = request_of(kAdd);
  request.architecture = GENERATE(0, 70, 72, 999, -1);
  const auto program = compiler().compile(request);
  REQUIRE_FALSE(program);
  CHECK(program.error().error.code == ErrorCode::bad_architecture);
  CHECK(holds(program.error().error.english(), "sm_75"));
  CHECK(holds(program.error().error.english(), "sm_90"));
}

TEST_CASE("A source with a zero byte in it is no text") {
  const auto program = compiler().compile(request_of(kAdd + std::string(1, '\0') + "int x = ;"));
  REQUIRE_FALSE(program);
  CHECK(program.error().error.code == ErrorCode::not_text);
}

TEST_CASE("A byte order mark before the source is no part of it") {
  const auto program = compiler().compile(request_of("\xef\xbb\xbf" + std::string(kAdd)));
  CHECK(program.has_value());
}

TEST_CASE("An empty source, and one without a kernel, compile") {
  const auto program = compiler().compile(
      request_of(GENERATE("", "\n", "// nothing", "__device__ int f() { return 1; }")));
  REQUIRE(program);
  CHECK_FALSE(holds((*program)->ptx, ".entry"));
}

TEST_CASE("Host headers that much code includes are there, and what device code may use of them") {
  const auto program = compiler().compile(request_of(
      "#include <cstdio>\n#include <stdio.h>\n#include <cstdint>\n#include <cassert>\n#include "
      "<cmath>\n"
      "#include <cstring>\n#include <cstdlib>\n#include <climits>\n#include <cfloat>\n#include "
      "<cuda_runtime.h>\n"
      "#include <algorithm>\n#include <vector>\n#include <iostream>\n"
      "__global__ void f(float* x, uint32_t n, std::int64_t m, size_t s) {\n"
      "  assert(n > 3);\n"
      "  x[0] = INFINITY + FLT_MAX + INT_MAX + std::sqrt(x[1]) + std::max(x[2], x[3]) + M_PI;\n"
      "  memcpy(x, x + 4, 8);\n  printf(\"%d\\n\", (int)sizeof(m));\n}\n"));
  if (!program) FAIL(everything_said(program.error()));
  CHECK(holds((*program)->ptx, "vprintf"));
  CHECK(holds((*program)->ptx, "__assertfail"));
}

TEST_CASE("CUDA's device headers compile, and go with the host headers") {
  const auto program =
      compiler().compile(request_of("#include <cuda_fp16.h>\n#include <cuda_bf16.h>\n#include "
                                    "<mma.h>\n#include <cstdint>\n#include <climits>\n"
                                    "#include <cuda/std/cstdint>\n#include <cuda_pipeline.h>\n"
                                    "__global__ void f(half* x, uint64_t n) { x[0] = __hadd(x[1], "
                                    "x[2]); x[3] = __float2half((float)n); }\n"));
  if (!program) FAIL(everything_said(program.error()));
  CHECK((*program)->diagnostics.empty());
}

TEST_CASE("Nothing of this machine's folders stands in the PTX") {
  const auto program =
      compiler().compile(request_of("#include <cuda_fp16.h>\n__global__ void f(half* x) { x[0] = "
                                    "__hmax(x[1], __hfma(x[1], x[2], x[3])); }\n"));
  REQUIRE(program);
  CHECK_FALSE(holds((*program)->ptx, "\"/"));
}

TEST_CASE("Compiles from many threads all arrive") {
  std::vector<std::thread> threads;
  std::vector<int> right(8, 0);
  for (std::size_t i = 0; i < right.size(); ++i) {
    threads.emplace_back([i, &right] {
      const std::string name = "kernel_" + std::to_string(i);
      const auto program =
          compiler().compile(request_of("extern \"C\" __global__ void " + name + "() {}"));
      right[i] = program && holds((*program)->ptx, ".entry " + name) ? 1 : 0;
    });
  }
  for (std::thread& thread : threads) thread.join();
  for (const int r : right) CHECK(r == 1);
}

TEST_CASE("The status says what is used and which level is in force") {
  const Compiler::Status status = compiler().status();
  CHECK(status.available);
  CHECK(status.version.starts_with("13."));
  CHECK(holds(status.library, "libnvrtc"));
  CHECK_FALSE(status.headers.empty());
  CHECK((status.level == ConfinementLevel::namespaces) == status.why_not_higher.empty());
  CHECK(compiler_at(ConfinementLevel::limits).status().level == ConfinementLevel::limits);
}

}  // namespace warpbook::tests::compile_test
