#include "device/worker/worker_process.hpp"

#include <sys/wait.h>
#include <unistd.h>
#include <catch2/catch_test_macros.hpp>

#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <fstream>
#include <iterator>
#include <string>

#include "device/platform.hpp"

namespace warpbook::tests::worker_process_test {

using namespace warpbook::device;

TEST_CASE("A worker that is killed is gone, and its channel closed") {
  auto worker = WorkerProcess::start("compile");
  REQUIRE(worker);
  const pid_t pid = worker->pid();
  REQUIRE(::kill(pid, 0) == 0);
  worker->kill();
  CHECK_FALSE(*worker);
  CHECK(::kill(pid, 0) == -1);
  CHECK(errno == ESRCH);
}

TEST_CASE("A worker ends with its owner") {
  auto worker = WorkerProcess::start("compile");
  REQUIRE(worker);
  worker->channel().close();
  int status = -1;
  REQUIRE(::waitpid(worker->pid(), &status, 0) == worker->pid());
  CHECK(WIFEXITED(status));
  CHECK(WEXITSTATUS(status) == 0);
}

TEST_CASE("A worker starts no workers: a program that does not know to be one would never end") {
  auto worker = WorkerProcess::start("compile");
  REQUIRE(worker);
  std::string environment;
  // Until it has become our binary, it still has our environment.
  for (int i = 0; i < 200 && environment.find("WARPBOOK_WORKER=1") == std::string::npos; ++i) {
    ::usleep(10'000);
    std::ifstream file("/proc/" + std::to_string(worker->pid()) + "/environ");
    environment.assign(std::istreambuf_iterator<char>(file), {});
  }
  CHECK(environment.find("WARPBOOK_WORKER=1") != std::string::npos);

  ::setenv("WARPBOOK_WORKER", "1", 1);
  const auto second = WorkerProcess::start("compile");
  ::unsetenv("WARPBOOK_WORKER");
  REQUIRE_FALSE(second);
  CHECK(second.error().code == ErrorCode::worker_failed);
  CHECK(second.error().english().find("is a worker itself") != std::string::npos);
}

TEST_CASE("A worker of no known kind hangs up") {
  auto worker = WorkerProcess::start("nonsense");
  REQUIRE(worker);
  Packet message;
  CHECK(worker->channel().receive(message) == Channel::Outcome::closed);
}

TEST_CASE("A worker gets no environment but what it needs") {
  ::setenv("WARPBOOK_CANARY", "secret", 1);
  auto worker = WorkerProcess::start("compile");
  ::unsetenv("WARPBOOK_CANARY");
  REQUIRE(worker);
  // The worker waits for its greeting meanwhile. Before it has been started anew, its environment
  // is still ours.
  std::string environment;
  for (int tries = 0; tries < 500; ++tries) {
    environment = read_file("/proc/" + std::to_string(worker->pid()) + "/environ").value_or("");
    if (environment.find("CUDA_CACHE_DISABLE=1") != std::string::npos) break;
    ::usleep(2000);
  }
  CHECK(environment.find("CUDA_CACHE_DISABLE=1") != std::string::npos);
  CHECK(environment.find("WARPBOOK_CANARY") == std::string::npos);
  CHECK(environment.find("HOME=") == std::string::npos);
}

TEST_CASE("A binary that cannot be started is named") {
  ::setenv("WARPBOOK_BINARY", "/nonexistent/warpbook", 1);
  const auto worker = WorkerProcess::start("compile");
  ::unsetenv("WARPBOOK_BINARY");
  REQUIRE_FALSE(worker);
  CHECK(worker.error().code == ErrorCode::worker_failed);
  CHECK(worker.error().english().find("/nonexistent/warpbook") != std::string::npos);
}

}  // namespace warpbook::tests::worker_process_test
