#include <catch2/catch_test_macros.hpp>
#include <filesystem>
#include <fstream>

#include "device/compiler/own_headers.hpp"

using namespace warpbook::device;

TEST_CASE("A file's own headers take the place of their includes, at their own lines") {
  const auto folder = std::filesystem::temp_directory_path() / "warpbook-own-headers-test";
  std::filesystem::remove_all(folder);
  std::filesystem::create_directories(folder / "inner");
  const auto write = [](const std::filesystem::path& file, std::string_view text) {
    std::ofstream(file) << text;
  };
  write(folder / "inner" / "own.cuh", "#pragma once\n#include \"deep.cuh\"\n__device__ int own;\n");
  write(folder / "inner" / "deep.cuh", "__device__ int deep;\n");
  write(folder.parent_path() / "warpbook-outside.cuh", "__device__ int secret;\n");
  const auto part = with_own_headers(
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
