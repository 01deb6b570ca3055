// However a program ends, the runner ends, too, and what is known of it is kept.
#include <catch2/catch_test_macros.hpp>
#include <catch2/generators/catch_generators.hpp>

#include <csignal>

#include "device/runtime/cuda_error.hpp"
#include "tests/device/runtime/whole_program.hpp"

namespace warpbook::tests::endings_test {

using namespace device::runtime;
using End = ProgramOutcome::End;

TEST_CASE("What kernels print comes where the program waits for them") {
  const RanProgram ran = run_case("endings", "prints");
  CHECK(ran.output == "before\nthread 0\nthread 1\nthread 2\nafter\n");
  CHECK(ran.outcome.record.unseen_output.empty());
}

TEST_CASE("What kernels print after the last wait is not seen, as on a GPU, and is kept") {
  const RanProgram ran = run_case("endings", "prints-and-leaves");
  CHECK(ran.output.empty());
  CHECK(ran.outcome.code == 0);
  CHECK(ran.outcome.record.unseen_output == "thread 0\nthread 1\nthread 2\n");
}

TEST_CASE("An assertion that fails is told on standard error in CUDA's words") {
  const RanProgram ran = run_case("endings", "fails-assertion");
  CHECK(ran.output.empty());
  CHECK(
      ran.errors.ends_with(": block: [0,0,0], thread: [3,0,0] Assertion "
                           "`static_cast<int>(threadIdx.x) < limit` failed.\n"));
  CHECK(ran.errors.starts_with("kernels.cu:"));
}

TEST_CASE("A program's own end is kept: its exit code or its signal") {
  const auto [wanted, end, code] =
      GENERATE(table<std::string, End, int>({{"exits", End::exited, 7},
                                             {"null-pointer", End::signalled, SIGSEGV},
                                             {"aborts", End::signalled, SIGABRT},
                                             {"kills-itself", End::signalled, SIGKILL},
                                             {"catches-its-fault", End::exited, 9}}));
  CAPTURE(wanted);
  const RanProgram ran = run_case("endings", wanted);
  CHECK(ran.outcome.end == end);
  CHECK(ran.outcome.code == code);
}

TEST_CASE("A fault of the program is known by its address and place") {
  const RanProgram ran = run_case("endings", "null-pointer");
  REQUIRE(ran.outcome.fault);
  CHECK(ran.outcome.fault->signal == SIGSEGV);
  CHECK(ran.outcome.fault->address == 0);
  CHECK(ran.outcome.fault->write);
  CHECK(ran.outcome.fault->frames[0] > ran.outcome.base);
}

TEST_CASE("A program or a kernel that never ends is stopped when its time is over") {
  const auto wanted = GENERATE(as<std::string>{}, "hangs", "kernel-hangs");
  CAPTURE(wanted);
  const RanProgram ran = run_case("endings", wanted, {.seconds = 2});
  CHECK(ran.outcome.end == End::out_of_time);
  CHECK(ran.outcome.seconds < 20 * device::kSlowdown);
}

TEST_CASE("A kernel that never ends does not outlive its program's time") {
  const RanProgram ran = run_case("endings", "leaves-kernel", {.seconds = 2});
  CHECK(ran.outcome.end == End::exited);
  CHECK(ran.outcome.code == 0);
}

TEST_CASE("A forked process has no device, and its parent keeps its own") {
  check_documented(run_case("endings", "forks"));
}

TEST_CASE("A process that a program leaves behind does not hold the runner up") {
  const auto begin = std::chrono::steady_clock::now();
  const RanProgram ran = run_case("endings", "leaves-child");
  CHECK(ran.outcome.end == End::exited);
  // The child sleeps for a minute.
  CHECK(std::chrono::steady_clock::now() - begin < std::chrono::seconds(30));
}

TEST_CASE("After main CUDA is gone for objects that were made before its first call") {
  const RanProgram ran = run_case("endings", "frees-after-main");
  CHECK(ran.output == "late: cudaErrorCudartUnloading\n");
  CHECK(never_freed(ran.outcome) == 1);
}

TEST_CASE("After main CUDA is still there for objects that were made after its first call") {
  const RanProgram ran = run_case("endings", "frees-in-time");
  CHECK(ran.output == "late: cudaSuccess\n");
  CHECK(never_freed(ran.outcome) == 0);
}

}  // namespace warpbook::tests::endings_test
