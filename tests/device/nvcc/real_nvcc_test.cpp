// What NVIDIA's own nvcc makes of programs that need something of ours, against runtimes that have just the functions they call.
#include <catch2/catch_test_macros.hpp>
#include <catch2/generators/catch_generators.hpp>

#include "tests/device/nvcc/stand_in.hpp"

namespace warpbook::tests::real_nvcc_test {

using namespace warpbook::device;

namespace {

/// All that generated code calls; parts of separately compiled programs are named, and so are two functions that took the place
/// of removed ones.
constexpr const char* kRuntime = R"(
#include <cstdio>
extern "C" {
int cudaDeviceSynchronize() { std::puts("cudaDeviceSynchronize"); return 0; }
int cudaMemPrefetchAsync(const void*, unsigned long, unsigned long where) {
  std::printf("cudaMemPrefetchAsync type %lu id %lu\n", where & 0xffffffff, where >> 32);
  return 0;
}
void __warpbookRegisterLinked(const void* wrapper, void (*callback)(void**), const char* name) {
  void* handle = nullptr;
  callback(&handle);
  std::printf("%x %s\n", *static_cast<const unsigned*>(wrapper), name);
}
void** __cudaRegisterFatBinary(void*) { static void* handle; return &handle; }
void __cudaRegisterFatBinaryEnd(void**) {}
void __cudaUnregisterFatBinary(void**) {}
void __cudaRegisterFunction(void**, const char*, char*, const char* name) { std::printf("%s\n", name); }
void __cudaRegisterVar(void**, char*, char*, const char* name) { std::printf("%s\n", name); }
char __cudaInitModule(void**) { return 0; }
int __cudaPushCallConfiguration() { return 0; }
int __cudaPopCallConfiguration() { return 0; }
int __cudaGetKernel() { return 0; }
int __cudaLaunchKernel() { std::puts("launched"); return 0; }
}
)";

/// Sources, with the nvcc of this machine.
struct Scene {
  TemporaryFolder folder;
  Variable home{"WARPBOOK_HOME", folder.path() / "home"};

  Scene() {
    if (!find_nvcc()) SKIP("there is no nvcc of CUDA 13 (./warpbook fetch nvcc)");
    write_runtime(folder, kRuntime);
  }
  [[nodiscard]] ProgramSources of(std::vector<std::filesystem::path> files) const {
    ProgramSources sources;
    sources.files = std::move(files);
    sources.folder = folder.path();
    sources.runtime = folder.path() / "runtime";
    return sources;
  }
};

}  // namespace

TEST_CASE("nvcc builds a program whose PTX is in it as text, and whose kernel it registers") {
  const Scene scene;
  scene.folder.write(
      "main.cu", "__global__ void k(int* p) { *p = 1; }\nint main() { k<<<1, 1>>>(nullptr); }\n");
  const auto built = build_program(scene.of({"main.cu"}));
  CHECK(run_program(built).output == "_Z1kPi\nlaunched\n");
  const auto bytes = read_file(built->executable);
  REQUIRE(bytes);
  CHECK(bytes->find(".visible .entry _Z1kPi") != std::string::npos);
  CHECK(bytes->find(".target sm_90") != std::string::npos);
  CHECK(bytes->find("main.cu") != std::string::npos);
}

TEST_CASE("Device functions and variables of another file are linked by the runtime") {
  const Scene scene;
  scene.folder.write(
      "a.cu", "__device__ int factor = 3;\n__device__ int times(int x) { return x * factor; }\n");
  const char* shared = GENERATE("extern __device__ int factor;\n#define VALUE factor\n",
                                "extern __device__ int times(int);\n#define VALUE times(4)\n");
  scene.folder.write("main.cu", std::string(shared) +
                                    "__global__ void k(int* p) { *p = VALUE; }\nint main() {}\n");
  const auto built = build_program(scene.of({"main.cu", "a.cu"}));
  const std::string said = run_program(built).output;
  CHECK(said.find("_7_main_cu_") != std::string::npos);
  CHECK(said.find("_4_a_cu_") != std::string::npos);
  CHECK(said.find("factor\n") != std::string::npos);
  CHECK(said.find("466243b1 ") != std::string::npos);  // a fat binary's wrapper begins so
}

TEST_CASE("A kernel that launches a kernel builds without any flag") {
  const Scene scene;
  scene.folder.write("main.cu",
                     "__global__ void k(int n) { if (n > 0) k<<<1, 1>>>(n - 1); }\nint main() { "
                     "k<<<1, 1>>>(2); }\n");
  CHECK(run_program(build_program(scene.of({"main.cu"}))).output.find("launched\n") !=
        std::string::npos);
}

TEST_CASE("Functions that CUDA removed are the ones that replaced them, in C++ and in C") {
  const Scene scene;
  scene.folder.write("main.cu",
                     "#include <cuda_texture_types.h>\n#include <cuda_profiler_api.h>\nextern "
                     "\"C\" void in_c(void);\n"
                     "int main() {\n  cudaMemPrefetchAsync(nullptr, 4, 2);\n"
                     "  cudaMemPrefetchAsync(nullptr, 4, cudaCpuDeviceId, 0);\n  in_c();\n}\n");
  scene.folder.write("c.c",
                     "#include <cuda_runtime.h>\nvoid in_c(void) { cudaThreadSynchronize(); }\n");
  CHECK(run_program(build_program(scene.of({"main.cu", "c.c"}))).output ==
        "cudaMemPrefetchAsync type 1 id 2\ncudaMemPrefetchAsync type 2 id "
        "0\ncudaDeviceSynchronize\n");
}

TEST_CASE("nvcc's own words about a mistake come back") {
  const Scene scene;
  scene.folder.write("main.cu", "int main() { return nothing; }\n");
  const auto built = build_program(scene.of({"main.cu"}));
  REQUIRE_FALSE(built);
  CHECK(built.error().code == ErrorCode::build_error);
  CHECK(argument_of(built.error().arguments, "words")
            ->text.find("main.cu(1): error: identifier \"nothing\" is undefined") !=
        std::string::npos);
}

}  // namespace warpbook::tests::real_nvcc_test
