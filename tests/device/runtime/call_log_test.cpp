#include "device/runtime/call_log.hpp"

#include <unistd.h>

#include <set>
#include <string_view>

#include <catch2/catch_test_macros.hpp>

namespace warpbook::tests::call_log_test {

using namespace device::runtime;

TEST_CASE("Both sides of a call log see the same calls") {
  const auto ours = CallLogMemory::make();
  REQUIRE(ours);
  const auto theirs = CallLogMemory::open(device::UniqueFd(::dup(ours->fd())));
  REQUIRE(theirs);
  CHECK(ours->kept().empty());
  const auto number = theirs->log().calls.fetch_add(1);
  theirs->log().record[number].function = Function::cudaMalloc;
  theirs->log().record[number].error = 2;
  REQUIRE(ours->kept().size() == 1);
  CHECK(ours->kept()[0].function == Function::cudaMalloc);
  CHECK(ours->kept()[0].error == 2);
  CHECK(ours->kept()[0].end == 0);
}

TEST_CASE("Calls beyond what the log keeps are counted") {
  const auto log = CallLogMemory::make();
  REQUIRE(log);
  log->log().calls = kMostCalls + 5;
  CHECK(log->kept().size() == kMostCalls);
}

TEST_CASE("A log that is moved is mapped once") {
  auto log = CallLogMemory::make();
  REQUIRE(log);
  log->log().calls = 3;
  const CallLogMemory moved(std::move(*log));
  CHECK(moved.kept().size() == 3);
}

TEST_CASE("Each function has its own name") {
  CHECK(name_of(Function::none) == "none");
  CHECK(name_of(Function::cudaMalloc) == "cudaMalloc");
  CHECK(name_of(Function::__cudaLaunchKernel) == "__cudaLaunchKernel");
  std::set<std::string_view> names;
  std::size_t count = 0;
  for (int i = 0; i <= static_cast<int>(Function::cudaVDPAUSetVDPAUDevice); ++i, ++count)
    names.insert(name_of(static_cast<Function>(i)));
  CHECK(names.size() == count);
}

TEST_CASE("Functions of the driver are known as such, and by the names that programs write") {
  CHECK(is_of_driver(Function::cuMemAlloc_v2));
  CHECK(!is_of_driver(Function::cudaMalloc));
  CHECK(name_of(Function::cuMemAlloc_v2) == "cuMemAlloc");
  CHECK(name_of(Function::cuInit) == "cuInit");
}

}  // namespace warpbook::tests::call_log_test
