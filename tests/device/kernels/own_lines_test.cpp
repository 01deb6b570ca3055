// What goes wrong inside a library's header is told at the line of the student's that called it.
#include <algorithm>

#include "device/compiler/own_headers.hpp"
#include "device/device.hpp"
#include "tests/device/compiler/compilers.hpp"
#include "tests/temporary_folder.hpp"

namespace warpbook::tests::own_lines_test {

using namespace warpbook::device;
using warpbook::tests::TemporaryFolder;

namespace {

/// The line that ends in "// here".
std::uint32_t marked_line(const std::string& text) {
  const std::size_t at = text.find("// here");
  REQUIRE(at != std::string::npos);
  return static_cast<std::uint32_t>(
      1 + std::count(text.begin(), text.begin() + static_cast<std::ptrdiff_t>(at), '\n'));
}

/// How the only kernel of `source`, compiled for `architecture`, ends with one argument: 64 integers, "data".
Error failure_of(const std::string& source, int architecture) {
  CompileRequest request = request_of(source);
  request.architecture = architecture;
  auto program = compiler().compile(request);
  if (!program) FAIL(everything_said(program.error()));
  const auto device = make_simulated_device(*find_gpu("h200"));
  const auto module = device->load(*program);
  if (!module) return module.error();
  const Pointer data = device->allocate("data", ElementType::i32, 64).value();
  REQUIRE(device->fill(data, std::byte{0}, 256).wait());
  Launch launch;
  launch.module = *module;
  launch.grid = {1};
  launch.block = {32};
  launch.arguments = {Argument::pointer(data)};
  const auto record = device->launch(std::move(launch)).wait();
  if (!record) return record.error();
  REQUIRE((*record)->error.has_value());
  return *(*record)->error;
}

}  // namespace

TEST_CASE(
    "An access out of bounds inside a function of cooperative groups names the student's line",
    "[ci]") {
  const std::string source = R"(#include <cooperative_groups.h>
#include <cooperative_groups/memcpy_async.h>
namespace cg = cooperative_groups;
__global__ void too_much(int* data) {
  __shared__ int tile[96];
  const auto block = cg::this_thread_block();
  cg::memcpy_async(block, tile, data, sizeof tile);  // here
  cg::wait(block);
  data[threadIdx.x] = tile[threadIdx.x];
}
)";
  const Error error = failure_of(source, 75);
  CHECK(name_of(error.code) == std::string("out_of_bounds_read"));
  CHECK(error.place.file == "student.cu");
  CHECK(error.place.line == marked_line(source));
}

TEST_CASE("A trap inside cooperative groups names the student's line", "[ci]") {
  const std::string source = R"(#include <cooperative_groups.h>
__device__ void meet() {
  cooperative_groups::this_grid().sync();  // here
}
__global__ void not_cooperative(int* data) {
  data[threadIdx.x] = 1;
  meet();
}
)";
  const Error error = failure_of(source, 90);
  CHECK(name_of(error.code) == std::string("trap"));
  CHECK(error.place.file == "student.cu");
  CHECK(error.place.line == marked_line(source));
}

TEST_CASE("An instruction that the simulator lacks, used by a header, names the student's line",
          "[ci]") {
  const std::string source = R"(#include <cuda/ptx>
__global__ void everywhere(unsigned* data) {
  cuda::ptx::multimem_red(cuda::ptx::sem_relaxed, cuda::ptx::scope_gpu, cuda::ptx::op_min, data, 1u);  // here
}
)";
  const Error error = failure_of(source, 90);
  CHECK(name_of(error.code) == std::string("ptx_left_out"));
  CHECK(error.place.file == "student.cu");
  CHECK(error.place.line == marked_line(source));
}

TEST_CASE("What goes wrong in the student's own header is told there", "[ci]") {
  const TemporaryFolder folder;
  const std::string header =
      "#pragma once\n__device__ void put(int* data, int i) {\n  data[i] = 1;  // here\n}\n";
  const std::string main =
      "#include \"put.cuh\"\n__global__ void far(int* data) { put(data, threadIdx.x + 60); }\n";
  folder.write("put.cuh", header);
  const auto expanded = with_own_headers(folder.write("student.cu", main), main);
  REQUIRE(expanded);
  const Error error = failure_of(*expanded, 90);
  CHECK(name_of(error.code) == std::string("out_of_bounds_write"));
  CHECK(error.place.file == "put.cuh");
  CHECK(error.place.line == marked_line(header));
}

}  // namespace warpbook::tests::own_lines_test
