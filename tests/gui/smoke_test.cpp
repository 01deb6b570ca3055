// The real program on a private X server.
#include <cstdlib>
#include <filesystem>
#include <string>

#include <sys/wait.h>

#include <catch2/catch_test_macros.hpp>

namespace warpbook::tests::smoke_test {

namespace {
int run(const std::string& command) {
  const int status = std::system(command.c_str());
  return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}
}  // namespace

TEST_CASE("the window opens on a display, takes a key, and keeps the answer", "[ci]") {
  const auto folder = std::filesystem::current_path() / "smoke";
  std::filesystem::remove_all(folder);
  CHECK(run("bash " WARPBOOK_SOURCE_DIR "/tests/gui/smoke.sh " WARPBOOK_BINARY " " +
            folder.string()) == 0);
}

TEST_CASE("a lecture opens with its notes in a second window, whose keys hold it", "[long]") {
  const auto folder = std::filesystem::current_path() / "two-windows";
  std::filesystem::remove_all(folder);
  CHECK(run("bash " WARPBOOK_SOURCE_DIR "/tests/gui/present/two_windows.sh " WARPBOOK_BINARY " " +
            folder.string()) == 0);
}

TEST_CASE("without a display the window says so in one line, with the remedy, and exits 3",
          "[ci]") {
  const auto folder = std::filesystem::current_path() / "no-display";
  std::filesystem::create_directories(folder);
  const std::string out = (folder / "err").string();
  CHECK(run("env -u DISPLAY -u WAYLAND_DISPLAY LC_ALL=C.UTF-8 " WARPBOOK_BINARY
            " open > /dev/null 2> " +
            out) == 3);
  CHECK(run("test $(wc -l < " + out + ") = 1 && grep -q 'warpbook shot first-kernel out.png' " +
            out) == 0);
}

}  // namespace warpbook::tests::smoke_test
