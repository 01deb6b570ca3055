#include "tests/training/training_lab.hpp"

#include <catch2/catch_test_macros.hpp>

#include "lab/operation/kernel_check.hpp"

namespace warpbook::tests {

std::unique_ptr<lab::Lab> training_lab(const std::string& gpu) {
  static const auto compiler = std::make_shared<device::Compiler>();
  auto made = lab::checking_lab(compiler, WARPBOOK_SOURCE_DIR, gpu);
  REQUIRE(made.has_value());
  return std::move(*made);
}

std::vector<float> some_floats(std::int64_t count, std::uint32_t seed) {
  std::vector<float> values;
  for (std::int64_t i = 0; i < count; ++i) {
    seed = seed * 1664525u + 1013904223u;
    values.push_back(static_cast<float>(static_cast<std::int32_t>(seed >> 8) - (1 << 23)) *
                     0x1p-23f);
  }
  return values;
}

std::vector<double> as_doubles(const std::vector<float>& values) {
  return {values.begin(), values.end()};
}

}  // namespace warpbook::tests
