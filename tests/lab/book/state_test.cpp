#include "lab/book/state.hpp"

#include <fcntl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <fstream>
#include <thread>

#include <catch2/catch_test_macros.hpp>

#include "tests/lab/text/texts.hpp"
#include "tests/temporary_folder.hpp"

namespace warpbook::tests::state_test {

using namespace warpbook;
using namespace warpbook::lab;
namespace fs = std::filesystem;
using namespace std::chrono_literals;

namespace {

struct Folder : warpbook::tests::TemporaryFolder {
  [[nodiscard]] fs::path file() const { return path() / "state.json"; }
};

std::string text_of(const fs::path& path) {
  std::ifstream stream(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(stream), {}};
}
void write(const fs::path& path, const std::string& text) {
  std::ofstream(path, std::ios::binary) << text;
}

ReaderState some_state() {
  ReaderState state;
  state.language = "zh";
  state.theme = "light";
  state.gpu = "RTX 4090";
  state.chapter = "first-kernel";
  state.chapters["first-kernel"].answers["what-is-out"] = "6 8 10 12";
  state.chapters["first-kernel"].answers["idle-of-five"] = "";
  state.chapters["first-kernel"].sources["add"] = "__global__ void add() {}  // 中文\n";
  state.chapters["first-kernel"].values["n"] = "5";
  state.chapters["first-kernel"].runs = {
      {"H200", "add", "__global__ void add() {}", 1e-5, 8e-6, 2e-5, 400, 9000, 1024}};
  state.chapters["first-kernel"].step = "change";
  state.exercises["saxpy"] = {"", "y[i] = 1;", {0, 0, "2026-11-24T15:00:00Z", {{"right", 2}}}};
  return state;
}

}  // namespace

TEST_CASE("a state comes back as it was left") {
  Folder folder;
  {
    StateStore store(folder.path() / "deep" / "er");
    CHECK(store.state() == ReaderState());
    CHECK_FALSE(store.trouble());
    store.change([](ReaderState& state) { state = some_state(); });
    CHECK(store.flush());
    CHECK_FALSE(store.unsaved());
  }
  StateStore again(folder.path() / "deep" / "er");
  CHECK(again.state() == some_state());
}

TEST_CASE("an exercise whose file is known is kept in the work folder, which anybody may change") {
  Folder folder;
  const fs::path work = folder.path() / "my exercises", saxpy = work / "saxpy.cu";
  {
    StateStore store(folder.path(), {10ms, 10ms, work});
    store.change([](ReaderState& state) {
      state = some_state();
      state.exercises["saxpy"].file = "saxpy.cu";
      state.exercises["crop"].file = "crop.cu";  // not begun
    });
    REQUIRE(store.flush());
    CHECK(text_of(saxpy) == "y[i] = 1;");
    CHECK_FALSE(fs::exists(work / "crop.cu"));
    CHECK(text_of(folder.file()).find("y[i]") == std::string::npos);
    CHECK(store.look_again().empty());

    // Another editor's save is taken in, and so is a check at the terminal.
    write(saxpy, "theirs");
    REQUIRE(store.work().change([](Progress& progress) { progress["saxpy"].points = 7; }));
    CHECK(store.look_again() == std::vector<std::string>{"saxpy"});
    CHECK(store.state().exercises["saxpy"].draft == "theirs");
    CHECK(store.look_again().empty());
  }
  // What is in the folder is there on the next day, without state.json, too.
  fs::remove(folder.file());
  StateStore store(folder.path(), {1h, 1h, work});
  CHECK(store.state().exercises["saxpy"].draft == "theirs");
  CHECK(store.state().exercises["saxpy"].progress.hints ==
        std::map<std::string, int>{{"right", 2}});
  // Where both have changed it, the other's is kept as a copy.
  store.change([](ReaderState& state) { state.exercises["saxpy"].draft = "mine"; });
  write(saxpy, "theirs again");
  CHECK(store.look_again().empty());
  REQUIRE(store.flush());
  CHECK(text_of(saxpy) == "mine");
  CHECK(text_of(work / "saxpy.before-1.cu") == "theirs again");
}

TEST_CASE("a draft that an earlier version kept in state.json is still there") {
  Folder folder;
  write(folder.file(), R"({"version": 1, "exercises": {"saxpy": {"draft": "y", "passed": true}}})");
  StateStore store(folder.path(), {1h, 1h});
  CHECK(store.notices().empty());
  CHECK(store.state().exercises["saxpy"].draft == "y");
  CHECK_FALSE(store.state().exercises["saxpy"].progress.passed.empty());
}

TEST_CASE("a change is saved by itself, soon and also at the end") {
  Folder folder;
  {
    StateStore store(folder.path(), {10ms, 10ms});
    store.change([](ReaderState& state) { state.theme = "dark"; });
    for (int i = 0; i < 500 && store.unsaved(); ++i) std::this_thread::sleep_for(10ms);
    CHECK_FALSE(store.unsaved());
    CHECK(text_of(folder.file()).find("\"dark\"") != std::string::npos);
  }
  {
    StateStore store(folder.path(), {1h, 1h});
    store.change([](ReaderState& state) { state.theme = "light"; });
  }
  CHECK(text_of(folder.file()).find("\"light\"") != std::string::npos);
}

TEST_CASE("an edit that is no UTF-8 does not keep the rest from being saved") {
  Folder folder;
  StateStore store(folder.path());
  store.change([](ReaderState& state) {
    state = some_state();
    state.exercises["saxpy"].draft = "\xff\xfe broken";
  });
  CHECK(store.flush());
  CHECK(state_from_json(text_of(folder.file()), "f").has_value());
}

TEST_CASE("a state from a newer version is read and never written") {
  Folder folder;
  std::string text = state_to_json(some_state());
  text.replace(text.find("\"version\": 1"), 12, "\"version\": 7");
  write(folder.file(), text);
  {
    StateStore store(folder.path(), {1ms, 1ms});
    CHECK(store.read_only());
    REQUIRE(store.trouble());
    CHECK(store.trouble()->code == device::ErrorCode::state_newer);
    CHECK(args_of(store.trouble()->arguments).at("version") == "7");
    CHECK(args_of(store.trouble()->arguments).at("known") == "1");
    CHECK(store.state() == some_state());
    store.change([](ReaderState& state) { state.theme = "dark"; });
    CHECK(store.state().theme == "dark");
    CHECK_FALSE(store.flush());
    std::this_thread::sleep_for(30ms);
  }
  CHECK(text_of(folder.file()) == text);
}

TEST_CASE("a damaged state is kept aside, said, and begun afresh") {
  const auto damages = {std::string("{\"version\": 1, \"chapt"),
                        std::string(),
                        std::string("[]"),
                        std::string("{}"),
                        std::string("{\"version\": 1, \"chapters\": 3}"),
                        std::string("\0\0\0\0", 4),
                        std::string("{\"version\": -1}")};
  for (const std::string& damage : damages) {
    CAPTURE(damage);
    Folder folder;
    write(folder.file(), damage);
    StateStore store(folder.path());
    CHECK(store.state() == ReaderState());
    CHECK_FALSE(store.read_only());
    REQUIRE(store.notices().size() == 1);
    CHECK(store.notices()[0].code == device::ErrorCode::state_damaged);
    CHECK(args_of(store.notices()[0].arguments).at("kept") == "state.json.damaged");
    CHECK(text_of(folder.path() / "state.json.damaged") == damage);
    store.change([](ReaderState& state) { state.theme = "dark"; });
    CHECK(store.flush());
  }
}

TEST_CASE("a second damaged file does not replace the first") {
  Folder folder;
  for (const char* damage : {"one", "two"}) {
    write(folder.file(), damage);
    StateStore store(folder.path());
    CHECK(store.notices().size() == 1);
  }
  CHECK(text_of(folder.path() / "state.json.damaged") == "one");
  CHECK(text_of(folder.path() / "state.json.damaged-2") == "two");
}

TEST_CASE("a second instance reads, changes nothing on the disk, and says so") {
  Folder folder;
  StateStore first(folder.path());
  first.change([](ReaderState& state) { state = some_state(); });
  REQUIRE(first.flush());
  const std::string before = text_of(folder.file());
  {
    StateStore second(folder.path(), {1ms, 1ms});
    CHECK(second.read_only());
    REQUIRE(second.trouble());
    CHECK(second.trouble()->code == device::ErrorCode::state_locked);
    CHECK(second.state() == some_state());
    second.change([](ReaderState& state) { state.theme = "dark"; });
    CHECK_FALSE(second.flush());
  }
  CHECK(text_of(folder.file()) == before);
  CHECK_FALSE(first.read_only());
}

TEST_CASE("the lock goes with its process") {
  Folder folder;
  { StateStore first(folder.path()); }
  StateStore second(folder.path());
  CHECK_FALSE(second.read_only());
}

namespace {

/// What happens in a child that may limit itself; its exit code.
template <class Body>
int in_child(Body&& body) {
  const pid_t child = ::fork();
  if (child == 0) {
    // Never back into Catch2.
    try {
      ::_exit(body());
    } catch (...) {
      ::_exit(99);
    }
  }
  int status = 0;
  ::waitpid(child, &status, 0);
  return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

}  // namespace

TEST_CASE("on a full disk nothing is lost, it is said, and saving comes back") {
  Folder folder;
  const int code = in_child([&] {
    ::signal(SIGXFSZ, SIG_IGN);
    StateStore store(folder.path(), {5ms, 5ms});
    store.change([](ReaderState& state) { state.theme = "dark"; });
    if (!store.flush()) return 1;
    const rlimit full{16, RLIM_INFINITY};
    ::setrlimit(RLIMIT_FSIZE, &full);
    store.change([](ReaderState& state) { state = some_state(); });
    if (store.flush()) return 2;
    const auto trouble = store.trouble();
    if (!trouble || trouble->code != device::ErrorCode::state_unwritable) return 3;
    if (trouble->english().find("nothing is lost while this stays open") == std::string::npos)
      return 4;
    if (store.read_only() || !store.unsaved() || !(store.state() == some_state())) return 5;
    if (!state_from_json(text_of(folder.file()), "f")) return 6;  // the old one is whole
    const rlimit roomy{RLIM_INFINITY, RLIM_INFINITY};
    ::setrlimit(RLIMIT_FSIZE, &roomy);
    for (int i = 0; i < 1000 && store.unsaved(); ++i)
      std::this_thread::sleep_for(5ms);  // tried again by itself
    return store.unsaved() || store.trouble() ? 7 : 0;
  });
  CHECK(code == 0);
  const auto read = state_from_json(text_of(folder.file()), "f");
  REQUIRE(read.has_value());
  CHECK(*read == some_state());
  for (const auto& entry : fs::directory_iterator(folder.path()))
    CHECK_FALSE(entry.path().filename().string().starts_with(".tmp"));
}

TEST_CASE("a folder that may not be written is said, and the state lives on in memory") {
  Folder folder;
  // A file where the folder should be: not even root can write there.
  write(folder.path() / "blocked", "");
  StateStore store(folder.path() / "blocked" / "state", {5ms, 5ms});
  store.change([](ReaderState& state) { state = some_state(); });
  CHECK_FALSE(store.flush());
  REQUIRE(store.trouble());
  CHECK(store.trouble()->code == device::ErrorCode::state_unwritable);
  CHECK(store.state() == some_state());
}

TEST_CASE("a read-only folder is said, and the state lives on in memory") {
  Folder folder;
  fs::permissions(folder.path(), fs::perms::owner_read | fs::perms::owner_exec);
  const int code = in_child([&] {
    if (::geteuid() == 0 &&
        (::chown(folder.path().c_str(), 65534, 65534) != 0 || ::setuid(65534) != 0))
      return 10;
    StateStore store(folder.path(), {5ms, 5ms});
    store.change([](ReaderState& state) { state = some_state(); });
    if (store.flush()) return 1;
    if (!store.trouble() ||
        store.trouble()->english().find("Permission denied") == std::string::npos)
      return 2;
    return store.state() == some_state() ? 0 : 3;
  });
  CHECK(code == 0);
  fs::permissions(folder.path(), fs::perms::owner_all);
}

TEST_CASE(
    "what a kill left unfinished among the exercises is swept away, but not what is being saved") {
  Folder folder;
  const fs::path old = folder.write("exercises/.tmp-saxpy.cu-AbCdEf", "half"),
                 fresh = folder.write("exercises/.tmp-saxpy.cu-GhIjKl", "half"),
                 theirs = folder.write("exercises/saxpy.cu", "whole");
  for (const fs::path& path : {old, theirs})
    fs::last_write_time(path, fs::file_time_type::clock::now() - std::chrono::minutes(2));
  const StateStore store(folder.path());
  CHECK_FALSE(fs::exists(old));
  CHECK(fs::exists(fresh));
  CHECK(store.state().exercises.at("saxpy").draft == "whole");
}

TEST_CASE("kill -9 at any moment leaves the old state or the new one, whole") {
  Folder folder;
  std::size_t last = 0;
  for (int round = 0; round < 40; ++round) {
    const pid_t child = ::fork();
    if (child == 0) {
      StateStore store(folder.path(), {0ms, 0ms});
      for (std::size_t i = last;; ++i) {
        store.change([&](ReaderState& state) {
          state.chapter = std::to_string(i + 1);
          state.exercises["saxpy"].draft.assign(20000 + i % 7, static_cast<char>('a' + i % 26));
        });
        store.flush();
      }
    }
    std::this_thread::sleep_for(std::chrono::microseconds(2000 + 977 * round));
    ::kill(child, SIGKILL);
    ::waitpid(child, nullptr, 0);
    if (!fs::exists(folder.file())) continue;
    const auto state = state_from_json(text_of(folder.file()), "f");
    REQUIRE(state.has_value());
    const std::size_t now = state->chapter.empty() ? 0 : std::stoul(state->chapter);
    CHECK(now >= last);
    last = now;
  }
  CHECK(last > 0);
  StateStore store(folder.path());  // takes away what the kills left
  CHECK_FALSE(store.read_only());
  CHECK(store.notices().empty());
  for (const auto& entry : fs::directory_iterator(folder.path()))
    CHECK_FALSE(entry.path().filename().string().starts_with(".tmp"));
}

}  // namespace warpbook::tests::state_test
