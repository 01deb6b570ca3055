// Programs that compile before they are asked for.
#include "lab/experiment/programs_ahead.hpp"

#include <thread>

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

std::shared_ptr<const device::Program> program_of(ProgramsAhead& ahead,
                                                  const device::CompileRequest& request) {
  const auto compiled = ahead.program(request, {});
  REQUIRE(compiled.has_value());
  return *compiled;
}

}  // namespace

TEST_CASE("what was begun compiles before anybody asks for it, once") {
  ProgramsAhead ahead(compiler());
  const double before = compiler()->status().seconds;
  ahead.begin(request_of("first"));
  while (compiler()->status().seconds == before) std::this_thread::yield();
  const double compiled = compiler()->status().seconds;
  const auto first = program_of(ahead, request_of("first"));
  CHECK(first->ptx.find("first") != std::string::npos);
  CHECK(program_of(ahead, request_of("first")) == first);
  CHECK(compiler()->status().seconds == compiled);
}

TEST_CASE("as many of what was begun compile at the same time as can, and each of them once") {
  ProgramsAhead ahead(compiler());
  const std::vector<std::string> kernels{"one", "two", "three", "four", "five", "six"};
  for (const std::string& kernel : kernels) ahead.begin(request_of(kernel));
  for (const std::string& kernel : kernels)
    CHECK(program_of(ahead, request_of(kernel))->ptx.find(kernel) != std::string::npos);
  const double compiled = compiler()->status().seconds;
  for (const std::string& kernel : kernels) (void)program_of(ahead, request_of(kernel));
  CHECK(compiler()->status().seconds == compiled);
}

TEST_CASE("a request that differs in a define alone is another program") {
  ProgramsAhead ahead(compiler());
  device::CompileRequest other = request_of("first");
  other.defines = {{"TILE", "8"}};
  CHECK(program_of(ahead, request_of("first")) != program_of(ahead, other));
}

TEST_CASE("who asks for the same at the same time gets one program") {
  ProgramsAhead ahead(compiler());
  std::shared_ptr<const device::Program> theirs;
  std::thread other([&] { theirs = *ahead.program(request_of("shared"), {}); });
  const auto ours = *ahead.program(request_of("shared"), {});
  other.join();
  CHECK(ours == theirs);
}

TEST_CASE("who is stopped gets no program, and the next one does") {
  ProgramsAhead ahead(compiler());
  std::stop_source stop;
  stop.request_stop();
  const auto stopped = ahead.program(request_of("late"), stop.get_token());
  REQUIRE_FALSE(stopped.has_value());
  CHECK(stopped.error().error.code == device::ErrorCode::cancelled);
  CHECK(program_of(ahead, request_of("late"))->ptx.find("late") != std::string::npos);
}

TEST_CASE("a source that does not compile says why when it is asked for") {
  ProgramsAhead ahead(compiler());
  device::CompileRequest wrong = request_of("wrong");
  wrong.source = "__global__ void wrong() { nobody(); }\n";
  ahead.begin(wrong);
  const auto compiled = ahead.program(wrong, {});
  REQUIRE_FALSE(compiled.has_value());
  CHECK(compiled.error().error.code == device::ErrorCode::compile_error);
  CHECK(compiled.error().diagnostics.front().place.line == 1);
}

}  // namespace warpbook::tests::programs_ahead_test
