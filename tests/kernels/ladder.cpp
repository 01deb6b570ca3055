#include "tests/kernels/ladder.hpp"

#include <catch2/catch_test_macros.hpp>

namespace warpbook::tests {

const std::vector<lab::Operation>& operations() {
  static const std::vector<lab::Operation> operations_read = [] {
    std::vector<lab::Operation> all;
    for (const std::string& name : lab::operation_names(WARPBOOK_SOURCE_DIR)) {
      auto operation = lab::load_operation(WARPBOOK_SOURCE_DIR, name);
      INFO((operation ? name : operation.error().english()));
      REQUIRE(operation.has_value());
      all.push_back(std::move(*operation));
    }
    return all;
  }();
  return operations_read;
}

std::shared_ptr<device::Compiler> compiler() {
  static const auto shared_compiler = std::make_shared<device::Compiler>();
  return shared_compiler;
}

std::unique_ptr<lab::Lab> checking_lab(const std::string& gpu) {
  auto made = lab::checking_lab(compiler(), WARPBOOK_SOURCE_DIR, gpu);
  REQUIRE(made.has_value());
  return std::move(*made);
}

std::string english(const lab::KernelVerdict& verdict) {
  static const auto words = *lab::Strings::load("en", WARPBOOK_SOURCE_DIR);
  std::string text;
  for (const lab::KernelFailure& failure : verdict.failures)
    text += std::string(name_of(failure.caught)) + ": " + sentence(failure, *words) + "\n";
  return text;
}

std::vector<int> every_architecture() {
  return {75, 80, 86, 87, 88, 89, 90, 100, 103, 110, 120, 121};
}

}  // namespace warpbook::tests
