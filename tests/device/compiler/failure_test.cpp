// What befalls a compile, and that the next one works.
#include <sys/types.h>
#include <unistd.h>
#include <catch2/catch_test_macros.hpp>
#include <catch2/generators/catch_generators.hpp>

#include <atomic>
#include <chrono>
#include <csignal>
#include <fstream>
#include <optional>
#include <sstream>
#include <thread>
#include <vector>

#include "device/compiler/at_once.hpp"
#include "device/platform.hpp"
#include "device/sanitized.hpp"
#include "tests/device/compiler/compilers.hpp"
#include "tests/temporary_folder.hpp"

namespace warpbook::tests::failure_test {

using namespace warpbook::device;
using std::chrono::milliseconds;
using std::chrono::steady_clock;
using warpbook::tests::TemporaryFolder;

namespace {

// Instantiates 2^40 classes, if one waits; needs next to no memory for the first minutes.
const std::string kEndless =
    "template <int N, long M> struct Bomb { static const long value = Bomb<N - 1, 2 * M>::value + "
    "Bomb<N - 1, 2 * M + 1>::value; };\n"
    "template <long M> struct Bomb<0, M> { static const long value = 1; };\n"
    "__global__ void f(long* x) { *x = Bomb<40, 0>::value; }\n";

// Doubles a text 40 times over.
std::string macro_bomb() {
  std::string source = "#define B0 1 +\n";
  for (int i = 1; i <= 40; ++i) {
    const std::string last = " B" + std::to_string(i - 1);
    source += "#define B" + std::to_string(i) + last + last + "\n";
  }
  return source + "__global__ void f(long* x) { *x = B40 0; }\n";
}

Compiler::Options quick_options() {
  Compiler::Options options;
  options.cache_folder = "-";
  return options;
}

std::optional<pid_t> child_of(pid_t parent) {
  std::ifstream children("/proc/" + std::to_string(parent) + "/task/" + std::to_string(parent) +
                         "/children");
  pid_t child = 0;
  return children >> child ? std::optional(child) : std::nullopt;
}

/// Compiles something endless, and does `disturb` once the boxed child is there.
template <class Disturb>
CompileFailure failure_of_disturbed(Compiler& compiler, Disturb disturb) {
  const pid_t worker = compiler.status().worker;
  std::optional<CompileFailure> failure;
  std::thread compiling([&] {
    const auto program = compiler.compile(request_of(kEndless));
    if (!program) failure = program.error();
  });
  std::optional<pid_t> child;
  for (int tries = 0; tries < 2000 && !child; ++tries) {
    child = child_of(worker);
    std::this_thread::sleep_for(milliseconds(2));
  }
  if (child) disturb(worker, *child);
  compiling.join();
  REQUIRE(child);
  REQUIRE(failure);
  return *failure;
}

void check_that_the_next_one_works(Compiler& compiler) {
  const auto program = compiler.compile(request_of(kAdd));
  if (!program) FAIL(everything_said(program.error()));
}

}  // namespace

TEST_CASE("A compile that is killed is an error that says so, and the next one works") {
  Compiler compiler(quick_options());
  const CompileFailure failure =
      failure_of_disturbed(compiler, [](pid_t, pid_t child) { ::kill(child, SIGKILL); });
  CHECK(failure.error.code == ErrorCode::compiler_died);
  CHECK(failure.error.english().find("student.cu") != std::string::npos);
  CHECK(failure.error.english().find("signal 9") != std::string::npos);
  check_that_the_next_one_works(compiler);
}

TEST_CASE("A compile that crashes is an error that says so, and the next one works") {
  Compiler compiler(quick_options());
  const CompileFailure failure =
      failure_of_disturbed(compiler, [](pid_t, pid_t child) { ::kill(child, SIGSEGV); });
  CHECK(failure.error.code == ErrorCode::compiler_died);
  check_that_the_next_one_works(compiler);
}

TEST_CASE("A worker that is killed in mid-compile takes its child along, and is started again") {
  Compiler compiler(quick_options());
  pid_t orphan = 0;
  const CompileFailure failure = failure_of_disturbed(compiler, [&](pid_t worker, pid_t child) {
    orphan = child;
    ::kill(worker, SIGKILL);
  });
  CHECK(failure.error.code == ErrorCode::compiler_died);
  check_that_the_next_one_works(compiler);
  bool gone = false;
  for (int tries = 0; tries < 1000 && !gone; ++tries) {
    const auto state = read_file("/proc/" + std::to_string(orphan) + "/stat");
    gone = !state || state->find(") Z ") != std::string::npos;
    std::this_thread::sleep_for(milliseconds(2));
  }
  CHECK(gone);
}

TEST_CASE("A worker that is killed between compiles is started again") {
  Compiler compiler(quick_options());
  ::kill(compiler.status().worker, SIGKILL);
  const auto first = compiler.compile(request_of(kAdd));
  if (!first) CHECK(first.error().error.code == ErrorCode::compiler_died);
  check_that_the_next_one_works(compiler);
}

TEST_CASE("A worker that is stopped in its tracks is given up at the timeout, and replaced") {
  auto options = quick_options();
  options.timeout_seconds = 0.5;
  Compiler compiler(options);
  const pid_t first_worker = compiler.status().worker;
  ::kill(first_worker, SIGSTOP);
  const auto program = compiler.compile(request_of(kAdd));
  REQUIRE_FALSE(program);
  CHECK(program.error().error.code == ErrorCode::compiler_timeout);
  check_that_the_next_one_works(compiler);
  CHECK(compiler.status().worker != first_worker);
}

TEST_CASE("A compile that does not end is stopped at the timeout, and the next one works") {
  auto options = quick_options();
  options.timeout_seconds = 0.5;
  Compiler compiler(options);
  const pid_t worker = compiler.status().worker;
  const auto begin = steady_clock::now();
  const auto program = compiler.compile(request_of(kEndless));
  CHECK(steady_clock::now() - begin < milliseconds(2500));
  REQUIRE_FALSE(program);
  CHECK(program.error().error.code == ErrorCode::compiler_timeout);
  CHECK(program.error().error.english().find("0.5 s") != std::string::npos);
  check_that_the_next_one_works(compiler);
  CHECK(compiler.status().worker == worker);
}

TEST_CASE("A compile that needs too much memory is stopped, and the next one works", "[ci]") {
  if (kSanitized) SKIP("a sanitizer reserves more addresses than any limit on them would grant");
  auto options = quick_options();
  options.memory_bytes = 640u << 20;
  options.timeout_seconds = 60;
  Compiler compiler(options);
  const auto program = compiler.compile(request_of(macro_bomb()));
  REQUIRE_FALSE(program);
  INFO(everything_said(program.error()));
  CHECK(program.error().error.code == ErrorCode::compiler_memory);
  CHECK(program.error().error.english().find("640 MB") != std::string::npos);
  check_that_the_next_one_works(compiler);
}

TEST_CASE("A compile is cancelled promptly, and the next one works") {
  Compiler compiler(quick_options());
  const pid_t worker = compiler.status().worker;
  std::stop_source source;
  std::thread canceller([&] {
    std::this_thread::sleep_for(milliseconds(150));
    source.request_stop();
  });
  const auto begin = steady_clock::now();
  const auto program = compiler.compile(request_of(kEndless), source.get_token());
  const auto took = steady_clock::now() - begin;
  canceller.join();
  REQUIRE_FALSE(program);
  CHECK(program.error().error.code == ErrorCode::cancelled);
  CHECK(took < milliseconds(1000));
  check_that_the_next_one_works(compiler);
  CHECK(compiler.status().worker == worker);
}

TEST_CASE("A compile that waits for its turn is cancelled as promptly") {
  Compiler compiler(quick_options());
  (void)compiler.status();
  std::stop_source first, second;
  std::vector<std::thread> busy;
  for (std::size_t i = 0; i < compiles_at_once(); ++i)
    busy.emplace_back([&] { (void)compiler.compile(request_of(kEndless), first.get_token()); });
  std::this_thread::sleep_for(milliseconds(100));
  std::thread canceller([&] {
    std::this_thread::sleep_for(milliseconds(100));
    second.request_stop();
  });
  const auto begin = steady_clock::now();
  const auto program = compiler.compile(request_of(kAdd), second.get_token());
  CHECK(steady_clock::now() - begin < milliseconds(1000));
  CHECK((!program && program.error().error.code == ErrorCode::cancelled));
  first.request_stop();
  for (std::thread& compiling : busy) compiling.join();
  canceller.join();
  check_that_the_next_one_works(compiler);
}

TEST_CASE("A program compiles while another one does") {
  if (compiles_at_once() < 2) SKIP("with one processor, programs compile one after the other");
  Compiler compiler(quick_options());
  (void)compiler.status();
  std::stop_source stop;
  std::atomic<bool> ended = false;
  std::thread endless([&] {
    const auto program = compiler.compile(request_of(kEndless), stop.get_token());
    CHECK((!program && program.error().error.code == ErrorCode::cancelled));
    ended = true;
  });
  std::this_thread::sleep_for(milliseconds(100));
  check_that_the_next_one_works(compiler);
  CHECK_FALSE(ended);
  stop.request_stop();
  endless.join();
  check_that_the_next_one_works(compiler);
}

TEST_CASE("A worker that dies takes all programs with it that it compiled") {
  if (compiles_at_once() < 2) SKIP("with one processor, programs compile one after the other");
  Compiler compiler(quick_options());
  const pid_t worker = compiler.status().worker;
  std::atomic<int> died = 0;
  std::vector<std::thread> both;
  for (int i = 0; i < 2; ++i) {
    both.emplace_back([&] {
      const auto program = compiler.compile(request_of(kEndless));
      if (!program && program.error().error.code == ErrorCode::compiler_died) ++died;
    });
  }
  std::this_thread::sleep_for(milliseconds(300));
  ::kill(worker, SIGKILL);
  for (std::thread& compiling : both) compiling.join();
  CHECK(died == 2);
  check_that_the_next_one_works(compiler);
}

TEST_CASE("A deep nest ends as an error, not in silence") {
  Compiler compiler(quick_options());
  const std::string source = "__global__ void f(int* x) { *x = " + std::string(200'000, '(') + "1" +
                             std::string(200'000, ')') + "; }\n";
  const auto program = compiler.compile(request_of(source));
  if (!program) CHECK_FALSE(program.error().error.english().empty());
  check_that_the_next_one_works(compiler);
}

TEST_CASE("Without NVRTC the error says what is missing and the remedy") {
  const TemporaryFolder empty;
  ::setenv("WARPBOOK_CUDA", empty.path().c_str(), 1);
  Compiler compiler(quick_options());
  const auto program = compiler.compile(request_of(kAdd));
  const Compiler::Status status = compiler.status();
  ::unsetenv("WARPBOOK_CUDA");
  REQUIRE_FALSE(program);
  CHECK(program.error().error.code == ErrorCode::compiler_missing);
  CHECK(program.error().error.english().find("./warpbook") != std::string::npos);
  CHECK(program.error().error.english().find(empty.path().string()) != std::string::npos);
  CHECK_FALSE(status.available);
  REQUIRE(status.error);
  CHECK(status.error->code == ErrorCode::compiler_missing);
}

TEST_CASE("A library that is not NVRTC is missing rather than a crash") {
  const TemporaryFolder folder;
  std::filesystem::create_directories(folder.path() / "lib64");
  std::filesystem::create_directories(folder.path() / "include");
  (void)folder.write("lib64/libnvrtc.so.13", "this is no library");
  (void)folder.write("lib64/libnvrtc-builtins.so.13.0", "nor is this");
  (void)folder.write("include/cuda_runtime_api.h", "");
  ::setenv("WARPBOOK_CUDA", folder.path().c_str(), 1);
  Compiler compiler(quick_options());
  const auto program = compiler.compile(request_of(kAdd));
  ::unsetenv("WARPBOOK_CUDA");
  REQUIRE_FALSE(program);
  CHECK(program.error().error.code == ErrorCode::compiler_missing);
}

}  // namespace warpbook::tests::failure_test
