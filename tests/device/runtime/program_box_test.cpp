// The box of whole programs (docs/program-box.md), attacked from inside at every level that this computer allows. Every attack
// is also tried without a box, where it has to succeed: else it would show nothing.
#include "device/runtime/program_box.hpp"

#include <arpa/inet.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <thread>

#include <catch2/catch_test_macros.hpp>
#include <catch2/generators/catch_generators.hpp>

#include "device/box/seccomp_program.hpp"
#include "device/runtime/program_places.hpp"
#include "device/sanitized.hpp"
#include "device/unique_fd.hpp"
#include "device/worker/spawn.hpp"
#include "tests/temporary_folder.hpp"

namespace warpbook::tests::program_box_test {

using namespace warpbook::device;
using namespace warpbook::device::runtime;
namespace fs = std::filesystem;

namespace {

using Words = std::vector<std::string>;

constexpr int kDone = 0, kRefused = 10;  // as boxed_program ends

constexpr BoxLayers kLandlock{true, false}, kNamespaces{false, true}, kBoth{true, true};

std::vector<std::string> environment() {
  std::vector<std::string> all;
  for (char** entry = environ; *entry; ++entry) all.emplace_back(*entry);
  return all;
}

BoxedStart request(const fs::path& folder, Words words) {
  BoxedStart start;
  start.executable = WARPBOOK_BOXED_PROGRAM;
  start.arguments = std::move(words);
  start.environment = environment();
  start.folder = folder;
  return start;
}

/// The exit code, or 128 and the signal's number, as shells have it.
int code_of(pid_t pid) {
  int status = 0;
  ::waitpid(pid, &status, 0);
  return WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status);
}

/// Begins in a box of just these layers; the test is skipped where this computer does not allow them.
BoxedProgram begun(BoxedStart start, BoxLayers layers) {
  start.box.highest = layers;
  auto program = start_in_box(start);
  if (!program && program.error().code == ErrorCode::program_box_missing)
    SKIP("this computer allows no box: " << program.error().english());
  REQUIRE(program.has_value());
  if (program->box.layers != layers) {
    ::kill(program->pid, SIGTERM);
    (void)code_of(program->pid);
    SKIP("this computer does not allow all layers: " << program->box.why_not_more);
  }
  return std::move(*program);
}

int in_box(const BoxedStart& start, BoxLayers layers) { return code_of(begun(start, layers).pid); }

/// Skips the test where the computer does not allow these layers; inside of a CHECK that would be a failure.
void require(BoxLayers layers) {
  const TemporaryFolder folder;
  (void)in_box(request(folder.path(), {"share"}), layers);
}

/// What `act` gives back in a child of this process.
template <class Act>
int in_child(Act act) {
  const pid_t child = ::fork();
  if (child == 0) ::_exit(act());
  return code_of(child);
}

int without_box(const fs::path& folder, Words words) {
  FileActions actions;
  ::posix_spawn_file_actions_addchdir_np(actions.get(), folder.c_str());
  words.insert(words.begin(), WARPBOOK_BOXED_PROGRAM);
  pid_t pid = -1;
  REQUIRE(::posix_spawn(&pid, WARPBOOK_BOXED_PROGRAM, actions.get(), nullptr,
                        pointers_to(words).data(), environ) == 0);
  return code_of(pid);
}

UniqueFd bound_to_loopback(int type, std::string& port) {
  UniqueFd fd(::socket(AF_INET, type | SOCK_CLOEXEC, 0));
  sockaddr_in at{};
  at.sin_family = AF_INET;
  at.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  socklen_t length = sizeof at;
  REQUIRE(::bind(fd.get(), reinterpret_cast<sockaddr*>(&at), sizeof at) == 0);
  REQUIRE(::getsockname(fd.get(), reinterpret_cast<sockaddr*>(&at), &length) == 0);
  if (type == SOCK_STREAM) REQUIRE(::listen(fd.get(), 4) == 0);
  port = std::to_string(ntohs(at.sin_port));
  return fd;
}

UniqueFd bound_to(const fs::path& path, int type) {
  UniqueFd fd(::socket(AF_UNIX, type | SOCK_CLOEXEC, 0));
  sockaddr_un at{};
  at.sun_family = AF_UNIX;
  std::strncpy(at.sun_path, path.c_str(), sizeof at.sun_path - 1);
  REQUIRE(::bind(fd.get(), reinterpret_cast<sockaddr*>(&at), sizeof at) == 0);
  if (type == SOCK_STREAM) REQUIRE(::listen(fd.get(), 4) == 0);
  return fd;
}

/// A process of the same user, which a program in the box has no business with.
class Victim {
 public:
  Victim() : pid_(::fork()) {
    if (pid_ != 0) return;
    while (true) ::pause();
  }
  Victim(const Victim&) = delete;
  Victim& operator=(const Victim&) = delete;
  ~Victim() {
    ::kill(pid_, SIGKILL);
    ::waitpid(pid_, nullptr, 0);
  }
  [[nodiscard]] std::string pid() const { return std::to_string(pid_); }
  [[nodiscard]] bool lives() const { return ::waitpid(pid_, nullptr, WNOHANG) == 0; }

 private:
  pid_t pid_;
};

long value_in_memory = 1;

/// What is outside the box: a user's files, services that listen, and a process.
struct Outside {
  TemporaryFolder files;
  fs::path secret = files.write("secret", "secret\n");
  std::string tcp_port, udp_port;
  UniqueFd tcp = bound_to_loopback(SOCK_STREAM, tcp_port),
           udp = bound_to_loopback(SOCK_DGRAM, udp_port),
           service = bound_to(files.path() / "service", SOCK_STREAM),
           log = bound_to(files.path() / "log", SOCK_DGRAM);
  Victim victim;

  /// "@file" and its like in an attack's words are replaced.
  [[nodiscard]] std::string named(const std::string& word) const {
    if (word == "@file") return secret.string();
    if (word == "@upwards") return "../" + files.path().filename().string() + "/secret";
    if (word == "@folder") return files.path().string();
    if (word == "@new") return (files.path() / "new").string();
    if (word == "@service") return (files.path() / "service").string();
    if (word == "@log") return (files.path() / "log").string();
    if (word == "@tcp") return tcp_port;
    if (word == "@udp") return udp_port;
    if (word == "@victim") return victim.pid();
    if (word == "@environ") return "/proc/" + victim.pid() + "/environ";
    if (word == "@address")
      return std::to_string(reinterpret_cast<std::uint64_t>(&value_in_memory));
    return word;
  }
  [[nodiscard]] Words named(const Words& words) const {
    Words all;
    for (const std::string& word : words) all.push_back(named(word));
    return all;
  }
};

struct Attack {
  Words words;
  bool always_works = true;  ///< without a box; else the computer's own settings may forbid it
};

const std::vector<Attack> kAttacks{
    {{"read", "@file"}},
    {{"read", "@upwards"}},
    {{"read-link", "@file"}},
    {{"read", "@environ"}},
    {{"list", "@folder"}},
    {{"link", "@file"}, false},
    {{"make", "@new"}},
    {{"write", "@file"}},
    {{"truncate", "@file"}},
    {{"remove", "@file"}},
    {{"move", "@file"}},
    {{"chmod", "@file"}},
    {{"tcp", "@tcp"}},
    {{"udp", "@udp"}},
    {{"unix", "@service"}},
    {{"unix-datagram", "@log"}},
    {{"signal", "@victim"}},
    {{"signal-parent"}},
    {{"signal-for-file", "@victim"}},
    {{"limit", "@victim"}},
    {{"trace", "@victim"}, false},
    {{"read-memory", "@victim", "@address"}, false},
    {{"user-namespace"}, false},
    {{"fork-namespace"}, false},
    {{"ring"}, false},
};

}  // namespace

TEST_CASE("Nothing outside the box can be read, changed, reached, signalled or traced") {
  const BoxLayers layers = GENERATE(kLandlock, kNamespaces, kBoth);
  require(layers);
  CAPTURE(layers.landlock, layers.namespaces);
  for (const Attack& attack : kAttacks) {
    CAPTURE(attack.words);
    const TemporaryFolder folder;
    const Outside outside;
    CHECK(in_box(request(folder.path(), outside.named(attack.words)), layers) == kRefused);
  }
}

TEST_CASE("The attacks are real: without the box they succeed") {
  for (const Attack& attack : kAttacks) {
    if (!attack.always_works) continue;
    CAPTURE(attack.words);
    const TemporaryFolder folder;
    const Outside outside;
    CHECK(without_box(folder.path(), outside.named(attack.words)) == kDone);
  }
}

TEST_CASE("A signal to the whole process group stays in the box") {
  const BoxLayers layers = GENERATE(kLandlock, kNamespaces, kBoth);
  require(layers);
  CAPTURE(layers.landlock, layers.namespaces);
  const TemporaryFolder folder;
  const Victim of_the_same_group;
  (void)in_box(request(folder.path(), {"signal-group"}), layers);
  CHECK(of_the_same_group.lives());
}

TEST_CASE("No descriptor of ours is open in the box") {
  const BoxLayers layers = GENERATE(kLandlock, kBoth);
  require(layers);
  const TemporaryFolder folder, outside;
  const fs::path secret = outside.write("secret", "secret\n");
  const UniqueFd open(::open(secret.c_str(), O_RDONLY));  // as a careless shell leaves one
  for (const int number : {50, 250}) {
    CAPTURE(number);
    const UniqueFd inherited(::dup2(open.get(), number));
    const Words words{"read-descriptor", std::to_string(number)};
    CHECK(without_box(folder.path(), words) == kDone);
    CHECK(in_box(request(folder.path(), words), layers) == kRefused);
  }
}

TEST_CASE("Memory, processes and the sizes of files are bounded") {
  const BoxLayers layers = GENERATE(kLandlock, kBoth);
  require(layers);
  CAPTURE(layers.namespaces);
  const TemporaryFolder folder;
  const auto ends = [&](const Words& words) {
    BoxedStart start = request(folder.path(), words);
    start.box.limits.memory_bytes = 64 << 20;
    start.box.limits.file_bytes = 2 << 20;
    start.box.limits.processes = 100;
    return in_box(start, layers);
  };
  SECTION("memory") {
    if (kSanitized) SKIP("a sanitizer has memory of its own");
    CHECK(ends({"memory", "20"}) == kDone);
    CHECK(ends({"memory", "100"}) == kRefused);
  }
  SECTION("files") {
    CHECK(ends({"fill", "1"}) == kDone);
    CHECK(ends({"fill", "4"}) == kRefused);
  }
  SECTION("processes") {
    if (::geteuid() == 0 && !layers.namespaces) SKIP("the kernel does not count root's processes");
    CHECK(ends({"forks", "20"}) == kDone);
    CHECK(ends({"forks", "3000"}) == kRefused);
  }
}

TEST_CASE("What honest programs do works in the box") {
  const BoxLayers layers = GENERATE(kLandlock, kNamespaces, kBoth);
  require(layers);
  CAPTURE(layers.landlock, layers.namespaces);
  const TemporaryFolder folder;
  for (const char* deed :
       {"threads", "folder", "temporary", "programs", "devices", "share", "addresses"}) {
    CAPTURE(deed);
    CHECK(in_box(request(folder.path(), {deed}), layers) == kDone);
  }
}

TEST_CASE("A program's own end is the box's, a signal too") {
  const BoxLayers layers = GENERATE(kLandlock, kBoth);
  require(layers);
  const TemporaryFolder folder;
  CHECK(in_box(request(folder.path(), {"unheard-of"}), layers) == 11);
  CHECK(in_box(request(folder.path(), {"abort"}), layers) == 128 + SIGABRT);
}

TEST_CASE("A program is ended when its starter asks for it") {
  const BoxLayers layers = GENERATE(kLandlock, kBoth);
  require(layers);
  const TemporaryFolder folder;
  const BoxedProgram program = begun(request(folder.path(), {"sleep"}), layers);
  ::kill(program.pid, SIGTERM);
  CHECK(code_of(program.pid) == 128 + SIGKILL);
}

TEST_CASE("No process and no temporary file outlives the program") {
  const BoxLayers layers = GENERATE(kLandlock, kBoth);
  require(layers);
  CAPTURE(layers.namespaces);
  const TemporaryFolder folder;
  fs::path temporary;
  {
    const BoxedProgram program = begun(request(folder.path(), {"leave-process"}), layers);
    temporary = program.temporary.path();
    CHECK(fs::exists(temporary));
    CHECK(code_of(program.pid) == kDone);
  }
  CHECK_FALSE(fs::exists(temporary));
  const fs::path count = folder.path() / "count";
  fs::remove(count);
  std::this_thread::sleep_for(std::chrono::milliseconds(100));
  CHECK_FALSE(fs::exists(count));
}

TEST_CASE("What the caller names can be read in the box, and not written") {
  const BoxLayers layers = GENERATE(kLandlock, kNamespaces, kBoth);
  require(layers);
  const TemporaryFolder folder, data;
  const fs::path file = data.write("deep/table", "1 2 3\n");
  const auto ends = [&](const char* verb) {
    BoxedStart start = request(folder.path(), {verb, file.string()});
    start.box.readable = {data.path(), data.path() / "absent"};
    return in_box(start, layers);
  };
  CHECK(ends("read") == kDone);
  CHECK(ends("write") == kRefused);
  CHECK(ends("chmod") == kRefused);
}

TEST_CASE("Files that a program makes are the user's") {
  const BoxLayers layers = GENERATE(kLandlock, kBoth);
  require(layers);
  const TemporaryFolder folder;
  CHECK(in_box(request(folder.path(), {"make", "made"}), layers) == kDone);
  struct stat about {};
  REQUIRE(::stat((folder.path() / "made").c_str(), &about) == 0);
  CHECK(about.st_uid == ::geteuid());
}

TEST_CASE("A program does not run in a folder that holds the user's home") {
  const TemporaryFolder folder;
  const std::string before = std::getenv("HOME") ? std::getenv("HOME") : "";
  const fs::path home = folder.path() / "home";
  fs::create_directories(home / "project");
  ::setenv("HOME", home.c_str(), 1);
  const auto in_folder = [](const fs::path& path) {
    auto program = start_in_box(request(path, {"threads"}));
    if (program) (void)code_of(program->pid);
    return program ? ErrorCode{} : program.error().code;
  };
  CHECK(in_folder(home) == ErrorCode::program_box_folder);
  CHECK(in_folder(folder.path()) == ErrorCode::program_box_folder);
  CHECK(in_folder("/") == ErrorCode::program_box_folder);
  CHECK(in_folder(home / "project") != ErrorCode::program_box_folder);
  ::setenv("HOME", before.c_str(), 1);
}

// What this process may not call, the process that enters the box may not either: so the kernel seems to have fewer layers.
TEST_CASE("A computer that refuses a layer gives the box that it allows, or none, and says why") {
  const BoxLayers allowed = GENERATE(kLandlock, kNamespaces, BoxLayers{false, false});
  CAPTURE(allowed.landlock, allowed.namespaces);
  require(kBoth);
  const TemporaryFolder folder;
  const int code = in_child([&] {
    ::prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0);
    SeccompProgram refusing;
    refusing.begin();
    const std::uint32_t refused = SeccompProgram::fail_with(EPERM);
    if (!allowed.landlock) refusing.judge(SYS_landlock_create_ruleset, refused);
    if (!allowed.namespaces) refusing.judge(SYS_unshare, refused);
    refusing.finish(SeccompProgram::kAllow);
    if (refusing.enter() != 0) return 1;
    const auto program = start_in_box(request(folder.path(), {"temporary"}));
    if (!program) return program.error().code == ErrorCode::program_box_missing ? 2 : 3;
    const bool as_allowed = program->box.layers == allowed && !program->box.why_not_more.empty();
    return code_of(program->pid) == kDone && as_allowed ? 0 : 4;
  });
  CHECK(code == (allowed.landlock || allowed.namespaces ? 0 : 2));
}

TEST_CASE("Where no layer keeps the user's files, no program starts") {
  const TemporaryFolder folder;
  BoxedStart start = request(folder.path(), {"make", "made"});
  start.box.highest = {false, false};
  const auto program = start_in_box(start);
  REQUIRE_FALSE(program.has_value());
  CHECK(program.error().code == ErrorCode::program_box_missing);
  CHECK_FALSE(fs::exists(folder.path() / "made"));
}

TEST_CASE("A program that cannot be started says so") {
  const TemporaryFolder folder;
  BoxedStart start = request(folder.path(), {});
  start.executable = folder.write("no-program", "no program\n");
  const auto program = start_in_box(start);
  REQUIRE_FALSE(program.has_value());
  CHECK(program.error().code == ErrorCode::worker_failed);
}

TEST_CASE("The box in force is found by running a program in it") {
  const auto box = probe_program_box();
  if (!box) SKIP("this computer allows no box: " << box.error().english());
  CHECK((box->layers.landlock || box->layers.namespaces));
  CHECK((box->layers == BoxLayers{}) == box->why_not_more.empty());
}

TEST_CASE("A place inside another that allows as much is left out") {
  const TemporaryFolder folder;
  const fs::path real = fs::canonical(folder.path()), inner = real / "inner";
  fs::create_directories(inner);
  const auto has = [](const std::vector<Place>& places, const fs::path& path, PlaceUse use) {
    return std::ranges::find(places, Place{path.string(), use}) != places.end();
  };
  const std::vector<Place> inside = places_of_program({inner, "/usr/lib"}, {real});
  CHECK(has(inside, real, PlaceUse::write));
  CHECK_FALSE(has(inside, inner, PlaceUse::read));
  CHECK_FALSE(has(inside, "/usr/lib", PlaceUse::read));
  const std::vector<Place> around = places_of_program({real}, {inner});
  CHECK(has(around, real, PlaceUse::read));
  CHECK(has(around, inner, PlaceUse::write));
}

}  // namespace warpbook::tests::program_box_test
