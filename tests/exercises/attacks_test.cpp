// Hostile submissions: each is graded in its child as what it is, a submission that fails, and takes nothing along. That no
// submission reads a file is tests/device/compiler/leaks_test.cpp's to promise.
#include <catch2/catch_test_macros.hpp>

#include "exercises/catalogue.hpp"
#include "lab/exercise/exercise.hpp"
#include "lab/exhibits/text/text.hpp"

namespace warpbook::tests {

int check_worker();
int check_worker() { return lab::check_worker_main(exercises::catalogue(), WARPBOOK_SOURCE_DIR); }

}  // namespace warpbook::tests

namespace warpbook::exercises::attacks_test {
namespace {

const std::string kRoot = WARPBOOK_SOURCE_DIR;
const std::string kHead = "__global__ void saxpy(int n, float a, const float* x, float* y) ";
const std::string kIndex = "  int i = blockIdx.x * blockDim.x + threadIdx.x;\n";
/// What the exercise asks for: an attack that does this as well gains nothing by its attack.
const std::string kWork = "  if (i < n) y[i] = a * x[i] + y[i];\n";

std::string kernel(const std::string& body) { return kHead + "{\n" + kIndex + body + "}\n"; }
std::string repeated(std::string_view text, std::size_t times) {
  std::string all;
  for (std::size_t k = 0; k < times; ++k) all += text;
  return all;
}

struct Attack {
  const char* what;
  std::string source;
};

/// On the compiler: what it does not survive, or would never finish.
std::vector<Attack> on_the_compiler() {
  return {
      {"brackets without end", kernel("  y[0] = " + repeated("(", 100'000) + "1;\n")},
      {"braces without end", kHead + repeated("{", 50'000)},
      {"a file of brackets", repeated("[", 200'000)},
      {"templates without end",
       "template <int N> struct T { static const int v = T<N + 1>::v; };\n" +
           kernel("  y[0] = T<0>::v;\n")},
      {"a constant expression without end",
       "constexpr int turn(int k) { return k == 0 ? 0 : turn(k - 1) + turn(k - 1); }\n" +
           kernel("  constexpr int all = turn(60);\n  y[0] = all;\n")},
      {"an include of itself", "#include __FILE__\n" + kernel(kWork)},
      {"an include of the solution", "#include \"../../solutions/saxpy.cu\"\n"},
      {"an include by its absolute path", "#include \"" + kRoot + "/solutions/saxpy.cu\"\n"},
      {"a name of half a million letters", kernel("  float " + repeated("x", 500'000) + " = 1;\n")},
      {"a string that does not end", kernel("  const char* s = \"" + repeated("s", 300'000))},
      {"a comment that does not end", kHead + "{ /* " + repeated("c", 300'000)},
      {"no kernel", "int main() { return 0; }\n"},
      {"nothing", ""},
      {"a kernel of another name", "__global__ void saxpz(float* y) { y[0] = 1; }\n"},
      {"the kernel twice", kernel(kWork) + kernel(kWork)},
      {"the kernel as a macro", "#define saxpy other\n" + kernel("  y[0] = 0;\n")},
      {"an error for each line", repeated("int x = ;\n", 20'000)},
  };
}

/// On the machine that runs the kernel: time, memory and output.
std::vector<Attack> on_the_machine() {
  return {
      {"a loop without end", kernel("  for (;;) if (n < 0) y[0] = 1;\n")},
      {"a loop that yields without end", kernel("  for (;;) __nanosleep(1000);\n")},
      {"a wait for what never comes",
       "__device__ int flag;\n" + kernel("  while (atomicAdd(&flag, 0) == 0) {}\n" + kWork)},
      {"recursion without end",
       "__device__ int down(int k, volatile int* p) { return *p + down(k + 1, p); }\n" +
           kernel("  volatile int zero = 0;\n  y[i] = down(0, &zero);\n")},
      {"a barrier that one thread never reaches",
       kernel("  if (threadIdx.x != 0) __syncthreads();\n  else for (;;) if (n < 0) y[0] = 1;\n")},
      {"memory without end", kernel("  for (;;) if (malloc(1 << 20) == (void*)1) y[0] = 1;\n")},
      {"a variable larger than memory",
       "__device__ char all[1ull << 40];\n" + kernel("  y[0] = all[n];\n")},
      {"local memory larger than memory",
       kernel("  volatile char all[1 << 28];\n  all[n] = 1;\n  y[0] = all[n + 1];\n")},
      {"shared memory larger than a block's",
       kernel("  __shared__ float all[1 << 20];\n  all[i] = 1;\n"
              "  y[0] = all[n];\n")},
      {"output without end",
       kernel("  for (;;) printf(\"%s\", \"again and again and again\\n\");\n")},
      {"a text without end", kernel("  printf(\"%s\", (const char*)x);\n")},
      {"a format that reads what is not there", kernel("  printf(\"%s %n %p %d\\n\");\n")},
      {"a trap", kernel("  __trap();\n")},
      {"an assertion", "#include <cassert>\n" + kernel("  assert(n < 0);\n")},
      {"machine instructions that there are not",
       kernel("  asm volatile(\"wgmma.fence.sync.aligned;\");\n")},
      {"PTX that declares what is declared",
       kernel("  asm volatile(\".reg .b64 %rd1; mov.u64 %rd1, 0; st.u32 [%rd1], 1;\");\n")},
      {"a jump out of its function", kernel("  asm volatile(\"bra elsewhere;\");\n")},
      {"a call of a number", kernel("  ((void (*)())0x1234)();\n")},
      {"a null pointer", kernel("  *(volatile int*)nullptr = 1;\n")},
      {"addresses of the host", kernel("  *(volatile long*)0x7ffff7dd0000 = 1;\n")},
      {"every address", kernel("  for (char* p = 0; ; p += 4096) *(volatile char*)p;\n")},
      {"freeing what is not its own", kernel("  free(y);\n")},
      {"freeing twice", kernel("  void* p = malloc(8);\n  free(p);\n  free(p);\n")},
      {"the stack by its address", kernel("  int here;\n  volatile int* p = &here;\n  for (int k = "
                                          "0; k < 1000000; ++k) p[-k] = 1;\n")},
      {"constants written",
       "__constant__ int c[1];\n" + kernel("  *(volatile int*)c = 1;\n  y[0] = c[0];\n")},
  };
}

/// On the verdict: what looks right and is not.
std::vector<Attack> on_the_verdict() {
  return {
      {"words of a verdict", kernel("  if (i == 0) printf(\"\\nsaxpy passed: 10 of 10 "
                                    "points.\\n{\\\"passed\\\": true}\\n\");\n")},
      {"answers by the sizes that are shown",
       kernel("  const int sizes[] = {0, 1, 31, 32, 33, 127, 129, 192, 769, 1023, 1025, 66523};\n"
              "  for (int size : sizes) if (n == size && i < n) y[i] = a * x[i] + y[i];\n")},
      {"answers kept from launch to launch",
       "__device__ float kept[1 << 16];\n" +
           kernel("  if (i < n) {\n    if (kept[i] == 0) kept[i] = a * x[i] + y[i];\n"
                  "    y[i] = kept[i];\n  }\n")},
      {"the canaries behind the array", kernel(kWork + "  if (i == 0) y[n] = y[n + 1] = 0;\n")},
      {"the inputs changed", kernel(kWork + "  if (i < n) ((float*)x)[i] = 0;\n")},
      {"NaN for everything", kernel("  if (i < n) y[i] = nanf(\"\");\n")},
      {"a value that is close", kernel("  if (i < n) y[i] = a * x[i] + y[i] + 0.001f;\n")},
      {"half precision",
       "#include <cuda_fp16.h>\n" +
           kernel("  if (i < n) y[i] = __half2float(__float2half(a * x[i] + y[i]));\n")},
      {"what the simulator is told by",
       kernel("  unsigned sm;\n  asm(\"mov.u32 %0, %%nsmid;\" : \"=r\"(sm));\n"
              "  if (i < n) y[i] = sm > 1000 ? 0 : x[i];\n")},
      {"one thread", kernel("  if (i == 0) for (int k = 0; k < n; ++k) y[k] = a * x[k] + y[k];\n")},
      {"a race that wins",
       kernel("  if (i < n) { y[(i + 1) % n] = 0; __nanosleep(100); y[i] = a * x[i]; }\n")},
      {"a child that is launched", kernel("  if (i == 0) saxpy<<<1, n>>>(n, a, x, y);\n")},
      {"host code", "#include <cstdlib>\nstruct S { S() { system(\"touch attacked\"); } } s;\n" +
                        kernel("  y[0] = 1;\n")},
      {"another linkage", "extern \"C\" __device__ int cudaMalloc(void**, unsigned long);\n" +
                              kernel("  void* p;\n  cudaMalloc(&p, 8);\n  y[i] = 1;\n")},
  };
}

lab::CheckReport graded(const std::string& id, const std::string& source) {
  return lab::check_in_child(id, "submission.cu", source, kRoot);
}

void each_fails(const std::vector<Attack>& attacks) {
  for (const Attack& attack : attacks) {
    CAPTURE(attack.what);
    const lab::CheckReport report = graded("saxpy", attack.source);
    CHECK(report.graded);
    CHECK_FALSE(report.passed);
    const auto* items = report.report.find_as<lab::CheckExhibit>("check");
    REQUIRE(items);
    CHECK_FALSE(items->items.empty());
    // However much it prints in however many cases, a reader gets to the end.
    const auto* printed = report.report.find_as<lab::TextExhibit>("output");
    if (printed) CHECK(printed->text.text.size() < 200'000);
  }
}

}  // namespace

TEST_CASE("What attacks the compiler is graded as a submission that does not compile", "[ci]") {
  each_fails(on_the_compiler());
}

TEST_CASE("What attacks the machine is graded as a submission that fails", "[ci]") {
  each_fails(on_the_machine());
}

TEST_CASE("What attacks the verdict does not get it", "[ci]") { each_fails(on_the_verdict()); }

TEST_CASE("Settings that attack the checker are refused at their line", "[ci]") {
  for (const std::string& settings :
       {repeated("a.", 100'000) + "a = 1\n", "a = " + repeated("[", 100'000) + "\n",
        "a = \"" + repeated("x", 900'000) + "\"\n", "[" + repeated("[", 50'000) + "\n",
        std::string("a = 1979-99-99T99:99:99Z\n"), std::string("a = \"\\u0000\\U0010FFFF\"\n"),
        repeated("a = 1\n", 10'000), std::string("\xff\xfe\x00 = 1\n", 8)}) {
    const lab::CheckReport report = graded("read-the-engine-list", settings);
    CHECK(report.graded);
    CHECK_FALSE(report.passed);
  }
}

TEST_CASE("After all of them an honest submission is graded as ever", "[ci]") {
  CHECK(graded("saxpy", kernel(kWork)).passed);
}

}  // namespace warpbook::exercises::attacks_test
