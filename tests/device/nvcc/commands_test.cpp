// What nvcc and the linker are asked for, and what they are not given.
#include "device/nvcc/commands.hpp"

#include <algorithm>

#include <catch2/catch_test_macros.hpp>

#include "tests/device/nvcc/stand_in.hpp"

namespace warpbook::tests::commands_test {

using namespace warpbook::device;

namespace {

bool has(const std::vector<std::string>& arguments, const std::string& wanted) {
  return std::find(arguments.begin(), arguments.end(), wanted) != arguments.end();
}

/// Whether `second` follows on `first`.
bool has(const std::vector<std::string>& arguments, const std::string& first,
         const std::string& second) {
  const std::vector<std::string> both{first, second};
  return std::search(arguments.begin(), arguments.end(), both.begin(), both.end()) !=
         arguments.end();
}

ProgramSources of(const char* file) {
  ProgramSources sources;
  sources.files = {file};
  return sources;
}

ErrorCode refused(const ProgramSources& sources) {
  const auto checked = check(sources);
  REQUIRE_FALSE(checked);
  return checked.error().code;
}

}  // namespace

TEST_CASE("Device code becomes PTX for the GPU that is to run it, as text, with its lines") {
  ProgramSources sources = of("a.cu");
  sources.compute_capability = 75;
  const auto arguments = compile_arguments(sources, {.source = "a.cu"});
  CHECK(has(arguments, "-arch=compute_75"));
  CHECK(has(arguments, "-code=compute_75"));
  CHECK(has(arguments, "--no-compress"));
  CHECK(has(arguments, "-lineinfo"));
  CHECK(has(arguments, "-Xcompiler", "-g1,-fno-omit-frame-pointer"));
  CHECK_FALSE(has(arguments, "-rdc=true"));
}

TEST_CASE("A source is compiled with the folders, defines and standard of the program") {
  ProgramSources sources = of("a.cu");
  sources.include = {"one", "/two"};
  sources.defines = {"N=4", "NAME=\"x y\"", "FLAG"};
  sources.standard = "20";
  const auto arguments =
      compile_arguments(sources, {.source = "a.cu", .openmp = true, .separate = true});
  CHECK(has(arguments, "-I", "one"));
  CHECK(has(arguments, "-I", "/two"));
  CHECK(has(arguments, "-DN=4"));
  CHECK(has(arguments, "-DNAME=\"x y\""));
  CHECK(has(arguments, "-DFLAG"));
  CHECK(has(arguments, "-std=c++20"));
  CHECK(has(arguments, "-Xcompiler", "-fopenmp"));
  CHECK(has(arguments, "-rdc=true"));
}

TEST_CASE("C is compiled as C, which has no standard of C++") {
  ProgramSources sources = of("a.c");
  sources.standard = "17";
  CHECK_FALSE(has(compile_arguments(sources, {.source = "a.c"}), "-std=c++17"));
  CHECK(has(compile_arguments(sources, {.source = "a.cc"}), "-std=c++17"));
}

TEST_CASE("What CUDA removed is brought back before any other folder is searched") {
  ProgramSources sources = of("a.cu");
  sources.include = {"one"};
  const auto arguments = compile_arguments(sources, {.source = "a.cu"});
  const auto first = std::find(arguments.begin(), arguments.end(), "-I");
  REQUIRE(first != arguments.end());
  CHECK(*(first + 1) == removed_headers().string());
  CHECK(std::filesystem::exists(removed_headers() / "cuda_runtime_api.h"));
}

TEST_CASE("A source whose name begins with - is no option") {
  CHECK(has(compile_arguments(of("-v.cu"), {.source = "-v.cu"}), "-c", "./-v.cu"));
}

TEST_CASE("A program is linked with the runtime that is named, and finds it when it runs") {
  ProgramSources sources = of("a.cu");
  sources.runtime = "/the/runtime, mine";
  const auto arguments = link_arguments(sources, {"a.o", "b.o"}, true, "/out/a");
  CHECK(has(arguments, "a.o", "b.o"));
  CHECK(has(arguments, "-fopenmp"));
  CHECK(has(arguments, "/the/runtime, mine/libcudart.so.13"));
  CHECK(has(arguments, "-rpath", "-Xlinker"));
  CHECK(has(arguments, "-Xlinker", "/the/runtime, mine"));
}

TEST_CASE("Headers of libraries are searched behind all others, and ours behind NVIDIA's") {
  const auto folders = library_headers();
  CHECK(folders.back().string().ends_with("device/runtime/libraries/include"));
  for (const char* header : {"cublas.h", "cublas_v2.h", "cudnn.h", "cufft.h", "curand.h"})
    CHECK(std::filesystem::exists(folders.back() / header));
  // A folder's name may have spaces, so it is an argument of its own.
  CHECK(
      has(compile_arguments(of("a.cu"), {.source = "a.cu"}), "-isystem", folders.back().string()));
}

TEST_CASE(
    "The linker gets every drop-in library beside the runtime, and takes those that it needs") {
  const TemporaryFolder folder;
  for (const char* file : {"libcudart.so.13", "libcufft.so.12", "libcublas.so.13", "notes.txt"})
    folder.write(file, "");
  ProgramSources sources = of("a.cu");
  sources.runtime = folder.path();
  const auto arguments = link_arguments(sources, {"a.o"}, false, "/out/a");
  const std::string begin = folder.path().string() + "/";
  const std::vector<std::string> wanted{"-Wl,--as-needed", begin + "libcublas.so.13",
                                        begin + "libcufft.so.12", "-Wl,--no-as-needed",
                                        begin + "libcudart.so.13"};
  CHECK(std::search(arguments.begin(), arguments.end(), wanted.begin(), wanted.end()) !=
        arguments.end());
}

TEST_CASE("Functions of libraries that the linker missed are found in its words, each once") {
  CHECK(missing_library_functions("a.o: undefined reference to `cublasXtCreate'\n"
                                  "b.o: undefined reference to `cufftXtExec'\n"
                                  "b.o: undefined reference to `cublasXtCreate'\n"
                                  "c.o: undefined reference to `helper'\n") ==
        std::vector<std::string>{"cublasXtCreate", "cufftXtExec"});
  CHECK(missing_library_functions("").empty());
}

TEST_CASE("A program that uses NVRTC is linked with the one that is named, and others are not") {
  ProgramSources sources = of("a.cu");
  sources.runtime = "/runtime";
  CHECK_FALSE(has(link_arguments(sources, {"a.o"}, false, "/out/a"), "--as-needed"));
  CHECK_FALSE(has(compile_arguments(sources, {.source = "a.cu"}), "-idirafter,/cuda/include"));
  sources.nvrtc = "/cuda/lib/libnvrtc.so.13";
  sources.nvrtc_headers = "/cuda/include";
  const auto arguments = link_arguments(sources, {"a.o"}, false, "/out/a");
  CHECK(has(arguments, "--as-needed", "/cuda/lib/libnvrtc.so.13"));
  CHECK(has(arguments, "-Xlinker", "/cuda/lib"));
  CHECK(has(compile_arguments(sources, {.source = "a.cu"}), "-Xcompiler",
            "-idirafter,/cuda/include"));
}

TEST_CASE("A program is made of sources, in a standard that nvcc knows") {
  CHECK(check(of("a.cu")));
  CHECK(refused({}) == ErrorCode::bad_argument);
  CHECK(refused(of("a.o")) == ErrorCode::bad_argument);
  ProgramSources sources = of("a.cpp");
  for (const char* standard : {"11", "14", "17", "20"}) {
    sources.standard = standard;
    CHECK(check(sources));
  }
  sources.standard = "17 -v";
  CHECK(refused(sources) == ErrorCode::bad_argument);
}

TEST_CASE("A define is a name, with or without a value, and nothing that a shell would change") {
  for (const char* define : {"N", "N=", "N=4", "S=\"a b\"", "F=(1 << 4) | 'c'"}) {
    CAPTURE(define);
    ProgramSources sources = of("a.cu");
    sources.defines = {define};
    CHECK(check(sources));
  }
  for (const char* define : {"", "=4", "4=N", "N M=1", "N=$(rm x)", "N=`rm x`", "N=\\", "N=1\n2"}) {
    CAPTURE(define);
    ProgramSources sources = of("a.cu");
    sources.defines = {define};
    CHECK(refused(sources) == ErrorCode::bad_define);
  }
}

TEST_CASE("Names of files that nvcc's shell would change are refused") {
  CHECK(check_for_shell({"-c", "a b;c&d'e\"f.cu"}));
  for (const char* name : {"$(rm x).cu", "a`b`.cu", "a\\b.cu", "a\nb.cu"}) {
    CAPTURE(name);
    const auto checked = check_for_shell({"-c", name});
    REQUIRE_FALSE(checked);
    CHECK(checked.error().code == ErrorCode::bad_argument);
  }
}

TEST_CASE("OpenMP is asked for where a source has its header or a pragma of it") {
  CHECK(uses_openmp("#include <omp.h>\n"));
  CHECK(uses_openmp("#include \"omp.h\"\n"));
  CHECK(uses_openmp("  #  pragma  omp parallel for\n"));
  CHECK(uses_openmp("#pragma unroll\n#pragma\tomp atomic\n"));
  CHECK_FALSE(uses_openmp("#pragma unroll\nint omp = 1;  // pragmatic\n#include <complex>\n"));
  CHECK_FALSE(uses_openmp("#pragma"));
}

}  // namespace warpbook::tests::commands_test
