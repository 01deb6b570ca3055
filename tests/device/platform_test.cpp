#include "device/platform.hpp"

#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>
#include <catch2/catch_test_macros.hpp>
#include <catch2/generators/catch_generators.hpp>

#include <csignal>
#include <cstdlib>
#include <optional>

#include "device/replace_file.hpp"
#include "tests/temporary_folder.hpp"

namespace warpbook::tests::platform_test {

using namespace warpbook::device;
using warpbook::tests::TemporaryFolder;
namespace fs = std::filesystem;

namespace {

class Environment {
 public:
  Environment(const char* name, const char* value) : name_(name) {
    if (const char* old = std::getenv(name)) old_ = old;
    value != nullptr ? ::setenv(name, value, 1) : ::unsetenv(name);
  }
  Environment(const Environment&) = delete;
  Environment& operator=(const Environment&) = delete;
  ~Environment() { old_ ? ::setenv(name_, old_->c_str(), 1) : ::unsetenv(name_); }

 private:
  const char* name_;
  std::optional<std::string> old_;
};

}  // namespace

TEST_CASE("State and cache lie where XDG says") {
  const Environment own("WARPBOOK_HOME", nullptr), data("XDG_DATA_HOME", "/x/data"),
      cache("XDG_CACHE_HOME", "/x/cache");
  CHECK(state_folder() == "/x/data/warpbook");
  CHECK(cache_folder() == "/x/cache/warpbook");
}

TEST_CASE(
    "Without XDG's variables, or with relative ones, state and cache lie below the home folder") {
  const Environment own("WARPBOOK_HOME", nullptr), home("HOME", "/h"),
      data("XDG_DATA_HOME", "relative"), cache("XDG_CACHE_HOME", nullptr);
  CHECK(state_folder() == "/h/.local/share/warpbook");
  CHECK(work_folder() == "/h/warpbook-exercises");
  CHECK(cache_folder() == "/h/.cache/warpbook");
}

TEST_CASE("WARPBOOK_HOME overrides both, and keeps the two apart") {
  const Environment own("WARPBOOK_HOME", "/mine"), data("XDG_DATA_HOME", "/x/data");
  CHECK(state_folder().parent_path() == "/mine");
  CHECK(work_folder() == "/mine/exercises");
  CHECK(cache_folder().parent_path() == "/mine");
  CHECK(state_folder() != cache_folder());
}

TEST_CASE("WARPBOOK_ROOT says where the lessons are") {
  const Environment root("WARPBOOK_ROOT", "/book");
  CHECK(root_folder() == "/book");
}

TEST_CASE("The root is found above the program") {
  const Environment root("WARPBOOK_ROOT", nullptr);
  CHECK(fs::is_directory(root_folder() / "kernels"));
}

TEST_CASE("A file is written whole, in a folder that is made for it, and read back") {
  const auto write = GENERATE(&write_file_atomically, &replace_file);
  const TemporaryFolder folder;
  const fs::path file = folder.path() / "a" / "b" / "c.txt";
  const std::string text("one\0two", 7);
  REQUIRE(write(file, text));
  CHECK(read_file(file) == text);
  REQUIRE(write(file, ""));
  CHECK(read_file(file) == "");
  CHECK(std::distance(fs::directory_iterator(file.parent_path()), fs::directory_iterator()) == 1);
}

TEST_CASE("A file that is replaced keeps its mode") {
  const TemporaryFolder folder;
  const fs::path file = folder.write("script", "old");
  fs::permissions(file, fs::perms::owner_all);
  REQUIRE(write_file_atomically(file, "new"));
  CHECK(fs::status(file).permissions() == fs::perms::owner_all);
}

TEST_CASE("A write that fails names the file and the reason, and leaves the old content") {
  const TemporaryFolder folder;
  const fs::path not_a_folder = folder.write("file", "old");
  const auto written = write_file_atomically(not_a_folder / "below", "new");
  REQUIRE_FALSE(written);
  CHECK(written.error().code == ErrorCode::file_unwritable);
  CHECK(written.error().english().find(not_a_folder.string()) != std::string::npos);
  CHECK(read_file(not_a_folder) == "old");
}

TEST_CASE("A kill during writes leaves the old or the new content, whole") {
  const auto write = GENERATE(&write_file_atomically, &replace_file);
  const TemporaryFolder folder;
  const fs::path file = folder.path() / "state";
  const std::string old_text(1 << 20, 'a'), new_text(1 << 20, 'b');
  REQUIRE(write(file, old_text));
  for (int round = 0; round < 5; ++round) {
    const pid_t writer = ::fork();
    REQUIRE(writer >= 0);
    if (writer == 0) {
      while (write(file, new_text) && write(file, old_text)) {
      }
      ::_exit(1);
    }
    ::usleep(5000u + 3000u * static_cast<unsigned>(round));
    ::kill(writer, SIGKILL);
    ::waitpid(writer, nullptr, 0);
    const auto content = read_file(file);
    REQUIRE(content);
    CHECK((*content == old_text || *content == new_text));
  }
}

TEST_CASE("What is no regular file is refused and not waited for") {
  const TemporaryFolder folder;
  const fs::path pipe = folder.path() / "pipe";
  REQUIRE(::mkfifo(pipe.c_str(), 0600) == 0);
  for (const fs::path& path :
       {pipe, folder.path(), folder.path() / "absent", fs::path("/dev/zero")}) {
    CAPTURE(path);
    const auto content = read_file(path);
    REQUIRE_FALSE(content);
    CHECK(content.error().code == ErrorCode::file_unreadable);
  }
}

TEST_CASE("A file over the limit is refused") {
  const TemporaryFolder folder;
  const fs::path file = folder.write("large", std::string(1000, 'x'));
  CHECK(read_file(file, 1000));
  CHECK_FALSE(read_file(file, 999));
}

}  // namespace warpbook::tests::platform_test
