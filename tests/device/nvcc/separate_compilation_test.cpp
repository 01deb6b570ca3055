// When device code of several files is to be joined, and the source by which the runtime gets to know its parts.
#include "device/nvcc/separate_compilation.hpp"

#include <catch2/catch_test_macros.hpp>

namespace warpbook::tests::separate_compilation_test {

using namespace warpbook::device;

namespace {

constexpr const char* kLaunch =
    "a.cu(3): error: kernel launch from __device__ or __global__ functions requires separate "
    "compilation mode\n";
constexpr const char* kVariable =
    "a.cu(1): warning #20044-D: extern declaration of the entity g is treated as a static "
    "definition\n";
constexpr const char* kCallsAnother =
    "\x7f"
    "ELF\n.extern .func  (.param .b32 func_retval0) _Z5twicei\n(\n.param .b32 "
    "_Z5twicei_param_0\n)\n;";
constexpr const char* kCallsCuda =
    ".extern .func  (.param .b32 func_retval0) vprintf\n(\n)\n;\n.extern .func "
    "__assertfail\n(\n)\n;"
    ".extern .func  (.param .b64 func_retval0) malloc\n(\n)\n;.extern .func free\n(\n)\n;";

bool needed(const WholeCompile& compile, std::size_t cuda_files) {
  return needs_separate_compilation({&compile, 1}, cuda_files);
}

}  // namespace

TEST_CASE("A program that builds without separate compilation is built so") {
  CHECK_FALSE(
      needed({.said = "a.cu(4): warning #177-D: variable was declared but never referenced"}, 2));
  CHECK_FALSE(needed({.failed = true, .said = "a.cu(4): error: expected a \";\""}, 2));
  CHECK_FALSE(needed({.object = kCallsCuda}, 2));
}

TEST_CASE("Kernels that launch kernels are compiled separately, in however many files") {
  CHECK(needed({.failed = true, .said = kLaunch}, 1));
  CHECK(needed({.failed = true, .said = kLaunch}, 2));
}

TEST_CASE("A variable of another file is not taken for one's own") {
  CHECK(needed({.said = kVariable}, 2));
  CHECK(needed({.failed = true, .said = kVariable}, 1));  // declared and defined in one file
  CHECK_FALSE(needed({.said = kVariable}, 1));            // nobody else could define it
}

TEST_CASE("Device functions of another file make a program compile separately") {
  CHECK(needed({.object = kCallsAnother}, 2));
  CHECK_FALSE(needed({.object = kCallsAnother}, 1));
}

TEST_CASE("One source of several decides for all") {
  const std::vector<WholeCompile> compiles{{.said = ""}, {.said = kVariable}};
  CHECK(needs_separate_compilation(compiles, 2));
}

TEST_CASE("Each file's registration is found among undefined symbols, once") {
  CHECK(unlinked_modules("\nb.o:\n                 U __cudaRegisterLinkedBinary_2_b_cu\n"
                         "                 U cudaMalloc\n\na.o:\n"
                         "                 U __cudaRegisterLinkedBinary_1_a_cu\n"
                         "                 U __cudaRegisterLinkedBinary_2_b_cu\n") ==
        std::vector<std::string>{"__cudaRegisterLinkedBinary_1_a_cu",
                                 "__cudaRegisterLinkedBinary_2_b_cu"});
  CHECK(unlinked_modules("                 U cudaMalloc\n").empty());
}

TEST_CASE("The source of registrations defines each one and hands it to the runtime") {
  const std::vector<std::string> functions{"__cudaRegisterLinkedBinary_1",
                                           "__cudaRegisterLinkedBinary_2"};
  const std::string source = registration_source(functions);
  for (const std::string& function : functions)
    CHECK(source.find("void " + function + "(") != std::string::npos);
  CHECK(source.find("__warpbookRegisterLinked(wrapper, callback,") != std::string::npos);
}

}  // namespace warpbook::tests::separate_compilation_test
