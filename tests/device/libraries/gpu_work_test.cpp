#include "device/libraries/gpu_work.hpp"

#include <cmath>
#include <cstring>
#include <limits>

#include <catch2/catch_test_macros.hpp>
#include <catch2/generators/catch_generators.hpp>

namespace warpbook::tests::gpu_work_test {

using namespace device::libraries;

namespace {

template <class T>
T element(const std::vector<std::byte>& bytes, std::size_t i) {
  T value{};
  std::memcpy(&value, bytes.data() + i * sizeof value, sizeof value);
  return value;
}

}  // namespace

TEST_CASE("Tensors go into NHWC with their channels last, and come back") {
  Problem p;
  p.layout = Layout::nhwc;
  const Shape shape{2, 3, 4, 5};
  std::vector<float> numbers;
  for (int i = 0; i < shape.count(); ++i) numbers.push_back(static_cast<float>(i));
  const auto bytes = encode(numbers, shape, p);
  // n = 1, c = 2, h = 3, w = 4 is the last of both; c = 1 of the first pixel comes second.
  CHECK(element<float>(bytes, 119) == 119);
  CHECK(element<float>(bytes, 1) == 20);
  CHECK(element<float>(bytes, ((1 * 4 + 2) * 5 + 3) * 3 + 1) ==
        numbers[((1 * 3 + 1) * 4 + 2) * 5 + 3]);
  CHECK(decode(bytes, shape, p) == numbers);
  p.layout = Layout::nchw;
  CHECK(element<float>(encode(numbers, shape, p), 1) == 1);
}

TEST_CASE("A matrix has no layout") {
  Problem p;
  p.kind = ProblemKind::matmul;
  p.layout = Layout::nhwc;
  const std::vector<float> numbers{1, 2, 3, 4, 5, 6};
  CHECK(element<float>(encode(numbers, {1, 1, 2, 3}, p), 1) == 2);
}

TEST_CASE("16-bit numbers are the nearest there are, ties to even, and NaN stays NaN") {
  Problem p;
  p.precision = Precision::bf16;
  const Shape one{1, 1, 1, 4};
  const float inf = std::numeric_limits<float>::infinity();
  auto bytes = encode({1.0f + 1.0f / 256, 1.0f + 3.0f / 256, std::nanf(""), -inf}, one, p);
  CHECK(element<std::uint16_t>(bytes, 0) == 0x3f80);  // the tie goes down to even
  CHECK(element<std::uint16_t>(bytes, 1) == 0x3f82);  // and up to even
  auto back = decode(bytes, one, p);
  CHECK(std::isnan(back[2]));
  CHECK(back[3] == -inf);
  p.precision = Precision::fp16;
  bytes = encode({0.1f, 65504.0f, 1e6f, -0.0f}, one, p);
  CHECK(element<std::uint16_t>(bytes, 0) == 0x2e66);
  CHECK(element<std::uint16_t>(bytes, 1) == 0x7bff);
  CHECK(element<std::uint16_t>(bytes, 2) == 0x7c00);
  CHECK(element<std::uint16_t>(bytes, 3) == 0x8000);
}

}  // namespace warpbook::tests::gpu_work_test
