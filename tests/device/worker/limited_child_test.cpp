// Another's program as a child: however it ends, hangs or floods us, we get an answer in time and nothing of it goes on.
#include "device/worker/limited_child.hpp"

#include <sys/mman.h>
#include <unistd.h>

#include <chrono>
#include <csignal>
#include <fstream>
#include <thread>

#include <catch2/catch_test_macros.hpp>

#include "tests/device/sass/stand_in.hpp"

namespace warpbook::tests::limited_child_test {

using namespace warpbook::device;

namespace {

using End = ChildOutcome::End;
using Clock = std::chrono::steady_clock;

ChildRequest request(const std::filesystem::path& program) {
  ChildRequest made;
  made.program = program;
  return made;
}

double seconds_since(Clock::time_point begun) {
  return std::chrono::duration<double>(Clock::now() - begun).count();
}

/// True once the process of that number runs no more; one that nobody has waited for yet is a zombie.
bool is_gone(const std::string& number) {
  const std::string pid = number.substr(0, number.find('\n'));
  REQUIRE_FALSE(pid.empty());
  for (int tries = 0; tries < 200; ++tries) {
    std::ifstream about("/proc/" + pid + "/stat");
    std::string id, name, state;
    if (!(about >> id >> name >> state) || state == "Z") return true;
    std::this_thread::sleep_for(std::chrono::milliseconds(10));
  }
  return false;
}

}  // namespace

TEST_CASE("A child's words, its complaints and its code come back") {
  const TemporaryFolder folder;
  ChildRequest asked = request(stand_in(folder, "echo \"$1 and $2\"; echo oh >&2; exit 7"));
  asked.arguments = {"one thing", "$HOME"};
  const ChildOutcome outcome = run_limited(asked);
  CHECK(outcome.end == End::exited);
  CHECK(outcome.code == 7);
  CHECK(outcome.output == "one thing and $HOME\n");  // no shell of ours reads the arguments
  CHECK(outcome.errors == "oh\n");
}

TEST_CASE("A child sees the file that it is given and nothing else of ours") {
  const TemporaryFolder folder;
  const int file = ::memfd_create("given", MFD_CLOEXEC);
  REQUIRE(::write(file, "bits", 4) == 4);
  const int other = ::dup(file);  // not marked to be closed
  ::setenv("WARPBOOK_SECRET", "1", 1);
  ChildRequest asked = request(stand_in(
      folder, "cat /proc/self/fd/3; echo \" $WARPBOOK_SECRET$(pwd)\"; cat; ls /proc/self/fd/4"));
  asked.file = file;
  const ChildOutcome outcome = run_limited(asked);
  ::unsetenv("WARPBOOK_SECRET");
  ::close(file);
  ::close(other);
  CHECK(outcome.output == "bits /\n");
  CHECK(outcome.code != 0);  // there is no fourth
}

TEST_CASE(
    "A child runs in the folder and the environment that it is given, and writes no larger files") {
  const TemporaryFolder folder;
  ChildRequest asked =
      request(stand_in(folder, "echo $(pwd) $NAME; head -c 3000 /dev/zero >made; wc -c <made"));
  asked.folder = folder.path();
  asked.environment = {"NAME=a value", "PATH=/usr/bin:/bin"};
  asked.file_bytes = 2048;
  CHECK(run_limited(asked).output == folder.path().string() + " a value\n2048\n");
}

TEST_CASE(
    "A child's complaints are whole and in their place among its words, where both are joined") {
  const TemporaryFolder folder;
  ChildRequest asked =
      request(stand_in(folder, "echo one; echo two >&2; echo three; head -c 9000 /dev/zero >&2"));
  asked.joined_output = true;
  const ChildOutcome outcome = run_limited(asked);
  CHECK(outcome.output.starts_with("one\ntwo\nthree\n"));
  CHECK(outcome.output.size() == 14 + 9000);
  CHECK(outcome.errors.empty());
}

TEST_CASE("A child that hangs is ended in time, with all that it started") {
  const TemporaryFolder folder;
  ChildRequest asked = request(stand_in(folder, "sleep 1000 & echo $!; sleep 1000"));
  asked.seconds = 0.3;
  const auto begun = Clock::now();
  const ChildOutcome outcome = run_limited(asked);
  CHECK(outcome.end == End::out_of_time);
  CHECK(seconds_since(begun) < 20);
  CHECK(is_gone(outcome.output));
}

TEST_CASE("A child that leaves another behind, which holds its output, keeps nobody waiting") {
  const TemporaryFolder folder;
  const auto begun = Clock::now();
  const ChildOutcome outcome =
      run_limited(request(stand_in(folder, "sleep 1000 & echo $!; exit 0")));
  CHECK(outcome.end == End::exited);
  CHECK(seconds_since(begun) < 15);
  CHECK(is_gone(outcome.output));
}

TEST_CASE("A child that writes without end is ended, and what it wrote is bounded") {
  const TemporaryFolder folder;
  ChildRequest asked =
      request(stand_in(folder, "while :; do echo 0123456789012345678901234567890123456789; done"));
  asked.output_bytes = 100'000;
  const ChildOutcome outcome = run_limited(asked);
  CHECK(outcome.end == End::too_much_output);
  CHECK(outcome.output.size() <= 100'001);
}

TEST_CASE("A child that complains without end is not waited for by its own pipe") {
  const TemporaryFolder folder;
  const ChildOutcome outcome = run_limited(request(
      stand_in(folder, "i=0; while [ $i -lt 20000 ]; do echo complaint $i >&2; i=$((i+1)); done")));
  CHECK(outcome.end == End::exited);
  CHECK(outcome.code == 0);
  CHECK(outcome.errors.starts_with("complaint 0\n"));
  CHECK(outcome.errors.size() == 4096);
}

TEST_CASE("A child that takes too much memory is on its own") {
  const TemporaryFolder folder;
  ChildRequest asked = request(stand_in(folder, "x=0123456789; while :; do x=$x$x; done"));
  asked.memory_bytes = 256u << 20;
  asked.seconds = 30;
  const ChildOutcome outcome = run_limited(asked);
  CHECK(outcome.end != End::out_of_time);
  CHECK((outcome.end == End::signalled || outcome.code != 0));
}

TEST_CASE("A child writes no file, and leaves no core") {
  const TemporaryFolder folder;
  const std::filesystem::path out = folder.path() / "written";
  const ChildOutcome outcome =
      run_limited(request(stand_in(folder, "echo much > " + out.string() + "; echo went on")));
  CHECK(std::filesystem::file_size(out) == 0);
  CHECK(outcome.output.find("much") == std::string::npos);
}

TEST_CASE("A signal that ends a child is told") {
  const TemporaryFolder folder;
  const ChildOutcome outcome = run_limited(request(stand_in(folder, "kill -SEGV $$")));
  CHECK(outcome.end == End::signalled);
  CHECK(outcome.code == SIGSEGV);
}

TEST_CASE("A stop ends a child at once") {
  const TemporaryFolder folder;
  std::stop_source stop;
  const auto begun = Clock::now();
  std::jthread asks([&] {
    std::this_thread::sleep_for(std::chrono::milliseconds(100));
    stop.request_stop();
  });
  const ChildOutcome outcome =
      run_limited(request(stand_in(folder, "sleep 1000")), stop.get_token());
  CHECK(outcome.end == End::stopped);
  CHECK(seconds_since(begun) < 15);
}

TEST_CASE("A program that is not there, or is none, says why") {
  const TemporaryFolder folder;
  const std::filesystem::path text = folder.write("text", "no program");
  for (const std::filesystem::path& program : {folder.path() / "nowhere", text, folder.path()}) {
    CAPTURE(program);
    const ChildOutcome outcome = run_limited(request(program));
    CHECK(outcome.end == End::not_started);
    CHECK(outcome.errors.starts_with(program.string() + ": "));
  }
}

}  // namespace warpbook::tests::limited_child_test
