// Programs that compile before they are asked for.
#include "lab/experiment/programs_ahead.hpp"

#include <chrono>

#include <catch2/catch_test_macros.hpp>

namespace warpbook::tests::programs_ahead_test {

using namespace warpbook;
using lab::ProgramsAhead;

namespace {

/// One that keeps nothing on disk, so that what is not taken compiles.
std::shared_ptr<device::Compiler> compiler() {
  device::Compiler::Options options;
  options.cache_folder = "-";
  static const auto made = std::make_shared<device::Compiler>(options);
  return made;
}

device::CompileRequest request_of(const std::string& kernel) {
  device::CompileRequest request;
  request.name = kernel + ".cu";
  request.source = "__global__ void " + kernel + "() {}\n";
  return request;
}

/// Waits until the last of them has compiled.
void begin(ProgramsAhead& ahead, const std::vector<device::CompileRequest>& requests) {
  const double before = compiler()->status().seconds;
  for (const device::CompileRequest& request : requests) ahead.begin(request);
  while (compiler()->status().seconds == before) std::this_thread::yield();
  while (!ahead.take(requests.back(), {})) ahead.begin(requests.back());
}

}  // namespace

TEST_CASE("what was begun is there when it is asked for, and stays there") {
  ProgramsAhead ahead(compiler());
  begin(ahead, {request_of("first"), request_of("second")});
  const double compiled = compiler()->status().seconds;
  const auto first = ahead.take(request_of("first"), {}),
             again = ahead.take(request_of("first"), {});
  REQUIRE(first);
  REQUIRE(first->has_value());
  CHECK((**first)->ptx.find("first") != std::string::npos);
  CHECK(**first == **again);
  CHECK(compiler()->status().seconds == compiled);
}

TEST_CASE(
    "what was not begun is left to who asks for it, also where it differs in a define alone") {
  ProgramsAhead ahead(compiler());
  begin(ahead, {request_of("first")});
  device::CompileRequest other = request_of("first");
  other.defines = {{"TILE", "8"}};
  CHECK_FALSE(ahead.take(other, {}));
  CHECK_FALSE(ahead.take(request_of("second"), {}));
}

TEST_CASE("a source that does not compile says why when it is asked for") {
  ProgramsAhead ahead(compiler());
  device::CompileRequest wrong = request_of("wrong");
  wrong.source = "__global__ void wrong() { nobody(); }\n";
  begin(ahead, {wrong});
  const auto taken = ahead.take(wrong, {});
  REQUIRE(taken);
  REQUIRE_FALSE(taken->has_value());
  CHECK(taken->error().error.code == device::ErrorCode::compile_error);
  CHECK(taken->error().diagnostics.front().place.line == 1);
}

}  // namespace warpbook::tests::programs_ahead_test
