// nvcc is taken only where all of it is: in a folder that is named, in a toolkit, or in what was fetched.
#include "device/nvcc/nvcc.hpp"

#include <catch2/catch_test_macros.hpp>

#include "tests/device/nvcc/stand_in.hpp"

namespace warpbook::tests::nvcc_test {

using namespace warpbook::device;

TEST_CASE("nvcc is looked for where a variable says, by its folder or by itself") {
  for (const char* layout : {"toolkit", "toolkit/nvidia/cu13"}) {
    const TemporaryFolder folder;
    write_toolkit(folder.path() / layout, "exit 0");
    const auto program = folder.path() / layout / "bin" / "nvcc";
    for (const auto& named : {folder.path() / "toolkit", program}) {
      CAPTURE(named);
      const Variable variable("WARPBOOK_NVCC", named);
      const auto found = find_nvcc();
      REQUIRE(found);
      CHECK(found->program == program);
      CHECK(found->includes == folder.path() / layout / "include");
    }
  }
}

TEST_CASE(
    "A folder that is named and has no nvcc is an error with the remedy, wherever else there is "
    "one") {
  const TemporaryFolder folder;
  const Variable named("WARPBOOK_NVCC", folder.path());
  const auto found = find_nvcc();
  REQUIRE_FALSE(found);
  CHECK(found.error().code == ErrorCode::library_missing);
  CHECK(found.error().english().find(kNvccCommand) != std::string::npos);
}

TEST_CASE("A toolkit without one of nvcc's parts is none, and the part is named") {
  for (const char* part :
       {"bin/nvcc", "bin/cudafe++", "bin/ptxas", "bin/fatbinary", "nvvm/bin/cicc",
        "nvvm/libdevice/libdevice.10.bc", "include/crt/host_runtime.h"}) {
    CAPTURE(part);
    const TemporaryFolder folder;
    write_toolkit(folder.path(), "exit 0");
    REQUIRE(nvcc_in(folder.path()));
    std::filesystem::remove(folder.path() / part);
    const auto found = nvcc_in(folder.path());
    REQUIRE_FALSE(found);
    CHECK(found.error().english().find((folder.path() / part).string()) != std::string::npos);
  }
}

TEST_CASE("A program that may not be run does not count as a part of nvcc") {
  const TemporaryFolder folder;
  write_toolkit(folder.path(), "exit 0");
  std::filesystem::permissions(folder.path() / "nvvm/bin/cicc", std::filesystem::perms::owner_read);
  CHECK_FALSE(nvcc_in(folder.path()));
}

TEST_CASE("The nvcc of another release of CUDA is refused") {
  const TemporaryFolder folder;
  write_toolkit(folder.path(), "exit 0", 12080);
  const auto found = nvcc_in(folder.path());
  REQUIRE_FALSE(found);
  CHECK(found.error().code == ErrorCode::library_version);
  CHECK(found.error().english().find("12.8") != std::string::npos);
}

TEST_CASE("Another compiler has another identity") {
  const TemporaryFolder folder;
  write_toolkit(folder.path(), "exit 0");
  const auto found = nvcc_in(folder.path());
  REQUIRE(found);
  const std::string before = identity_of(*found);
  CHECK(identity_of(*found) == before);
  write_program(folder.path() / "nvvm/bin/cicc", "exit 42");
  CHECK(identity_of(*found) != before);
}

}  // namespace warpbook::tests::nvcc_test
