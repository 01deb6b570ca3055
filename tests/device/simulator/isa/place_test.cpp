#include <filesystem>
#include <string>

#include <catch2/catch_test_macros.hpp>

#include "device/simulator/isa/decode.hpp"
#include "tests/device/simulator/ptx/parsing.hpp"
#include "tests/temporary_folder.hpp"

namespace warpbook::device::isa::place_test {

TEST_CASE("An instruction of a header of CUDA's stands at the line that calls it, wherever CUDA is",
          "[isa]") {
  const warpbook::tests::TemporaryFolder folder;
  folder.write("toolkit/include/cuda_runtime_api.h", "");
  const auto place_in = [&](const std::string& header) {
    const ptx::Module module = ptx::parsed_module(
        ".entry k() {\n  .loc 1 25 7\n  nop_a;\n"
        "  .loc 2 107 3, function_name $str, inlined_at 1 25 7\n  nop_b;\n}\n"
        ".file 1 \"k.cu\"\n.file 2 \"" +
        (folder.path() / header).string() + "\"\n");
    return place_in_program(module, function_of(module, "k").instructions[1]);
  };
  for (const char* header :
       {"toolkit/include/device_atomic_functions.hpp", "toolkit/include/cccl/cuda/std/atomic"}) {
    CAPTURE(header);
    CHECK(place_in(header).file == "k.cu");
    CHECK(place_in(header).line == 25);
  }
  // A header of the reader's own.
  CHECK(place_in("project/include/sums.cuh").line == 107);
}

}  // namespace warpbook::device::isa::place_test
