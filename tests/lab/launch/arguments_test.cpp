// Arguments as they are typed, and what becomes of them in the memory of a device.
#include "lab/launch/arguments.hpp"

#include <cstring>

#include <algorithm>
#include <functional>

#include <catch2/catch_test_macros.hpp>

namespace warpbook::lab::arguments_test {
namespace {
device::KernelInfo kernel_of(std::initializer_list<const char*> declared) {
  device::KernelInfo kernel;
  for (const char* type : declared) kernel.parameters.push_back({"u64", 8, 8, type});
  return kernel;
}

/// What a typed argument puts into memory for a parameter that is declared so.
template <class T>
std::vector<T> filled(const std::string& typed, const char* declared) {
  auto device = device::open_device("simulator", "h200");
  REQUIRE(device);
  const auto argument = parse_argument(typed);
  REQUIRE(argument);
  const std::vector<std::string> names{"x"};
  const auto bound = BoundArguments::bind(**device, kernel_of({declared}), {*argument}, names);
  REQUIRE(bound);
  const device::Buffer* buffer = bound->buffer_of(0);
  REQUIRE(buffer);
  CHECK(buffer->name() == "x");
  std::vector<T> values(buffer->bytes() / sizeof(T));
  REQUIRE((*device)->copy_out(std::as_writable_bytes(std::span(values)), buffer->address()).wait());
  return values;
}
}  // namespace

TEST_CASE("a ramp counts in the type that the kernel's pointer points to") {
  CHECK(filled<float>("ramp:4", "float const*") == std::vector<float>{0, 1, 2, 3});
  CHECK(filled<std::int32_t>("ramp:3", "int*") == std::vector<std::int32_t>{0, 1, 2});
  CHECK(filled<double>("ramp:2", "double*") == std::vector<double>{0, 1});
  CHECK(filled<std::uint8_t>("ramp:258", "unsigned char*").back() == 1);  // 257 in eight bits
}

TEST_CASE("a count is one of vectors where the kernel's pointer points to vectors") {
  CHECK(filled<float>("ramp:2", "float4*").size() == 8);
  CHECK(filled<float>("zeros:3", "float2 const*") == std::vector<float>(6, 0));
}

TEST_CASE("random numbers are the same in every run, and within their range") {
  const auto once = filled<float>("random:1000", "float*");
  CHECK(once == filled<float>("random:1000", "float*"));
  CHECK(std::ranges::all_of(once, [](float x) { return x >= 0 && x < 1; }));
  CHECK(std::ranges::adjacent_find(once, std::not_equal_to{}) != once.end());
  const auto whole = filled<std::int32_t>("random:1000", "int*");
  CHECK(std::ranges::all_of(whole, [](std::int32_t x) { return x >= 0 && x < 100; }));
}

TEST_CASE("a count that is none, or too large for the host, is refused with an example") {
  for (const char* typed : {"ramp:", "ramp:x", "zeros:-1", "random:1.5", "ramp:99999999999"}) {
    CAPTURE(typed);
    const auto argument = parse_argument(typed);
    REQUIRE_FALSE(argument);
    CHECK(argument.error().code == device::ErrorCode::bad_argument);
  }
}

}  // namespace warpbook::lab::arguments_test
