// Every rung as a text: it compiles as it stands for every architecture within its stated budget.
#include <algorithm>
#include <cstdlib>
#include <filesystem>

#include <fmt/format.h>
#include <catch2/catch_test_macros.hpp>
#include <catch2/generators/catch_generators.hpp>
#include <catch2/generators/catch_generators_range.hpp>

#include "lab/text/source_text.hpp"
#include "tests/kernels/ladder.hpp"
#include "tests/temporary_folder.hpp"

namespace warpbook::tests::compile_test {

using namespace warpbook;
using namespace warpbook::lab;

namespace {

constexpr std::ptrdiff_t kMostLines = 150;

std::string source_of(const Rung& rung) {
  const auto source = read_source_file(WARPBOOK_SOURCE_DIR, rung.path);
  REQUIRE(source.has_value());
  return *source;
}

/// A device that loads code for every architecture, to read what its cubin says.
std::unique_ptr<device::Device> newest_device() {
  device::Properties properties = *device::find_gpu("h200");
  properties.compute_capability = 130;
  return device::make_simulated_device(properties);
}

/// Compiles each rung without any -D, and holds its kernels to their budget.
void check_budgets(int architecture) {
  const auto device = newest_device();
  for (const Operation& operation : tests::operations()) {
    for (const Rung& rung : operation.rungs) {
      if (rung.needs > architecture) continue;
      CAPTURE(rung.path, architecture);
      device::CompileRequest request;
      request.name = rung.name + ".cu";
      request.source = source_of(rung);
      request.architecture = architecture;
      request.cubin = true;
      const auto program = tests::compiler()->compile(request);
      INFO((program ? "" : program.error().error.english()));
      REQUIRE(program.has_value());
      CHECK((*program)->diagnostics.empty());
      const auto module = device->load(*program);
      REQUIRE(module.has_value());
      for (const device::KernelInfo& kernel : (*module)->kernels()) {
        CAPTURE(kernel.name);
        REQUIRE(kernel.registers.has_value());
        CHECK(static_cast<int>(*kernel.registers) <= rung.registers);
        CHECK(static_cast<int>(kernel.spilled_bytes.value_or(0)) <= rung.spills);
      }
    }
  }
}

}  // namespace

TEST_CASE("every rung compiles within its budget of registers") { check_budgets(90); }

TEST_CASE("every rung compiles within its budget of registers from the oldest to the newest",
          "[ci]") {
  check_budgets(GENERATE(75, 89, 120));
}

TEST_CASE("every rung compiles within its budget of registers for every architecture", "[long]") {
  check_budgets(GENERATE(from_range(tests::every_architecture())));
}

TEST_CASE("every rung compiles with nvcc, too, and without a warning", "[long]") {
  const char* given = std::getenv("CUDA_HOME");
  const std::string nvcc = std::string(given ? given : "/usr/local/cuda") + "/bin/nvcc";
  if (!std::filesystem::exists(nvcc)) SKIP(nvcc << " is not here");
  const tests::TemporaryFolder folder;
  for (const Operation& operation : tests::operations()) {
    for (const Rung& rung : operation.rungs) {
      CAPTURE(rung.path);
      const std::string command =
          fmt::format("'{}' -cubin -arch=sm_{} -Werror all-warnings -o '{}' '{}/{}'", nvcc,
                      std::max(rung.needs, 90), (folder.path() / "rung.cubin").string(),
                      WARPBOOK_SOURCE_DIR, rung.path);
      CHECK(std::system(command.c_str()) == 0);
    }
  }
}

TEST_CASE("a rung's defines are those that its source makes for itself") {
  for (const Operation& operation : tests::operations()) {
    for (const Rung& rung : operation.rungs) {
      const std::string source = source_of(rung);
      for (const auto& [name, value] : rung.defines) {
        CAPTURE(rung.path, name);
        CHECK(source.find("#ifndef " + name + "\n#define " + name + " " + value) !=
              std::string::npos);
      }
    }
  }
}

TEST_CASE("a rung is short, and says its shapes before its code") {
  for (const Operation& operation : tests::operations()) {
    for (const Rung& rung : operation.rungs) {
      CAPTURE(rung.path);
      const std::string source = source_of(rung);
      CHECK(std::ranges::count(source, '\n') <= kMostLines);
      const std::string head = source.substr(0, source.find("__global__"));
      for (const Operation::Parameter& parameter : operation.parameters) {
        if (parameter.kind == Operation::Parameter::Kind::scalar) continue;
        CAPTURE(parameter.name);
        CHECK(head.find(parameter.name) != std::string::npos);
      }
      CHECK(head.find('[') != std::string::npos);
    }
  }
}

}  // namespace warpbook::tests::compile_test
