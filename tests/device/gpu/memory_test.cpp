#include "device/gpu/gpu_memory.hpp"
#include "tests/keyed.hpp"

#include <catch2/catch_test_macros.hpp>

namespace warpbook::tests::memory_test {

using namespace warpbook::device;
using warpbook::device::gpu::GpuMemory;

namespace {

constexpr Pointer kX = 0x1000;
const AllocationInfo kInfo{"x", kX, 256, ElementType::f32};

ErrorCode code_of(const Expected<void>& result) {
  return result ? ErrorCode::cancelled : result.error().code;
}

}  // namespace

TEST_CASE("A copy on the GPU stays within its buffer") {
  GpuMemory memory;
  memory.add(kInfo, 1, false);
  CHECK(memory.check(kX, 256, "copy").has_value());
  CHECK(memory.check(kX + 255, 1, "copy").has_value());
  CHECK(code_of(memory.check(kX, 257, "copy")) == ErrorCode::copy_out_of_bounds);
  CHECK(code_of(memory.check(kX + 1, 256, "copy")) == ErrorCode::copy_out_of_bounds);
  CHECK(code_of(memory.check(kX, ~std::uint64_t{0}, "copy")) == ErrorCode::copy_out_of_bounds);
  CHECK(code_of(memory.check(kX + 256, 1, "copy")) == ErrorCode::bad_pointer);
  CHECK(code_of(memory.check(kX - 1, 1, "copy")) == ErrorCode::bad_pointer);
  CHECK(memory.check(0, 0, "copy").has_value());
}

TEST_CASE("Memory that went with a context is lost until it is freed") {
  GpuMemory memory;
  memory.add(kInfo, 1, false);
  memory.lose(2, "a fault");
  const auto checked = memory.check(kX, 4, "copy");
  REQUIRE(!checked);
  CHECK(checked.error().code == ErrorCode::memory_lost);
  CHECK(warpbook::tests::keyed(checked.error()) == "memory_lost(cause=a fault, name=x)");
  CHECK(code_of(memory.check_lost(kX + 8)) == ErrorCode::memory_lost);
  CHECK(memory.was_lost(kX + 255, 1));
  CHECK(!memory.was_lost(kX + 256, 64));
  CHECK(memory.buffers().empty());

  const auto taken = memory.take(kX, "release");
  REQUIRE(taken);
  CHECK(!*taken);  // the driver has nothing to free
  CHECK(!memory.was_lost(kX, 256));
  CHECK(code_of(memory.check(kX, 4, "copy")) == ErrorCode::bad_pointer);
}

TEST_CASE("Memory of the present context is not lost") {
  GpuMemory memory;
  memory.add(kInfo, 3, false);
  memory.lose(3, "a fault");
  CHECK(memory.check(kX, 256, "copy").has_value());
  CHECK(memory.buffers().size() == 1);
}

TEST_CASE(
    "A buffer where the variable of an unloaded module was is a buffer from its start to its end") {
  GpuMemory memory;
  memory.add({"weights", kX + 64, 16, ElementType::f32}, 1, true);
  memory.add(kInfo, 1, false);
  CHECK(memory.check(kX, 256, "copy").has_value());
  CHECK(memory.check(kX + 128, 128, "fill").has_value());
  CHECK(memory.name_at(kX + 64) == "x");
}

TEST_CASE("Only a buffer's own start frees it") {
  GpuMemory memory;
  memory.add(kInfo, 1, false);
  memory.add({"v", 0x8000, 4, ElementType::u32}, 1, true);
  CHECK(!memory.take(kX + 4, "release"));
  CHECK(!memory.take(0x8000, "release"));
  CHECK(memory.take(kX, "release"));
  CHECK(!memory.take(kX, "release"));
}

}  // namespace warpbook::tests::memory_test
