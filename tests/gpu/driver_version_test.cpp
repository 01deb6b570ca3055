#include "tests/gpu/driver_version.hpp"

#include <catch2/catch_test_macros.hpp>

namespace warpbook::tests::driver_version_test {

TEST_CASE("A driver's version is read of either kernel module that NVIDIA has") {
  CHECK(driver_version_in("NVRM version: NVIDIA UNIX x86_64 Kernel Module  580.95.05  Tue Sep 23 "
                          "10:11:16 UTC 2025\nGCC version:  gcc version 12.2.0 (Debian)\n") ==
        "580.95.05");
  // The open one names the machine before the version.
  CHECK(driver_version_in("NVRM version: NVIDIA UNIX Open Kernel Module for x86_64  580.159.04  "
                          "Release Build  (builder@host)\nGCC version:  gcc version 13.3.0\n") ==
        "580.159.04");
  CHECK(driver_version_in("NVRM version: NVIDIA UNIX Open Kernel Module for x86_64").empty());
  CHECK(driver_version_in("").empty());
  CHECK(driver_version_in(" . 5. .5 1..2 12 x1.2\n").empty());
}

TEST_CASE("A driver's version is read of the name of its file") {
  CHECK(driver_version_of("/usr/lib/x86_64-linux-gnu/libcuda.so.580.159.04") == "580.159.04");
  CHECK(driver_version_of("/usr/lib/libcuda.so.1").empty());
  CHECK(driver_version_of("libcuda.so.").empty());
  CHECK(driver_version_of("").empty());
}

}  // namespace warpbook::tests::driver_version_test
