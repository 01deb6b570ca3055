// What an owner hears where a library or a driver is absent, old, cut short, hung or dead.
#include "device/libraries/client.hpp"

#include <chrono>
#include <csignal>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <thread>

#include <catch2/catch_test_macros.hpp>
#include <catch2/matchers/catch_matchers_string.hpp>

#include "device/libraries/files.hpp"
#include "device/worker/worker_process.hpp"
#include "tests/device/libraries/reference.hpp"
#include "tests/keyed.hpp"
#include "tests/says.hpp"
#include "tests/temporary_folder.hpp"

namespace warpbook::tests::client_test {
namespace {

using namespace device::libraries;
using Catch::Matchers::ContainsSubstring;
using device::ErrorCode;
namespace fs = std::filesystem;

const fs::path kStandIns = WARPBOOK_STAND_INS;

/// A variable for as long as this lives.
class Variable {
 public:
  Variable(const char* name, const std::string& value) : name_(name) {
    if (const char* old = std::getenv(name)) old_ = old;
    ::setenv(name, value.c_str(), 1);
  }
  ~Variable() { old_ ? ::setenv(name_, old_->c_str(), 1) : ::unsetenv(name_); }

 private:
  const char* name_;
  std::optional<std::string> old_;
};

std::string refusal(Client& client) {
  const auto identity = client.identity();
  return identity ? "it opened" : identity.error().english();
}

DriverFacts facts_with(const char* stand_in) {
  const Variable path("LD_LIBRARY_PATH", (kStandIns / stand_in).string());
  const auto facts = ask_driver();
  if (!facts) FAIL(facts.error().english());
  return *facts;
}

Problem small() {
  Problem p;
  p.image = {1, 3, 8, 8};
  p.filters = 4;
  p.window = {3, 3};
  return p;
}

}  // namespace

TEST_CASE("A library that is nowhere is a sentence with the one command that brings it") {
  const TemporaryFolder empty;
  const Variable nowhere("WARPBOOK_LIBRARIES", empty.path().string());
  Client cudnn(Kind::cudnn), onednn(Kind::onednn);
  CHECK_THAT(refusal(cudnn), Says("error.library_missing.long", {{"library", "cuDNN"}}) &&
                                 ContainsSubstring("libcudnn.so.9") &&
                                 ContainsSubstring("./warpbook fetch libraries"));
  CHECK_THAT(refusal(onednn), Says("error.library_missing.long", {{"library", "oneDNN"}}) &&
                                  ContainsSubstring("libdnnl.so.2") &&
                                  ContainsSubstring("apt-get install libdnnl-dev"));
}

TEST_CASE("A library of another major version is named with the version that is needed") {
  const TemporaryFolder folder;
  folder.write("lib/libcudnn.so.8", "not even a library");
  const auto found = find_library_in(Kind::cudnn, {folder.path()});
  REQUIRE_FALSE(found);
  CHECK(found.error().code == ErrorCode::library_version);
  const auto of_version = [](const char* library, const char* version, int needed) {
    return Says("error.library_version.long",
                {{"library", library}, {"found", version}, {"needed", needed}});
  };
  CHECK_THAT(found.error().english(),
             of_version("cuDNN", "8", 9) && ContainsSubstring("libcudnn.so.8"));

  // One whose file has the right name, and whose code says otherwise.
  Client old(Kind::cudnn, kStandIns / "old_cudnn/libcudnn.so.9");
  CHECK_THAT(refusal(old), of_version("cuDNN", "8.9.7", 9));
  Client next(Kind::onednn, kStandIns / "new_onednn/libdnnl.so.2");
  CHECK_THAT(refusal(next), of_version("oneDNN", "3.1.4", 2));
}

TEST_CASE("A library that was cut short is told from one that is whole") {
  const TemporaryFolder folder;
  const fs::path empty = folder.write("libcudnn.so.9", "");
  Client nothing(Kind::cudnn, empty);
  CHECK_THAT(refusal(nothing), Says("error.library_damaged.long", {{"library", "cuDNN"}}) &&
                                   ContainsSubstring("file too short") &&
                                   ContainsSubstring("./warpbook fetch libraries"));
  Client half(Kind::cudnn, kStandIns / "half_cudnn/libcudnn.so.9");
  CHECK_THAT(refusal(half), ContainsSubstring("has no cudnn"));

  const auto whole = find_library(Kind::onednn);
  if (!whole) SKIP(whole.error().english());
  for (const std::uintmax_t bytes : {std::uintmax_t{100}, std::uintmax_t{4096},
                                     fs::file_size(*whole) / 2, fs::file_size(*whole) - 1000}) {
    const fs::path cut = folder.path() / "libdnnl.so.2";
    fs::copy_file(*whole, cut, fs::copy_options::overwrite_existing);
    fs::resize_file(cut, bytes);
    Client client(Kind::onednn, cut);
    const std::string text = refusal(client);
    CAPTURE(bytes, text);
    // Where the loader does not see it, the process dies of it; ours goes on.
    if (text != "it opened") {
      CHECK_THAT(text, Says("error.library_damaged.long") || Says("error.library_died.long"));
    }
    if (bytes < fs::file_size(*whole) / 2 + 1) CHECK(text != "it opened");
  }
}

TEST_CASE(
    "A driver that is absent, too old, without a GPU or dying is told, and nothing else is lost") {
  const DriverFacts old = facts_with("old_driver");
  REQUIRE(old.error);
  CHECK(old.error->code == ErrorCode::driver_too_old);
  CHECK(warpbook::tests::keyed(*old.error) == "driver_too_old(cuda=13.0, found=12.4, needed=580)");
  CHECK(old.cuda == 12040);
  CHECK_THAT(old.file, ContainsSubstring("old_driver"));

  const DriverFacts none = facts_with("no_gpu");
  REQUIRE(none.error);
  CHECK(warpbook::tests::keyed(*none.error) ==
        "no_device(kind=GPU, why=cuInit gave CUDA_ERROR_NO_DEVICE)");
  CHECK(none.gpus.empty());

  const Variable path("LD_LIBRARY_PATH", (kStandIns / "dying_driver").string());
  const auto dead = ask_driver();
  REQUIRE_FALSE(dead);
  CHECK_THAT(dead.error().english(),
             ContainsSubstring("took the process down") && ContainsSubstring("signal 6"));
}

TEST_CASE("Without a driver cuDNN and cuBLAS run nothing, and say why") {
  const Variable path("LD_LIBRARY_PATH", (kStandIns / "old_driver").string());
  for (const Kind kind : {Kind::cudnn, Kind::cublas}) {
    Client client(kind);
    if (const auto identity = client.identity(); !identity) SKIP(identity.error().english());
    Problem p = small();
    if (kind == Kind::cublas) {
      p.kind = ProblemKind::matmul;
      p.m = p.n = p.k = 4;
    }
    const auto inputs = inputs_for(p);
    const auto got = client.run(p, 0, inputs);
    REQUIRE_FALSE(got);
    CHECK(got.error().code == ErrorCode::driver_too_old);
    const auto timed = client.time(p, {0}, {});
    REQUIRE_FALSE(timed);
    CHECK(timed.error().code == ErrorCode::driver_too_old);
    // The worker is still there.
    CHECK(client.worker() > 0);
    CHECK(client.identity());
  }
}

TEST_CASE(
    "A worker that is killed in the middle costs its answer alone: the next question starts "
    "another") {
  Client client(Kind::onednn);
  if (const auto identity = client.identity(); !identity) SKIP(identity.error().english());
  Problem p = small();
  p.image = {8, 64, 64, 64};
  p.filters = 64;
  const pid_t first = client.worker();
  // The plain loops of the last implementation take seconds.
  const auto offer = client.offer(p, {});
  REQUIRE(offer);
  std::jthread killer([&] {
    std::this_thread::sleep_for(std::chrono::milliseconds(100));
    client.cancel();
  });
  const auto lost =
      client.time(p, {static_cast<std::uint32_t>(offer->algorithms.size()) - 1}, {1, 0, 10});
  killer.join();
  REQUIRE_FALSE(lost);
  CHECK(lost.error().code == ErrorCode::library_died);
  const device::Message* detail = device::argument_of(lost.error().arguments, "detail");
  REQUIRE(detail);
  CHECK(detail->key == "phrase.ended.signal");
  CHECK(device::argument_of(detail->arguments, "number")->text == "9");
  CHECK(client.worker() == 0);
  REQUIRE(client.offer(small(), {}));
  CHECK(client.worker() > 0);
  CHECK(client.worker() != first);
}

TEST_CASE("A library that takes longer than its owner's patience is stopped") {
  Client client(Kind::onednn);
  if (const auto identity = client.identity(); !identity) SKIP(identity.error().english());
  Problem p = small();
  p.image = {8, 64, 64, 64};
  p.filters = 64;
  const auto offer = client.offer(p, {});
  REQUIRE(offer);
  client.set_patience(0.05);
  const auto late =
      client.time(p, {static_cast<std::uint32_t>(offer->algorithms.size()) - 1}, {1, 0, 10});
  REQUIRE_FALSE(late);
  CHECK(warpbook::tests::keyed(late.error()) == "library_timeout(library=oneDNN, seconds=0.05)");
  client.set_patience(60);
  CHECK(client.offer(small(), {}));
}

TEST_CASE("A device worker hangs up on what is no request") {
  auto worker = device::WorkerProcess::start("device");
  REQUIRE(worker);
  REQUIRE(worker->channel().send(static_cast<std::uint32_t>(MessageKind::offer), "nonsense"));
  device::Packet answer;
  CHECK(worker->channel().receive(answer) == device::Channel::Outcome::closed);
  CHECK(worker->ending() == device::Message{"phrase.ended.code", {{"code", "1"}}});
}

TEST_CASE("A library is not given tensors of other sizes than the problem's") {
  Client client(Kind::onednn);
  const auto got = client.run(small(), 0, {{1, 2, 3}});
  REQUIRE_FALSE(got);
  CHECK(got.error().code == ErrorCode::bad_problem);
}

}  // namespace warpbook::tests::client_test
