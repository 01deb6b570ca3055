#include <catch2/catch_test_macros.hpp>

#include "device/compiler/own_headers.hpp"
#include "tests/temporary_folder.hpp"

namespace warpbook::tests::own_headers_test {

using namespace warpbook::device;

TEST_CASE("A file's own headers take the place of their includes, at their own lines") {
  const warpbook::tests::TemporaryFolder outer;
  const auto folder = outer.path() / "own";
  outer.write("own/inner/own.cuh", "#pragma once\n#include \"deep.cuh\"\n__device__ int own;\n");
  outer.write("own/inner/deep.cuh", "__device__ int deep;\n");
  outer.write("outside.txt", "__device__ int secret;\n");
  outer.write("common/common.h", "__device__ int common;\n");
  outer.write("common/timer.c", "double timer_start;\n");
  const auto part = with_own_headers(
      folder / "a.cu",
      "#include \"inner/own.cuh\"\n#include \"inner/own.cuh\"\n"
      "#include \"../outside.txt\"\n#include \"../common/common.h\"\n"
      "#include \"../common/timer.c\"\n#include <cuda_fp16.h>\n__global__ void k() {}\n");
  REQUIRE(part);
  CHECK(part->find("__device__ int own;") != std::string::npos);
  CHECK(part->find("__device__ int deep;") != std::string::npos);
  CHECK(part->find("__device__ int own;") == part->rfind("__device__ int own;"));
  CHECK(part->find("#line 1 \"own.cuh\"") != std::string::npos);
  CHECK(part->find("#line 2 \"a.cu\"") != std::string::npos);
  // What lies outside the file's folder is taken where it is called a header, or a source.
  CHECK(part->find("__device__ int common;") != std::string::npos);
  CHECK(part->find("double timer_start;") != std::string::npos);
  CHECK(part->find("secret") == std::string::npos);
  CHECK(part->find("#include \"../outside.txt\"") != std::string::npos);
}

TEST_CASE("A file's own headers are looked for in the folders that were named") {
  const warpbook::tests::TemporaryFolder outer;
  outer.write("inc/deep/own.cuh", "__device__ int named;\n");
  outer.write("inc/notes.txt", "__device__ int notes;\n");
  outer.write("secret.txt", "__device__ int secret;\n");
  const std::string source =
      "#include <deep/own.cuh>\n#include \"notes.txt\"\n#include \"../secret.txt\"\n";
  const auto part = with_own_headers(outer.path() / "a.cu", source, {outer.path() / "inc"});
  REQUIRE(part);
  CHECK(part->find("__device__ int named;") != std::string::npos);
  CHECK(part->find("__device__ int notes;") != std::string::npos);
  CHECK(part->find("__device__ int secret;") == std::string::npos);
  const auto without = with_own_headers(outer.path() / "a.cu", source);
  REQUIRE(without);
  CHECK(*without == source);
}

}  // namespace warpbook::tests::own_headers_test
