// The commands of the README, as a newcomer types them: they stand there to be copied, and run as they are.
#include <sys/wait.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <set>
#include <string>
#include <vector>

#include <catch2/catch_test_macros.hpp>

#include "tests/cli/program.hpp"

namespace warpbook::tests::readme_test {
namespace {

/// The lines that are shown as code, without what is said beside them, and without the set-up itself.
std::vector<std::string> commands_of(const char* readme) {
  std::ifstream text(std::filesystem::path(WARPBOOK_SOURCE_DIR) / readme);
  std::vector<std::string> commands;
  const std::string indent(4, ' ');
  for (std::string line; std::getline(text, line);) {
    if (!line.starts_with(indent)) continue;
    line.erase(0, indent.size());
    if (line != "./warpbook") commands.push_back(line.substr(0, line.find("  ")));
  }
  return commands;
}

/// A folder that looks like a clone's.
struct Clone {
  TemporaryFolder folder;
  Clone() {
    const std::filesystem::path source = WARPBOOK_SOURCE_DIR;
    for (const char* name : {"exercises", "kernels", "lessons", "solutions"})
      std::filesystem::create_directory_symlink(source / name, folder.path() / name);
    const auto script =
        folder.write("warpbook", "#!/bin/sh\nWARPBOOK_ROOT='" WARPBOOK_SOURCE_DIR
                                 "' WARPBOOK_HOME=\"$PWD/home\" LC_ALL=C.UTF-8 exec "
                                 "'" WARPBOOK_BINARY "' \"$@\"\n");
    std::filesystem::permissions(script, std::filesystem::perms::owner_all);
  }
  /// The exit code of a line of a shell, whose words land in the file `said`.
  int run(const std::string& line) const {
    const std::string at = folder.path().string();
    const int status = std::system(  // NOLINT(cert-env33-c): a shell is what readers have
        ("cd '" + at + "' && { " + line + "; } > said 2>&1 < /dev/null").c_str());
    return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
  }
};

}  // namespace

TEST_CASE("Every command of the README runs as it stands there", "[ci]") {
  const Clone clone;
  const std::vector<std::string> commands = commands_of("README.md");
  REQUIRE(commands.size() >= 15);
  for (const std::string& command : commands) {
    const bool times = command.find(" engines ") != std::string::npos;  // 20 s each
    const int code = clone.run(command + (times ? " --no-time" : ""));
    CAPTURE(command, read_whole(clone.folder.path() / "said"));
    // A task that nobody has done yet has not passed; what the window, libraries and whole programs need may be
    // missing here.
    const bool task = command == "./warpbook check saxpy";
    const bool may_be_missing = times || command.find(" shot ") != std::string::npos ||
                                command.find(" program ") != std::string::npos;
    CHECK((code == (task ? 1 : 0) || (may_be_missing && code == 3)));
  }
  CHECK(read_whole(clone.folder.path() / "sum.bin") ==
        std::string("\2\0\0\0\4\0\0\0\6\0\0\0\10\0\0\0", 16));
}

TEST_CASE("The Chinese README has the same commands, in its language") {
  const auto plain = [](const char* readme) {
    std::set<std::string> commands;
    for (std::string command : commands_of(readme)) {
      if (const auto at = command.find(" --lang zh"); at != std::string::npos) command.erase(at);
      if (command.starts_with("./warpbook glossary")) command = "./warpbook glossary";
      commands.insert(command);
    }
    return commands;
  };
  CHECK(plain("README.md") == plain("README.zh.md"));
}

}  // namespace warpbook::tests::readme_test
